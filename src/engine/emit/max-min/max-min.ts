/*
 * Sample:
 * const routes = n.routesTable('routes', Int32Array.of(0, 1), Int32Array.of(0), Float64Array.of(1));
 * const links = [{ name: 'link', capacity: 5, fatpipe: false }];
 * place('p', { service: ({ x }) => ({ links, amount: x, weight: 1, bound: 2, routes, route: 0 }) });
 * →
 *   function S0_isTight(l: int): int {
 *   if (S0_kinds[l] === 2) return S0_linkInts[(l << 3) + 6] >= 0;
 */
import { part } from '../part.ts';
import { intValueAt } from '../queue/queue-nodes.ts';
import { emitFilling, SAME } from './filling.ts';
import { emitLazy } from './lazy.ts';
import { emitCounted, largestOf } from './link-arrays.ts';
import { emitProfiles } from './profiles.ts';
import { emitMaxMinRecords, type MaxMinText, NONE, newFlow, recordsOf } from './records.ts';

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
  const { number, place, kind, routes } = text;
  const records = { ...recordsOf(text), NONE, routes, number, place, kind };
  return [
    emitMaxMinRecords(text),
    ...(text.counted ? [emitCounted(text)] : []),
    LINKS({
      ...records,
      ABOVE: 1 + SAME,
      capacity: largestOf(text),
      alwaysTight: (l) =>
        text.lazy === true ? '1' : text.counted ? `${records.S_}kinds[${l}] >= 2` : `${records.S_}kinds[${l}] === 2`,
      count: (l, by) => (text.counted ? `if (${records.S_}kinds[${l}] === 3) ${records.S_}on[${l}] += ${by};` : ''),
    }),
    emitFilling(text),
    PUSH({ ...records, tokenOf: (node) => intValueAt(node, 0), flowOf }),
    entrance(text),
    SETTLING(records),
  ].join('');
}

function entrance(text: MaxMinText): string {
  if (text.lazy === true) return emitLazy(text, flowOf);
  if (text.profiles > 0) return emitProfiles(text, flowOf);
  const { number, place, routes } = text;
  return ENTRANCE({ ...recordsOf(text), NONE, routes, number, place, SMALLEST, newFlow: newFlow(text) });
}

const flowOf = (node: string): string => intValueAt(node, 1);

const LINKS = part(
  {
    S_: 'name',
    link: 'record',
    ABOVE: 'number',
    crossing: 'record',
    flow: 'record',
    NONE: 'number',
    routes: 'name',
    capacity: 'macro',
    alwaysTight: 'macro',
    count: 'macro',
  },
  `
// True if the flows on a link could exhaust it. A fatpipe with a level, or a link whose capacity depends on its tokens, is tight
// if it has any flow.
function $S_isTight(l: int): int {
  if ($alwaysTight(l)) return $link.first(l) >= 0;
  return $link.demand(l) > $capacity(l) * $ABOVE;
}

function $S_cross(f: int, l: int, coefficient: num) {
  if ($S_freeCrossing < 0) $S_growCrossings();
  const x = $S_freeCrossing;
  $S_freeCrossing = $crossing.sibling(x);
  $crossing.flow(x) = f;
  $crossing.link(x) = l;
  $crossing.coefficient(x) = coefficient;
  $crossing.sibling(x) = $flow.crossings(f);
  $flow.crossings(f) = x;
  const first = $link.first(l);
  $crossing.next(x) = first;
  $crossing.previous(x) = $NONE;
  if (first >= 0) $crossing.previous(first) = x;
  $link.first(l) = x;
  $count(l, 1)
}

// Removes all crossings of a flow from the chains of their links.
function $S_uncross(f: int) {
  let x = $flow.crossings(f);
  while (x >= 0) {
    const l = $crossing.link(x);
    const wasTight = $S_isTight(l);
    $count(l, -1)
    const previous = $crossing.previous(x), following = $crossing.next(x);
    if (previous < 0) $link.first(l) = following;
    else $crossing.next(previous) = following;
    if (following >= 0) $crossing.previous(following) = previous;
    if ($link.first(l) < 0) $link.demand(l) = 0;
    else {
      $link.demand(l) = $link.demand(l) - $crossing.coefficient(x) * $flow.bound(f);
      if (wasTight) $S_reachLink(l);
    }
    const sibling = $crossing.sibling(x);
    $crossing.sibling(x) = $S_freeCrossing;
    $S_freeCrossing = x;
    x = sibling;
  }
}

function $S_carry(from: int, to: int, amount: num) {
  for (let k = from; k < to; k++) $S_carried[$routes_link[k]] += amount * $routes_coefficient[k];
}
`,
);

