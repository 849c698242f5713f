import { ThreadRecorder } from '../../../src/models/threads/program/record/recorder.ts';
import type {
  Argument,
  Block,
  Future,
  Objects,
  Statement,
  StatementOf,
  Work,
} from '../../../src/models/threads/program/statements.ts';
import { statementsOf } from '../../../src/models/threads/program/statements.ts';
import type { ThreadModelOptions } from '../../../src/models/threads/program/threads.ts';

/**
 * Strands of a thread program as coroutines, straight from the recorded statements: a strand yields what it does next. The
 * simulator (simulate.ts) gives it time, processors and objects.
 */

/** A synchronisation object. `waiting` is in the order of priorities, then of arrival; for a spin lock of arrival. */
export class Thing {
  readonly kind: string;
  readonly name: string;
  /** Kind of lock; `handed-over` for all other objects. */
  readonly lock: string;
  value: number;
  readonly waiting: {
    readonly strand: Strand;
    readonly grant: () => boolean;
    readonly frees: boolean;
    /** Of a barging lock: tries again. */
    readonly retry?: () => void;
    /** Of a lock that prefers readers or writers: is one of these. */
    readonly isPreferred?: boolean;
    readonly tried?: Tried;
  }[] = [];
  /** Waiters whose time is over, while an operation is under way. */
  readonly leaving: (() => void)[] = [];
  /** Of a lock whose waiters spin before they park: the longest one first. */
  /** Those that have spun for long enough, while an operation on the lock is under way. */
  readonly parking: (() => void)[] = [];
  readonly spinning: { readonly take: () => void; readonly tried?: Tried }[] = [];
  /** Strands whose operation has to wait until the operation before has ended. */
  readonly pending: (() => void)[] = [];
  busy = false;
  /** Of a barging lock: a waiter has been woken and has not yet tried again. */
  inFlight = false;
  /** Of a lock that inherits priorities, and the strand that holds it. */
  readonly inherits: boolean;
  holder: Strand | undefined;

  constructor(kind: string, name: string, value: number, lock = 'handed-over', inherits = false) {
    this.inherits = inherits;
    this.lock = lock;
    this.kind = kind;
    this.name = name;
    this.value = value;
  }
}

export type Action =
  | { readonly do: 'compute'; readonly seconds: number; readonly statement: string }
  | { readonly do: 'sleep'; readonly seconds: number }
  /** `team`: the child is a thread of the team of an earlier section, which has parked or spins. */
  | { readonly do: 'spawn'; readonly child: Strand; readonly team?: 'park' | 'spin' }
  | { readonly do: 'join'; readonly group: Group }
  /** `test` says whether the object can be taken now, `take` takes it. `frees`: its worker does other work meanwhile. */
  | {
      readonly do: 'acquire';
      readonly on: Thing;
      readonly test: () => boolean;
      readonly take: () => void;
      readonly frees?: boolean;
      /** Of a lock that prefers readers or writers: whether this is one of these. */
      readonly prefers?: boolean;
      /** A try: set to whether the object was taken. It does not wait. */
      tried?: Tried;
    }
  | { readonly do: 'release'; readonly on: Thing; readonly valid: () => boolean; readonly give: () => void }
  | { readonly do: 'wait'; readonly on: Thing; readonly mutex: Thing; readonly within?: Within }
  /** Starts or stops the clock of waits for a limited time. */
  | { readonly do: 'clock'; readonly within: Within; readonly starts: boolean }
  | { readonly do: 'atomic'; readonly on: Thing; readonly by: number }
  | { readonly do: 'fetch'; readonly loop: SharedLoop; chunk?: Chunk }
  /** Tells the worker of the strand. */
  | { readonly do: 'here'; readonly tell: (worker: number) => void };

/** What a task of a loop knows that divides its range by demand: oneTBB's `auto_partition_type`. */
interface Part {
  divisor: number;
  depth: number;
  /** The flag of the task made last, or of the task itself before. */
  peer: { stolen: boolean };
}

/** Rules by which a partitioner gives ranges of a pool away. */
interface PoolRules {
  /** `gives`: a range is given away in any case; `sees`: because a task given away before was stolen. */
  readonly demand: () => { readonly gives: boolean; readonly sees: boolean };
  readonly offer: (range: readonly Chunk[], depth: number) => Generator<Action, void>;
  /** A range is executed next. */
  readonly begins: () => void;
}

/** State of a task of a loop with affinity: `affinity_partition_type` of oneTBB. */
interface AffinePart extends Part {
  /** Its first entry of the memory, and whether it has executed a range. */
  readonly head: number;
  hasRun: boolean;
}

