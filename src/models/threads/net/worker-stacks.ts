import type { Colour, PlaceOf, TransitionBuilder } from '../../../net/builder/builder.ts';
import { add, and, constant, eq, ge, gt, le, sub, type Term, when } from '../../../net/terms.ts';
import { FUTURE, ROW, releaseMode, type ThreadProgram } from '../program/rows.ts';
import { putRun, type RunTerms, type ThreadPorts } from './ports.ts';

/** Kinds of pools: behaviour of a worker while the strand that it executes waits for its tasks. */
export const POOL_KINDS = ['migrating', 'stack', 'isolated'] as const;
/**
 * Kind of a pool.
 *
 * - `migrating`: the waiting strand leaves its worker, and the worker that ends the last task continues it (Cilk).
 * - `stack`: the waiting strand stays on the stack of its worker, which executes any other tasks above it, and returns only
 *   when these have ended (oneTBB, rayon).
 * - `isolated`: as `stack`, but only the tasks that the strand waits for, and those that they spawn, are executed above it
 *   (libgomp, TBB's `isolate`).
 */
export type PoolKind = (typeof POOL_KINDS)[number];

/** Priority of a return above the steps of a search: a worker looks at its stack before it takes another task. */
const RETURN = 1;
/** Priority of keeping queues without holes, above all transitions that use them. */
const CLOSE = 4;

type Number = Colour<number>;
type Frame = { readonly w: Number; readonly d: Number; readonly s: Number; readonly at: Number };

/**
 * Stacks of the workers of a pool: the strands that wait on each worker. Only the top one can continue, on this worker, once
 * its row is done.
 */
export class WorkerStacks {
  readonly #ports: ThreadPorts;
  /** Number of strands on the stack of each worker, and these from the bottom (d = 0) up. */
  readonly #depth: PlaceOf<{ readonly w: Number; readonly d: Number }>;
  readonly #frames: PlaceOf<Frame>;
  /** Workers that look at their stacks. */
  readonly #checks: PlaceOf<{ readonly w: Number }>;

