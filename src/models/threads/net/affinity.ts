import type { Colour, NetBuilder, NumberTable, PlaceOf, TransitionBuilder } from '../../../net/builder/builder.ts';
import {
  add,
  and,
  constant,
  div,
  eq,
  floor,
  gt,
  lt,
  mod,
  mul,
  not,
  or,
  sub,
  type Term,
  when,
} from '../../../net/terms.ts';
import type { ThreadProgram } from '../program/rows.ts';

type Net = Pick<NetBuilder, 'range' | 'intTable' | 'place'>;
/** A worker that executes a strand. */
interface Run {
  readonly w: Term<number>;
  readonly s: Term<number>;
}

/** Entries of the memory for each worker (`affinity_partition_type::factor` of oneTBB, partitioner.h). */
const FACTOR = 16;

/** A task with affinity: first entry of its part of the memory, and whether it has executed a range. */
interface Partition {
  readonly f: Term<number>;
  readonly y: Term<number>;
}

/**
 * Affinity partitioners: `affinity_partitioner` of oneTBB 2021 (partitioner.h; A. Robison, M. Voss, A. Kukanov, IPDPS 2008). A memory of
 * 16 entries for each worker has the worker that executed a task last. A loop first makes a task for each worker, with 16 entries each. After its
 * first range, such a task gives ranges away with 8, 4, 2 and 1 of its entries, and one without an entry. A task with an entry is
 * queued by its maker, and also mailed to the worker of its entry. A worker looks for mail before each search, and thieves pass over tasks
 * that are mailed to a worker without work. The maker takes them at any time.
 */
