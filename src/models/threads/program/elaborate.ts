import { fail, quote } from '../../../base/problem.ts';
import type { Parameters } from '../../parameters.ts';
import { Site } from '../../site.ts';
import { dynamicChunks, evenShares, guidedChunks } from './chunks.ts';
import { statementsOf } from './recorder.ts';
import {
  acquireMode,
  type ChunkedLoop,
  MAX_ROWS,
  ROW,
  RowWriter,
  releaseMode,
  type SyncObject,
  type ThreadProgram,
} from './rows.ts';
import { Evaluator, inner, type Scope } from './state.ts';
import {
  type Block,
  type Future,
  type Objects,
  type RecordedThreads,
  type Statement,
  type StatementOf,
  type SyncCall,
  taskRegion,
  type Work,
} from './statements.ts';

/** Options of {@link elaborate}. */
export interface ElaborateOptions {
  readonly name: string;
  readonly params: Parameters;
  readonly workers: number;
  /** Pools, one for each rank. Default 1. */
  readonly pools?: number;
  /**
   * How a strand waits for those that it has spawned: `counter`, where the last one continues it, or `object`, where it
   * waits on a synchronisation object as any thread does. Default `counter`.
   */
  readonly joins?: 'counter' | 'object';
  /** Whether the program can be executed again after its end: its objects then get their initial values. Default false. */
  readonly repeats?: boolean;
}

/** Members of a parallel section. */
interface Team {
  readonly firstStrand: number;
  readonly threads: number;
  /** Loops of the team, by statement and pass. */
  readonly shared: Map<string, TeamLoop>;
  /** How many threads have come to a barrier for the k-th time, by barrier and k. */
  readonly came: Map<string, number>;
}

/** What the threads of a team share at a loop. */
interface TeamLoop {
  readonly n: number;
  readonly chunk: number | undefined;
  readonly loops: number[];
  /** Latch of its end, followed by the lock of a reduction. */
  readonly latch: number;
  /** Names in scope with equal values in all threads. */
  readonly names: Map<string, number | Parameters>;
}

/** The chain of tasks above a strand. A task below one with the same arguments would spawn it again, without end. */
interface Chain {
  readonly depth: number;
  /** Task and arguments at the last depth that is a power of two (Brent's algorithm). */
  readonly mark: string;
}

/** The strands of one construct, for which its owner waits: a loop, a section, a pipeline, or the tasks until a `sync`. */
interface Group {
  readonly number: number;
  readonly open: number;
  count: number;
}

/** A region that has begun; `isMain`: its rows mark a region of results. */
interface Region {
  readonly number: number;
  readonly isMain: boolean;
}

/** State of a strand, or of an iteration that is executed as part of one: shared by its blocks. */
interface Own {
  /** Tasks spawned since the last `sync`. */
  tasks?: Group | undefined;
  /** Region of a main strand from its first task to the `sync`; undefined within another region. */
  tasksRegion?: Region | undefined;
  /** Passes through each statement of a team, by statement. */
  passes?: Map<Statement, number> | undefined;
  /** Last writer, and readers since, by key of dependences. */
  uses?: Map<number | string, Use> | undefined;
}

interface Use {
  writer: number | undefined;
  readers: number[];
}

/** A strand whose rows are to be written. */
interface Frame {
  readonly strand: number;
  readonly scope: Scope;
  readonly team: Team | undefined;
  /** Index within the team. */
  readonly member: number;
  readonly region: number;
  /** Whether a named region of this strand is open. */
  readonly isInRegion?: boolean;
  /** Strands by future, of this strand and those around it. */
  readonly futures: Map<Future, number>;
  readonly own: Own;
  readonly chain: Chain;
  /** The loop whose chunk this is; its rows belong to no strand. */
  readonly chunkOf: StatementOf<'parallelFor'> | undefined;
}

/** What is known of a frame when its strand is made. */
type FrameStart = Pick<Frame, 'strand' | 'scope' | 'team' | 'member' | 'region'>;

const NO_FUTURES: ReadonlyMap<Future, number> = new Map();
const NO_TASK: Chain = { depth: 0, mark: '' };
/** Maximum depth of tasks that spawn tasks, and number of strands. */
const MAX_DEPTH = 100_000;
const MAX_STRANDS = 3_000_000;

/** Maximum threads of a parallel section, and workers. */
export const MAX_THREADS = 1_000_000;
const MAX_COUNT = 2 ** 31 - 1;

/**
 * Writes the rows of all strands of a thread program: evaluates its functions, loops, recursion and dependences. O(rows).
 *
 * @throws InputError THR004 to THR006, THR008
 */
export function elaborate(recorded: RecordedThreads, options: ElaborateOptions): ThreadProgram {
  return new Elaboration(recorded, options).program();
}

