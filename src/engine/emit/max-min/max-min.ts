import type { KernelArray } from '../../../kernel/kernel.ts';
import type { ServiceLink } from '../../../net/net.ts';
import { intValueAt } from '../queue/queue-nodes.ts';
import { emitFilling, SAME } from './filling.ts';
import { emitMaxMinRecords, type MaxMinText, NONE, recordsOf } from './records.ts';

/** The smallest positive number that a double holds with full precision. */
const SMALLEST = 2 ** -1022;

/**
 * Kernel text of service number k: weighted bounded max-min sharing of links (S5), computed incrementally.
 *
 * When a token enters or leaves, only the flows connected with it are solved again, by progressive filling (Bertsekas & Gallager
 * 1992, §6.5.2). Flows are connected through links that they could exhaust together; a link that its flows cannot exhaust even at
 * their bounds neither constrains nor connects them. Solving c flows over l links takes O(c log c + l²) in the worst case; a flow
 * over links that cannot be exhausted is never solved. Each flow has an event in the queue at its end, which carries the token's
 * record and the flow; it is moved when the flow's rate changes.
 *
 * - `enterFlow<k>(s, order, amount, weight, bound, from, to)`: token s enters with its demand; `order` is the number of its
 *   start, and entries `from` … `to` − 1 of the routes table are its links. If one of these may be exhausted, the rates of this
 *   and the connected flows are computed by `settle<k>`.
 * - `leaveFlow<k>(flow)`: the event of a flow has come, and the flow leaves its links; −1 for a token that needed no flow.
 * - `settle<k>()` brings all rates up to date before time advances.
 * - `assertServed<k>()` is called when no event is left. A token that is still in service would never be served, which is an error.
 *
 * Errors are RUN004 if a service would end at infinity, and RUN006 if no double can hold the rate of a token. The text requires
 * the queue, with at least two values per event; the variables `now` and `latest` (the latest time that counts as now); the
 * functions `fail` and `badDemand`; and the arrays `S<k>_capacity`, `S<k>_kinds` and those of the routes.
 */
export function emitMaxMin(text: MaxMinText): string {
  return [emitMaxMinRecords(text), emitLinks(text), emitFilling(text), emitEvents(text)].join('');
}

/** The arrays of link data that the text of service number k requires. */
export function linkArrays(k: number, links: readonly ServiceLink[]): Record<string, KernelArray> {
  return {
    [`S${k}_capacity`]: Float64Array.from(links, (l) => l.capacity),
    [`S${k}_kinds`]: Uint8Array.from(links, (l) => (l.fatpipe ? (l.level === true ? 2 : 1) : 0)),
  };
}

function emitLinks(text: MaxMinText): string {
  const { s, flow, crossing, link } = recordsOf(text);
  return `
// True if the flows on a link could exhaust it. A fatpipe with a level is tight if it has any flow.
function ${s}isTight(l: int): int {
  if (${s}kinds[l] === 2) return ${link.first('l')} >= 0;
  return ${link.demand('l')} > ${s}capacity[l] * ${1 + SAME};
}

function ${s}cross(f: int, l: int, coefficient: num) {
  if (${s}freeCrossing < 0) ${s}growCrossings();
  const x = ${s}freeCrossing;
  ${s}freeCrossing = ${crossing.sibling('x')};
  ${crossing.flow('x')} = f;
  ${crossing.link('x')} = l;
  ${crossing.coefficient('x')} = coefficient;
  ${crossing.sibling('x')} = ${flow.crossings('f')};
  ${flow.crossings('f')} = x;
  const first = ${link.first('l')};
  ${crossing.next('x')} = first;
  ${crossing.previous('x')} = ${NONE};
  if (first >= 0) ${crossing.previous('first')} = x;
  ${link.first('l')} = x;
}

// Removes all crossings of a flow from the chains of their links.
function ${s}uncross(f: int) {
  let x = ${flow.crossings('f')};
  while (x >= 0) {
    const l = ${crossing.link('x')};
    const wasTight = ${s}isTight(l);
    const previous = ${crossing.previous('x')}, following = ${crossing.next('x')};
    if (previous < 0) ${link.first('l')} = following;
    else ${crossing.next('previous')} = following;
    if (following >= 0) ${crossing.previous('following')} = previous;
    if (${link.first('l')} < 0) ${link.demand('l')} = 0;
    else {
      ${link.demand('l')} = ${link.demand('l')} - ${crossing.coefficient('x')} * ${flow.bound('f')};
      if (wasTight) ${s}reachLink(l);
    }
    const sibling = ${crossing.sibling('x')};
    ${crossing.sibling('x')} = ${s}freeCrossing;
    ${s}freeCrossing = x;
    x = sibling;
  }
}

function ${s}carry(from: int, to: int, amount: num) {
  for (let k = from; k < to; k++) ${s}carried[${text.routes}_link[k]] += amount * ${text.routes}_coefficient[k];
}
`;
}