/** Entries of the memory for each worker. */
const FACTOR = 16;

/** A try: whether the object was taken; for how many seconds it waits, and the end of this time. */
export interface Tried {
  succeeds: boolean;
  readonly limit: number;
  until?: number;
  /** Ends its clock. */
  stop?: () => void;
  /** Whether it has begun to spin; and how it leaves the queue once its time is over. */
  spins?: boolean;
  leave?: () => void;
}

/** Waits for a condition within a time: whether the last one was signalled, and whether the time is over. */
export interface Within {
  readonly limit: number;
  signalled: boolean;
  isOver: boolean;
  /** Ends its clock; and how it leaves the queue once its time is over. */
  stop?: () => void;
  leave?: () => void;
}

export interface Chunk {
  readonly first: number;
  readonly count: number;
  readonly chunk: number;
}

/** A loop whose chunks the threads of a team take one after the other. */
export interface SharedLoop {
  readonly counter: Thing;
  readonly chunks: Chunk[];
}

export interface Group {
  owner: Strand;
  /** Strands that have not ended. */
  left: number;
  ownerWaits: boolean;
}

export class Strand {
  /** The strand that makes it, and its number among the strands of that one: the same in all runs. */
  readonly parent: Strand | undefined;
  readonly child: number;
  children = 0;
  readonly code: Generator<Action, void>;
  readonly group: Group | undefined;
  /** Larger is more urgent; without one of its own that of its parent. */
  readonly priority: number;
  /** The priority at which it runs. */
  level: number;
  /** Strands that wait for the end of this one, and how many ends (and its spawn) this one waits for. */
  readonly before: Strand[] = [];
  conditions = 1;
  /** Whether its spawn names data that a task before it uses. */
  depends = false;
  future: Thing | undefined;
  ended = false;
  /** Tasks of a loop with affinity: the worker to which the task is mailed, asked when it is queued. */
  mails: (() => number | undefined) | undefined;
  /** The worker to which the task is mailed, from then on until it begins. */
  addressee: number | undefined;

  constructor(
    parent: Strand | undefined,
    code: Generator<Action, void>,
    group: Group | undefined,
    priority = parent?.priority ?? 0,
  ) {
    this.priority = priority;
    this.level = priority;
    this.parent = parent;
    this.child = parent === undefined ? 0 : parent.children++;
    this.code = code;
    this.group = group;
  }
}

type Names = Readonly<Record<string, unknown>>;

interface Team {
  readonly threads: number;
  readonly loops: Map<string, { loops: SharedLoop[]; end: Thing; lock: Thing }>;
}

interface Context {
  readonly names: Names;
  readonly team: Team | undefined;
  readonly own: {
    strand: Strand | undefined;
    /** Tasks since the last sync; loops, sections and pipelines have groups of their own. */
    tasks: Group | undefined;
    uses: Map<unknown, { writer?: Strand; readers: Strand[] }>;
    passes: Map<object, number>;
    visits: Map<Thing, number>;
    futures: Map<Future, Strand>;
  };
}

/** The number of operations per second of a core, and the time of a transfer of one cache line. */
export interface Speed {
  readonly speed: number;
  readonly cacheLine: number;
}

/** Makes the strands of a program. */
export class Strands {
  readonly all: Strand[] = [];
  readonly things = new Map<Objects, Thing[]>();
  readonly #recorded: ReturnType<ThreadRecorder['finish']>;
  readonly #workers: number;
  readonly #params: Names;
  readonly #speed: Speed;
  /** Futures that some statement waits for: only their tasks signal their end. */
  readonly #awaited: ReadonlySet<Future>;

  // biome-ignore lint/suspicious/noExplicitAny: any model
  constructor(build: ThreadModelOptions<any, string>['build'], params: Names, workers: number, speed: Speed) {
    const recorder = new ThreadRecorder('reference', params as never, workers);
    build(recorder as never);
    this.#recorded = recorder.finish();
    this.#awaited = new Set([...statementsOf(this.#recorded)].flatMap((s) => (s.kind === 'get' ? [s.future] : [])));
    this.#workers = workers;
    this.#params = params;
    this.#speed = speed;
    for (const objects of this.#recorded.objects)
      this.things.set(
        objects,
        Array.from(
          { length: objects.count },
          () => new Thing(objects.kind, objects.name, objects.initial, objects.lock, objects.inherits),
        ),
      );
  }

  main(): Strand {
    const names = { p: this.#params, threads: this.#workers, thread: 0, rank: 0 };
    return this.#strand(undefined, names, undefined, new Map(), (c) => this.#block(c, this.#recorded.body));
  }

  #strand(
    group: Group | undefined,
    names: Names,
    team: Team | undefined,
    futures: Map<Future, Strand>,
    code: (c: Context) => Generator<Action, void>,
    priority?: number,
  ): Strand {
    const own: Context['own'] = {
      strand: undefined,
      tasks: undefined,
      uses: new Map(),
      passes: new Map(),
      visits: new Map(),
      futures: new Map(futures),
    };
    const context: Context = { names, team, own };
    const whole = function* (this: Strands): Generator<Action, void> {
      yield* code(context);
      yield* this.#sync(context);
    }.bind(this);
    const strand = new Strand(group?.owner, whole(), group, priority);
    own.strand = strand;
    this.all.push(strand);
    if (group !== undefined) group.left++;
    return strand;
  }

  *#block(c: Context, block: Block): Generator<Action, void> {
    for (const s of block.statements) yield* this.#statement(c, s);
  }

