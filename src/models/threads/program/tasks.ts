import { fail, quote } from '../../../base/problem.ts';
import type { Site } from '../../site.ts';
import { type ChainMark, type Frame, frameOf, MAX_COUNT, outsideTeams, type Use } from './frames.ts';
import type { StrandJob } from './pending-strands.ts';
import { acquireMode, ROW } from './rows.ts';
import { inner, type Scope } from './state.ts';
import { type RecordedThreads, type StatementOf, taskRegion } from './statements.ts';
import type { StrandWriter } from './strand-writer.ts';

/** Maximum depth of tasks that spawn tasks. */
const MAX_DEPTH = 100_000;

/** Writes the rows of tasks that are alike but for their depth and arguments. */
interface TaskJob extends StrandJob {
  readonly task: string;
  readonly base: Scope;
  readonly region: number;
  readonly mark: ChainMark | undefined;
  readonly names: readonly string[];
}

/** Spawned tasks: their arguments, their dependences, and the ranges of loops that spawn. */
export class Tasks {
  readonly #writer: StrandWriter;
  readonly #recorded: RecordedThreads['tasks'];
  #base: Scope = {};
  #last: TaskJob | undefined;

  constructor(writer: StrandWriter, recorded: RecordedThreads['tasks']) {
    this.#writer = writer;
    this.#recorded = recorded;
  }

  spawn(f: Frame, s: StatementOf<'spawn'>): void {
    const { site } = s;
    const args = this.#argsOf(f, s.task, s.args, site);
    const base = this.#taskBase(f.scope);
    const child = this.spawned(f, site, s.task);
    if (this.#writer.awaited.size > 0) f.futures.set(s.future, child);
    if (this.#writer.awaited.has(s.future))
      this.#writer.futureObject.set(child, this.#writer.latch(`future of ${s.task}`, 'event', 0, site));
    this.#depend(f, s, child);
    this.#writer.ready(child, site);
    const values = Object.values(args);
    const depth = this.#depth(f, s.task, values, site);
    const mark = isMarked(depth) ? undefined : f.chain.mark;
    this.#writer.later(this.#jobOf(f, s.task, base, Object.keys(args), mark), child, depth, ...values);
  }

  /**
   * Writes the rows of tasks that differ in their depth and arguments only. Tasks that are spawned one after the other are
   * mostly alike, so that the last one is kept.
   *
   * @param mark of the chain; undefined if the task is one itself
   */
  #jobOf(f: Frame, task: string, base: Scope, names: readonly string[], mark: ChainMark | undefined): StrandJob {
    const { region } = f;
    const last = this.#last;
    if (
      last !== undefined &&
      last.task === task &&
      last.base === base &&
      last.region === region &&
      last.mark === mark &&
      this.#writer.awaited.size === 0 &&
      last.names.length === names.length &&
      last.names.every((name, k) => name === names[k])
    )
      return last;
    const futures = this.#writer.known(f);
    const { body, site } = this.#recorded.get(task)!;
    const job = {
      ...{ task, base, region, mark, names },
      width: names.length + 1,
      write: (strand: number, [depth, ...values]: readonly number[]): void => {
        const scope = inner(base, Object.fromEntries(names.map((name, k) => [name, values[k]!])));
        const chain = { depth: depth!, mark: mark ?? { task, threads: base['threads'], args: values } };
        this.#writer.strandRows(frameOf(outsideTeams(strand, scope, { region }), futures, chain), body, site);
      },
    };
    this.#last = job;
    return job;
  }

  /** A task that the strand itself executes. */
  call(f: Frame, s: StatementOf<'call'>): void {
    const { site } = s;
    const scope = inner(this.#taskBase(f.scope), this.#argsOf(f, s.task, s.args, site));
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

  /** The arguments of a task by name. */
  #argsOf(
    f: Frame,
    task: string,
    given: Readonly<Record<string, unknown>>,
    site: Site,
  ): Readonly<Record<string, number>> {
    const args: Record<string, number> = { ...this.#recorded.get(task)!.defaults };
    for (const [name, argument] of Object.entries(given)) {
      const value = this.#writer.evaluate.value(argument, f.scope, name, site);
      if (typeof value !== 'number' || !Number.isFinite(value))
        fail('THR004', `${name}: expected a finite number, got ${String(value)}`, site.place);
      args[name] = value;
    }
    return args;
  }

  /** Facts that all tasks know besides their arguments; consecutive tasks share them. */
  #taskBase({ p, threads, rank }: Scope): Scope {
    const base = this.#base;
    if (base['p'] === p && base['threads'] === threads && base['rank'] === rank) return base;
    this.#base = Object.assign(Object.create(null) as Record<string, number>, { p, threads, rank });
    return this.#base;
  }

  /** A strand for a spawned task. The first one of a main strand, outside regions, begins a region that ends at the join. */
  spawned(f: Frame, site: Site, name: string): number {
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
    const futures = this.#writer.known(f);
    const job: StrandJob = {
      width: 2,
      write: (strand, [low, high]) => {
        const frame = frameOf(outsideTeams(strand, f.scope, f), futures, f.chain);
        this.#range(frame, s, low!, high!, job);
      },
    };
    for (let low = 0; low < n; low += step) {
      const strand = this.spawned(f, s.site, SPAWNED);
      this.#writer.ready(strand, s.site);
      this.#writer.later(job, strand, low, Math.min(n, low + step));
    }
  }

  /** The rows of a strand for a range of iterations: it spawns upper halves until one grain is left, and executes that. */
  #range(f: Frame, s: StatementOf<'spawnLoop'>, low: number, high: number, job: StrandJob): void {
    const { site, grain } = s;
    this.#writer.strands.start[f.strand] = this.#writer.rows.count;
    const halves = high - low > grain ? this.#writer.open(f, site) : undefined;
    let end = high;
    while (end - low > grain) {
      const middle = low + grain * Math.ceil(Math.ceil((end - low) / grain) / 2);
      const strand = this.#writer.child(f, halves!, site, SPAWNED);
      this.#writer.ready(strand, site);
      this.#writer.later(job, strand, middle, end);
      end = middle;
    }
    for (let k = low; k < end; k++) this.#writer.within(f, { [s.variable]: k }, s.body);
    this.#writer.sync(f, site);
    if (halves !== undefined) this.#writer.join(halves, site);
    this.#writer.ended(f.strand, site);
  }

  /** @throws InputError THR005 for recursion without end */
  #depth(f: Frame, task: string, args: readonly number[], site: Site): number {
    const depth = f.chain.depth + 1;
    const { threads } = f.scope;
    const { mark } = f.chain;
    if (
      mark !== undefined &&
      mark.task === task &&
      mark.threads === threads &&
      mark.args.length === args.length &&
      mark.args.every((value, k) => value === args[k])
    )
      fail(
        'THR005',
        `task ${quote(task)} is spawned again below itself with the same arguments: the recursion has no end`,
        site.place,
      );
    if (depth > MAX_DEPTH)
      fail('THR005', `more than ${MAX_DEPTH} tasks spawn each other: does the recursion end?`, site.place);
    return depth;
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

/** True if a task at this depth is the mark of the tasks below it: at powers of two. */
const isMarked = (depth: number): boolean => (depth & (depth - 1)) === 0;

/** Name of strands that call tasks in a loop. */
const SPAWNED = 'calls';
