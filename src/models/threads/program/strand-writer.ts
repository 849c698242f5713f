import { IntColumn } from '../../../base/columns.ts';
import { fail } from '../../../base/problem.ts';
import type { Site } from '../../site.ts';
import { type Frame, type Group, inScope, insideStrand, NO_FUTURES, type Region } from './frames.ts';
import { PendingStrands, type StrandJob } from './pending-strands.ts';
import { acquireMode, MAX_ROWS, ROW, RowWriter, releaseMode, type SyncObject, type ThreadProgram } from './rows.ts';
import type { Size } from './size-estimate.ts';
import { Evaluator, inner, type Scope } from './state.ts';
import type { Argument, Block, Future, RecordedThreads, StatementOf, Work } from './statements.ts';
import { statementsOf } from './statements.ts';

/** Maximum number of strands. */
const MAX_STRANDS = 3_000_000;
/** Memory of a task with its rows, and of its part of the net, measured: 150 to 220, and 370 with a critical section. */
const BYTES_OF_STRAND = 250;

/** Largest number of a data block. */
const MAX_BLOCK = 2 ** 31 - 1;

/** Data blocks of computations, by the numbers that the model gives them. Each process, and each module of a composition, has its own. */
class Blocks {
  count = 0;
  #numbers = new Map<unknown, Map<number, number>>();

  ofNextPool(): void {
    this.#numbers = new Map();
  }

  /** @param owner the parameters of the model or module */
  numberOf(owner: unknown, block: number): number {
    const own = this.#numbers.get(owner) ?? new Map<number, number>();
    this.#numbers.set(owner, own);
    const number = own.get(block) ?? this.count++;
    own.set(block, number);
    return number;
  }
}

/** Columns of the strands, by number. */
class Strands {
  readonly #start = new IntColumn();
  readonly #group = new IntColumn();
  readonly #parent = new IntColumn();
  readonly #conditions = new IntColumn();
  readonly #tasks = new IntColumn();
  readonly #name = new IntColumn();
  readonly #thread = new IntColumn();
  #priority: IntColumn | undefined;
  readonly #names = new Map<string, number>();

  get count(): number {
    return this.#start.length;
  }

  /** First rows; −1 while they are not known. */
  get start(): Int32Array {
    return this.#start.values;
  }

  get group(): Int32Array {
    return this.#group.values;
  }

  get parent(): Int32Array {
    return this.#parent.values;
  }

  get conditions(): Int32Array {
    return this.#conditions.values;
  }

  get tasks(): Int32Array {
    return this.#tasks.values;
  }