/** Code of the functions that are called from outside. */
function emitEvents(text: MaxMinText): string {
  const { number, place, kind, routes } = text;
  const { s, flow, link } = recordsOf(text);
  return `
// Adds the end of a flow to the queue and returns its node. A flow of rate 0 has no end yet: the result is NONE.
function ${s}push(end: num, order: num, token: int, flow: int): int {
  if (end === Infinity) {
    if (flow < 0) fail(4, -1, end, ${place}, 0);
    return ${NONE};
  }
  const node = queuePush(end <= latest ? now : end, order, ${kind});
  ${intValueAt('node', 0)} = token;
  ${intValueAt('node', 1)} = flow;
  return node;
}

// By the first entry of a route: the maximum rate that its links permit one flow; negated if it shares none of them; 0: unknown.
let ${s}most: nums = nums(${routes}_link.length + 1);
cold function ${s}mostOf(from: int, to: int): num {
  let most: num = Infinity;
  let alone = 1;
  for (let k = from; k < to; k++) {
    const l = ${routes}_link[k];
    // Twice the capacity of a fatpipe with a level, so that the link and not the flow's own bound limits it, with all its flows.
    const room: num = ${s}kinds[l] === 2 ? 2 : 1;
    if (${s}kinds[l] !== 1) alone = 0;
    most = Math.min(most, room * ${s}capacity[l] / ${routes}_coefficient[k]);
  }
  ${s}most[from] = alone ? -most : most;
  return ${s}most[from];
}

function enterFlow${number}(s: int, order: num, amount: num, weight: num, bound: num, from: int, to: int) {
  let most = bound;
  let alone = 1;
  if (from < to) {
    let own = ${s}most[from];
    if (own === 0) own = ${s}mostOf(from, to);
    alone = own < 0;
    most = Math.min(bound, Math.abs(own));
  }
  // The quotient of a tiny capacity and a coefficient may underflow to 0.
  if (!(most > 0)) badDemand(${place}, amount, weight, bound);
  if (alone || amount === 0 || most === Infinity) {
    ${s}carry(from, to, amount);
    ${s}push(now + amount / most, order, s, ${NONE});
    return;
  }
  const level = most / weight;
  if (level === Infinity) badDemand(${place}, amount, weight, bound);
  if (${s}freeFlow < 0) ${s}growFlows();
  const f = ${s}freeFlow;
  ${s}freeFlow = ${flow.crossings('f')};
  ${s}present++;
  ${flow.order('f')} = order;
  ${flow.left('f')} = amount;
  ${flow.amount('f')} = amount;
  ${flow.since('f')} = now;
  ${flow.rate('f')} = most;
  ${flow.weight('f')} = weight;
  ${flow.bound('f')} = most;
  ${flow.level('f')} = level;
  ${flow.token('f')} = s;
  ${flow.from('f')} = from;
  ${flow.to('f')} = to;
  ${flow.crossings('f')} = ${NONE};
  ${flow.node('f')} = ${NONE};
  let tight = 0;
  for (let k = from; k < to; k++) {
    const l = ${routes}_link[k];
    if (${s}kinds[l] === 1) continue;
    const c = ${routes}_coefficient[k];
    ${s}cross(f, l, c);
    const demand = ${link.demand('l')} + c * most;
    ${link.demand('l')} = demand;
    if (demand === Infinity || c * weight < ${SMALLEST}) badDemand(${place}, amount, weight, bound);
    if (!tight) tight = ${s}isTight(l);
  }
  if (tight) ${s}reachFlow(f);
  else ${flow.node('f')} = ${s}push(now + amount / most, order, s, f);
}

function leaveFlow${number}(flow: int) {
  if (flow < 0) return;
  ${s}uncross(flow);
  ${s}carry(${flow.from('flow')}, ${flow.to('flow')}, ${flow.amount('flow')});
  ${flow.crossings('flow')} = ${s}freeFlow;
  ${s}freeFlow = flow;
  ${s}present--;
}

function settle${number}() {
  if (${s}flowCount > 0 || ${s}linkCount > 0) ${s}solve();
}

function assertServed${number}() {
  if (${s}present > 0) fail(4, -1, Infinity, ${place}, 0);
}
`;
}
