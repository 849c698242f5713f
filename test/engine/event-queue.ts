import { emitQueue } from '../../src/engine/emit/queue/queue.ts';
import { strideOf } from '../../src/engine/emit/queue/queue-nodes.ts';
import { type CompiledKernel, compileKernel, Kernel } from '../../src/kernel/kernel.ts';

/** Kernel functions for access to the queue from tests. */
const OPERATIONS = `
export function push(time: num, order: num, kind: int): int { return queuePush(time, order, kind); }
export function pop(): int { return queuePop(); }
export function isPending(node: int): int { return queueIsPending(node); }
export function remove(node: int) { queueRemove(node); }
export function gather(now: num, limit: num) { queueGather(now, limit); }
export function clear() { queueClear(); }
export function timeAt(node: int): num { return H[node]; }
// The hold model: the earliest is popped and pushed again, later by an increment of a table.
let increments: nums = nums(8192);
export function hold(first: num, count: int) {
let order = first;
for (let k = 0; k < count; k++) {
const node = queuePop();
queuePush(H[node] + increments[order & 8191], order, 0);
order++;
}
}`;

const compiled = new Map<number, CompiledKernel>();

/** The event queue in isolation (see `engine/emit/queue/queue.ts`); in runs it is part of the net's code. */
export class EventQueue {
  readonly width: number;
  readonly #kernel: Kernel;

  constructor(width: number) {
    let code = compiled.get(width);
    if (code === undefined) {
      code = compileKernel(`${emitQueue(width)}
${OPERATIONS}`);
      compiled.set(width, code);
    }
    this.width = width;
    this.#kernel = new Kernel(code);
  }

  get next(): number {
    return this.#kernel.get('queueNext');
  }

  /** Number of days (buckets) per completion. */
  get fineness(): number {
    return this.#kernel.get('queueFineness');
  }

  get size(): number {
    return this.#kernel.get('queueSize');
  }

  /** Capacity in nodes. */
  get capacity(): number {
    return this.#records.length / this.#stride;
  }

  push(time: number, order: number, kind: number): number {
    return this.#kernel.call['push']!(time, order, kind) / this.#stride;
  }

  pop(): number {
    return this.#kernel.call['pop']!() / this.#stride;
  }

  remove(node: number): void {
    if (!this.#kernel.call['isPending']!(node * this.#stride)) throw new Error(`node ${node} is not pending`);
    this.#kernel.call['remove']!(node * this.#stride);
  }

  gather(now: number, limit: number): void {
    this.#kernel.call['gather']!(now, limit);
  }

  clear(): void {
    this.#kernel.call['clear']!();
  }

  time(node: number): number {
    return this.#kernel.call['timeAt']!(node * this.#stride);
  }

  kind(node: number): number {
    return this.#kernel.array('N')[2 * node * this.#stride + 5]! & 0xffff;
  }

  value(node: number, k: number): number {
    return this.#records[node * this.#stride + 3 + k]!;
  }

  setValue(node: number, k: number, value: number): void {
    this.#records[node * this.#stride + 3 + k] = value;
  }

  /** Pops and pushes `count` times; returns the next order. The table has 8192 increments. */
  hold(table: Float64Array, order: number, count: number): number {
    this.#kernel.array<Float64Array<ArrayBuffer>>('increments').set(table);
    this.#kernel.call['hold']!(order, count);
    return order + count;
  }

  state(): ReturnType<Kernel['state']> {
    return this.#kernel.state();
  }

  restore(state: ReturnType<Kernel['state']>): void {
    this.#kernel.restore(state);
  }

  get #stride(): number {
    return strideOf(this.width);
  }

  get #records(): Float64Array {
    return this.#kernel.array<Float64Array<ArrayBuffer>>('H');
  }
}