  *#statement(c: Context, s: Statement): Generator<Action, void> {
    switch (s.kind) {
      case 'compute':
        yield* this.#compute(c, s, `${s.site.short}`);
        return;
      case 'sleep':
        yield { do: 'sleep', seconds: number(s.seconds, c) };
        return;
      case 'loop': {
        const count = number(s.count, c);
        for (let k = 0; k < count; k++) yield* this.#block(within(c, { [s.variable]: k }), s.body);
        return;
      }
      case 'when':
        yield* this.#block(c, value(s.test, c) === true ? s.holds : s.otherwise);
        return;
      case 'region':
        yield* this.#block(c, s.body);
        return;
      case 'parallel':
        yield* this.#fork(c, number(s.threads, c), s.team, (inner) => this.#block(inner, s.body), s.priority);
        return;
      case 'parallelFor':
        yield* this.#loop(c, s);
        return;
      case 'pipeline':
        yield* this.#pipeline(c, s);
        return;
      case 'spawn':
        yield* this.#spawn(c, s);
        return;
      case 'sync':
        yield* this.#sync(c);
        return;
      case 'get': {
        const event = c.own.futures.get(s.future)!.future!;
        yield { do: 'acquire', on: event, test: () => event.value === 1, take: () => {}, frees: true };
        return;
      }
      case 'object':
        yield* this.#object(c, s);
        return;
      case 'try': {
        const tried: Tried = { succeeds: false, limit: s.seconds === undefined ? 0 : number(s.seconds, c) };
        yield { ...this.#acquisition(s.call, this.things.get(s.objects)![number(s.index, c)]!), tried } as Action;
        yield* this.#block(c, tried.succeeds ? s.holds : s.otherwise);
        return;
      }
      case 'waitUntil': {
        const index = number(s.index, c);
        const thing = (o: Objects): Thing => this.things.get(o)![o.count === 1 ? 0 : index]!;
        const [condition, mutex] = [thing(s.condition), thing(s.mutex)];
        const counter = s.counter === undefined ? undefined : thing(s.counter);
        const atLeast = counter === undefined ? 0 : number(s.atLeast, c);
        do {
          if (counter !== undefined && counter.value >= atLeast) return;
          yield { do: 'wait', on: condition, mutex };
          yield acquire(mutex, 1, 1, -1);
        } while (counter !== undefined);
        return;
      }
      case 'waitFor': {
        const index = number(s.index, c);
        const thing = (o: Objects): Thing => this.things.get(o)![o.count === 1 ? 0 : index]!;
        const [on, mutex] = [thing(s.condition), thing(s.mutex)];
        const counter = s.counter === undefined ? undefined : thing(s.counter);
        const within: Within = { limit: number(s.seconds, c), signalled: false, isOver: false };
        const holds = (): boolean => counter !== undefined && counter.value >= number(s.atLeast, c);
        yield { do: 'clock', within, starts: true };
        // std::condition_variable::wait_until with a predicate; without one, a single wait.
        let succeeds = holds();
        while (!succeeds) {
          within.signalled = false;
          yield { do: 'wait', on, mutex, within };
          yield acquire(mutex, 1, 1, -1);
          succeeds = counter === undefined ? within.signalled : holds();
          if (!within.signalled || counter === undefined || within.isOver) break;
        }
        yield { do: 'clock', within, starts: false };
        yield* this.#block(c, succeeds ? s.holds : s.otherwise);
      }
    }
  }