class Elaboration {
  readonly #recorded: RecordedThreads;
  readonly #options: ElaborateOptions;
  readonly #rows = new RowWriter();
  readonly #evaluate = new Evaluator();
  readonly #work: (() => void)[] = [];
  readonly #start: number[] = [];
  readonly #group: number[] = [];
  readonly #parent: number[] = [];
  readonly #conditions: number[] = [];
  readonly #name: number[] = [];
  readonly #thread: number[] = [];
  readonly #tasks: number[] = [];
  /** Tasks that main strands begin at the beginnings of regions, by row. */
  readonly #regionTasks = new Map<number, number>();
  readonly #names = new Map<string, number>();
  readonly #groupOwner: number[] = [];
  readonly #groupNext: number[] = [];
  readonly #objects: SyncObject[] = [];
  /** First object of each name. */
  readonly #first = new Map<Objects, number>();
  readonly #loops: { readonly name: string; chunkRows: Int32Array; firstStrand: number; fetchRows: Int32Array }[] = [];
  readonly #regions: string[] = [];
  /** Futures that something waits for, and the object of each strand that has one. */
  readonly #awaited: ReadonlySet<Future>;
  readonly #futureObject = new Map<number, number>();
  /** Strands that depend on a strand. */
  readonly #successors = new Map<number, number[]>();
  /** Latches of barriers, by barrier and generation, and the threads that have come to each. */
  readonly #barriers = new Map<number, { readonly latches: number[]; readonly came: number[] }>();
  /** By barrier and strand: its times at the barrier, and the generation after its last one. */
  readonly #visits = new Map<string, { times: number; next: number }>();
  /** Strands whose group is joined by an object. */
  readonly #joinObject = new Map<number, number>();
  #resetJump = -1;
  #base: Scope = {};

  constructor(recorded: RecordedThreads, options: ElaborateOptions) {
    this.#recorded = recorded;
    this.#options = options;
    this.#awaited = new Set([...statementsOf(recorded)].flatMap((s) => (s.kind === 'get' ? [s.future] : [])));
  }

