import * as fc from 'fast-check';

/**
 * Random thread programs: all constructs, nested, with amounts that are functions of the state. Programs without
 * {@link RandomThreads.blocking} constructs end under every scheduler.
 */

export type Node =
  | { readonly kind: 'compute' | 'sleep' | 'sync' | 'get' | 'barrier' | 'atomic' | 'handshake' | 'ready' }
  | { readonly kind: 'loop'; readonly count: number; readonly body: readonly Node[] }
  | { readonly kind: 'when' | 'region'; readonly body: readonly Node[] }
  | {
      readonly kind: 'parallel';
      readonly threads: number;
      /** Decides the priorities of the threads; absent: they have that of their creator. */
      readonly priority?: number | undefined;
      readonly body: readonly Node[];
    }
  | {
      readonly kind: 'for';
      readonly n: number;
      readonly chunk: number;
      readonly schedule: number;
      readonly linear: boolean;
      /** Number of the way in which a `taskloop` cuts its tasks; 0: `parallelFor`. */
      readonly taskloop: number;
      readonly nowait: boolean;
      readonly reduce: boolean;
      readonly body: readonly Node[];
    }
  | { readonly kind: 'pipeline'; readonly items: number; readonly tokens: number; readonly serial: readonly boolean[] }
  | { readonly kind: 'spawn'; readonly reads: number; readonly writes: number; readonly body: readonly Node[] }
  | { readonly kind: 'critical' | 'read' | 'write' | 'semaphore'; readonly body: readonly Node[] }
  /**
   * Takes a number of mutexes one within the other. The first one differs between threads; the order is the same for all. `limited`: waits for
   * the last one for a limited time.
   */
  | { readonly kind: 'nested'; readonly first: number; readonly depth: number; readonly limited?: boolean }
  /** Waits for a condition of the program within a time, for a value of a counter or for one notification; and notifies one or all. */
  | {
      readonly kind: 'await';
      readonly until: boolean;
      readonly atLeast: number;
      readonly body: readonly Node[];
      readonly otherwise: readonly Node[];
    }
  | { readonly kind: 'notify'; readonly all: boolean }
  | {
      readonly kind: 'try';
      readonly of: 'mutex' | 'read' | 'write' | 'semaphore';
      /** Whether it waits for a limited time, if its object allows that. */
      readonly limited: boolean;
      readonly body: readonly Node[];
      readonly otherwise: readonly Node[];
    };

const MUTEXES = ['barging', 'handed-over', 'spin', 'spin-then-park'] as const;
const RWLOCKS = ['barging', 'handed-over', 'readers-first', 'writers-first'] as const;
const SCHEDULE_NAMES = ['tasks', 'static', 'dynamic', 'guided', 'affinity'] as const;

export interface RandomThreads {
  readonly nodes: readonly Node[];
  readonly seed: number;
  /** Whether some mutexes inherit priorities. */
  readonly inherits?: boolean;
  /** Whether loops divide their ranges by demand, which only the scheduler `stealing` has; with `affinity` every second one by affinity. */
  readonly auto?: boolean | 'affinity';
}

/**
 * Random programs. With `blocking: false`, no thread waits for another one but at joins and locks; with `fixed: true`, neither
 * at locks, and no iterations are assigned at run time: the order of events does not change what is computed after what.
 */