export class Affinity {
  /** Entries of one partitioner. */
  readonly most: number;
  /** By task of a range: its part. */
  readonly #partition: PlaceOf<{
    readonly s: Colour<number>;
    readonly f: Colour<number>;
    readonly y: Colour<number>;
  }>;
  /** By strand: the worker that it is mailed to, plus one; 0: none. */
  readonly #addressee: PlaceOf<{ readonly s: Colour<number>; readonly to: Colour<number> }>;
  /** The strands that are mailed. A search by workers among all strands would take long. */
  readonly mailed: PlaceOf<{ readonly s: Colour<number>; readonly to: Colour<number> }>;
  /** By worker, plus one: 1 if it has no work. */
  readonly #idle: PlaceOf<{ readonly w: Colour<number>; readonly idle: Colour<number> }>;
  readonly #memory: PlaceOf<{ readonly entry: Colour<number>; readonly by: Colour<number> }>;
  /** By loop: 1 if its partitioner has affinity, and its first entry. Other loops use one entry behind the others. */
  readonly #has: NumberTable;
  readonly #first: NumberTable;

  private constructor(net: Net, { ranges, workers, strands }: ThreadProgram) {
    this.most = FACTOR * workers;
    const partitioners = ranges.reduce((most, { affinity = -1 }) => Math.max(most, affinity + 1), 0);
    const entries = partitioners * this.most;
    const table = (name: string, of: (loop: (typeof ranges)[number]) => number): NumberTable =>
      net.intTable(name, Int32Array.from(ranges, of));
    this.#has = table('has affinity', ({ affinity }) => (affinity === undefined ? 0 : 1));
    this.#first = table('first entry', ({ affinity }) => (affinity === undefined ? entries : affinity * this.most));
    const worker = net.range('worker of mail', 0, workers);
    const s = net.range('task of a partition', 0, strands.count - 1);
    const flag = net.range('flag', 0, 1);
    this.#partition = net.place(
      'partition',
      { s, f: net.range('first entry of a task', 0, this.most - 1), y: flag },
      { kind: 'data' },
    );
    this.mailed = net.place('mailed', { s, to: worker }, { kind: 'data' });
    this.#addressee = net.place(
      'addressee',
      { s, to: worker },
      { kind: 'data', initial: Array.from({ length: strands.count }, (_, k) => ({ s: k, to: 0 })) },
    );
    this.#idle = net.place(
      'idle worker',
      { w: worker, idle: flag },
      { kind: 'data', initial: Array.from({ length: workers + 1 }, (_, w) => ({ w, idle: w > 1 ? 1 : 0 })) },
    );
    this.#memory = net.place(
      'memory of affinity',
      { entry: net.range('entry', 0, entries), by: worker },
      { kind: 'data', initial: Array.from({ length: entries + 1 }, (_, entry) => ({ entry, by: 0 })) },
    );
  }

  /** Undefined if no loop has an affinity partitioner. */
  static of(net: Net, program: ThreadProgram): Affinity | undefined {
    return program.ranges.some(({ affinity }) => affinity !== undefined) ? new Affinity(net, program) : undefined;
  }

  /** The first task of a loop. @returns the tasks that it may make, or the entries that it has */
  begins(t: TransitionBuilder, s: Term<number>, loop: Term<number>, tasks: number): Term<number> {
    const has = this.#isIn(loop);
    t.put(this.#partition, { s, f: 0, y: when(has, 0, 1) });
    return when(has, this.most, tasks);
  }

  /** A worker begins a task, which was mailed or not, and is noted at its entry. */
  receives(t: TransitionBuilder, { w, s }: Run, loop: Term<number>, entries: Term<number>, isMailed: boolean): void {
    const { f } = t.read(this.#partition, { s });
    if (isMailed) {
      const { to } = t.take(this.mailed, { s });
      t.take(this.#addressee, { s, to });
      t.put(this.#addressee, { s, to: 0 });
    } else this.isNotMailed(t, s);
    const entry = add(this.#first.at(loop), f);
    const { by } = t.take(this.#memory, { entry });
    t.put(this.#memory, { entry, by: when(and(this.#isIn(loop), gt(entries, 0)), add(w, 1), by) });
  }

  ends(t: TransitionBuilder, s: Term<number>): void {
    t.take(this.#partition, { s });
  }

  of(t: TransitionBuilder, s: Term<number>): Partition {
    return t.read(this.#partition, { s });
  }

  /** A task that keeps `left` entries makes another one; `y` of a range of a pool is 1. */
  offers(
    t: TransitionBuilder,
    { f }: Partition,
    child: Term<number>,
    loop: Term<number>,
    { left, y }: { readonly left: Term<number>; readonly y: Term<number> },
  ): void {
    t.put(this.#partition, { s: child, f: when(this.#isIn(loop), mod(add(f, left), this.most), 0), y });
  }

  /** A task that has been made with some entries is mailed to the worker of its first one, if there is one. */
  mails(t: TransitionBuilder, s: Term<number>, loop: Term<number>, entries: Term<number>): void {
    const { f } = t.read(this.#partition, { s });
    const { by } = t.read(this.#memory, { entry: add(this.#first.at(loop), f) });
    const to = when(and(this.#isIn(loop), gt(entries, 0)), by, 0);
    t.take(this.#addressee, { s });
    t.put(this.#addressee, { s, to });
    t.put(this.mailed, { s, to }, gt(to, 0));
  }

  /** Whether a task that is made before any range has been executed is one of the first: 0, else 1. */
  isFirst(loop: Term<number>): Term<number> {
    return when(this.#isIn(loop), 0, 1);
  }

  /** A task that is not one of the first for each worker may give a range away once. */
  isBelow(loop: Term<number>, d: Term<number>): Term<boolean> {
    return lt(d, when(this.#isIn(loop), FACTOR, 1));
  }

  /** True if a task makes one of the first tasks for each worker. */
  mayMake(loop: Term<number>, d: Term<number>, otherwise: Term<boolean>): Term<boolean> {
    const has = this.#isIn(loop);
    return or(and(has, gt(d, FACTOR)), and(not(has), otherwise));
  }

  /** Shares of a range and of the entries for another task, in proportion to the workers (`proportional_split`). */
  share(
    loop: Term<number>,
    d: Term<number>,
    size: Term<number>,
    otherwise: { readonly pieces: Term<number>; readonly left: Term<number>; readonly given: Term<number> },
  ): typeof otherwise {
    const has = this.#isIn(loop);
    const workers = floor(div(d, FACTOR));
    const others = floor(div(workers, 2));
    const given = mul(others, FACTOR);
    const rounded = floor(add(div(mul(size, others), when(gt(workers, 0), workers, 1)), 0.5));
    return {
      pieces: when(has, rounded, otherwise.pieces),
      left: when(has, sub(d, given), otherwise.left),
      given: when(has, given, otherwise.given),
    };
  }

  /** Guards: a task gives ranges away for its entries, which it does not before its first range. */
  gives(t: TransitionBuilder, { y }: Partition, loop: Term<number>, d: Term<number>, m: Term<number>): void {
    t.guard(this.#isIn(loop));
    t.guard(eq(y, 1));
    t.guard(hasToGive(d, m));
  }

  /** Guard: whether its last task has been stolen decides. */
  looks(t: TransitionBuilder, { y }: Partition, loop: Term<number>, d: Term<number>, m: Term<number>): void {
    t.guard(or(not(this.#isIn(loop)), and(eq(y, 1), not(hasToGive(d, m)))));
  }

  /** A task executes a range. @returns its entries: the last one is given up if there is nothing to give away */
  executes(t: TransitionBuilder, s: Term<number>, loop: Term<number>, d: Term<number>, m: Term<number>): Term<number> {
    const { f, y } = t.take(this.#partition, { s });
    t.put(this.#partition, { s, f, y: constant(1) });
    return when(and(and(this.#isIn(loop), eq(y, 1)), and(eq(d, 1), gt(m, 0))), 0, d);
  }

  /** A worker has no work from now on, or has some. */
  idles(t: TransitionBuilder, w: Term<number>, idle: 0 | 1): void {
    t.take(this.#idle, { w: add(w, 1) });
    t.put(this.#idle, { w: add(w, 1), idle });
  }

  isNotMailed(t: TransitionBuilder, s: Term<number>): void {
    t.read(this.#addressee, { s, to: 0 });
  }

  /** Guard: a strand is mailed, and a thief may take it, or has to pass over it. */
  isMailed(t: TransitionBuilder, thief: Term<number>, s: Term<number>, passes: boolean): void {
    const { to } = t.read(this.mailed, { s });
    const { idle } = t.read(this.#idle, { w: to });
    const mayTake = or(eq(idle, 0), eq(to, add(thief, 1)));
    t.guard(passes ? not(mayTake) : mayTake);
  }

  #isIn(loop: Term<number>): Term<boolean> {
    return eq(this.#has.at(loop), 1);
  }
}

const hasToGive = (d: Term<number>, m: Term<number>): Term<boolean> => or(gt(d, 1), and(eq(d, 1), gt(m, 0)));