  /** Each process has its own objects. */
  #declareObjects(): void {
    this.#barriers.clear();
    this.#visits.clear();
    for (const objects of this.#recorded.objects) {
      if (objects.kind === 'barrier') continue;
      this.#first.set(objects, this.#objects.length);
      const { kind, name, initial, site } = objects;
      for (let index = 0; index < objects.count; index++) this.#objects.push({ kind, name, index, initial, site });
    }
  }

  program(): ThreadProgram {
    const { name, params, workers, pools = 1 } = this.#options;
    const main = new Site(elaborate);
    const poolRows = new Int32Array(pools + 1);
    for (let rank = 0; rank < pools; rank++) this.#strand(-1, -1, pools === 1 ? 'main' : `main of rank ${rank}`);
    for (let rank = 0; rank < pools; rank++) {
      const scope = Object.assign(Object.create(null) as Record<string, number | Parameters>, {
        p: params,
        threads: workers,
        thread: 0,
        rank,
      });
      const firstObject = this.#objects.length;
      this.#declareObjects();
      const frame = this.#frame({ strand: rank, scope, team: undefined, member: 0, region: -1 });
      this.#mainRows(frame, main);
      for (let k = 0; k < this.#work.length; k++) {
        this.#work[k]!();
        // Elaborated strands are not needed any more.
        this.#work[k] = DONE;
      }
      this.#work.length = 0;
      if (this.#options.repeats === true) this.#resetRows(firstObject, main);
      poolRows[rank + 1] = this.#rows.count;
    }
    const { rows, sites } = this.#rows.finish();
    return {
      name,
      workers,
      pools,
      poolRows,
      repeats: this.#options.repeats === true,
      strands: {
        count: this.#start.length,
        start: Int32Array.from(this.#start),
        group: Int32Array.from(this.#group),
        parent: Int32Array.from(this.#parent),
        conditions: Int32Array.from(this.#conditions),
        name: Int32Array.from(this.#name),
        thread: Int32Array.from(this.#thread),
        tasks: Int32Array.from(this.#tasks),
      },
      names: [...this.#names.keys()],
      rows,
      sites,
      objects: this.#objects,
      loops: this.#loops satisfies readonly ChunkedLoop[],
      groupOwner: Int32Array.from(this.#groupOwner),
      groupNext: Int32Array.from(this.#groupNext),
      regions: this.#regions,
      regionTasks: this.#regionTasks,
    };
  }

  #frame(own: FrameStart, futures: ReadonlyMap<Future, number> = NO_FUTURES, chain = NO_TASK): Frame {
    return {
      ...own,
      futures: new Map(futures),
      chain,
      own: {},
      chunkOf: undefined,
    };
  }

  /** A strand outside teams. */
  #task(strand: number, scope: Scope, { region }: Pick<Frame, 'region'>): FrameStart {
    return { strand, scope, team: undefined, member: 0, region };
  }

  /**
   * Writes the rows of a strand after those of the strands that are waiting. It knows the futures that its parent knows now.
   * Millions of strands may wait: their frames are made when they begin.
   */
  #later(own: FrameStart, { futures, chain }: Pick<Frame, 'futures' | 'chain'>, write: (f: Frame) => void): void {
    const known = this.#awaited.size === 0 ? NO_FUTURES : new Map(futures);
    this.#work.push(() => write(this.#frame(own, known, chain)));
  }

  #strand(parent: number, group: number, name: string, thread = -1): number {
    const number = this.#names.get(name) ?? this.#names.size;
    this.#names.set(name, number);
    this.#name.push(number);
    this.#thread.push(thread);
    this.#tasks.push(parent < 0 ? 0 : 1);
    this.#start.push(-1);
    this.#group.push(group);
    this.#parent.push(parent);
    this.#conditions.push(0);
    return this.#start.length - 1;
  }

  /** The rows of a whole strand, with what follows from its end. */
  #strandRows(frame: Frame, body: Block, site: Site): void {
    this.#start[frame.strand] = this.#rows.count;
    this.#block(frame, body);
    this.#sync(frame, site);
    this.#ended(frame.strand, site);
  }

  /** The end of a strand: dependences, futures and join objects are told. */
  #ended(strand: number, site: Site): void {
    for (const successor of this.#successors.get(strand) ?? []) this.#rows.add(ROW.meet, site, successor);
    const future = this.#futureObject.get(strand);
    if (future !== undefined) this.#rows.add(ROW.release, site, future, releaseMode('set'));
    const join = this.#joinObject.get(this.#group[strand]!);
    if (join !== undefined) this.#rows.add(ROW.release, site, join, releaseMode('arrive'));
    this.#rows.add(ROW.end, site);
  }

  /** The main strand. One that repeats ends after rows whose number is not known yet. */
  #mainRows(frame: Frame, site: Site): void {
    if (this.#options.repeats !== true) {
      this.#strandRows(frame, this.#recorded.body, site);
      return;
    }
    this.#start[frame.strand] = this.#rows.count;
    this.#block(frame, this.#recorded.body);
    this.#sync(frame, site);
    this.#resetJump = this.#rows.add(ROW.jump, site);
  }

  /** Rows that give the objects of a process their initial values, and the end of its main strand. */
  #resetRows(firstObject: number, site: Site): void {
    this.#rows.setB(this.#resetJump, this.#rows.count);
    for (let object = firstObject; object < this.#objects.length; object++) this.#rows.add(ROW.reset, site, object);
    this.#rows.add(ROW.end, site);
  }

  #block(frame: Frame, { statements }: Block): void {
    for (const s of statements) this.#statement(frame, s);
  }

  #statement(f: Frame, s: Statement): void {
    const { site } = s;
    switch (s.kind) {
      case 'compute':
        this.#compute(f.scope, s, site);
        break;
      case 'sleep': {
        const seconds = this.#evaluate.amount(s.seconds, f.scope, 'seconds', site);
        this.#rows.amounts(this.#rows.add(ROW.sleep, site), 0, seconds, 0, 0);
        break;
      }
      case 'loop': {
        const count = this.#evaluate.integer(s.count, f.scope, 'count', site, 0, MAX_COUNT);
        if (count > MAX_ROWS && s.body.statements.length > 0) this.#tooMany(site);
        if (s.body.statements.length === 0) break;
        for (let k = 0; k < count; k++) this.#within(f, { [s.variable]: k }, s.body);
        break;
      }
      case 'when':
        this.#block(f, this.#evaluate.truth(s.test, f.scope, site) ? s.holds : s.otherwise);
        break;
      case 'region':
        this.#inRegion(f, s.name, site, () => this.#block({ ...f, isInRegion: true }, s.body));
        break;
      case 'parallel':
        this.#parallel(f, s);
        break;
      case 'parallelFor':
        this.#parallelFor(f, s);
        break;
      case 'pipeline':
        this.#pipeline(f, s);
        break;
      case 'spawn':
        this.#spawn(f, s);
        break;
      case 'spawnLoop':
        this.#spawnLoop(f, s);
        break;
      case 'call': {
        const scope = this.#taskScope(f, s.task, s.args, site);
        const called = this.#frame(this.#task(f.strand, scope, f), f.futures, f.chain);
        this.#block(called, this.#recorded.tasks.get(s.task)!.body);
        this.#sync(called, site);
        break;
      }
      case 'sync':
        this.#sync(f, site);
        break;
      case 'get': {
        const strand = f.futures.get(s.future);
        if (strand === undefined) fail('THR003', 'get: no task has been spawned for this future here', site.place);
        const object = this.#futureObject.get(strand)!;
        this.#rows.add(ROW.acquire, site, object, acquireMode('future'));
        break;
      }
      case 'object':
        this.#object(f, s);
        break;
      case 'waitUntil':
        this.#waitUntil(f, s);
        break;
    }
  }

  /** A block with further names in scope. */
  #within(f: Frame, names: Readonly<Record<string, number>>, body: Block): void {
    this.#block({ ...f, scope: inner(f.scope, names) }, body);
  }

  /**
   * The body of a task that is executed as part of another strand. As in a strand of its own, `sync` waits for the tasks that the
   * body itself has spawned, the body ends after them, and it belongs to no section.
   */
  #body(f: Frame, names: Readonly<Record<string, number>>, body: Block, site: Site): void {
    const nested = {
      ...f,
      scope: inner(f.scope, names),
      team: undefined,
      member: 0,
      isInRegion: true,
      futures: this.#awaited.size === 0 ? f.futures : new Map(f.futures),
      own: {},
    };
    this.#block(nested, body);
    this.#sync(nested, site);
  }

  #compute(scope: Scope, work: Work, site: Site): void {
    const amount = (name: keyof Work): number => this.#evaluate.amount(work[name], scope, name, site);
    const [flops, seconds, bytes, shared] = [amount('flops'), amount('seconds'), amount('bytes'), amount('shared')];
    const computes = work.flops !== undefined || work.seconds !== undefined || work.shared !== undefined;
    if (computes) this.#rows.amounts(this.#rows.add(ROW.work, site), flops, seconds, 0, shared);
    if (bytes > 0) this.#rows.amounts(this.#rows.add(ROW.memory, site), 0, 0, bytes, 0);
  }

  #spawn(f: Frame, s: StatementOf<'spawn'>): void {
    const { site } = s;
    const task = this.#recorded.tasks.get(s.task)!;
    const scope = this.#taskScope(f, s.task, s.args, site);
    const child = this.#spawned(f, site, s.task);
    if (this.#awaited.size > 0) f.futures.set(s.future, child);
    if (this.#awaited.has(s.future))
      this.#futureObject.set(child, this.#latch(`future of ${s.task}`, 'event', 0, site));
    this.#depend(f, s, child);
    this.#ready(child, site);
    const chain = this.#chain(f, s.task, scope as Readonly<Record<string, number>>, site);
    this.#later(this.#task(child, scope, f), { futures: f.futures, chain }, (frame) =>
      this.#strandRows(frame, task.body, task.site),
    );
  }

  /** The names in scope of a task: its arguments. */
  #taskScope(f: Frame, task: string, given: Readonly<Record<string, unknown>>, site: Site): Scope {
    const args: Record<string, number> = { ...this.#recorded.tasks.get(task)!.defaults };
    for (const [name, argument] of Object.entries(given)) {
      const value = this.#evaluate.value(argument, f.scope, name, site);
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
      const region = this.#enter(f, taskRegion({ site }), site);
      if (region.isMain) f.own.tasksRegion = region;
    }
    f.own.tasks ??= this.#open(f, site);
    return this.#child(f, f.own.tasks, site, name);
  }

  #spawnLoop(f: Frame, s: StatementOf<'spawnLoop'>): void {
    const n = this.#evaluate.integer(s.count, f.scope, 'count', s.site, 0, MAX_COUNT);
    const step = s.spawning === 'recursive' ? n : s.grain;
    for (let low = 0; low < n; low += step)
      this.#range(f, s, this.#spawned(f, s.site, SPAWNED), low, Math.min(n, low + step));
  }

  /** A strand for a range of iterations: spawns upper halves until one grain is left, and executes that. */
  #range(f: Frame, s: StatementOf<'spawnLoop'>, strand: number, low: number, high: number): void {
    const { site, grain } = s;
    this.#ready(strand, site);
    this.#later(this.#task(strand, f.scope, f), f, (frame) => {
      this.#start[strand] = this.#rows.count;
      const halves = high - low > grain ? this.#open(frame, site) : undefined;
      let end = high;
      while (end - low > grain) {
        const middle = low + grain * Math.ceil(Math.ceil((end - low) / grain) / 2);
        this.#range(frame, s, this.#child(frame, halves!, site, SPAWNED), middle, end);
        end = middle;
      }
      for (let k = low; k < end; k++) this.#within(frame, { [s.variable]: k }, s.body);
      this.#sync(frame, site);
      if (halves !== undefined) this.#join(halves, site);
      this.#ended(strand, site);
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

  /** A group of strands that the strand will wait for. */
  #open(f: Frame, site: Site): Group {
    if (f.chunkOf !== undefined) notInChunk('tasks and threads', f.chunkOf, site);
    const number = this.#groupOwner.push(f.strand) - 1;
    this.#groupNext.push(-1);
    if (this.#options.joins !== 'object') return { number, open: this.#rows.add(ROW.open, site, number), count: 0 };
    const join = { kind: 'latch', name: 'join', index: 0, initial: 0, site, isJoin: true } as const;
    this.#joinObject.set(number, this.#objects.push(join) - 1);
    return { number, open: -1, count: 0 };
  }

  /** A new member of a group of the strand. */
  #child(f: Frame, group: Group, site: Site, name: string, thread?: number): number {
    if (this.#start.length >= MAX_STRANDS) this.#tooMany(site, `${MAX_STRANDS} threads and tasks`);
    group.count++;
    return this.#strand(f.strand, group.number, name, thread);
  }

  #ready(child: number, site: Site): void {
    if (this.#conditions[child] === 0) this.#rows.add(ROW.spawn, site, child);
    else {
      this.#conditions[child]!++;
      this.#rows.add(ROW.meet, site, child);
    }
  }

  #depend(f: Frame, s: StatementOf<'spawn'>, child: number): void {
    const before = new Set<number>();
    for (const key of this.#evaluate.keys(s.reads, f.scope, 'reads', s.site)) {
      const use = this.#use(f, key);
      if (use.writer !== undefined) before.add(use.writer);
      use.readers.push(child);
    }
    for (const key of this.#evaluate.keys(s.writes, f.scope, 'writes', s.site)) {
      const use = this.#use(f, key);
      if (use.writer !== undefined) before.add(use.writer);
      for (const reader of use.readers) before.add(reader);
      use.writer = child;
      use.readers = [];
    }
    before.delete(child);
    for (const strand of before) this.#after(strand, child);
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

  /** `next` is not ready before `strand` has ended. The rows of `strand` are not written yet. */
  #after(strand: number, next: number): void {
    const list = this.#successors.get(strand);
    if (list === undefined) this.#successors.set(strand, [next]);
    else list.push(next);
    this.#conditions[next]!++;
  }

  /** Waits for the strands of a group. */
  #join(group: Group, site: Site): void {
    const object = this.#joinObject.get(group.number);
    if (object === undefined) {
      this.#rows.setB(group.open, group.count);
      this.#rows.add(ROW.sync, site, group.number);
      this.#groupNext[group.number] = this.#rows.count;
    } else {
      this.#objects[object] = { ...this.#objects[object]!, initial: group.count };
      this.#rows.add(ROW.acquire, site, object, acquireMode('latch'));
    }
  }

  /** Waits for the tasks spawned since the last `sync`. */
  #sync({ own }: Frame, site: Site): void {
    own.uses = undefined;
    if (own.tasks !== undefined) this.#join(own.tasks, site);
    own.tasks = undefined;
    if (own.tasksRegion !== undefined) this.#leave(own.tasksRegion, site);
    own.tasksRegion = undefined;
  }

  /** Writes rows within a region of results. The region of spawned tasks is interrupted by it. */
  #inRegion({ own, ...f }: Frame, name: string, site: Site, write: (region: Region) => void): void {
    const { tasks, tasksRegion } = own;
    if (tasksRegion !== undefined) this.#leave(tasksRegion, site);
    own.tasksRegion = undefined;
    const region = this.#enter(f, name, site);
    write(region);
    this.#leave(region, site);
    if (tasksRegion === undefined || own.tasks !== tasks) return;
    own.tasksRegion = tasksRegion;
    this.#rows.add(ROW.region, site, tasksRegion.number, 1);
  }

  #parallel(f: Frame, s: StatementOf<'parallel'>): void {
    const threads = this.#evaluate.integer(s.threads, f.scope, 'threads', s.site, 1, MAX_THREADS);
    this.#fork(f, s.name, threads, s.body, s.site);
  }

  /** @param tasksOf number of tasks that a thread is: by default one */
  #fork(
    f: Frame,
    name: string,
    threads: number,
    body: Block,
    site: Site,
    tasksOf: (thread: number) => number = () => 1,
  ): void {
    this.#inRegion(f, name, site, (region) => {
      const group = this.#open(f, site);
      const team: Team = { firstStrand: this.#start.length, threads, shared: new Map(), came: new Map() };
      for (let thread = 0; thread < threads; thread++) {
        const child = this.#child(f, group, site, name, thread);
        this.#tasks[child] = tasksOf(thread);
        this.#ready(child, site);
        const scope = inner(f.scope, { thread, threads });
        const own = { strand: child, scope, team, member: thread, region: region.number };
        this.#later(own, f, (frame) => this.#strandRows(frame, body, site));
      }
      this.#join(group, site);
    });
  }

  #parallelFor(f: Frame, s: StatementOf<'parallelFor'>): void {
    const { site } = s;
    const n = this.#evaluate.integer(s.n, f.scope, 'n', site, 0, MAX_COUNT);
    const chunk =
      s.chunk === undefined ? undefined : this.#evaluate.integer(s.chunk, f.scope, 'chunk', site, 1, MAX_COUNT);
    if (
      s.schedule !== 'guided' &&
      s.schedule !== 'affinity' &&
      n / (chunk ?? 1) > MAX_ROWS &&
      (s.schedule !== 'static' || chunk !== undefined)
    )
      this.#tooMany(site);
    if (s.schedule === 'tasks')
      this.#inRegion(f, s.name, site, (region) => {
        if (s.spawning === 'linear') this.#linearTasks(f, s, n, chunk ?? 1);
        else {
          if (n > 0) this.#firstPart(f, region);
          this.#recursiveTasks(f, s, 0, n, chunk ?? 1);
        }
      });
    else if (f.team === undefined) {
      const threads = this.#options.workers;
      const chunks = (thread: number): number => {
        if (s.schedule !== 'static') return 0;
        if (chunk === undefined) return thread < n ? 1 : 0;
        return Math.max(0, Math.ceil((Math.ceil(n / chunk) - thread) / threads));
      };
      this.#fork(f, s.name, threads, { statements: [{ ...s, nowait: true }] }, site, chunks);
    } else this.#teamLoop(f, f.team, s, n, chunk);
  }

  /** A strand executes the first part of a loop itself: a task of a main strand begins with the region of the loop. */
  #firstPart({ strand }: Frame, { isMain }: Region): void {
    if (isMain) this.#regionTasks.set(this.#rows.count - 1, 1);
    else if (strand >= 0) this.#tasks[strand]!++;
  }

  #linearTasks(f: Frame, s: StatementOf<'parallelFor'>, n: number, grain: number): void {
    if (n === 0) return;
    const group = this.#open(f, s.site);
    for (let first = 0, chunk = 0; first < n; first += grain, chunk++) {
      const child = this.#child(f, group, s.site, s.name);
      this.#ready(child, s.site);
      const count = Math.min(grain, n - first);
      const task = this.#task(child, inner(f.scope, { first, count, chunk }), f);
      this.#later(task, f, (frame) => this.#strandRows(frame, s.body, s.site));
      if (s.reduce !== undefined) this.#compute(f.scope, s.reduce, s.site);
    }
    this.#join(group, s.site);
  }

  /** Spawns upper halves until one grain is left, executes that, and combines the results. */
  #recursiveTasks(f: Frame, s: StatementOf<'parallelFor'>, low: number, high: number, grain: number): void {
    if (low >= high) return;
    const group = high - low > grain ? this.#open(f, s.site) : undefined;
    let end = high;
    while (end - low > grain) {
      // Halves are multiples of the grain.
      const middle = low + grain * Math.ceil(Math.ceil((end - low) / grain) / 2);
      const [from, to] = [middle, end];
      const child = this.#child(f, group!, s.site, s.name);
      this.#ready(child, s.site);
      const own = { strand: child, scope: f.scope, team: undefined, member: 0, region: f.region };
      this.#later(own, f, (frame) => {
        this.#start[child] = this.#rows.count;
        this.#recursiveTasks(frame, s, from, to, grain);
        this.#ended(child, s.site);
      });
      end = middle;
    }
    this.#body(f, { first: low, count: end - low, chunk: Math.floor(low / grain) }, s.body, s.site);
    if (group === undefined) return;
    this.#join(group, s.site);
    if (s.reduce !== undefined) for (let k = 0; k < group.count; k++) this.#compute(f.scope, s.reduce, s.site);
  }

  /** A loop whose iterations the threads of a section share. */
  #teamLoop(f: Frame, team: Team, s: StatementOf<'parallelFor'>, n: number, chunk: number | undefined): void {
    const { site } = s;
    f.own.passes ??= new Map();
    const pass = f.own.passes.get(s) ?? 0;
    f.own.passes.set(s, pass + 1);
    const shared = this.#shared(f, team, s, pass, n, chunk);
    if (s.schedule === 'static') this.#staticChunks(f, team, s, n, chunk);
    else {
      const { loops } = shared;
      for (let k = 0; k < loops.length; k++) {
        const loop = loops[(f.member + k) % loops.length]!;
        this.#loops[loop]!.fetchRows[f.member] = this.#rows.add(ROW.fetch, site, loop);
      }
    }
    if (s.reduce !== undefined) {
      const lock = (shared.latch >>> 0) + 1;
      this.#rows.add(ROW.acquire, site, lock, acquireMode('lock'));
      this.#compute(f.scope, s.reduce, site);
      this.#rows.add(ROW.release, site, lock, releaseMode('unlock'));
    }
    if (s.nowait) return;
    this.#rows.add(ROW.release, site, shared.latch, releaseMode('arrive'));
    this.#rows.add(ROW.acquire, site, shared.latch, acquireMode('latch'));
  }

  #staticChunks(f: Frame, team: Team, s: StatementOf<'parallelFor'>, n: number, chunk: number | undefined): void {
    if (chunk === undefined) {
      const shares = evenShares(n, team.threads);
      const count = shares[f.member]!;
      const first = f.member * Math.floor(n / team.threads) + Math.min(f.member, n % team.threads);
      if (count > 0) this.#within(f, { first, count, chunk: f.member }, s.body);
      return;
    }
    for (let k = f.member; k * chunk < n; k += team.threads)
      this.#within(f, { first: k * chunk, count: Math.min(chunk, n - k * chunk), chunk: k }, s.body);
  }

  #shared(
    f: Frame,
    team: Team,
    s: StatementOf<'parallelFor'>,
    pass: number,
    n: number,
    chunk: number | undefined,
  ): TeamLoop {
    const key = `${s.site.short} ${this.#statementNumber(s)} ${pass}`;
    const known = team.shared.get(key);
    if (known !== undefined) {
      if (known.n !== n)
        fail(
          'THR006',
          `n: threads of one section disagree on the iterations of a loop: ${known.n} and ${n}`,
          s.site.place,
        );
      if (known.chunk !== chunk)
        fail(
          'THR006',
          `chunk: threads of one section disagree on the chunks of a loop: ${known.chunk} and ${chunk}`,
          s.site.place,
        );
      for (const [name, value] of known.names) if (f.scope[name] !== value) known.names.delete(name);
      return known;
    }
    const latch = this.#latch(s.name, 'latch', team.threads, s.site);
    if (s.reduce !== undefined) this.#latch(`reduction of ${s.name}`, 'mutex', 1, s.site);
    const names = new Map<string, number | Parameters>();
    for (const name in f.scope) if (name !== 'thread') names.set(name, f.scope[name]!);
    const made: TeamLoop = { n, chunk, loops: [], latch, names };
    team.shared.set(key, made);
    if (s.schedule === 'static') return made;
    const least = chunk ?? 1;
    if (s.schedule === 'affinity') {
      let first = 0;
      for (const share of evenShares(n, team.threads)) {
        made.loops.push(this.#chunked(team, made, s, first, guidedChunks(share, least, team.threads)));
        first += share;
      }
    } else {
      const sizes = s.schedule === 'dynamic' ? dynamicChunks(n, least) : guidedChunks(n, least, team.threads);
      made.loops.push(this.#chunked(team, made, s, 0, sizes));
    }
    return made;
  }

  readonly #numbers = new Map<Statement['site'], number>();
  #statementNumber({ site }: Statement): number {
    const known = this.#numbers.get(site);
    if (known !== undefined) return known;
    this.#numbers.set(site, this.#numbers.size);
    return this.#numbers.size - 1;
  }

  /**
   * A loop whose chunks are handed out at run time. Their rows belong to no strand, and are written after those of all
   * threads of the team.
   */
  #chunked(
    team: Team,
    { names }: TeamLoop,
    s: StatementOf<'parallelFor'>,
    first: number,
    sizes: readonly number[],
  ): number {
    const loop = {
      name: s.name,
      chunkRows: new Int32Array(sizes.length),
      firstStrand: team.firstStrand,
      fetchRows: new Int32Array(team.threads).fill(-1),
    };
    const number = this.#loops.push(loop) - 1;
    this.#work.push(() => {
      let from = first;
      const scope = Object.assign(Object.create(null) as Record<string, number>, Object.fromEntries(names));
      sizes.forEach((count, chunk) => {
        loop.chunkRows[chunk] = this.#rows.count;
        const own = { strand: -1, scope: inner(scope, { first: from, count, chunk }), team: undefined, member: 0 };
        this.#block({ ...this.#frame({ ...own, region: -1 }), chunkOf: s }, s.body);
        this.#rows.add(ROW.chunkEnd, s.site, number);
        from += count;
      });
    });
    return number;
  }

  /** Items in stages, as tasks: a stage of an item follows the stage before, and in serial stages the item before. */
  #pipeline(f: Frame, s: StatementOf<'pipeline'>): void {
    const { site, stages } = s;
    const items = this.#evaluate.integer(s.items, f.scope, 'items', site, 0, MAX_COUNT);
    const tokens =
      s.tokens === undefined ? items : this.#evaluate.integer(s.tokens, f.scope, 'tokens', site, 1, MAX_COUNT);
    if (items * stages.length > MAX_ROWS) this.#tooMany(site);
    this.#inRegion(f, s.name, site, () => this.#items(f, s, items, tokens));
  }

  #items(f: Frame, { site, stages }: StatementOf<'pipeline'>, items: number, tokens: number): void {
    if (items === 0) return;
    const group = this.#open(f, site);
    const strands: number[] = [];
    for (let item = 0; item < items; item++)
      stages.forEach((stage, k) => {
        const child = this.#child(f, group, site, stage.name);
        const at = strands.push(child) - 1;
        if (k > 0) this.#after(strands[at - 1]!, child);
        // The first stage takes items in order.
        if (item > 0 && (stage.serial || k === 0)) this.#after(strands[at - stages.length]!, child);
        if (k === 0 && item >= tokens) this.#after(strands[(item - tokens + 1) * stages.length - 1]!, child);
        if (this.#conditions[child] === 0) this.#ready(child, site);
        const own = { strand: child, scope: inner(f.scope, { item }), team: undefined, member: 0, region: f.region };
        this.#later(own, f, (frame) => this.#strandRows(frame, stage.body, site));
      });
    this.#join(group, site);
  }

  #object(f: Frame, s: StatementOf<'object'>): void {
    const { site, call, objects } = s;
    const index = this.#evaluate.integer(s.index, f.scope, 'index', site, 0, objects.count - 1);
    if (call === 'barrier') {
      this.#barrier(f, objects, index, site);
      return;
    }
    const object = this.#first.get(objects)! + index;
    const row = CALLS[call]!;
    if (row.op === ROW.atomic) {
      const by = this.#evaluate.integer(s.by, f.scope, 'by', site, -MAX_COUNT, MAX_COUNT);
      this.#rows.add(ROW.atomic, site, object, by);
    } else {
      const mode = row.op === ROW.acquire ? acquireMode : releaseMode;
      const name = call === 'wait' && objects.kind === 'autoEvent' ? 'lock' : row.mode;
      this.#rows.add(row.op, site, object, mode(name));
    }
  }

  /**
   * Each execution of a barrier is a latch of its own: no thread can come to the next one before all have come to this one.
   * A thread comes to the first execution after its last one that is not complete.
   */
  #barrier(f: Frame, objects: Objects, index: number, site: Site): void {
    if (f.chunkOf !== undefined) notInChunk(`barrier ${quote(objects.name)}`, f.chunkOf, site);
    const key = this.#recorded.objects.indexOf(objects) * 2 ** 20 + index;
    let barrier = this.#barriers.get(key);
    if (barrier === undefined) {
      barrier = { latches: [], came: [] };
      this.#barriers.set(key, barrier);
    }
    const visit = this.#visits.get(`${key} ${f.strand}`) ?? { times: 0, next: 0 };
    this.#visits.set(`${key} ${f.strand}`, visit);
    if (f.team !== undefined) {
      const time = `${key} ${visit.times}`;
      const came = (f.team.came.get(time) ?? 0) + 1;
      f.team.came.set(time, came);
      if (came > objects.initial)
        fail(
          'THR008',
          `barrier ${quote(objects.name)} has ${objects.initial} parties, and more threads of a section come to it`,
          site.place,
        );
    }
    let generation = visit.next;
    while (barrier.came[generation] === objects.initial) generation++;
    if (barrier.latches.length === generation) {
      barrier.latches.push(this.#latch(objects.name, 'latch', objects.initial, site));
      barrier.came.push(0);
    }
    barrier.came[generation]!++;
    visit.times++;
    visit.next = generation + 1;
    const latch = barrier.latches[generation]!;
    this.#rows.add(ROW.release, site, latch, releaseMode('arrive'));
    this.#rows.add(ROW.acquire, site, latch, acquireMode('latch'));
  }

  #waitUntil(f: Frame, s: StatementOf<'waitUntil'>): void {
    const { site, condition, mutex, counter } = s;
    const at = (objects: Objects): number =>
      this.#first.get(objects)! +
      (objects.count === 1 ? 0 : this.#evaluate.integer(s.index, f.scope, 'index', site, 0, objects.count - 1));
    const test =
      counter === undefined
        ? undefined
        : {
            row: this.#rows.add(ROW.test, site, at(counter)),
            atLeast: this.#evaluate.integer(s.atLeast, f.scope, 'atLeast', site, -MAX_COUNT, MAX_COUNT),
          };
    this.#rows.add(ROW.wait, site, at(condition), at(mutex));
    this.#rows.add(ROW.acquire, site, at(mutex), acquireMode('lock'));
    if (test === undefined) return;
    this.#rows.add(ROW.jump, site, 0, test.row);
    this.#rows.amounts(test.row, 0, test.atLeast, 0, 0);
    this.#rows.setB(test.row, this.#rows.count);
  }

  #latch(name: string, kind: SyncObject['kind'], initial: number, site: Site): number {
    return this.#objects.push({ kind, name, index: 0, initial, site }) - 1;
  }

  /** Begins a region. Only regions of main strands are regions of results: others run at the same time. */
  #enter(f: Pick<Frame, 'strand' | 'region'>, name: string, site: Site): Region {
    if (this.#parent[f.strand] !== -1 || f.region !== -1) return { number: f.region, isMain: false };
    let number = this.#regions.indexOf(name);
    if (number < 0) number = this.#regions.push(name) - 1;
    this.#rows.add(ROW.region, site, number, 1);
    return { number, isMain: true };
  }

  #leave({ number, isMain }: Region, site: Site): void {
    if (isMain) this.#rows.add(ROW.region, site, number, 0);
  }

  #tooMany(site: Site, what = `${MAX_ROWS} steps`): never {
    return fail('THR005', `the program has more than ${what}: use a smaller problem or larger tasks`, site.place);
  }
}

