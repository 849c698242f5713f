import type { Colour, PlaceOf, TransitionBuilder } from '../../../net/builder/builder.ts';
import type { NumberFields } from '../../../net/builder/builder-types.ts';
import {
  add,
  and,
  constant,
  div,
  eq,
  floor,
  gt,
  lt,
  min,
  mod,
  ne,
  not,
  or,
  sub,
  type Term,
  when,
} from '../../../net/terms.ts';
import { ROW } from '../program/rows.ts';
import type { Affinity } from './affinity.ts';
import { type JoinPlace, putRun, type RunTerms, type Scheduler, type ThreadPorts, takeRun } from './ports.ts';

/** Constants of oneTBB (partitioner.h): tasks per worker before any demand, capacity of a range pool, first depth of its division. */
const INITIAL_CHUNKS = 2;
const CAPACITY = 8;
const INITIAL_DEPTH = 5;
/** No loop has ranges that are divided more often. */
const MAX_DEPTH = 40;
/** A task looks for demand before it executes its next range. */
const DEMAND = 2;

type Fields<K extends string> = { readonly [name in K]: Colour<number> };

/**
 * Loops whose tasks divide their ranges by demand: `auto_partitioner` of oneTBB (partitioner.h; A. Robison, M. Voss, A. Kukanov,
 * IPDPS 2008). A task first gives halves of its range to other tasks until there are two for each worker, and twice as many of half
 * the size. The rest it keeps in a pool of at most 8 ranges, which it divides from the left, to a depth of 5. Before each range that it
 * executes, it looks whether the task that it made last has been stolen: if so, it makes a task of the largest range of its pool, and may divide once more.
 *
 * `affinity_partitioner` differs in the first tasks, and in where tasks go: see {@link Affinity}.
 *
 * A range is pieces `low` to before `high`, whose rows are executed one after the other. `d` is the number of tasks that a task
 * may still make before any demand, `m` the depth to which it may divide, `p` the task that it made last.
 */
export function emitRanges(ports: ThreadPorts, scheduler: Scheduler, join: JoinPlace): void {
  new Ranges(ports, scheduler, join).emit();
}

class Ranges {
  readonly #ports: ThreadPorts;
  readonly #scheduler: Scheduler;
  readonly #join: JoinPlace;
  readonly #tables: Readonly<
    Record<'count' | 'group' | 'owner' | 'strand' | 'first' | 'row', (k: Term<number>) => Term<number>>
  >;
  /** Ranges of tasks that have not begun, with the workers that made them. */
  readonly #offered: PlaceOf<Fields<'s' | 'low' | 'high' | 'd' | 'm' | 'by'>>;
  /** Tasks that give halves away. */
  readonly #dividing: PlaceOf<Fields<'w' | 's' | 'at' | 'low' | 'high' | 'd' | 'm' | 'p'>>;
  /** Tasks that fill their pools, and that look for demand. h is the slot of the range on the left, z the number of ranges. */
  readonly #filling: PlaceOf<Fields<'w' | 's' | 'at' | 'h' | 'z' | 'd' | 'm' | 'p'>>;
  readonly #looking: PlaceOf<Fields<'w' | 's' | 'at' | 'h' | 'z' | 'd' | 'm' | 'p'>>;
  /** Ranges of a pool, with the number of their divisions. */
  readonly #pool: PlaceOf<Fields<'s' | 'k' | 'low' | 'high' | 'e'>>;
  /** Tasks that execute a range: the next piece. */
  readonly #inside: PlaceOf<Fields<'s' | 'at' | 'next' | 'high' | 'h' | 'z' | 'd' | 'm' | 'p'>>;
  /** If loops have affinity partitioners. */
  readonly #affinity: Affinity | undefined;
  /** Tasks that other workers than their makers have begun. */
  readonly #stolen: PlaceOf<Fields<'s'>>;

