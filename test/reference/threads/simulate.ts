import type { ThreadCosts } from '../../../src/models/threads/costs.ts';
import { type Action, type Group, pathOf, type Strand, Strands, type Thing, type Tried } from './strand.ts';

/**
 * Reference simulator of thread programs: strands as coroutines, a list of events, and the rules of the schedulers as plain
 * code. No Petri net and no rows. Slow and literal; do not optimise it.
 */

export interface ReferenceOptions {
  readonly workers: number;
  readonly scheduler: 'os' | 'central' | 'static' | 'stealing';
  readonly speed: number;
  readonly cores: number;
  readonly costs: ThreadCosts;
  /** Steal half of the victim's tasks instead of one. */
  readonly half?: boolean;
  /** Whether a worker that ends the last strand of a group goes on with its owner. Default true. */
  readonly bypass?: boolean;
  /** Whether a worker begins the task that its strand spawns, and queues the rest of the strand. Default false. */
  readonly workFirst?: boolean;
  /** Whether a strand that waits for tasks stays on the stack of its worker. Default false. */
  readonly stack?: boolean;
  /** Whether the threads of the program have several priorities: slices then go on after a wait. Default false. */
  readonly priorities?: boolean;
}

/** Seconds below which two times are the same: sums of the same costs in different orders. */
const ROUNDING = 1e-12;

export interface ReferenceRun {
  readonly time: number;
  /** Whether the main strand has ended. */
  readonly ended: boolean;
  /** Number of computations, and the sum of their seconds. */
  readonly computations: number;
  readonly work: number;
  /** Strands that have stopped at an invalid release. */
  readonly faults: number;
  /** Smallest value of a semaphore; whether writers excluded all others, and mutexes had one holder. */
  readonly smallest: number;
  readonly exclusive: boolean;
  readonly strands: number;
  /** Whether two events had the same time up to rounding. The rules do not say which of them comes first. */
  readonly ties: boolean;
}

interface Worker {
  readonly number: number;
  /** Head is the oldest. A thief holds the queue during a steal. */
  queue: Strand[];
  held: boolean;
  readonly pending: { readonly first: boolean; readonly go: () => void }[];
  asleep: boolean;
  /** Whether it has found its own queue empty, and no task since. */
  idle: boolean;
  /** Strands that wait on this worker. The worker continues the last one, once it has nothing to wait for. */
  readonly stack: { readonly done: () => boolean; readonly go: () => void }[];
}

export function simulateThreads(
  // biome-ignore lint/suspicious/noExplicitAny: any model
  build: (t: any) => void,
  params: Record<string, unknown>,
  options: ReferenceOptions,
): ReferenceRun {
  const dealt = options.scheduler === 'static' ? numbersOf(build, params, options) : new Map<string, number>();
  return new Simulation(build, params, options, dealt).run();
}

/** Numbers of the strands: generation by generation, as `static` deals them to queues. */
function numbersOf(
  build: (t: never) => void,
  params: Record<string, unknown>,
  options: ReferenceOptions,
): Map<string, number> {
  const run = new Simulation(build, params, { ...options, scheduler: 'os' }, new Map());
  run.run();
  const below = new Map<Strand | undefined, Strand[]>();
  for (const strand of run.strands) below.set(strand.parent, [...(below.get(strand.parent) ?? []), strand]);
  const numbers = new Map<string, number>();
  let level = below.get(undefined)!;
  while (level.length > 0) {
    for (const strand of level) numbers.set(pathOf(strand), numbers.size);
    level = level.flatMap((s) => (below.get(s) ?? []).sort((a, b) => a.child - b.child));
  }
  return numbers;
}

/** A strand joins the waiters of an object. Those that spin have the order of arrival. */
function queueUp(on: Thing, one: Thing['waiting'][number]): void {
  // Locks that inherit look at the priority at which a strand runs.
  const urgency = ({ priority, level }: Strand): number => (on.inherits ? level : priority);
  const own = urgency(one.strand);
  const at = on.lock === 'spin' ? -1 : on.waiting.findIndex(({ strand }) => urgency(strand) < own);
  on.waiting.splice(at < 0 ? on.waiting.length : at, 0, one);
}

/** A thread that waits for a processor, and the time of the switch with which it goes on. */
interface Queued {
  readonly strand: Strand;
  readonly cost: number;
  readonly go: () => void;
}

