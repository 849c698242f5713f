import { fail, quote } from '../../../base/problem.ts';
import type { Site } from '../../site.ts';
import { type Chain, type Frame, frameOf, MAX_COUNT, outsideTeams, type Use } from './frames.ts';
import { acquireMode, ROW } from './rows.ts';
import { inner, type Scope } from './state.ts';
import { type RecordedThreads, type StatementOf, taskRegion } from './statements.ts';
import type { StrandWriter } from './strand-writer.ts';

/** Maximum depth of tasks that spawn tasks. */
const MAX_DEPTH = 100_000;

/** Spawned tasks: their arguments, their dependences, and the ranges of loops that spawn. */
export class Tasks {
  readonly #writer: StrandWriter;
  readonly #recorded: RecordedThreads['tasks'];
  #base: Scope = {};

  constructor(writer: StrandWriter, recorded: RecordedThreads['tasks']) {
    this.#writer = writer;
    this.#recorded = recorded;
  }

  spawn(f: Frame, s: StatementOf<'spawn'>): void {
    const { site } = s;
    const task = this.#recorded.get(s.task)!;
    const scope = this.#taskScope(f, s.task, s.args, site);
    const child = this.#spawned(f, site, s.task);
    if (this.#writer.awaited.size > 0) f.futures.set(s.future, child);
    if (this.#writer.awaited.has(s.future))
      this.#writer.futureObject.set(child, this.#writer.latch(`future of ${s.task}`, 'event', 0, site));
    this.#depend(f, s, child);
    this.#writer.ready(child, site);
    const chain = this.#chain(f, s.task, scope as Readonly<Record<string, number>>, site);
    this.#writer.later(outsideTeams(child, scope, f), { futures: f.futures, chain }, (frame) =>
      this.#writer.strandRows(frame, task.body, task.site),
    );
  }

  /** A task that the strand itself executes. */
  call(f: Frame, s: StatementOf<'call'>): void {
    const { site } = s;
    const scope = this.#taskScope(f, s.task, s.args, site);
    const called = frameOf(outsideTeams(f.strand, scope, f), f.futures, f.chain);
    this.#writer.block(called, this.#recorded.get(s.task)!.body);
    this.#writer.sync(called, site);
  }

  /** Waits for a spawned task. */
  get(f: Frame, s: StatementOf<'get'>): void {
    const strand = f.futures.get(s.future);
    if (strand === undefined) fail('THR003', 'get: no task has been spawned for this future here', s.site.place);
    this.#writer.rows.add(ROW.acquire, s.site, this.#writer.futureObject.get(strand)!, acquireMode('future'));
  }

  /** The names in scope of a task: its arguments. */
  #taskScope(f: Frame, task: string, given: Readonly<Record<string, unknown>>, site: Site): Scope {
    const args: Record<string, number> = { ...this.#recorded.get(task)!.defaults };
    for (const [name, argument] of Object.entries(given)) {
      const value = this.#writer.evaluate.value(argument, f.scope, name, site);
      if (typeof value !== 'number' || !Number.isFinite(value))
        fail('THR004', `${name}: expected a finite number, got ${String(value)}`, site.place);
      args[name] = value;
    }
    return inner(this.#taskBase(f.scope), args);
  }

  /** What all tasks know besides their arguments; consecutive tasks share it. */
  #taskBase({ p, threads, rank }: Scope): Scope {
    const base = this.#base;
    if (base['p'] === p && base['threads'] === threads && base['rank'] === rank) return base;
    this.#base = Object.assign(Object.create(null) as Record<string, number>, { p, threads, rank });
    return this.#base;
  }

  /** A strand for a spawned task. The first one of a main strand, outside regions, begins a region that ends at the join. */
  #spawned(f: Frame, site: Site, name: string): number {
    if (f.own.tasks === undefined && f.isInRegion !== true) {
      const region = this.#writer.enter(f, taskRegion({ site }), site);
      if (region.isMain) f.own.tasksRegion = region;
    }
    f.own.tasks ??= this.#writer.open(f, site);
    return this.#writer.child(f, f.own.tasks, site, name);
  }

  spawnLoop(f: Frame, s: StatementOf<'spawnLoop'>): void {
    const n = this.#writer.evaluate.integer(s.count, f.scope, 'count', s.site, 0, MAX_COUNT);
    const step = s.spawning === 'recursive' ? n : s.grain;
    for (let low = 0; low < n; low += step)
      this.#range(f, s, this.#spawned(f, s.site, SPAWNED), low, Math.min(n, low + step));
  }

  /** A strand for a range of iterations: spawns upper halves until one grain is left, and executes that. */
  #range(f: Frame, s: StatementOf<'spawnLoop'>, strand: number, low: number, high: number): void {
    const { site, grain } = s;
    this.#writer.ready(strand, site);
    this.#writer.later(outsideTeams(strand, f.scope, f), f, (frame) => {
      this.#writer.strands.start[strand] = this.#writer.rows.count;
      const halves = high - low > grain ? this.#writer.open(frame, site) : undefined;
      let end = high;
      while (end - low > grain) {
        const middle = low + grain * Math.ceil(Math.ceil((end - low) / grain) / 2);
        this.#range(frame, s, this.#writer.child(frame, halves!, site, SPAWNED), middle, end);
        end = middle;
      }
      for (let k = low; k < end; k++) this.#writer.within(frame, { [s.variable]: k }, s.body);
      this.#writer.sync(frame, site);
      if (halves !== undefined) this.#writer.join(halves, site);
      this.#writer.ended(strand, site);
    });
  }

  /** @throws InputError THR005 for recursion without end */
  #chain(f: Frame, task: string, args: Readonly<Record<string, number>>, site: Site): Chain {
    const depth = f.chain.depth + 1;
    const mark = `${task} ${String(f.scope['threads'])} ${Object.values(args).join(' ')}`;
    if (mark === f.chain.mark)
      fail(
        'THR005',
        `task ${quote(task)} is spawned again below itself with the same arguments: the recursion has no end`,
        site.place,
      );
    if (depth > MAX_DEPTH)
      fail('THR005', `more than ${MAX_DEPTH} tasks spawn each other: does the recursion end?`, site.place);
    return { depth, mark: (depth & (depth - 1)) === 0 ? mark : f.chain.mark };
  }

  #depend(f: Frame, s: StatementOf<'spawn'>, child: number): void {
    const before = new Set<number>();
    for (const key of this.#writer.evaluate.keys(s.reads, f.scope, 'reads', s.site)) {
      const use = this.#use(f, key);
      if (use.writer !== undefined) before.add(use.writer);
      use.readers.push(child);
    }
    for (const key of this.#writer.evaluate.keys(s.writes, f.scope, 'writes', s.site)) {
      const use = this.#use(f, key);
      if (use.writer !== undefined) before.add(use.writer);
      for (const reader of use.readers) before.add(reader);
      use.writer = child;
      use.readers = [];
    }
    before.delete(child);
    for (const strand of before) this.#writer.after(strand, child);
  }

  #use(f: Frame, key: number | string): Use {
    f.own.uses ??= new Map();
    let use = f.own.uses.get(key);
    if (use === undefined) {
      use = { writer: undefined, readers: [] };
      f.own.uses.set(key, use);
    }
    return use;
  }
}

/** Name of strands that call tasks in a loop. */
const SPAWNED = 'calls';
