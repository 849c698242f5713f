import { isCounted, linkArrays } from '../../src/engine/emit/max-min/link-arrays.ts';
import { emitMaxMin } from '../../src/engine/emit/max-min/max-min.ts';
import { emitQueue } from '../../src/engine/emit/queue/queue.ts';
import { intValueAt, timeOf } from '../../src/engine/emit/queue/queue-nodes.ts';
import { type CompiledKernel, compileKernel, Kernel } from '../../src/kernel/kernel.ts';
import type { ServiceLink } from '../../src/net/net.ts';

const text = (links: number, counted: boolean): string => `
declare function fail(code: int, a: num, seconds: num, c: num, d: num);
declare function badDemand(place: int, amount: num, weight: num, bound: num);
declare const R_link: ints;
declare const R_coefficient: nums;
let now: num = 0;
let latest: num = 0;
${emitQueue(2)}
${emitMaxMin({ number: 0, place: 0, kind: 0, links, counted, routes: 'R', profiles: 0 })}
export function enter(s: int, order: num, amount: num, weight: num, bound: num, from: int, to: int) {
  enterFlow0(s, order, amount, weight, bound, from, to);
}
export function leave(flow: int) { leaveFlow0(flow); }
export function settle() { settle0(); }
export function assertServed() { assertServed0(); }
export function pop(): int { return queuePop(); }
export function gather() { queueGather(now, latest); }
export function timeOf(node: int): num { return ${timeOf('node')}; }
export function tokenOf(node: int): int { return ${intValueAt('node', 0)}; }
export function flowOf(node: int): int { return ${intValueAt('node', 1)}; }
`;

const compiled = new Map<string, CompiledKernel>();

/** A max-min service and an event queue in isolation; in runs they are part of the net's code. */
export class MaxMinAlone {
  readonly kernel: Kernel;

  constructor(
    links: readonly ServiceLink[],
    routes: { readonly link: Int32Array<ArrayBuffer>; readonly coefficient: Float64Array<ArrayBuffer> },
  ) {
    const counted = isCounted(links);
    const key = `${links.length} ${counted}`;
    let code = compiled.get(key);
    if (code === undefined) {
      code = compileKernel(text(links.length, counted));
      compiled.set(key, code);
    }
    const fail = (_: number, __: number, seconds: number): never => {
      throw new Error(`RUN004 ${seconds}`);
    };
    const badDemand = (_: number, ...asked: number[]): never => {
      throw new Error(`RUN006 ${asked.join()}`);
    };
    const given = { ...linkArrays(0, { links }), R_link: routes.link, R_coefficient: routes.coefficient };
    this.kernel = new Kernel(code, { fail, badDemand }, given);
  }

  /** Time of the next event; Infinity if there is none. */
  get next(): number {
    return this.kernel.get('queueNext');
  }

  /** Amount carried by each link. */
  get carried(): Float64Array {
    return this.kernel.array<Float64Array<ArrayBuffer>>('S0_carried').slice();
  }

  /** Advances the time; events up to `latest` count as now. */
  goOn(now: number, latest: number = now): void {
    this.kernel.set('now', now);
    this.kernel.set('latest', latest);
    if (latest > now) this.kernel.call['gather']!();
  }

  enter(token: number, order: number, amount: number, weight: number, bound: number, from: number, to: number): void {
    this.kernel.call['enter']!(token, order, amount, weight, bound, from, to);
  }

  settle(): void {
    this.kernel.call['settle']!();
  }

  assertServed(): void {
    this.kernel.call['assertServed']!();
  }

  /** Processes the next event, which must exist: its flow leaves. */
  serve(): { readonly token: number; readonly flow: number; readonly time: number } {
    const { call } = this.kernel;
    const node = call['pop']!();
    const event = { token: call['tokenOf']!(node), flow: call['flowOf']!(node), time: call['timeOf']!(node) };
    call['leave']!(event.flow);
    return event;
  }
}