class Simulation {
  readonly #o: ReferenceOptions;
  readonly #strands: Strands;
  /** `follows`: of the same step as the event before, so that their order is known. */
  readonly #events: { time: number; order: number; go: () => void; follows?: true }[] = [];
  #order = 0;
  #now = 0;
  /** Computations in progress, which share the cores. */
  readonly #active = new Map<object, { left: number; go: () => void }>();
  #since = 0;
  readonly #workers: Worker[];
  /** Longest asleep first. */
  readonly #sleepers: Worker[] = [];
  /** Workers that search while no queue can be taken from. */
  readonly #searchers: Worker[] = [];
  readonly #workerOf = new Map<Strand, Worker>();
  #queued = 0;
  #fetching = false;
  readonly #wantsFetch: { readonly worker: Worker; readonly go: () => void }[] = [];
  #ended = false;
  #computations = 0;
  #work = 0;
  #faults = 0;
  #smallest = Number.POSITIVE_INFINITY;
  #exclusive = true;
  #ties = false;
  /** Processors that no thread has, and threads that wait for one. */
  #idle: number;
  readonly #queue: Queued[] = [];
  /** The pending end of the slice of each thread that has a processor; undefined once the slice is over. */
  readonly #sliceOf = new Map<Strand, object | undefined>();
  /** The order in which the slices of threads began, or ended if they are over. */
  readonly #sliceMarks = new Map<Strand, number>();
  /** With priorities: what is left of slices that have not ended. */
  readonly #sliceLeft = new Map<Strand, number>();
  /** Threads that can be preempted now, and what stops them. */
  readonly #interruptible = new Map<Strand, () => Queued>();
  readonly #spinners = new Set<Strand>();
  readonly #isPrioritised: boolean;

  readonly #numbers: ReadonlyMap<string, number>;