  constructor(ports: ThreadPorts, scheduler: Scheduler, join: JoinPlace) {
    this.#ports = ports;
    this.#scheduler = scheduler;
    this.#join = join;
    const { net, program, Worker: w, Strand: s, Row: at } = ports;
    const { ranges, workers } = program;
    const most = ranges.reduce((m, { pieceRows }) => Math.max(m, pieceRows.length), 0);
    const firsts = new Int32Array(ranges.length);
    for (let k = 1; k < ranges.length; k++) firsts[k] = firsts[k - 1]! + ranges[k - 1]!.pieceRows.length;
    const rows = new Int32Array(ranges.reduce((sum, { pieceRows }) => sum + pieceRows.length, 0));
    for (const [k, { pieceRows }] of ranges.entries()) rows.set(pieceRows, firsts[k]!);
    const table = (name: string, values: Int32Array) => {
      const known = net.intTable(`${name} of range`, values);
      return (k: Term<number>): Term<number> => known.at(k);
    };
    const ofLoop = (name: string, of: (loop: (typeof ranges)[number]) => number) =>
      table(name, Int32Array.from(ranges, of));
    this.#tables = {
      count: ofLoop('pieces', ({ pieceRows }) => pieceRows.length),
      group: ofLoop('group', ({ group }) => group),
      owner: ofLoop('owner', ({ owner }) => owner),
      strand: ofLoop('strand', ({ firstStrand }) => firstStrand),
      first: table('first piece', firsts),
      row: table('row of piece', rows),
    };
    const low = net.range('piece', 0, most);
    this.#affinity = ports.affinity;
    const d = net.range('tasks to make', 0, this.#affinity?.most ?? INITIAL_CHUNKS * workers);
    const m = net.range('depth of division', 0, MAX_DEPTH);
    const h = net.range('slot of pool', 0, CAPACITY - 1);
    const z = net.range('ranges in pool', 0, CAPACITY);
    const task = { w, s, at } as Fields<'w' | 's' | 'at'>;
    const pooled = { ...task, h, z, d, m, p: s };
    this.#offered = net.place('offered range', { s, low, high: low, d, m, by: w }, { kind: 'data' });
    this.#dividing = net.place('divides', { ...task, low, high: low, d, m, p: s }, { kind: 'operation' });
    this.#filling = net.place('fills its pool', pooled, { kind: 'operation' });
    this.#looking = net.place('looks for demand', pooled, { kind: 'operation' });
    this.#pool = net.place('range pool', { s, k: h, low, high: low, e: m }, { kind: 'data' });
    this.#inside = net.place('executes a range', { s, at, next: low, high: low, h, z, d, m, p: s }, { kind: 'data' });
    this.#stolen = net.place('stolen ranges', { s }, { kind: 'data' });
  }