  *#compute(c: Context, w: Work, statement: string): Generator<Action, void> {
    const amount = (a: Argument): number => (a === undefined ? 0 : number(a, c));
    const lines = Math.ceil(amount(w.shared) / 64);
    if (w.flops === undefined && w.seconds === undefined && w.shared === undefined) return;
    const seconds = amount(w.flops) / this.#speed.speed + amount(w.seconds) + lines * this.#speed.cacheLine;
    yield { do: 'compute', seconds, statement };
  }

  #group(c: Context): Group {
    return { owner: c.own.strand!, left: 0, ownerWaits: false };
  }

  /** Waits for the tasks spawned since the last sync. */
  *#sync(c: Context): Generator<Action, void> {
    const { tasks } = c.own;
    c.own.tasks = undefined;
    c.own.uses.clear();
    if (tasks !== undefined) yield { do: 'join', group: tasks };
  }

  /** The body of a task that its strand executes itself: outside sections, with its own tasks, which end before it. */
  *#inline(c: Context, names: Names, body: Block): Generator<Action, void> {
    const own = { ...c.own, tasks: undefined, uses: new Map(), futures: new Map(c.own.futures) };
    const inner: Context = { names: { ...c.names, ...names }, team: undefined, own };
    yield* this.#block(inner, body);
    yield* this.#sync(inner);
  }

  /** Fork and join: a team of threads. */
  *#fork(
    c: Context,
    threads: number,
    kind: string,
    body: (c: Context) => Generator<Action, void>,
    priority?: Argument,
  ): Generator<Action, void> {
    const waiting = kind === 'new' ? 0 : (this.#waiting.get(c.own.strand!) ?? 0);
    if (kind !== 'new') this.#waiting.set(c.own.strand!, Math.max(waiting, threads));
    const group = this.#group(c);
    const team: Team = { threads, loops: new Map() };
    for (let thread = 0; thread < threads; thread++) {
      const names = { ...c.names, thread, threads };
      const own = priority === undefined ? undefined : number(priority, { ...c, names });
      const child = this.#strand(group, names, team, c.own.futures, body, own);
      yield { do: 'spawn', child, ...(thread < waiting ? { team: kind as 'park' | 'spin' } : {}) };
    }
    yield { do: 'join', group };
  }

  *#loop(c: Context, s: StatementOf<'parallelFor'>): Generator<Action, void> {
    const n = number(s.n, c);
    const chunk = s.chunk === undefined ? undefined : number(s.chunk, c);
    if (s.schedule !== 'tasks') {
      if (c.team !== undefined) {
        yield* this.#teamLoop(c, c.team, s, n, chunk);
        return;
      }
      yield* this.#fork(c, this.#workers, s.team, (inner) =>
        this.#teamLoop(inner, inner.team!, { ...s, nowait: true }, n, chunk),
      );
      return;
    }
    const parts = cut(n, chunk ?? 1, s.sizes);
    if (s.partitioner === 'auto') {
      const group = this.#group(c);
      yield* this.#divides(c, s, group, parts, { divisor: 2 * this.#workers, depth: 5, peer: { stolen: false } });
      yield { do: 'join', group };
      return;
    }
    if (s.partitioner === 'affinity') {
      const group = this.#group(c);
      const whole = { divisor: FACTOR * this.#workers, depth: 5, peer: { stolen: false }, head: 0, hasRun: false };
      yield* this.#affine(c, s, group, parts, whole);
      yield { do: 'join', group };
      return;
    }
    if (s.nogroup === true) {
      c.own.tasks ??= this.#group(c);
      yield* this.#pieces(c, s, parts, c.own.tasks);
      return;
    }
    if (s.spawning === 'recursive') {
      yield* this.#halves(c, s, parts);
      return;
    }
    const group = this.#group(c);
    yield* this.#pieces(c, s, parts, group);
    yield { do: 'join', group };
  }

  /** Gives halves away, then executes a pool of ranges from the left, and gives the largest one away when it sees demand. */
  *#divides(
    c: Context,
    s: StatementOf<'parallelFor'>,
    group: Group,
    whole: readonly Chunk[],
    part: Part,
  ): Generator<Action, void> {
    if (whole.length === 0) return;
    let mine = whole;
    while (mine.length > 1 && (part.divisor > 1 || (part.divisor === 1 && part.depth > 0))) {
      if (part.divisor === 1) part.depth--;
      const half = Math.floor(mine.length / 2);
      yield* this.#offers(c, s, group, mine.slice(half), part, 0);
      mine = mine.slice(0, half);
    }
    yield* this.#executesPool(c, s, mine, part, {
      demand: () => ({ gives: false, sees: part.peer.stolen }),
      offer: (range, depth) => this.#offers(c, s, group, range, part, depth),
      begins: () => undefined,
    });
  }

  /** Executes a pool of ranges from the left, divided to a depth, and gives the largest one away where there is demand. */
  *#executesPool(
    c: Context,
    s: StatementOf<'parallelFor'>,
    mine: readonly Chunk[],
    part: Pick<Part, 'depth'>,
    { demand, offer, begins }: PoolRules,
  ): Generator<Action, void> {
    if (mine.length <= 1 || part.depth === 0) {
      yield* this.#executes(c, s, mine);
      return;
    }
    const pool = [{ range: mine, depth: 0 }];
    const canDivide = ({ range, depth }: { range: readonly Chunk[]; depth: number }): boolean =>
      range.length > 1 && depth < part.depth;
    while (pool.length > 0) {
      while (pool.length < 8 && canDivide(pool.at(-1)!)) {
        const { range, depth } = pool.pop()!;
        const half = Math.floor(range.length / 2);
        pool.push({ range: range.slice(half), depth: depth + 1 }, { range: range.slice(0, half), depth: depth + 1 });
      }
      const { gives, sees } = demand();
      if (sees) part.depth++;
      if (pool.length > 1 && (gives || sees)) {
        const { range, depth } = pool.shift()!;
        yield* offer(range, depth);
        continue;
      }
      if (sees && canDivide(pool[0]!)) continue;
      begins();
      yield* this.#executes(c, s, pool.pop()!.range);
    }
  }

  *#offers(
    c: Context,
    s: StatementOf<'parallelFor'>,
    group: Group,
    range: readonly Chunk[],
    part: Part,
    depth: number,
  ): Generator<Action, void> {
    part.divisor = Math.floor(part.divisor / 2);
    const own: Part = { divisor: part.divisor, depth: part.depth - depth, peer: { stolen: false } };
    let by = -1;
    yield { do: 'here', tell: (worker) => (by = worker) };
    const begins = function* (this: Strands, inner: Context): Generator<Action, void> {
      let worker = -1;
      yield { do: 'here', tell: (w) => (worker = w) };
      if (own.divisor === 0) {
        own.divisor = 1;
        if (worker !== by) {
          own.peer.stolen = true;
          own.depth += own.depth === 0 ? 2 : 1;
        }
      }
      yield* this.#divides(inner, s, group, range, own);
    }.bind(this);
    const child = this.#strand(group, c.names, undefined, c.own.futures, begins);
    child.depends = true;
    yield { do: 'spawn', child };
    part.peer = own.peer;
  }

  /**
   * Gives the ranges of the other workers away, in proportion. Then executes a pool of ranges from the left. After the first one it gives
   * ranges away with half of its entries each time, and afterwards when it sees demand.
   */
  *#affine(
    c: Context,
    s: StatementOf<'parallelFor'>,
    group: Group,
    whole: readonly Chunk[],
    part: AffinePart,
  ): Generator<Action, void> {
    if (whole.length === 0) return;
    let mine = whole;
    while (mine.length > 1 && part.divisor > FACTOR) {
      const workers = Math.floor(part.divisor / FACTOR);
      const others = Math.floor(workers / 2);
      const middle = mine.length - Math.floor((mine.length * others) / workers + 0.5);
      part.divisor -= FACTOR * others;
      const { divisor, depth } = part;
      yield* this.#mails(c, s, group, mine.slice(middle), part, { divisor: FACTOR * others, depth, after: divisor });
      mine = mine.slice(0, middle);
    }
    const mails = function* (this: Strands, range: readonly Chunk[], depth: number): Generator<Action, void> {
      part.divisor = Math.floor(part.divisor / 2);
      const { divisor } = part;
      yield* this.#mails(c, s, group, range, part, { divisor, depth: part.depth - depth, after: divisor });
    }.bind(this);
    yield* this.#executesPool(c, s, mine, part, {
      demand: () => {
        const gives = part.hasRun && (part.divisor > 1 || (part.divisor === 1 && part.depth > 0));
        return { gives, sees: part.hasRun && !gives && part.peer.stolen };
      },
      offer: mails,
      begins: () => {
        if (part.hasRun && part.divisor === 1 && part.depth > 0) part.divisor = 0;
        part.hasRun = true;
      },
    });
  }

  /** A task with some of the entries, behind the first `after` ones of its maker; it is mailed to the worker that its first entry names. */
  *#mails(
    c: Context,
    s: StatementOf<'parallelFor'>,
    group: Group,
    range: readonly Chunk[],
    maker: AffinePart,
    { divisor, depth, after }: { readonly divisor: number; readonly depth: number; readonly after: number },
  ): Generator<Action, void> {
    const memory = this.#memories.get(s.name) ?? [];
    this.#memories.set(s.name, memory);
    const head = (maker.head + after) % (FACTOR * this.#workers);
    const own: AffinePart = { divisor, depth, peer: { stolen: false }, head, hasRun: maker.hasRun };
    let by = -1;
    yield { do: 'here', tell: (worker) => (by = worker) };
    const begins = function* (this: Strands, inner: Context): Generator<Action, void> {
      let worker = -1;
      yield { do: 'here', tell: (w) => (worker = w) };
      if (divisor > 0) memory[head] = worker;
      if (own.divisor < FACTOR) {
        own.divisor = 1;
        if (worker !== by) {
          own.peer.stolen = true;
          own.depth += own.depth === 0 ? 2 : 1;
        }
      }
      yield* this.#affine(inner, s, group, range, own);
    }.bind(this);
    const child = this.#strand(group, c.names, undefined, c.own.futures, begins);
    child.depends = true;
    if (divisor > 0) child.mails = (): number | undefined => memory[head];
    yield { do: 'spawn', child };
    maker.peer = own.peer;
  }
  /** By name of a loop: the worker that last executed the task of each entry. */
  readonly #memories = new Map<string, number[]>();

  *#executes(c: Context, s: StatementOf<'parallelFor'>, range: readonly Chunk[]): Generator<Action, void> {
    const { thread: _, ...names } = c.names;
    for (const piece of range) yield* this.#block({ ...c, team: undefined, names: { ...names, ...piece } }, s.body);
  }

  *#pieces(c: Context, s: StatementOf<'parallelFor'>, parts: readonly Chunk[], group: Group): Generator<Action, void> {
    for (const part of parts) {
      const body = (inner: Context): Generator<Action, void> => this.#block(inner, s.body);
      yield { do: 'spawn', child: this.#strand(group, { ...c.names, ...part }, undefined, c.own.futures, body) };
      if (s.reduce !== undefined) yield* this.#compute(c, s.reduce, 'reduce');
    }
  }

  /** The upper half of the chunks is a task, the lower half is split again. */
  *#halves(c: Context, s: StatementOf<'parallelFor'>, chunks: readonly Chunk[]): Generator<Action, void> {
    if (chunks.length === 0) return;
    const group = this.#group(c);
    let left = chunks;
    let spawned = 0;
    for (; left.length > 1; spawned++) {
      const half = Math.ceil(left.length / 2);
      const upper = left.slice(half);
      const body = (inner: Context): Generator<Action, void> => this.#halves(inner, s, upper);
      yield { do: 'spawn', child: this.#strand(group, c.names, undefined, c.own.futures, body) };
      left = left.slice(0, half);
    }
    yield* this.#inline(c, { ...left[0]! }, s.body);
    if (spawned === 0) return;
    yield { do: 'join', group };
    if (s.reduce !== undefined) for (let k = 0; k < spawned; k++) yield* this.#compute(c, s.reduce, 'reduce');
  }

  /** The iterations of a loop among the threads of a team. */
  *#teamLoop(
    c: Context,
    team: Team,
    s: StatementOf<'parallelFor'>,
    n: number,
    chunk: number | undefined,
  ): Generator<Action, void> {
    const thread = c.names['thread'] as number;
    const { threads } = team;
    const pass = c.own.passes.get(s.body) ?? 0;
    c.own.passes.set(s.body, pass + 1);
    const key = `${numberOf(s.body)} ${pass}`;
    let shared = team.loops.get(key);
    if (shared === undefined) {
      const loops = dealt(s.schedule, n, chunk, threads).map((chunks) => ({
        counter: new Thing('chunks', 'chunks', 0),
        chunks,
      }));
      shared = { loops, end: new Thing('latch', 'end of loop', threads), lock: new Thing('mutex', 'reduction', 1) };
      team.loops.set(key, shared);
    }
    const { loops, end, lock } = shared;
    if (s.schedule === 'static') {
      const own =
        chunk === undefined
          ? [even(n, threads)[thread]!]
          : pieces(n, chunk).filter((p) => p.chunk % threads === thread);
      for (const part of own) if (part.count > 0) yield* this.#block(within(c, { ...part }), s.body);
    } else
      for (let k = 0; k < loops.length; k++) {
        for (;;) {
          const fetch: Action = { do: 'fetch', loop: loops[(thread + k) % loops.length]! };
          yield fetch;
          if (fetch.chunk === undefined) break;
          const { thread: _, ...names } = c.names;
          yield* this.#block({ ...c, team: undefined, names: { ...names, ...fetch.chunk } }, s.body);
        }
      }
    if (s.reduce !== undefined) {
      yield acquire(lock, 1, 1, -1);
      yield* this.#compute(c, s.reduce, 'reduce');
      yield release(lock, 0, 0, () => lock.value++);
    }
    if (!s.nowait) yield* this.#arrive(end);
  }

  /** Comes to a latch and waits for the others. */
  *#arrive(latch: Thing): Generator<Action, void> {
    yield release(latch, 1, 2 ** 30, () => latch.value--);
    yield { do: 'acquire', on: latch, test: () => latch.value <= 0, take: () => {} };
  }

  *#pipeline(c: Context, s: StatementOf<'pipeline'>): Generator<Action, void> {
    const group = this.#group(c);
    const items = number(s.items, c);
    const tokens = s.tokens === undefined ? items : number(s.tokens, c);
    const of = (item: number, stage: number): Strand | undefined => grid[item]?.[stage];
    const last = s.stages.length - 1;
    const grid: Strand[][] = Array.from({ length: items }, (_, item) =>
      s.stages.map((stage) =>
        this.#strand(group, { ...c.names, item }, undefined, c.own.futures, (inner) => this.#block(inner, stage.body)),
      ),
    );
    grid.forEach((row, item) => {
      row.forEach((strand, k) => {
        const before = [
          k > 0 ? of(item, k - 1) : undefined,
          k === 0 || s.stages[k]!.serial ? of(item - 1, k) : undefined,
          k === 0 ? of(item - tokens, last) : undefined,
        ];
        for (const one of new Set(before)) one?.before.push(strand);
        strand.conditions = new Set(before.filter((b) => b !== undefined)).size;
      });
    });
    if (items > 0) {
      of(0, 0)!.conditions = 1;
      yield { do: 'spawn', child: of(0, 0)! };
    }
    yield { do: 'join', group };
  }

  *#spawn(c: Context, s: StatementOf<'spawn'>): Generator<Action, void> {
    const task = this.#recorded.tasks.get(s.task)!;
    const args = { ...task.defaults, ...Object.fromEntries(Object.entries(s.args).map(([k, a]) => [k, number(a, c)])) };
    const { p, threads, rank } = c.names;
    const futures = new Map(c.own.futures);
    c.own.tasks ??= this.#group(c);
    const child = this.#strand(c.own.tasks, { p, threads, rank, ...args }, undefined, futures, (inner) => {
      inner.own.futures.set(s.future, child);
      return this.#block(inner, task.body);
    });
    if (this.#awaited.has(s.future)) child.future = new Thing('event', `future of ${s.task}`, 0);
    c.own.futures.set(s.future, child);
    const use = (key: unknown): { writer?: Strand; readers: Strand[] } => {
      if (!c.own.uses.has(key)) c.own.uses.set(key, { readers: [] });
      return c.own.uses.get(key)!;
    };
    const before = new Set<Strand>();
    const keys = (a: Argument): unknown[] => (a === undefined ? [] : [value(a, c)].flat());
    for (const key of keys(s.reads)) {
      const { writer, readers } = use(key);
      if (writer !== undefined) before.add(writer);
      readers.push(child);
    }
    for (const key of keys(s.writes)) {
      const u = use(key);
      for (const one of [u.writer, ...u.readers]) if (one !== undefined && one !== child) before.add(one);
      u.writer = child;
      u.readers = [];
    }
    child.depends = before.size > 0;
    for (const one of before)
      if (!one.ended) {
        one.before.push(child);
        child.conditions++;
      }
    yield { do: 'spawn', child };
  }

  #acquisition(call: string, thing: Thing): Action {
    switch (call) {
      case 'lock':
        return acquire(thing, 1, 1, -1);
      case 'readLock':
        return { ...acquire(thing, 0, Number.POSITIVE_INFINITY, 1), ...preference(thing, 'readers-first') };
      case 'writeLock':
        return { ...acquire(thing, 0, 0, -1), ...preference(thing, 'writers-first') };
      case 'acquire':
        return acquire(thing, 1, Number.POSITIVE_INFINITY, -1);
      default:
        return acquire(thing, 1, 1, thing.kind === 'autoEvent' ? -1 : 0);
    }
  }

  *#object(c: Context, s: StatementOf<'object'>): Generator<Action, void> {
    const thing = this.things.get(s.objects)![number(s.index, c)]!;
    switch (s.call) {
      case 'lock':
      case 'readLock':
      case 'writeLock':
      case 'acquire':
      case 'wait':
        yield this.#acquisition(s.call, thing);
        return;
      case 'unlock':
        yield release(thing, 0, 0, () => thing.value++);
        return;
      case 'readUnlock':
        yield release(thing, 1, Number.POSITIVE_INFINITY, () => thing.value--);
        return;
      case 'writeUnlock':
        yield release(thing, -1, -1, () => thing.value++);
        return;
      case 'release':
        yield release(thing, 0, Number.POSITIVE_INFINITY, () => thing.value++);
        return;
      case 'set':
        yield release(thing, -1, 1, () => (thing.value = 1));
        return;
      case 'clear':
        yield release(thing, -1, 1, () => (thing.value = 0));
        return;
      case 'signal':
        yield release(thing, 0, Number.POSITIVE_INFINITY, () => {
          thing.value = Math.min(thing.waiting.length, thing.value + 1);
        });
        return;
      case 'broadcast':
        yield release(thing, 0, Number.POSITIVE_INFINITY, () => (thing.value = thing.waiting.length));
        return;
      case 'barrier': {
        // Each execution is its own latch: the n-th arrival of a strand, or later while that one is complete.
        const latches = this.#latches.get(thing) ?? [];
        this.#latches.set(thing, latches);
        let visit = c.own.visits.get(thing) ?? 0;
        while (latches[visit] !== undefined && latches[visit]!.value <= 0) visit++;
        c.own.visits.set(thing, visit + 1);
        latches[visit] ??= new Thing('latch', thing.name, s.objects.initial);
        yield* this.#arrive(latches[visit]!);
        return;
      }
      case 'atomic':
      case 'add':
        yield { do: 'atomic', on: thing, by: s.call === 'add' ? number(s.by, c) : 0 };
        return;
    }
  }
  readonly #latches = new Map<Thing, Thing[]>();
  /** Threads of the team of a strand, made by its sections so far. */
  readonly #waiting = new Map<Strand, number>();
}