  constructor(ports: ThreadPorts, carriers: number) {
    this.#ports = ports;
    const { net, program, Worker, Strand, Row } = ports;
    const Depth = net.range('depth', 0, program.strands.count);
    this.#depth = net.place(
      'depth of stack',
      { w: Worker, d: Depth },
      { kind: 'data', initial: Array.from({ length: carriers }, (_, w) => ({ w, d: 0 })) },
    );
    this.#frames = net.place('stack', { w: Worker, d: Depth, s: Strand, at: Row }, { kind: 'synchronisation' });
    this.#checks = net.place('checks stack', { w: Worker }, { kind: 'operation' });
  }

  /** A strand waits, and its worker looks for other tasks. */
  push(t: TransitionBuilder, { w, s, at }: RunTerms): void {
    const { d } = t.take(this.#depth, { w });
    t.put(this.#depth, { w, d: add(d, 1) });
    t.put(this.#frames, { w, d, s, at });
    t.put(this.#checks, { w });
  }

  /** A worker has ended a strand. */
  free(t: TransitionBuilder, w: Term<number>): void {
    t.put(this.#checks, { w });
  }

  /** The strand on top of a worker's stack leaves it. */
  pop(t: TransitionBuilder, w: Term<number>): RunTerms {
    const { d } = t.take(this.#depth, { w });
    t.guard(gt(d, 0));
    const { s, at } = t.take(this.#frames, { w, d: sub(d, 1) });
    t.put(this.#depth, { w, d: sub(d, 1) });
    return { w, s, at };
  }

  /** The row at which the strand on top of a worker's stack waits. */
  waitsAt(t: TransitionBuilder, w: Term<number>): Term<number> {
    const { d } = t.read(this.#depth, { w });
    t.guard(gt(d, 0));
    return t.read(this.#frames, { w, d: sub(d, 1) }).at;
  }

  /** A worker continues the strand on top of its stack if it is done, before it looks for tasks. */
  emitReturn(name: string, done: (t: TransitionBuilder, top: RunTerms) => void): void {
    this.#ports.net.transition(name, (t) => {
      t.priority(RETURN);
      const { w } = t.take(this.#checks);
      t.process(w);
      const top = this.pop(t, w);
      done(t, top);
      putRun(t, this.#ports, top, add(top.at, 1));
    });
  }

  /** Otherwise it goes on to `local`, or in an isolated pool to `own` unless its stack is empty. */
  emitOn(local: PlaceOf<{ readonly w: Number }>, own?: PlaceOf<{ readonly w: Number }>): void {
    const { net } = this.#ports;
    net.transition('turns to tasks', (t) => {
      const { w } = t.take(this.#checks);
      t.process(w);
      if (own !== undefined) t.read(this.#depth, { w, d: 0 });
      t.put(local, { w });
    });
    if (own !== undefined)
      net.transition('waits for own tasks', (t) => {
        const { w } = t.take(this.#checks);
        t.process(w);
        const { d } = t.read(this.#depth, { w });
        t.guard(gt(d, 0));
        t.put(own, { w });
      });
  }
}

/** Tests whether a strand is one of those that a waiting strand at a row waits for, or below one of them in the tree of strands. */
export function awaitedTest({ net, program }: ThreadPorts): (s: Term<number>, row: Term<number>) => Term<boolean> {
  const { rows, strands, groupOwner } = program;
  const { number, last } = preorder(program);
  const firstOf = new Int32Array(groupOwner.length).fill(strands.count);
  const lastOf = new Int32Array(groupOwner.length).fill(-1);
  for (let s = 0; s < strands.count; s++) {
    const group = strands.group[s]!;
    if (group < 0) continue;
    firstOf[group] = Math.min(firstOf[group]!, number[s]!);
    lastOf[group] = Math.max(lastOf[group]!, last[s]!);
  }
  const ends = strandsByFuture(program);
  const [from, to] = [new Int32Array(rows.count), new Int32Array(rows.count).fill(-1)];
  for (let r = 0; r < rows.count; r++) {
    const a = rows.a[r]!;
    if (rows.op[r] === ROW.sync) [from[r], to[r]] = [firstOf[a]!, lastOf[a]!];
    else if (rows.op[r] === ROW.acquire && rows.b[r] === FUTURE && ends.has(a))
      [from[r], to[r]] = [number[ends.get(a)!]!, last[ends.get(a)!]!];
  }
  const numbers = net.intTable('number in tree', number);
  const [low, high] = [net.intTable('awaited from', from), net.intTable('awaited to', to)];
  return (s, row) => and(ge(numbers.at(s), low.at(row)), le(numbers.at(s), high.at(row)));
}

/** The strand whose end sets the object of a future. O(rows). */
function strandsByFuture({ rows, strands }: ThreadProgram): Map<number, number> {
  const found = new Map<number, number>();
  const set = releaseMode('set');
  for (let s = 0; s < strands.count; s++)
    for (let r = strands.start[s]!; rows.op[r] !== ROW.end; r++)
      if (rows.op[r] === ROW.release && rows.b[r] === set) found.set(rows.a[r]!, s);
  return found;
}

/**
 * Numbers of the strands in preorder, and the largest one at or below each. The strands of one group, with all below them, have
 * consecutive numbers. O(strands log strands).
 */
function preorder({ strands: { count, parent, group } }: ThreadProgram): { number: Int32Array; last: Int32Array } {
  const size = new Int32Array(count).fill(1);
  // Parents come before their children.
  for (let s = count - 1; s >= 0; s--) if (parent[s]! >= 0) size[parent[s]!]! += size[s]!;
  // By generation order of parents, then by group.
  const order = Array.from({ length: count }, (_, s) => s).sort(
    (a, b) => parent[a]! - parent[b]! || group[a]! - group[b]! || a - b,
  );
  const number = new Int32Array(count);
  const next = new Int32Array(count);
  let root = 0;
  for (const s of order) {
    const above = parent[s]!;
    number[s] = above < 0 ? root : next[above]!;
    if (above < 0) root += size[s]!;
    else next[above]! += size[s]!;
    next[s] = number[s]! + 1;
  }
  return { number, last: number.map((n, s) => n + size[s]! - 1) };
}

/** The double-ended queues of a pool, as far as tasks are taken out of their middle. */
export interface QueuePlaces {
  readonly deque: PlaceOf<{ readonly w: Number; readonly h: Number; readonly t: Number }>;
  readonly Index: Number;
}

/** Gaps that tasks leave in queues when they are taken out of the middle: each is closed when it comes to an end. */
export class QueueHoles {
  readonly #ports: ThreadPorts;
  readonly #queues: QueuePlaces;
  readonly #holes: PlaceOf<{ readonly w: Number; readonly i: Number }>;

  constructor(ports: ThreadPorts, queues: QueuePlaces) {
    this.#ports = ports;
    this.#queues = queues;
    this.#holes = ports.net.place('holes', { w: ports.Worker, i: queues.Index }, { kind: 'data' });
  }

  put(t: TransitionBuilder, w: Term<number>, i: Term<number>): void {
    t.put(this.#holes, { w, i });
  }

  emit(): void {
    for (const isHead of [true, false])
      this.#ports.net.transition(isHead ? 'closes oldest hole' : 'closes youngest hole', (t) => {
        t.priority(CLOSE);
        const { w, h, t: tail } = t.take(this.#queues.deque);
        t.guard(gt(tail, h));
        t.take(this.#holes, { w, i: isHead ? h : sub(tail, 1) });
        const [head, end] = isHead ? [add(h, 1), tail] : [h, sub(tail, 1)];
        const left = sub(end, head);
        t.put(this.#queues.deque, { w, h: whenEmpty(left, head), t: whenEmpty(left, end) });
      });
  }
}

/** An empty queue begins again at index 0. */
const whenEmpty = (left: Term<number>, index: Term<number>): Term<number> =>
  when(eq(left, 0), constant(0) as Term<number>, index);