  constructor(
    build: (t: never) => void,
    params: Record<string, unknown>,
    options: ReferenceOptions,
    numbers: ReadonlyMap<string, number>,
  ) {
    this.#numbers = numbers;
    this.#o = options;
    this.#idle = options.cores;
    this.#isPrioritised = options.priorities === true;
    this.#strands = new Strands(build, params, options.workers, {
      speed: options.speed,
      cacheLine: options.costs.cacheLine,
    });
    this.#workers = Array.from({ length: options.workers }, (_, number) => ({
      number,
      queue: [],
      held: false,
      pending: [],
      asleep: number > 0,
      idle: number > 0,
      stack: [],
    }));
    this.#sleepers.push(...this.#workers.slice(1));
  }

  run(): ReferenceRun {
    const main = this.#strands.main();
    this.#workerOf.set(main, this.#workers[0]!);
    this.#arrives(main, () => this.#advance(main));
    for (;;) {
      this.#events.sort((a, b) => a.time - b.time || a.order - b.order);
      const next = this.#events[0];
      const computed = this.#firstDone();
      if (next === undefined && computed === undefined) break;
      if (computed !== undefined && (next === undefined || computed.time < next.time)) {
        this.#progress(computed.time);
        this.#active.delete(computed.key);
        computed.go();
      } else {
        this.#progress(next!.time);
        this.#events.shift();
        const [after] = this.#events;
        if (after !== undefined && after.follows !== true && after.time - next!.time < ROUNDING) this.#ties = true;
        next!.go();
      }
    }
    return {
      time: this.#now,
      ended: this.#ended,
      computations: this.#computations,
      work: this.#work,
      faults: this.#faults,
      smallest: this.#smallest,
      exclusive: this.#exclusive,
      strands: this.#strands.all.length,
      ties: this.#ties,
    };
  }

  get strands(): readonly Strand[] {
    return this.#strands.all;
  }

  get #rate(): number {
    return Math.min(1, this.#o.cores / this.#active.size);
  }

  #firstDone(): { key: object; time: number; go: () => void } | undefined {
    let best: { key: object; time: number; go: () => void } | undefined;
    for (const [key, { left, go }] of this.#active) {
      const time = this.#since + left / this.#rate;
      if (best === undefined || time < best.time) best = { key, time, go };
    }
    return best;
  }

  #progress(time: number): void {
    const done = (time - this.#since) * this.#rate;
    for (const one of this.#active.values()) one.left -= done;
    this.#since = time;
    this.#now = time;
  }

  #after(seconds: number, go: () => void, follows = false): void {
    if (seconds === 0) go();
    else
      this.#events.push({ time: this.#now + seconds, order: this.#order++, go, ...(follows ? { follows: true } : {}) });
  }

  /** The clock of a strand that waits for a limited time. Once it has ended, the strand leaves the queue between two operations. */
  #starts(strand: Strand, on: Thing, tried: Tried, next: () => void): void {
    tried.until = this.#now + tried.limit;
    const leave = (): void => {
      const spins = on.spinning.findIndex((one) => one.tried === tried);
      if (spins >= 0) {
        on.spinning.splice(spins, 1);
        next();
        return;
      }
      const at = on.waiting.findIndex((one) => one.strand === strand && one.tried === tried);
      if (at < 0) return;
      if (on.lock !== 'spin') {
        on.waiting.splice(at, 1);
        this.#deprives(on);
        this.#after(this.#o.costs.wakeUp, () => this.#arrives(strand, next));
        // It has held up those behind it.
        this.#grant(on);
        return;
      }
      // One that has lost its processor, or is not spinning yet, gives up when it spins.
      if (tried.spins !== true || (this.#slices && !this.#spinners.has(strand))) return;
      on.waiting.splice(at, 1);
      this.#spinners.delete(strand);
      this.#interruptible.delete(strand);
      next();
    };
    tried.leave = leave;
    const over = {
      time: tried.until,
      order: this.#order++,
      go: (): void => {
        if (on.busy) on.leaving.push(leave);
        else leave();
      },
    };
    this.#events.push(over);
    tried.stop = (): void => {
      const at = this.#events.indexOf(over);
      if (at >= 0) this.#events.splice(at, 1);
    };
  }

  /** A waiter of a barging lock is woken, and tries again. */
  #wakes(on: Thing, strand: Strand, retry: () => void): void {
    this.#after(this.#o.costs.wakeUp, () =>
      this.#arrives(strand, () => {
        on.inFlight = false;
        retry();
      }),
    );
  }

  // ---- processors of threads that are preempted ----

  get #slices(): boolean {
    return this.#o.scheduler === 'os' && this.#o.costs.timeSlice > 0;
  }

  /** A thread can go on. */
  #arrives(strand: Strand, go: () => void): void {
    if (!this.#slices) go();
    else if (this.#idle > 0) {
      this.#idle--;
      this.#begins(strand);
      go();
    } else this.#queues({ strand, cost: this.#o.costs.contextSwitch, go });
  }

  #queues(one: Queued): void {
    this.#enqueue(one, false);
    this.#dispatch();
    this.#preempt();
  }

  /** In the order of priorities; ahead of or behind those of its own. */
  #enqueue(one: Queued, isAhead: boolean): void {
    const { level } = one.strand;
    const at = this.#queue.findIndex(({ strand: s }) => (isAhead ? s.level <= level : s.level < level));
    this.#queue.splice(at < 0 ? this.#queue.length : at, 0, one);
  }

  #begins(strand: Strand): void {
    const over = {
      time: this.#now + (this.#sliceLeft.get(strand) ?? this.#o.costs.timeSlice * (1 + 1e-9)),
      order: this.#order++,
      go: (): void => {
        this.#sliceOf.set(strand, undefined);
        this.#sliceMarks.set(strand, this.#order++);
        this.#preempt();
      },
    };
    this.#sliceLeft.delete(strand);
    this.#events.push(over);
    this.#sliceOf.set(strand, over);
    this.#sliceMarks.set(strand, this.#order++);
  }

  /** Stops the slice of a thread that loses its processor. */
  #stopsSlice(strand: Strand): void {
    const over = this.#sliceOf.get(strand) as { readonly time: number } | undefined;
    this.#sliceOf.delete(strand);
    if (over === undefined) return;
    this.#events.splice(this.#events.indexOf(over as never), 1);
    if (this.#isPrioritised) this.#sliceLeft.set(strand, over.time - this.#now);
  }

  /** Whether a thread has to give way: to a higher priority at once, to its own after its slice. */
  #hasToYield({ level }: Strand, isOver: boolean): 'ahead' | 'behind' | undefined {
    const first = this.#queue[0];
    if (this.#idle > 0 || first === undefined) return undefined;
    if (first.strand.level > level) return 'ahead';
    return isOver && first.strand.level === level ? 'behind' : undefined;
  }

  /**
   * The holder of a lock has at least the priority of its first waiter, which gives its processor back then. If the holder waits for such a lock
   * itself, it moves up there, and the next holder inherits, too.
   */
  #inherit({ inherits, holder, waiting }: Thing): void {
    const first = waiting[0];
    if (!inherits || holder === undefined || first === undefined || first.strand.level <= holder.level) return;
    holder.level = first.strand.level;
    const at = this.#queue.findIndex(({ strand }) => strand === holder);
    if (at >= 0) this.#enqueue(this.#queue.splice(at, 1)[0]!, false);
    for (const next of this.#inheriting) {
      const place = next.waiting.findIndex(({ strand }) => strand === holder);
      if (place < 0) continue;
      queueUp(next, next.waiting.splice(place, 1)[0]!);
      this.#inherit(next);
    }
  }

  /** The strand has the priorities of the waiters of its other locks. */
  #disinherits(on: Thing, strand: Strand): void {
    if (!on.inherits) return;
    on.holder = undefined;
    strand.level = this.#levelOf(strand);
  }

  /** The highest of the own priority and those of the waiters of all locks that a strand holds. */
  #levelOf(strand: Strand): number {
    const held = [...this.#inheriting].filter(({ holder }) => holder === strand);
    return Math.max(strand.priority, ...held.map(({ waiting: [first] }) => first?.strand.level ?? -1000));
  }

  /**
   * A lock has lost a waiter. Its holder may fall: it then is the first of its priority that waits for a processor, and the last one that waits
   * for a lock, whose holder may fall, too.
   */
  #deprives({ inherits, holder }: Thing): void {
    if (!inherits || holder === undefined) return;
    const level = this.#levelOf(holder);
    if (level === holder.level) return;
    holder.level = level;
    const at = this.#queue.findIndex(({ strand }) => strand === holder);
    if (at >= 0) this.#enqueue(this.#queue.splice(at, 1)[0]!, true);
    for (const next of this.#inheriting) {
      const place = next.waiting.findIndex(({ strand }) => strand === holder);
      if (place < 0) continue;
      queueUp(next, next.waiting.splice(place, 1)[0]!);
      this.#deprives(next);
    }
    this.#preempt();
  }

  /** Locks that inherit priorities and have been held. */
  readonly #inheriting = new Set<Thing>();

  #takes(on: Thing, strand: Strand): void {
    on.holder = strand;
    if (on.inherits) this.#inheriting.add(on);
  }

  /** The thread has no processor any more. */
  #gives(strand: Strand): void {
    if (!this.#slices) return;
    this.#stopsSlice(strand);
    this.#idle++;
    this.#dispatch();
    this.#preempt();
  }

  #dispatch(): void {
    while (this.#idle > 0 && this.#queue.length > 0) {
      const { strand, cost, go } = this.#queue.shift()!;
      this.#idle--;
      this.#after(cost, () => {
        this.#begins(strand);
        go();
        this.#preempt();
      });
    }
  }

  /** Threads give way, those of the lowest priority first; among these that first whose slice began, or ended, first. */
  #preempt(): void {
    for (;;) {
      const marks = this.#sliceMarks;
      const yielding = [...this.#interruptible]
        .filter(([s]) => this.#sliceOf.has(s))
        .map(([s, stop]) => ({ s, stop, how: this.#hasToYield(s, this.#sliceOf.get(s) === undefined) }))
        .filter(({ how }) => how !== undefined)
        .sort((a, b) => a.s.level - b.s.level || marks.get(a.s)! - marks.get(b.s)!);
      const [first] = yielding;
      if (first === undefined) return;
      this.#interruptible.delete(first.s);
      this.#stopsSlice(first.s);
      this.#enqueue(first.stop(), first.how === 'ahead');
      this.#idle++;
      this.#dispatch();
    }
  }

  /** A thread is between two steps, where it can be preempted. */
  #between(strand: Strand, go: () => void): void {
    const isOver = this.#sliceOf.has(strand) && this.#sliceOf.get(strand) === undefined;
    const how = this.#sliceOf.has(strand) ? this.#hasToYield(strand, isOver) : undefined;
    if (how === undefined) {
      go();
      return;
    }
    this.#stopsSlice(strand);
    this.#idle++;
    const cost = this.#o.costs.contextSwitch + this.#o.costs.cacheRefill;
    this.#enqueue({ strand, cost, go: () => this.#between(strand, go) }, how === 'ahead');
    this.#dispatch();
    this.#preempt();
  }

  #computes(strand: Strand, seconds: number, next: () => void): void {
    const begun = this.#now;
    const end = { time: begun + seconds, order: this.#order++, go: (): void => {} };
    end.go = (): void => {
      this.#interruptible.delete(strand);
      next();
    };
    this.#events.push(end);
    this.#interruptible.set(strand, () => {
      this.#events.splice(this.#events.indexOf(end), 1);
      const left = seconds - (this.#now - begun);
      const cost = this.#o.costs.contextSwitch + this.#o.costs.cacheRefill;
      return { strand, cost, go: () => this.#computes(strand, left, next) };
    });
  }

  /** A thread waits for a spin lock on its processor. */
  #spins(strand: Strand, on: Thing): void {
    if (!this.#slices) return;
    this.#spinners.add(strand);
    this.#interruptible.set(strand, () => {
      this.#spinners.delete(strand);
      const go = (): void => {
        this.#spins(strand, on);
        this.#grant(on);
        this.#isLate(strand, on);
      };
      return { strand, cost: this.#o.costs.contextSwitch, go };
    });
  }

  /** A strand that spins, and whose time may be over, gives up. */
  #isLate(strand: Strand, on: Thing): void {
    const { tried } = on.waiting.find((one) => one.strand === strand) ?? {};
    if (tried?.until === undefined || this.#now < tried.until) return;
    if (on.busy) on.leaving.push(tried.leave!);
    else tried.leave!();
  }

  /** Continues a strand, until it has to wait for something. */
  #advance(strand: Strand): void {
    const step = strand.code.next();
    if (step.done === true) this.#between(strand, () => this.#end(strand));
    else this.#between(strand, () => this.#perform(strand, step.value, () => this.#advance(strand)));
  }

  #perform(strand: Strand, action: Action, next: () => void): void {
    const { costs } = this.#o;
    switch (action.do) {
      case 'compute':
        this.#computations++;
        this.#work += action.seconds;
        if (this.#slices) {
          this.#computes(strand, action.seconds, next);
          this.#preempt();
        } else this.#active.set({}, { left: action.seconds, go: next });
        return;
      case 'sleep':
        this.#gives(strand);
        this.#after(action.seconds, () => this.#arrives(strand, next));
        return;
      case 'spawn':
        if (this.#o.workFirst === true && !action.child.depends) this.#begin(action.child, strand);
        else this.#meet(action.child, strand, next, action.team);
        return;
      case 'join': {
        const { group } = action;
        if (group.left === 0) {
          next();
          return;
        }
        if (this.#hasStacks) {
          this.#stay(strand, () => group.left === 0, next);
          return;
        }
        group.ownerWaits = true;
        this.#leave(strand);
        return;
      }
      case 'acquire': {
        if (action.tried !== undefined && action.tried.limit > 0 && action.tried.until === undefined)
          this.#starts(strand, action.on, action.tried, next);
        let waits = action.tried === undefined;
        const begins = (): boolean => {
          const { until } = action.tried ?? {};
          if (until !== undefined) waits = this.#now < until;
          return true;
        };
        const effect = (): (() => void) => {
          const { on, test, take, frees = false } = action;
          const spinsFirst = on.lock === 'spin-then-park' && costs.spinFor > 0;
          const barges = on.lock === 'barging' || on.lock === 'spin-then-park';
          const isFirst =
            action.prefers === undefined ? on.waiting.length === 0 : !on.waiting.some(({ isPreferred }) => isPreferred);
          if ((barges || isFirst) && test()) {
            take();
            this.#takes(on, strand);
            this.#check(on);
            if (action.tried !== undefined) action.tried.succeeds = true;
            action.tried?.stop?.();
            return next;
          }
          if (!waits) {
            action.tried?.stop?.();
            return next;
          }
          const grant = (): boolean => {
            if (!test()) return false;
            take();
            this.#takes(on, strand);
            this.#check(on);
            if (action.tried !== undefined) action.tried.succeeds = true;
            action.tried?.stop?.();
            return true;
          };
          if (frees && this.#hasStacks) return () => this.#stay(strand, () => !on.busy && test(), next);
          const retry = (): void => this.#between(strand, () => this.#perform(strand, action, next));
          const park = (): void =>
            queueUp(on, {
              strand,
              grant,
              frees,
              ...(barges ? { retry } : {}),
              ...(action.tried === undefined ? {} : { tried: action.tried }),
              ...(action.prefers === undefined ? {} : { isPreferred: action.prefers }),
            });
          if (spinsFirst) {
            const { tried } = action;
            const spinner = {
              ...(tried === undefined ? {} : { tried }),
              take: (): void => {
                on.busy = true;
                this.#after(costs.spin, () => {
                  take();
                  if (tried !== undefined) tried.succeeds = true;
                  tried?.stop?.();
                  on.busy = false;
                  this.#grant(on);
                  this.#next(on);
                  next();
                });
              },
            };
            on.spinning.push(spinner);
            this.#after(costs.spinFor, () => {
              const at = on.spinning.indexOf(spinner);
              if (at < 0) return;
              on.spinning.splice(at, 1);
              // Parking looks at the lock, between two operations on it.
              const parks = (): void => {
                if (on.value === 1) spinner.take();
                else if (tried?.until !== undefined && this.#now >= tried.until) next();
                else {
                  park();
                  this.#gives(strand);
                }
              };
              if (on.busy) on.parking.push(parks);
              else parks();
            });
            return () => {};
          }
          park();
          this.#inherit(on);
          if (on.lock === 'spin')
            return () => {
              if (action.tried !== undefined) action.tried.spins = true;
              this.#spins(strand, on);
              this.#grant(on);
              this.#isLate(strand, on);
              this.#preempt();
            };
          return () => this.#leave(strand, frees);
        };
        this.#use(action.on, this.#operation(action.on), effect, begins);
        return;
      }
      case 'release':
        this.#use(
          action.on,
          this.#operation(action.on),
          () => {
            const { on } = action;
            action.give();
            this.#disinherits(on, strand);
            this.#check(on);
            if ((on.lock !== 'barging' && on.lock !== 'spin-then-park') || on.waiting.length === 0) return next;
            if (on.kind === 'rwlock' ? on.value !== 0 : on.inFlight) return next;
            on.inFlight = true;
            const woken = on.waiting.splice(0, on.kind === 'rwlock' ? on.waiting.length : 1);
            const wake = (): void => {
              const one = woken.shift();
              if (one === undefined) next();
              else
                this.#after(costs.wake, () => {
                  this.#wakes(on, one.strand, one.retry!);
                  wake();
                });
            };
            return wake;
          },
          action.valid,
        );
        return;
      case 'wait': {
        const { on, mutex, within } = action;
        const grant = (): boolean => {
          if (on.value < 1) return false;
          on.value--;
          if (within !== undefined) within.signalled = true;
          return true;
        };
        const begin = (): void => {
          // Both objects are used.
          if (on.busy) {
            on.pending.push(begin);
            return;
          }
          if (mutex.busy) {
            mutex.pending.push(begin);
            this.#next(on);
            return;
          }
          const barges = mutex.lock === 'barging' || mutex.lock === 'spin-then-park';
          const wakes = barges && mutex.waiting.length > 0 && !mutex.inFlight;
          if (wakes) mutex.inFlight = true;
          mutex.busy = true;
          this.#use(on, costs.lock + (wakes ? costs.wake : 0), () => {
            if (mutex.value !== 0) throw new Error('waits without the mutex');
            const waiter = { strand, grant, frees: false };
            queueUp(on, waiter);
            if (within !== undefined) {
              const leave = (): void => {
                if (on.busy) {
                  on.leaving.push(leave);
                  return;
                }
                const at = on.waiting.indexOf(waiter);
                if (at < 0) return;
                on.waiting.splice(at, 1);
                this.#after(costs.wakeUp, () => this.#arrives(strand, next));
              };
              within.leave = leave;
              if (within.isOver) leave();
            }
            mutex.value = 1;
            this.#disinherits(mutex, strand);
            if (wakes) {
              const one = mutex.waiting.shift()!;
              this.#wakes(mutex, one.strand, one.retry!);
            }
            mutex.busy = false;
            this.#grant(mutex);
            for (const leave of mutex.leaving.splice(0)) leave();
            this.#next(mutex);
            return () => this.#leave(strand, false);
          });
        };
        begin();
        return;
      }
      case 'clock': {
        const { within } = action;
        if (action.starts) {
          const over = {
            time: this.#now + within.limit,
            order: this.#order++,
            go: (): void => {
              within.isOver = true;
              within.leave?.();
            },
          };
          this.#events.push(over);
          within.stop = (): void => {
            const at = this.#events.indexOf(over);
            if (at >= 0) this.#events.splice(at, 1);
          };
        } else within.stop!();
        next();
        return;
      }
      case 'atomic':
        this.#use(action.on, costs.atomic, () => {
          action.on.value += action.by;
          return next;
        });
        return;
      case 'here':
        action.tell(this.#workerOf.get(strand)!.number);
        next();
        return;
      case 'fetch': {
        const { counter, chunks } = action.loop;
        this.#use(counter, costs.fetch, () => {
          const chunk = chunks[counter.value];
          if (chunk !== undefined) {
            counter.value++;
            action.chunk = chunk;
          }
          return next;
        });
        return;
      }
    }
  }

  /** One operation at a time on an object; waiters are served before the next operation. */
  #use(on: Thing, seconds: number, effect: () => () => void, valid: () => boolean = () => true): void {
    const begin = (): void => {
      if (!valid()) {
        this.#faults++;
        this.#next(on);
        return;
      }
      on.busy = true;
      this.#after(seconds, () => {
        const go = effect();
        on.busy = false;
        this.#grant(on);
        for (const leave of on.leaving.splice(0)) leave();
        this.#next(on);
        this.#callBack();
        go();
      });
    };
    if (on.busy) on.pending.push(begin);
    else begin();
  }

  #next(on: Thing): void {
    if (!on.busy) on.pending.shift()?.();
  }

  #operation({ kind }: Thing): number {
    const { rwLock, barrier, lock } = this.#o.costs;
    return kind === 'rwlock' ? rwLock : kind === 'latch' ? barrier : lock;
  }

  #grant(on: Thing): void {
    while (!on.busy && on.parking.length > 0) on.parking.shift()!();
    if (on.lock === 'spin-then-park' && !on.busy && on.value === 1) on.spinning.shift()?.take();
    if (on.lock === 'barging' || on.lock === 'spin-then-park') return;
    if (on.lock.endsWith('-first')) {
      for (;;) {
        const one = on.waiting.find(({ isPreferred }) => isPreferred) ?? on.waiting[0];
        if (one === undefined || !one.grant()) return;
        on.waiting.splice(on.waiting.indexOf(one), 1);
        this.#after(this.#o.costs.wakeUp, () => this.#arrives(one.strand, () => this.#advance(one.strand)));
      }
    }
    if (on.lock === 'spin') {
      if (on.busy || on.waiting.length === 0 || on.value !== 1) return;
      // The first in the queue has the next turn, even if it has lost its processor.
      if (this.#slices && !this.#spinners.has(on.waiting[0]!.strand)) return;
      const { strand, grant } = on.waiting.shift()!;
      this.#spinners.delete(strand);
      this.#interruptible.delete(strand);
      on.busy = true;
      this.#after(this.#o.costs.spin + on.waiting.length * this.#o.costs.spinner, () => {
        grant();
        on.busy = false;
        this.#next(on);
        this.#advance(strand);
      });
      return;
    }
    while (on.waiting.length > 0 && on.waiting[0]!.grant()) {
      const { strand, frees } = on.waiting.shift()!;
      if (frees && this.#o.scheduler !== 'os') this.#push(this.#workerOf.get(strand)!, strand);
      else this.#after(this.#o.costs.wakeUp, () => this.#arrives(strand, () => this.#advance(strand)));
    }
  }

  #check({ kind, value }: Thing): void {
    if (kind === 'semaphore') this.#smallest = Math.min(this.#smallest, value);
    if (kind === 'mutex' && (value < 0 || value > 1)) this.#exclusive = false;
    if (kind === 'rwlock' && value < -1) this.#exclusive = false;
  }

  /** One condition of a strand is met; with the last one it is ready, after the time of a spawn. */
  #meet(child: Strand, by: Strand, next: () => void, team?: 'park' | 'spin'): void {
    const { spawn, create, wake, wakeUp, cacheLine } = this.#o.costs;
    const isThread = this.#o.scheduler === 'os';
    // Who makes a thread does so in its own time.
    const seconds = !isThread ? spawn : team === undefined ? create : team === 'park' ? wake : 0;
    if (--child.conditions > 0) {
      next();
      return;
    }
    this.#after(seconds, () => {
      if (isThread) {
        this.#after(team === 'spin' ? cacheLine : wakeUp, () => this.#arrives(child, () => this.#advance(child)));
        next();
      } else this.#push(this.#workerOf.get(by)!, child, next);
    });
  }

  /** The worker of a strand begins the child that it spawns; the strand goes on from the queue. */
  #begin(child: Strand, by: Strand): void {
    const worker = this.#workerOf.get(by)!;
    child.conditions--;
    this.#after(this.#o.costs.spawn, () =>
      this.#push(worker, by, () => {
        this.#workerOf.set(child, worker);
        this.#advance(child);
      }),
    );
  }

  #end(strand: Strand): void {
    strand.ended = true;
    const dependents = [...strand.before];
    const left = (): void => this.#between(strand, () => this.#left(strand, strand.group));
    const rest = (): void => this.#between(strand, step);
    const step = (): void => {
      const child = dependents.shift();
      const { future } = strand;
      if (child !== undefined) this.#meet(child, strand, rest);
      else if (future === undefined) left();
      else
        this.#use(future, this.#o.costs.lock, () => {
          future.value = 1;
          return left;
        });
    };
    rest();
  }

  #left(strand: Strand, group: Group | undefined): void {
    if (group === undefined) {
      this.#ended = true;
      this.#leave(strand);
      return;
    }
    group.left--;
    this.#callBack();
    if (group.left > 0 || !group.ownerWaits) {
      this.#leave(strand);
      return;
    }
    const { owner } = group;
    if (this.#o.scheduler === 'os') {
      this.#after(this.#o.costs.wakeUp, () => this.#arrives(owner, () => this.#advance(owner)));
      this.#leave(strand);
      return;
    }
    const worker = this.#workerOf.get(strand)!;
    if (this.#o.bypass === false) {
      this.#push(worker, owner);
      this.#look(worker);
      return;
    }
    this.#workerOf.set(owner, worker);
    this.#advance(owner);
  }

  /** The strand has ended or waits, and its worker is free. */
  #leave(strand: Strand, freesWorker = true): void {
    if (this.#o.scheduler === 'os') this.#gives(strand);
    else if (freesWorker) this.#look(this.#workerOf.get(strand)!);
  }

  // ---- pools of workers ----

  get #hasStacks(): boolean {
    return this.#o.stack === true && this.#o.scheduler !== 'os';
  }

  /** The strand waits on the stack of its worker, which looks for other work. */
  #stay(strand: Strand, done: () => boolean, go: () => void): void {
    const worker = this.#workerOf.get(strand)!;
    worker.stack.push({ done, go });
    this.#look(worker);
  }

  /** Continues the strand on top of the worker's stack, if it is done. */
  #returned(worker: Worker): boolean {
    if (worker.stack.at(-1)?.done() !== true) return false;
    worker.idle = false;
    worker.stack.pop()!.go();
    return true;
  }

  /** Workers that sleep, or wait for the central queue, return to their stacks. */
  #callBack(): void {
    for (const worker of [...this.#sleepers]) {
      if (worker.stack.at(-1)?.done() !== true) continue;
      this.#sleepers.splice(this.#sleepers.indexOf(worker), 1);
      worker.idle = false;
      this.#after(this.#o.costs.wakeUp, worker.stack.pop()!.go);
    }
    for (const one of [...this.#wantsFetch])
      if (one.worker.stack.at(-1)?.done() === true) {
        this.#wantsFetch.splice(this.#wantsFetch.indexOf(one), 1);
        one.worker.stack.pop()!.go();
      }
  }

  #execute(worker: Worker, strand: Strand): void {
    this.#queued--;
    this.#runs(worker, strand);
  }

  /** Workers that search without taking time look again once queues have changed. */
  #searchAgain(): void {
    for (const worker of this.#searchers.splice(0)) this.#search(worker, 0);
  }

  #runs(worker: Worker, strand: Strand): void {
    if (strand.addressee !== undefined) {
      strand.addressee = undefined;
      this.#mailed.splice(this.#mailed.indexOf(strand), 1);
    }
    this.#workerOf.set(strand, worker);
    this.#advance(strand);
  }

  /** Calls back once no thief holds the queue. */
  #withQueue(owner: Worker, first: boolean, go: () => void): void {
    if (owner.held) owner.pending.push({ first, go });
    else go();
  }

  #free(owner: Worker): void {
    owner.held = false;
    const pending = owner.pending.splice(0);
    for (const one of [...pending.filter((p) => p.first), ...pending.filter((p) => !p.first)])
      this.#withQueue(owner, one.first, one.go);
  }

  #push(by: Worker, strand: Strand, next: () => void = () => {}): void {
    const { scheduler } = this.#o;
    const owner =
      scheduler === 'stealing'
        ? by
        : scheduler === 'central'
          ? this.#workers[0]!
          : this.#workers[this.#numbers.get(pathOf(strand))! % this.#workers.length]!;
    this.#withQueue(owner, true, () => {
      owner.queue.push(strand);
      this.#queued++;
      if (strand.mails !== undefined) {
        strand.addressee = strand.mails();
        strand.mails = undefined;
        if (strand.addressee !== undefined) this.#mailed.push(strand);
      }
      if (scheduler !== 'static') {
        // One sleeper is woken for the task; its addressee, too, if it is another one.
        const addressee = this.#workers[strand.addressee ?? -1];
        const isCalled = addressee !== undefined && this.#sleepers.includes(addressee) && this.#sleepers.length > 1;
        if (isCalled) {
          this.#sleepers.splice(this.#sleepers.indexOf(addressee), 1);
          this.#after(this.#o.costs.wakeUp, () => this.#search(addressee, 0));
        }
        const sleeper = this.#sleepers.shift();
        if (sleeper !== undefined) this.#after(this.#o.costs.wakeUp, () => this.#search(sleeper, 0), isCalled);
      } else if (this.#sleepers.includes(owner)) {
        this.#sleepers.splice(this.#sleepers.indexOf(owner), 1);
        this.#after(this.#o.costs.wakeUp, () => this.#search(owner, 0));
      }
      this.#searchAgain();
      next();
    });
  }

  /** LOCAL: the youngest strand of the worker's own queue. */
  #look(worker: Worker): void {
    if (this.#returned(worker)) return;
    if (this.#o.scheduler === 'central') {
      this.#search(worker, 0);
      return;
    }
    this.#after(this.#o.costs.local, () =>
      this.#withQueue(worker, false, () => {
        const strand = worker.queue.pop();
        worker.idle = strand === undefined;
        if (strand === undefined) this.#search(worker, 0);
        else this.#execute(worker, strand);
      }),
    );
  }

  /** Tasks of loops with affinity in the order in which they were mailed, until they begin. */
  readonly #mailed: Strand[] = [];

  /** A worker without work takes the oldest task that is mailed to it, wherever it is queued. */
  #takesMail(worker: Worker): boolean {
    for (const strand of this.#mailed) {
      const owner = this.#workers.find(({ queue }) => queue.includes(strand));
      if (strand.addressee !== worker.number || owner === undefined) continue;
      owner.queue.splice(owner.queue.indexOf(strand), 1);
      this.#queued--;
      worker.idle = false;
      this.#after(this.#o.costs.steal, () => this.#runs(worker, strand));
      return true;
    }
    return false;
  }

  /** GLOBAL: other queues, or the central one. */
  #search(worker: Worker, k: number): void {
    if (this.#returned(worker)) return;
    if (this.#takesMail(worker)) return;
    const { scheduler, costs } = this.#o;
    if (scheduler === 'static') {
      const strand = worker.queue.shift();
      if (strand === undefined) this.#sleepers.push(worker);
      else this.#execute(worker, strand);
      return;
    }
    if (scheduler === 'central') {
      this.#fetch(worker);
      return;
    }
    // A strand that has waited for a task has come to its own queue meanwhile.
    if (worker.queue.length > 0 && !worker.held) {
      this.#look(worker);
      return;
    }
    const others = this.#workers.length - 1;
    if (k === others) {
      if (this.#queued === 0) this.#sleepers.push(worker);
      // The task is in the worker's own queue, which a thief holds.
      else if (costs.search === 0 && this.#workers.every((v) => v === worker || (!v.held && v.queue.length === 0)))
        this.#searchers.push(worker);
      else this.#search(worker, 0);
      return;
    }
    const victim = this.#workers[(worker.number + 1 + k) % this.#workers.length]!;
    this.#withQueue(victim, false, () => {
      // Tasks that are mailed to a worker without work are left to it.
      const addressee = victim.queue[0]?.addressee ?? worker.number;
      if (victim.queue.length === 0 || (addressee !== worker.number && this.#workers[addressee]!.idle)) {
        this.#after(costs.search, () => this.#search(worker, k + 1));
        return;
      }
      victim.held = true;
      const strand = victim.queue.shift()!;
      const more = this.#o.half === true ? Math.floor((victim.queue.length + 2) / 2) - 1 : 0;
      this.#after(costs.steal, () => {
        const moved = victim.queue.splice(0, more);
        worker.queue.push(...moved);
        this.#queued--;
        worker.idle = false;
        this.#free(victim);
        this.#searchAgain();
        this.#runs(worker, strand);
      });
    });
  }

  #fetch(worker: Worker): void {
    if (this.#queued === 0) {
      this.#sleepers.push(worker);
      return;
    }
    if (this.#fetching) {
      this.#wantsFetch.push({ worker, go: () => this.#fetch(worker) });
      return;
    }
    this.#fetching = true;
    this.#after(this.#o.costs.fetch, () => {
      const strand = this.#workers[0]!.queue.shift()!;
      this.#fetching = false;
      this.#execute(worker, strand);
      for (const { go } of this.#wantsFetch.splice(0)) go();
    });
  }
}