const acquire = (on: Thing, low: number, high: number, change: number): Action => ({
  do: 'acquire',
  on,
  test: () => on.value >= low && on.value <= high,
  take: () => {
    on.value += change;
  },
});

const release = (on: Thing, low: number, high: number, give: () => void): Action => ({
  do: 'release',
  on,
  valid: () => on.value >= low && on.value <= high,
  give,
});

const within = (c: Context, names: Names): Context => ({ ...c, names: { ...c.names, ...names } });

function value(argument: Argument, { names }: Context): unknown {
  return typeof argument === 'function' ? argument(names) : argument;
}

const number = (argument: Argument, c: Context): number => value(argument, c) as number;

/** Pieces of `size` iterations; the last may be smaller. */
function pieces(n: number, size: number): Chunk[] {
  const all: Chunk[] = [];
  for (let first = 0; first < n; first += size)
    all.push({ first, count: Math.min(size, n - first), chunk: all.length });
  return all;
}

/** Shares that differ by at most one iteration, larger ones first. */
function even(n: number, parts: number): Chunk[] {
  const shares: Chunk[] = [];
  let first = 0;
  for (let chunk = 0; chunk < parts; chunk++) {
    const count = Math.ceil((n - first) / (parts - chunk));
    shares.push({ first, count, chunk });
    first += count;
  }
  return shares;
}