/** Name of strands that call tasks in a loop. */
const SPAWNED = 'calls';

const DONE = (): void => undefined;

/** @throws InputError THR006 */
function notInChunk(what: string, loop: StatementOf<'parallelFor'>, site: Site): never {
  const where = loop.site.short === '' ? '' : ` at ${loop.site.short}`;
  const why = what.startsWith('barrier') ? 'its threads are unknown' : "use schedule: 'tasks' there";
  return fail(
    'THR006',
    `${what} in a chunk of the ${loop.schedule} loop${where}, which is assigned at run time: ${why}`,
    site.place,
  );
}

/** Row of each operation on an object. */
const CALLS: Readonly<Partial<Record<SyncCall, { readonly op: number; readonly mode: string }>>> = {
  lock: { op: ROW.acquire, mode: 'lock' },
  unlock: { op: ROW.release, mode: 'unlock' },
  readLock: { op: ROW.acquire, mode: 'readLock' },
  readUnlock: { op: ROW.release, mode: 'readUnlock' },
  writeLock: { op: ROW.acquire, mode: 'writeLock' },
  writeUnlock: { op: ROW.release, mode: 'writeUnlock' },
  acquire: { op: ROW.acquire, mode: 'acquire' },
  release: { op: ROW.release, mode: 'release' },
  wait: { op: ROW.acquire, mode: 'wait' },
  set: { op: ROW.release, mode: 'set' },
  clear: { op: ROW.release, mode: 'clear' },
  signal: { op: ROW.release, mode: 'signal' },
  broadcast: { op: ROW.release, mode: 'broadcast' },
  atomic: { op: ROW.atomic, mode: '' },
  add: { op: ROW.atomic, mode: '' },
};