export function arbitraryThreads(options: {
  readonly blocking: boolean;
  readonly fixed?: boolean;
  /** Whether strands try to lock, so that times decide what is executed. Default: unless `fixed`. */
  readonly tries?: boolean;
  /** Whether some tries, and waits for conditions, last for a limited time, which cooperative schedulers refuse. Default false. */
  readonly limits?: boolean;
  /** Whether some sections have priorities, which only the scheduler `os` has. Default false. */
  readonly priorities?: boolean;
}): fc.Arbitrary<RandomThreads> {
  const isFixed = options.fixed === true;
  const plain = ['compute', 'compute', 'sleep', 'sync', 'get', 'atomic'] as const;
  const waits = ['barrier', 'handshake', 'ready'] as const;
  const leaf = fc.constantFrom(...plain, ...(options.blocking ? waits : [])).map((kind): Node => ({ kind }));
  const { body } = fc.letrec<{ body: Node[]; node: Node }>((tie) => ({
    body: fc.array(tie('node'), { maxLength: 4, depthIdentifier: 'threads' }),
    node: fc.oneof(
      { depthSize: 'small', depthIdentifier: 'threads', maxDepth: 4 },
      { weight: 4, arbitrary: leaf },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constant('loop' as const), count: fc.nat({ max: 3 }), body: tie('body') }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('when', 'region'), body: tie('body') }) },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant('parallel' as const),
          threads: fc.integer({ min: 1, max: 4 }),
          priority:
            options.priorities === true ? fc.option(fc.nat({ max: 99 }), { nil: undefined }) : fc.constant(undefined),
          body: tie('body'),
        }),
      },
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constant('for' as const),
          n: fc.nat({ max: 9 }),
          chunk: fc.nat({ max: 12 }),
          schedule: fc.nat({ max: isFixed ? 1 : 4 }),
          linear: fc.boolean(),
          taskloop: fc.nat({ max: 4 }),
          // Without `nowait`, the threads of a section wait for each other.
          nowait: options.blocking ? fc.boolean() : fc.constant(true),
          reduce: isFixed ? fc.constant(false) : fc.boolean(),
          body: tie('body'),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant('pipeline' as const),
          items: fc.nat({ max: 4 }),
          tokens: fc.nat({ max: 3 }),
          serial: fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }),
        }),
      },
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constant('spawn' as const),
          reads: fc.nat({ max: 3 }),
          writes: fc.nat({ max: 3 }),
          body: tie('body'),
        }),
      },
      {
        weight: options.blocking ? 2 : 1,
        arbitrary: fc.record({
          kind: isFixed ? fc.constant('region') : fc.constantFrom('critical', 'read', 'write', 'semaphore'),
          body: tie('body'),
        }),
      },
      ...(options.limits === true
        ? [
            {
              weight: 2,
              arbitrary: fc.record({
                kind: fc.constant('await' as const),
                until: fc.boolean(),
                atLeast: fc.integer({ min: 1, max: 4 }),
                body: tie('body'),
                otherwise: tie('body'),
              }),
            },
            { weight: 1, arbitrary: fc.record({ kind: fc.constant('notify' as const), all: fc.boolean() }) },
          ]
        : []),
      ...(isFixed || options.tries === false
        ? []
        : [
            {
              weight: 2,
              arbitrary: fc.record({
                kind: fc.constant('try' as const),
                of: fc.constantFrom('mutex', 'read', 'write', 'semaphore'),
                limited: options.limits === true ? fc.boolean() : fc.constant(false),
                body: tie('body'),
                otherwise: tie('body'),
              }),
            },
          ]),
    ),
  }));
  return fc.record({ nodes: body, seed: fc.nat({ max: 1000 }) }) as fc.Arbitrary<RandomThreads>;
}

/** Where a node is, which decides what may be there. */
interface Where {
  readonly names: readonly string[];
  readonly team: number | undefined;
  /** Strands may be made here; false in chunks and while a lock is held. */
  readonly strands: boolean;
  /** May wait for other threads. */
  readonly free: boolean;
  /** In a task, where loops of a team are unknown. */
  readonly task: boolean;
  /** In the main strand or a section of it, so that no other section uses the same barriers at the same time. */
  readonly alone: boolean;
  readonly futures: unknown[];
  /** In a chunk that is assigned at run time, which cannot wait for the tasks of its thread. */
  readonly chunk?: boolean;
  /** In a block of a try. */
  readonly tried?: true;
}

// biome-ignore lint/suspicious/noExplicitAny: the builder of any model
type Builder = any;
type State = Readonly<Record<string, number>>;

/** Records the program. Counts, names and amounts depend only on the nodes. */
export function buildThreads({ nodes, seed, inherits = false, auto = false }: RandomThreads): (t: Builder) => void {
  return (t) => new Writer(t, seed, inherits, auto).program(nodes);
}

/** A mutex with its condition and counter. */
interface Awaited {
  readonly mutex: unknown;
  readonly condition: unknown;
  readonly counter: unknown;
}

/** Few priorities, so that threads have equal ones, too. */
const prioritiesOf =
  (seed: number) =>
  ({ thread = 0 }: State): number =>
    ((seed + 7 * thread * (1 + (seed % 5))) % 4) - 1;