  add(parent: number, group: number, name: string, thread = -1): number {
    let number = this.#names.get(name);
    if (number === undefined) {
      number = this.#names.size;
      this.#names.set(name, number);
    }
    this.#name.push(number);
    this.#thread.push(thread);
    this.#tasks.push(parent < 0 ? 0 : 1);
    this.#group.push(group);
    this.#parent.push(parent);
    this.#conditions.push(0);
    const strand = this.#start.push(-1) - 1;
    if (this.#priority !== undefined) this.prioritise(strand, this.#priority.values[parent] ?? 0);
    return strand;
  }

  /** Without it a strand has the priority of its parent. */
  prioritise(strand: number, priority: number): void {
    if (priority === 0 && this.#priority === undefined) return;
    this.#priority ??= new IntColumn();
    this.#priority.set(strand, priority);
  }

  finish(): Pick<ThreadProgram, 'strands' | 'names'> {
    return {
      strands: {
        count: this.count,
        start: this.#start.finish(),
        group: this.#group.finish(),
        parent: this.#parent.finish(),
        conditions: this.#conditions.finish(),
        name: this.#name.finish(),
        thread: this.#thread.finish(),
        tasks: this.#tasks.finish(),
        ...(this.#priority === undefined ? {} : { priority: this.#priority.padded(this.count) }),
      },
      names: [...this.#names.keys()],
    };
  }
}

/** Writes the rows of strands, the groups in which they are joined, and the regions of main strands. */
export class StrandWriter {
  readonly rows = new RowWriter();
  readonly evaluate = new Evaluator();
  readonly strands = new Strands();
  readonly blocks = new Blocks();
  readonly objects: SyncObject[] = [];
  /** Writes the rows of a block. */
  readonly block: (frame: Frame, body: Block) => void;
  /** Futures that something waits for, and the object of each strand that has one. */
  readonly awaited: ReadonlySet<Future>;
  readonly futureObject = new Map<number, number>();
  readonly regions: string[] = [];
  /** Tasks that main strands begin at the beginnings of regions, by row. */
  readonly regionTasks = new Map<number, number>();
  readonly groupOwner = new IntColumn();
  readonly groupNext = new IntColumn();
  readonly #joinsObjects: boolean;
  readonly #pending = new PendingStrands();
  /** Strands that depend on a strand. */
  readonly #successors = new Map<number, number[]>();
  /** Strands whose group is joined by an object. */
  readonly #joinObject = new Map<number, number>();

  /** @param joinsObjects whether strands wait for those that they have spawned on objects */
  constructor(recorded: RecordedThreads, joinsObjects: boolean, block: (frame: Frame, body: Block) => void) {
    this.block = block;
    this.#joinsObjects = joinsObjects;
    this.awaited = new Set([...statementsOf(recorded)].flatMap((s) => (s.kind === 'get' ? [s.future] : [])));
  }

  /** Writes rows that belong to no strand after those of the strands that are waiting. */
  defer(write: () => void): void {
    this.later({ width: 0, write }, -1);
  }

  /** Writes all rows that were deferred, and those deferred meanwhile. */
  writeDeferred(): void {
    while (!this.#pending.isEmpty) this.#pending.writeFirst();
  }

  /**
   * Writes the rows of a strand after those of the strands that are waiting. Millions of strands may wait: their frames are made
   * when they begin.
   */
  later(job: StrandJob, strand: number, ...numbers: readonly number[]): void {
    this.#pending.add(job, strand, numbers);
  }

  /** The futures that strands spawned now know. */
  known({ futures }: Pick<Frame, 'futures'>): ReadonlyMap<Future, number> {
    return this.awaited.size === 0 ? NO_FUTURES : new Map(futures);
  }

  /** The rows of a whole strand, with what follows from its end. */
  strandRows(frame: Frame, body: Block, site: Site): void {
    this.strands.start[frame.strand] = this.rows.count;
    this.block(frame, body);
    this.sync(frame, site);
    this.ended(frame.strand, site);
  }

  /** The end of a strand: notifies dependences, futures and join objects. */
  ended(strand: number, site: Site): void {
    for (const successor of this.#successors.get(strand) ?? []) this.rows.add(ROW.meet, site, successor);
    const future = this.futureObject.get(strand);
    if (future !== undefined) this.rows.add(ROW.release, site, future, releaseMode('set'));
    const join = this.#joinObject.get(this.strands.group[strand]!);
    if (join !== undefined) this.rows.add(ROW.release, site, join, releaseMode('arrive'));
    this.rows.add(ROW.end, site);
  }

  /** A block with further names in scope. */
  within(f: Frame, names: Scope, body: Block): void {
    this.block(inScope(f, inner(f.scope, names)), body);
  }

  /**
   * The body of a task that is executed as part of another strand. As in a separate strand, `sync` waits for the tasks that the
   * body itself has spawned, the body ends after them, and it belongs to no section.
   */
  body(f: Frame, names: Readonly<Record<string, number>>, body: Block, site: Site): void {
    const nested = insideStrand(f, inner(f.scope, names));
    this.block(nested, body);
    this.sync(nested, site);
  }

  compute(scope: Scope, work: Work, site: Site): void {
    const amount = (name: 'flops' | 'seconds' | 'bytes' | 'shared' | 'reused'): number =>
      this.evaluate.amount(work[name], scope, name, site);
    const [flops, seconds, bytes, shared] = [amount('flops'), amount('seconds'), amount('bytes'), amount('shared')];
    const computes = work.flops !== undefined || work.seconds !== undefined || work.shared !== undefined;
    if (work.reused !== undefined) this.#reuse(scope, amount('reused'), work.block, site);
    if (computes) {
      const row = this.rows.add(ROW.work, site);
      this.rows.amounts(row, flops, seconds, 0, shared);
      this.rows.part((scope['first'] as number | undefined) ?? 0);
      if (work.noise !== undefined) this.rows.noise(row, work.noise);
    }
    if (bytes > 0) this.rows.amounts(this.rows.add(ROW.memory, site), 0, 0, bytes, 0);
  }

  #reuse(scope: Scope, bytes: number, block: Argument | undefined, site: Site): void {
    const { first = 0 } = scope as { readonly first?: number };
    const number = block === undefined ? first : this.evaluate.integer(block, scope, 'block', site, 0, MAX_BLOCK);
    if (bytes === 0) return;
    const row = this.rows.add(ROW.reuse, site, this.blocks.numberOf(scope['p'], number));
    this.rows.amounts(row, 0, 0, 0, bytes);
  }

  /** A group of strands that the strand will wait for. */
  open(f: Frame, site: Site): Group {
    if (f.chunkOf !== undefined) notInChunk('tasks and threads', f.chunkOf, site);
    const number = this.groupOwner.push(f.strand) - 1;
    this.groupNext.push(-1);
    if (!this.#joinsObjects) return { number, open: this.rows.add(ROW.open, site, number), count: 0 };
    const join = { kind: 'latch', name: 'join', index: 0, initial: 0, site, isJoin: true } as const;
    this.#joinObject.set(number, this.objects.push(join) - 1);
    return { number, open: -1, count: 0 };
  }

  /** A new member of a group of the strand. */
  child(f: Frame, group: Group, site: Site, name: string, thread?: number): number {
    if (this.strands.count >= MAX_STRANDS) this.tooMany(site, `${MAX_STRANDS} threads and tasks`);
    group.count++;
    return this.strands.add(f.strand, group.number, name, thread);
  }

  /** @param team where a thread of a section comes from: of {@link TEAM} */
  ready(child: number, site: Site, team = 0): void {
    if (this.strands.conditions[child] === 0) this.rows.add(ROW.spawn, site, child, team);
    else {
      this.strands.conditions[child]!++;
      this.rows.add(ROW.meet, site, child);
    }
  }

  /** `next` is not ready before `strand` has ended. The rows of `strand` are not written yet. */
  after(strand: number, next: number): void {
    const list = this.#successors.get(strand);
    if (list === undefined) this.#successors.set(strand, [next]);
    else list.push(next);
    this.strands.conditions[next]!++;
  }

  /** Waits for the strands of a group. */
  join(group: Group, site: Site): void {
    const object = this.#joinObject.get(group.number);
    if (object === undefined) {
      this.rows.setB(group.open, group.count);
      this.rows.add(ROW.sync, site, group.number);
      this.groupNext.values[group.number] = this.rows.count;
    } else {
      this.objects[object] = { ...this.objects[object]!, initial: group.count };
      this.rows.add(ROW.acquire, site, object, acquireMode('latch'));
    }
  }

  /**
   * Waits for the tasks spawned since the last `sync`.
   *
   * @throws InputError THR006 in a chunk that any thread may execute, if some of these have tasks
   */
  sync({ own, chunkOf }: Frame, site: Site): void {
    if (own.mayHaveTasks === true) notInChunk('sync', chunkOf!, site);
    own.uses = undefined;
    if (own.tasks !== undefined) this.join(own.tasks, site);
    own.tasks = undefined;
    if (own.tasksRegion !== undefined) this.leave(own.tasksRegion, site);
    own.tasksRegion = undefined;
  }

  /** Writes rows within a region of results. The region of spawned tasks is interrupted by it. */
  inRegion({ own, ...f }: Frame, name: string, site: Site, write: (region: Region) => void): void {
    const { tasks, tasksRegion } = own;
    if (tasksRegion !== undefined) this.leave(tasksRegion, site);
    own.tasksRegion = undefined;
    const region = this.enter(f, name, site);
    write(region);
    this.leave(region, site);
    if (tasksRegion === undefined || own.tasks !== tasks) return;
    own.tasksRegion = tasksRegion;
    this.rows.add(ROW.region, site, tasksRegion.number, 1);
  }

  /** Begins a region. Only regions of main strands are regions of results: others run at the same time. */
  enter(f: Pick<Frame, 'strand' | 'region'>, name: string, site: Site): Region {
    if (this.strands.parent[f.strand] !== -1 || f.region !== -1) return { number: f.region, isMain: false };
    let number = this.regions.indexOf(name);
    if (number < 0) number = this.regions.push(name) - 1;
    this.rows.add(ROW.region, site, number, 1);
    return { number, isMain: true };
  }

  leave({ number, isMain }: Region, site: Site): void {
    if (isMain) this.rows.add(ROW.region, site, number, 0);
  }

  latch(name: string, kind: SyncObject['kind'], initial: number, site: Site): number {
    return this.objects.push({ kind, name, index: 0, initial, site }) - 1;
  }

  /**
   * Refuses what will be too large, before it is written.
   *
   * @throws InputError THR005
   */
  assertRoom({ strands, rows }: Size, site: Site): void {
    const all = this.strands.count + strands;
    if (all > MAX_STRANDS)
      fail(
        'THR005',
        `the program has at least ${all} threads and tasks, which take about ${Math.ceil((all * BYTES_OF_STRAND) / 1e9)} GB: expected at most ${MAX_STRANDS}. Use a smaller problem or larger tasks`,
        site.place,
      );
    if (this.rows.count + rows > MAX_ROWS) this.tooMany(site);
  }

  tooMany(site: Site, what = `${MAX_ROWS} steps`): never {
    return fail('THR005', `the program has more than ${what}: use a smaller problem or larger tasks`, site.place);
  }
}

/** @throws InputError THR006 */
export function notInChunk(what: string, loop: StatementOf<'parallelFor'>, site: Site): never {
  const where = loop.site.short === '' ? '' : ` at ${loop.site.short}`;
  const divides = loop.partitioner !== undefined;
  let why = divides ? "use partitioner: 'simple' there" : "use schedule: 'tasks' there";
  if (what.startsWith('barrier')) why = 'its threads are unknown';
  if (what === 'sync') why = 'its thread, which may have spawned tasks, is unknown. Sync before the loop, or after it';
  return fail(
    'THR006',
    `${what} in a chunk of the ${loop.partitioner ?? loop.schedule} loop${where}, which is assigned at run time: ${why}`,
    site.place,
  );
}