const PUSH = part(
  { S_: 'name', place: 'number', NONE: 'number', kind: 'number', tokenOf: 'macro', flowOf: 'macro' },
  `
// Adds the end of a flow to the queue and returns its node. A flow of rate 0 has no end yet: the result is NONE.
function $S_push(end: num, order: num, token: int, flow: int): int {
  if (end === Infinity) {
    if (flow < 0) fail(4, -1, end, $place, 0);
    return $NONE;
  }
  const node = queuePush(end <= latest ? now : end, order, $kind);
  $tokenOf(node) = token;
  $flowOf(node) = flow;
  return node;
}
`,
);

/** Code of how flows enter and leave, if links do not change. */
const ENTRANCE = part(
  {
    S_: 'name',
    place: 'number',
    NONE: 'number',
    routes: 'name',
    number: 'number',
    flow: 'record',
    link: 'record',
    SMALLEST: 'number',
    newFlow: 'code',
  },
  `
// By the first entry of a route: the maximum rate that its links permit one flow; negated if it shares none of them; 0: unknown.
let $S_most: nums = nums($routes_link.length + 1);
cold function $S_mostOf(from: int, to: int): num {
  let most: num = Infinity;
  let alone = 1;
  for (let k = from; k < to; k++) {
    const l = $routes_link[k];
    // Twice the capacity of a fatpipe with a level, so that the link and not the flow's own bound limits it, with all its flows.
    const room: num = $S_kinds[l] === 2 ? 2 : 1;
    if ($S_kinds[l] !== 1) alone = 0;
    most = Math.min(most, room * $S_capacity[l] / $routes_coefficient[k]);
  }
  $S_most[from] = alone ? -most : most;
  return $S_most[from];
}

function enterFlow$number(s: int, order: num, amount: num, weight: num, bound: num, from: int, to: int) {
  let most = bound;
  let alone = 1;
  if (from < to) {
    let own = $S_most[from];
    if (own === 0) own = $S_mostOf(from, to);
    alone = own < 0;
    most = Math.min(bound, Math.abs(own));
  }
  // The quotient of a tiny capacity and a coefficient may underflow to 0.
  if (!(most > 0)) badDemand($place, amount, weight, bound);
  if (alone || amount === 0 || most === Infinity) {
    $S_carry(from, to, amount);
    $S_push(now + amount / most, order, s, $NONE);
    return;
  }
  const level = most / weight;
  if (level === Infinity) badDemand($place, amount, weight, bound);
  $newFlow
  $flow.rate(f) = most;
  $flow.weight(f) = weight;
  $flow.bound(f) = most;
  $flow.level(f) = level;
  let tight = 0;
  for (let k = from; k < to; k++) {
    const l = $routes_link[k];
    if ($S_kinds[l] === 1) continue;
    const c = $routes_coefficient[k];
    $S_cross(f, l, c);
    const demand = $link.demand(l) + c * most;
    $link.demand(l) = demand;
    if (demand === Infinity || c * weight < $SMALLEST) badDemand($place, amount, weight, bound);
    if (!tight) tight = $S_isTight(l);
  }
  if (tight) $S_reachFlow(f);
  else $flow.node(f) = $S_push(now + amount / most, order, s, f);
}

function leaveFlow$number(flow: int) {
  if (flow < 0) return;
  $S_uncross(flow);
  $S_carry($flow.from(flow), $flow.to(flow), $flow.amount(flow));
  $flow.crossings(flow) = $S_freeFlow;
  $S_freeFlow = flow;
  $S_present--;
}
`,
);

const SETTLING = part(
  { S_: 'name', place: 'number', number: 'number' },
  `
function settle$number() {
  if ($S_flowCount > 0 || $S_linkCount > 0) $S_solve();
}

function assertServed$number() {
  if ($S_present > 0) fail(4, -1, Infinity, $place, 0);
}
`,
);