class Writer {
  readonly #t: Builder;
  readonly #seed: number;
  #number = 0;
  readonly #semaphore: unknown;
  readonly #lock: unknown;
  readonly #word: unknown;
  readonly #tried: unknown;
  #awaited: Awaited | undefined;
  #nested: unknown;

  readonly #inherits: boolean;
  readonly #auto: boolean | 'affinity';

  constructor(t: Builder, seed: number, inherits: boolean, auto: boolean | 'affinity') {
    this.#t = t;
    this.#seed = seed;
    this.#inherits = inherits;
    this.#auto = auto;
    this.#semaphore = t.semaphore('semaphore', 2);
    this.#lock = t.rwlock('rwlock', 1, { kind: RWLOCKS[seed % RWLOCKS.length] });
    this.#word = t.atomics('word');
    const tried = { kind: MUTEXES[seed % MUTEXES.length] };
    this.#tried = t.mutex('tried', 1, inherits && seed % 3 > 0 ? { priority: 'inherit' } : tried);
  }

  program(nodes: readonly Node[]): void {
    this.#body(nodes, { names: [], team: undefined, strands: true, free: true, task: false, alone: true, futures: [] });
  }

  /** A kind of lock that differs between objects. */
  #kind(name: string): string {
    const hash = [...name].reduce((sum, c) => sum * 7 + c.charCodeAt(0), this.#seed);
    return MUTEXES[hash % MUTEXES.length]!;
  }

  /** Options of a mutex, one of a few kinds. */
  #options(name: string): { readonly priority?: 'inherit'; readonly kind?: string } {
    if (this.#inherits && this.#number % 4 > 0) return { priority: 'inherit' };
    return { kind: this.#kind(name) };
  }

  /** A time that differs between statements and states. */
  #seconds(names: readonly string[]): (s: State) => number {
    const number = ++this.#number * 7919 + this.#seed;
    return (s) => {
      let hash = number;
      for (const name of names) hash = (Math.imul(hash, 31) + Math.floor(s[name]! * 1e6) + 17) | 0;
      hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
      hash ^= hash >>> 12;
      return 0.25 + (hash >>> 0) / 2 ** 32;
    };
  }