/** The tasks of a loop: of a size, of at least that size, or that many. */
function cut(n: number, chunk: number, sizes: StatementOf<'parallelFor'>['sizes']): Chunk[] {
  if (n === 0) return [];
  if (sizes === 'least') return even(n, Math.max(1, Math.floor(n / chunk)));
  if (sizes === 'tasks') return even(n, Math.min(n, chunk));
  return pieces(n, chunk);
}

/** The chunks of each counter of a loop. */
function dealt(schedule: string, n: number, chunk = 1, threads: number): Chunk[][] {
  const guided = (from: number, total: number): Chunk[] => {
    const all: Chunk[] = [];
    for (let first = from, rest = total; rest > 0; ) {
      const count = Math.min(rest, Math.max(chunk, Math.ceil(rest / threads)));
      all.push({ first, count, chunk: all.length });
      first += count;
      rest -= count;
    }
    return all;
  };
  if (schedule === 'dynamic') return [pieces(n, chunk)];
  if (schedule === 'guided') return [guided(0, n)];
  return even(n, threads).map(({ first, count }) => guided(first, count));
}

/** Of locks that prefer readers or writers, whether an operation is one of those of a kind. */
const preference = ({ lock }: Thing, kind: string): { readonly prefers?: boolean } =>
  lock.endsWith('-first') ? { prefers: lock === kind } : {};

const numbers = new WeakMap<object, number>();
let known = 0;
function numberOf(o: object): number {
  if (!numbers.has(o)) numbers.set(o, known++);
  return numbers.get(o)!;
}

/** The name of a strand: the numbers of the strands above it and its own. */
export function pathOf({ parent, child }: Strand): string {
  return parent === undefined ? '' : `${pathOf(parent)}.${child}`;
}