  emit(): void {
    const { op, a, net, program } = this.#ports;
    const { count, owner } = this.#tables;
    const row = (name: string, kind: number, body: (t: TransitionBuilder, run: RunTerms, loop: Term<number>) => void) =>
      net.transition(name, (t) => {
        const run = takeRun(t, this.#ports);
        t.guard(eq(op.at(run.at), kind));
        body(t, run, a.at(run.at));
      });
    row('begins a loop of ranges', ROW.divide, (t, { w, s, at }, loop) => {
      t.guard(eq(s, owner(loop)));
      const even = INITIAL_CHUNKS * program.workers;
      const d = this.#affinity?.begins(t, s, loop, even) ?? even;
      t.put(this.#dividing, { w, s, at, low: 0, high: count(loop), d, m: INITIAL_DEPTH, p: s });
    });
    const begins =
      (isMailed: boolean) =>
      (t: TransitionBuilder, { w, s, at }: RunTerms, loop: Term<number>) => {
        t.guard(ne(s, owner(loop)));
        const { low, high, d, m, by } = t.take(this.#offered, { s });
        const isBelow = this.#affinity?.isBelow(loop, d) ?? eq(d, 0);
        const isStolen = and(isBelow, ne(w, by));
        this.#affinity?.receives(t, { w, s }, loop, d, isMailed);
        t.put(this.#stolen, { s }, isStolen);
        const deeper = capped(add(m, when(eq(m, 0), 2, 1)));
        t.put(this.#dividing, { w, s, at, low, high, d: when(isBelow, 1, d), m: when(isStolen, deeper, m), p: s });
      };
    row('begins a range', ROW.divide, begins(false));
    if (this.#affinity !== undefined) row('begins a mailed range', ROW.divide, begins(true));
    this.#emitDivision();
    this.#emitPool();
    row('goes on in its range', ROW.pieceEnd, (t, { w, s }, loop) => {
      const { next, ...state } = t.take(this.#inside, { s });
      t.guard(lt(next, state.high));
      t.put(this.#inside, { ...state, s, next: add(next, 1) });
      this.#execute(t, { w, s }, loop, next);
    });
    row('has executed a range', ROW.pieceEnd, (t, { w, s }) => {
      const { next, high, ...state } = t.take(this.#inside, { s });
      t.guard(eq(next, high));
      t.guard(gt(state.z, 0));
      t.put(this.#filling, { ...state, w, s });
    });
    row('has executed its ranges', ROW.pieceEnd, (t, { w, s }) => {
      const { next, high, z, at } = t.take(this.#inside, { s });
      t.guard(eq(next, high));
      t.guard(eq(z, 0));
      this.#affinity?.ends(t, s);
      putRun(t, this.#ports, { w, s, at }, add(at, 1));
    });
  }

  /** Halves for the workers, and one more division for each of these tasks. */
  #emitDivision(): void {
    const { net, a } = this.#ports;
    const isLarge = (low: Term<number>, high: Term<number>) => gt(sub(high, low), 1);
    const mayMake = (d: Term<number>, m: Term<number>) => or(gt(d, 1), and(eq(d, 1), gt(m, 0)));
    const affinity = this.#affinity;
    const makes = (at: Term<number>, d: Term<number>, m: Term<number>): Term<boolean> =>
      affinity?.mayMake(a.at(at), d, mayMake(d, m)) ?? mayMake(d, m);
    this.#emitOffer('half', this.#dividing, (t) => {
      const { low, high, d, m, ...task } = t.take(this.#dividing);
      t.process(task.w);
      t.guard(isLarge(low, high));
      t.guard(makes(task.at, d, m));
      if (affinity !== undefined) {
        const loop = a.at(task.at);
        const size = sub(high, low);
        const half = floor(div(d, 2));
        const even = { pieces: sub(size, floor(div(size, 2))), left: half, given: half };
        const { pieces, left, given } = affinity.share(loop, d, size, even);
        const middle = sub(high, pieces);
        const depth = when(gt(d, 1), m, sub(m, 1));
        return {
          task: { ...task, low, high: middle, d: left, m: depth },
          range: { low: middle, high, d: given, m: depth },
        };
      }
      const middle = add(low, floor(div(sub(high, low), 2)));
      const left = { d: floor(div(d, 2)), m: when(gt(d, 1), m, sub(m, 1)) };
      return {
        task: { ...task, low, high: middle, ...left },
        range: { low: middle, high, ...left },
      };
    });
    net.transition('has divided', (t) => {
      const { low, high, d, m, p, ...run } = t.take(this.#dividing);
      t.process(run.w);
      t.guard(isLarge(low, high));
      t.guard(not(makes(run.at, d, m)));
      t.guard(gt(m, 0));
      t.put(this.#pool, { s: run.s, k: 0, low, high, e: 0 });
      t.put(this.#filling, { ...run, h: 0, z: 1, d, m, p });
    });
    net.transition('divides no more', (t) => {
      const { low, high, d, m, p, ...run } = t.take(this.#dividing);
      t.process(run.w);
      t.guard(not(and(isLarge(low, high), or(makes(run.at, d, m), gt(m, 0)))));
      t.put(this.#inside, { s: run.s, at: run.at, next: add(low, 1), high, h: 0, z: 0, d, m, p });
      this.#execute(t, run, a.at(run.at), low);
    });
  }

  #emitPool(): void {
    const { net, a } = this.#ports;
    const affinity = this.#affinity;
    /** The range of a pool that was divided least. */
    const largest = (s: Term<number>, h: Term<number>, z: Term<number>) => ({
      s,
      k: mod(add(sub(h, z), CAPACITY + 1), CAPACITY),
    });
    const divisible = ({ low, high, e }: Readonly<Record<'low' | 'high' | 'e', Term<number>>>, m: Term<number>) =>
      and(gt(sub(high, low), 1), lt(e, m));
    net.transition('divides a range of its pool', (t) => {
      const { h, z, m, ...state } = t.take(this.#filling);
      t.process(state.w);
      const back = t.take(this.#pool, { s: state.s, k: h });
      t.guard(lt(z, CAPACITY));
      t.guard(divisible(back, m));
      const middle = add(back.low, floor(div(sub(back.high, back.low), 2)));
      const [next, e] = [mod(add(h, 1), CAPACITY), add(back.e, 1)];
      t.put(this.#pool, { s: state.s, k: h, low: middle, high: back.high, e });
      t.put(this.#pool, { s: state.s, k: next, low: back.low, high: middle, e });
      t.put(this.#filling, { ...state, h: next, z: add(z, 1), m });
    });
    net.transition('has filled its pool', (t) => {
      const state = t.take(this.#filling);
      t.process(state.w);
      const back = t.read(this.#pool, { s: state.s, k: state.h });
      t.guard(or(eq(state.z, CAPACITY), not(divisible(back, state.m))));
      t.put(this.#looking, state);
    });
    this.#emitOffer('range of its pool', this.#filling, (t) => {
      t.priority(DEMAND);
      const { h, z, d, m, ...task } = t.take(this.#looking);
      t.process(task.w);
      t.read(this.#stolen, { s: task.p });
      affinity?.looks(t, affinity.of(t, task.s), a.at(task.at), d, m);
      t.guard(gt(z, 1));
      const { low, high, e } = t.take(this.#pool, largest(task.s, h, z));
      const [deeper, left] = [capped(add(m, 1)), floor(div(d, 2))];
      return {
        task: { ...task, h, z: sub(z, 1), d: left, m: deeper },
        range: { low, high, d: left, m: sub(deeper, e) },
      };
    });
    if (affinity !== undefined)
      this.#emitOffer('range for a worker', this.#filling, (t) => {
        t.priority(DEMAND);
        const { h, z, d, m, ...task } = t.take(this.#looking);
        t.process(task.w);
        affinity.gives(t, affinity.of(t, task.s), a.at(task.at), d, m);
        t.guard(gt(z, 1));
        const { low, high, e } = t.take(this.#pool, largest(task.s, h, z));
        const left = floor(div(d, 2));
        return { task: { ...task, h, z: sub(z, 1), d: left, m }, range: { low, high, d: left, m: sub(m, e) } };
      });
    net.transition('divides for demand', (t) => {
      t.priority(DEMAND);
      const { m, ...state } = t.take(this.#looking);
      t.process(state.w);
      t.read(this.#stolen, { s: state.p });
      affinity?.looks(t, affinity.of(t, state.s), a.at(state.at), state.d, m);
      t.guard(eq(state.z, 1));
      const deeper = capped(add(m, 1));
      t.guard(divisible(t.read(this.#pool, { s: state.s, k: state.h }), deeper));
      t.put(this.#filling, { ...state, m: deeper });
    });
    net.transition('executes a range of its pool', (t) => {
      const { w, h, z, ...state } = t.take(this.#looking);
      t.process(w);
      const { low, high } = t.take(this.#pool, { s: state.s, k: h });
      const [left, rest] = [mod(add(h, CAPACITY - 1), CAPACITY), sub(z, 1)];
      const d = affinity?.executes(t, state.s, a.at(state.at), state.d, state.m) ?? state.d;
      t.put(this.#inside, { ...state, d, next: add(low, 1), high, h: left, z: rest });
      this.#execute(t, { w, s: state.s }, a.at(state.at), low);
    });
  }

  /**
   * Making a task of a range takes the time of a spawn; then it is queued.
   *
   * @param place to which the maker returns, with the task that it made last
   * @param offer the maker and the range
   */
  #emitOffer(
    what: string,
    place: PlaceOf<NumberFields>,
    offer: (t: TransitionBuilder) => {
      readonly task: Readonly<Record<string, Term<number>>>;
      readonly range: Readonly<Record<'low' | 'high' | 'd' | 'm', Term<number>>>;
    },
  ): void {
    const { net, machine, a } = this.#ports;
    const { group, strand } = this.#tables;
    const making = net.place(`makes a task of a ${what}`, place.fields, { kind: 'operation' });
    net.transition(`offers a ${what}`, (t) => {
      const { task, range } = offer(t);
      if (machine.costs.spawn > 0) t.delay(machine.costs.spawn);
      const child = sub(add(strand(a.at(task['at']!)), range.low), 1);
      this.#affinity?.offers(t, this.#affinity.of(t, task['s']!), child, a.at(task['at']!), {
        left: task['d']!,
        y:
          place === (this.#dividing as PlaceOf<NumberFields>) ? this.#affinity.isFirst(a.at(task['at']!)) : constant(1),
      });
      t.put(this.#offered, { s: child, ...range, by: task['w']! });
      t.put(making, { ...task, p: child });
    });
    net.transition(`queues a ${what}`, (t) => {
      t.priority(1);
      const task = t.take(making) as Readonly<Record<'w' | 's' | 'at' | 'p', Term<number>>>;
      t.process(task.w);
      const g = group(a.at(task.at));
      const { n } = t.take(this.#join, { g });
      t.put(this.#join, { g, n: add(n, 1) });
      if (this.#affinity !== undefined)
        this.#affinity.mails(t, task.p, a.at(task.at), t.read(this.#offered, { s: task.p }).d);
      this.#scheduler.ready(t, task, task.p);
      t.put(place, task);
    });
  }

  /** Continues a strand at the rows of a piece. */
  #execute(t: TransitionBuilder, run: Pick<RunTerms, 'w' | 's'>, loop: Term<number>, piece: Term<number>): void {
    const { first, row } = this.#tables;
    putRun(t, this.#ports, { ...run, at: constant(0) }, row(add(first(loop), piece)));
  }
}

const capped = (depth: Term<number>): Term<number> => min(depth, MAX_DEPTH);