  #waiting(): Awaited {
    this.#awaited ??= {
      mutex: this.#t.mutex('awaited', 1, this.#options('awaited')),
      condition: this.#t.condition('condition'),
      counter: this.#t.counter('awaited value'),
    };
    return this.#awaited;
  }

  #compute({ names }: Where): void {
    this.#t.compute({ seconds: this.#seconds(names) });
  }

  #body(nodes: readonly Node[], where: Where): void {
    const inner = { ...where, futures: [...where.futures] };
    for (const node of nodes) this.#node(node, inner);
  }

  #node(node: Node, where: Where): void {
    const t = this.#t;
    const name = `k${++this.#number}`;
    const plain = { ...where, strands: false, free: false, team: undefined };
    switch (node.kind) {
      case 'compute':
        this.#compute(where);
        return;
      case 'sleep':
        t.sleep({ seconds: this.#seconds(where.names) });
        return;
      case 'sync':
        if (where.tried !== true && where.chunk !== true) t.sync();
        return;
      case 'get': {
        const future = where.futures.at(-1);
        if (future === undefined || !where.strands) this.#compute(where);
        else t.get(future);
        return;
      }
      case 'atomic':
        this.#compute(where);
        t.atomic(this.#word);
        return;
      case 'barrier':
        if (where.team === undefined || !where.free || !where.alone) {
          this.#compute(where);
          return;
        }
        this.#compute(where);
        t.barrier(t.barriers(name, where.team));
        this.#compute(where);
        return;
      case 'handshake': {
        // One thread sets an event, the others of the team wait for it.
        if (where.team === undefined || !where.free || !where.alone) {
          this.#compute(where);
          return;
        }
        const event = t.event(name);
        this.#compute(where);
        t.when(
          ({ thread }: State) => thread === 0,
          () => t.set(event),
          () => t.wait(event),
        );
        this.#compute(where);
        return;
      }
      case 'ready': {
        // The same with a condition variable.
        if (where.team === undefined || !where.free || !where.alone) {
          this.#compute(where);
          return;
        }
        const [mutex, condition, counter] = [
          t.mutex(`${name}m`, 1, this.#options(name)),
          t.condition(`${name}c`),
          t.counter(`${name}n`),
        ];
        this.#compute(where);
        t.lock(mutex);
        t.when(
          ({ thread }: State) => thread === 0,
          () => {
            t.add(counter, 1);
            t.broadcast(condition);
          },
          () => t.waitUntil(condition, mutex, counter, 1),
        );
        t.unlock(mutex);
        this.#compute(where);
        return;
      }
      case 'loop':
        t.loop(name, node.count, () => this.#body(node.body, { ...where, names: [...where.names, name] }));
        return;
      case 'when': {
        // Threads of a team agree, because their loops and barriers need all of them.
        const hash = this.#seconds(where.names.filter((n) => n !== 'thread'));
        t.when(
          (s: State) => hash(s) < 0.75,
          () => this.#body(node.body, where),
          () => this.#compute(where),
        );
        return;
      }
      case 'region':
        t.region(name, () => this.#body(node.body, where));
        return;
      case 'parallel': {
        if (!where.strands) {
          this.#body(node.body, plain);
          return;
        }
        const names = [...where.names.filter((n) => n !== 'thread'), 'thread'];
        t.parallel(
          node.threads,
          () =>
            this.#body(node.body, {
              ...where,
              names,
              team: node.threads,
              free: true,
              task: false,
              alone: where.alone && where.team === undefined,
            }),
          {
            team: ['park', 'spin', 'new'][this.#number % 3]!,
            ...(node.priority === undefined ? {} : { priority: prioritiesOf(node.priority) }),
          },
        );
        return;
      }
      case 'for': {
        this.#for(node, where, name);
        return;
      }
      case 'pipeline': {
        if (!where.strands) {
          this.#compute(where);
          return;
        }
        const names = [...where.names, 'item'];
        t.pipeline({
          items: node.items,
          ...(node.tokens === 0 ? {} : { tokens: node.tokens }),
          stages: node.serial.map((serial, k) => ({
            name: `${k}`,
            serial,
            body: () => this.#compute({ ...where, names }),
          })),
        });
        return;
      }
      case 'spawn': {
        if (!where.strands) {
          this.#body(node.body, plain);
          return;
        }
        const inTask = { ...where, names: ['x'], team: undefined, free: false, task: true, alone: false };
        t.task(name, { x: 0 }, () => {
          this.#compute(inTask);
          this.#body(node.body, inTask);
        });
        const x = this.#seconds(where.names);
        const key = (k: number): object | number[] => (k === 3 ? [0, 1] : [k]);
        where.futures.push(
          t.spawn(
            name,
            { x },
            {
              ...(node.reads === 0 ? {} : { reads: key(node.reads) }),
              ...(node.writes === 0 ? {} : { writes: key(node.writes) }),
            },
          ),
        );
        return;
      }
      case 'try': {
        this.#compute(where);
        // Not nested: each is one object.
        if (!where.free && !where.strands) return;
        const inside: Where = { ...plain, tried: true };
        const [object, call, release] = {
          mutex: [this.#tried, 'tryLock', 'unlock'] as const,
          read: [this.#lock, 'tryReadLock', 'readUnlock'] as const,
          write: [this.#lock, 'tryWriteLock', 'writeUnlock'] as const,
          semaphore: [this.#semaphore, 'tryAcquire', 'release'] as const,
        }[node.of];
        t[node.limited ? `${call}For` : call](
          object,
          ...(node.limited ? [this.#seconds(inside.names)] : []),
          () => {
            this.#compute(inside);
            this.#body(node.body, inside);
            t[release](object);
          },
          () => this.#body(node.otherwise, inside),
        );
        return;
      }
      case 'await': {
        this.#compute(where);
        // Not nested: each is one object.
        if (!where.free && !where.strands) return;
        const { mutex, condition, counter } = this.#waiting();
        const inside: Where = { ...plain, tried: true };
        const [factor, limit] = [1 + (this.#number % 3), this.#seconds(inside.names)];
        t.lock(mutex);
        t[node.until ? 'waitUntilFor' : 'waitConditionFor'](
          condition,
          mutex,
          ...(node.until ? [counter, node.atLeast] : []),
          (s: State) => factor * limit(s),
          () => this.#body(node.body, inside),
          () => this.#body(node.otherwise, inside),
        );
        t.unlock(mutex);
        return;
      }
      case 'notify': {
        this.#compute(where);
        if (!where.free && !where.strands) return;
        const { mutex, condition, counter } = this.#waiting();
        // Some of the threads only.
        const hash = this.#seconds(where.names);
        t.when(
          (s: State) => hash(s) < 0.9,
          () =>
            t.critical(mutex, () => {
              t.add(counter, 1);
              t[node.all ? 'broadcast' : 'signal'](condition);
            }),
        );
        return;
      }
      case 'nested': {
        this.#compute(where);
        if (!where.free && !where.strands) return;
        this.#nested ??= t.mutex('nested', 5, this.#inherits ? { priority: 'inherit' } : {});
        const index =
          (k: number) =>
          ({ thread = 0 }: State): number =>
            ((node.first + thread) % 3) + k;
        const depth = node.limited === true ? node.depth - 1 : node.depth;
        for (let k = 0; k < depth; k++) {
          t.lock(this.#nested, index(k));
          this.#compute(plain);
        }
        if (node.limited === true)
          t.tryLockFor(
            this.#nested,
            this.#seconds(plain.names),
            () => {
              this.#compute(plain);
              t.unlock(this.#nested, index(depth));
            },
            () => this.#compute(plain),
            index(depth),
          );
        for (let k = depth - 1; k >= 0; k--) t.unlock(this.#nested, index(k));
        return;
      }
      case 'critical': {
        const mutex = t.mutex(name, 1, this.#options(name));
        this.#compute(where);
        t.critical(mutex, () => this.#body(node.body, plain));
        return;
      }
      case 'read':
      case 'write':
      case 'semaphore': {
        this.#compute(where);
        // Not nested: each is one object.
        if (!where.free && !where.strands) return;
        const [object, begin, end] =
          node.kind === 'semaphore'
            ? [this.#semaphore, 'acquire', 'release']
            : [this.#lock, `${node.kind}Lock`, `${node.kind}Unlock`];
        t[begin](object);
        this.#compute(plain);
        t[end](object);
      }
    }
  }

  #for(node: Node & { kind: 'for' }, where: Where, name: string): void {
    const t = this.#t;
    const schedule = SCHEDULE_NAMES[node.schedule]!;
    const inTeam = where.team !== undefined && where.free;
    // Within a task or lock only tasks are possible, or nothing.
    if (!where.strands || (schedule !== 'tasks' && !inTeam && (where.team !== undefined || where.task))) {
      this.#compute(where);
      return;
    }
    const divides = schedule === 'tasks' && this.#auto !== false && !node.reduce;
    const isChunk = divides || (schedule !== 'tasks' && schedule !== 'static');
    if (schedule !== 'tasks') this.#compute(where);
    const outside = where.names.filter((n) => !(isChunk && n === 'thread'));
    const names = [...outside.filter((n) => !['first', 'count', 'chunk'].includes(n)), 'first', 'count', 'chunk'];
    const chunk = isChunk && !divides;
    const inner = { ...where, names, chunk, strands: !isChunk, free: false, team: undefined, task: true, alone: false };
    if (divides) {
      // Enough pieces for tasks that divide more than once.
      const body = (): void => this.#body(node.body, inner);
      t.parallelFor({
        n: 7 * node.n,
        name,
        ...(node.chunk === 0 ? {} : { grain: node.chunk }),
        schedule,
        partitioner: this.#auto === 'affinity' && this.#number % 2 === 0 ? 'affinity' : 'auto',
        body,
      });
      return;
    }
    if (schedule === 'tasks' && node.taskloop > 0) {
      const size = Math.max(1, node.chunk);
      t.taskloop({
        n: node.n,
        name,
        ...(node.taskloop < 3 ? { grainsize: size, strict: node.taskloop === 2 } : { numTasks: size }),
        nogroup: node.nowait,
        ...(node.reduce ? { reduce: { seconds: this.#seconds([]) } } : {}),
        body: () => this.#body(node.body, inner),
      });
      return;
    }
    t.parallelFor({
      n: node.n,
      name,
      schedule,
      ...(node.chunk === 0 ? {} : { chunk: node.chunk }),
      spawning: node.linear ? 'linear' : 'recursive',
      nowait: node.nowait,
      ...(node.reduce ? { reduce: { seconds: this.#seconds([]) } } : {}),
      body: () => this.#body(node.body, inner),
    });
  }
}
