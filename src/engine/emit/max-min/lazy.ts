/*
 * Sample:
 * const routes = n.routesTable('routes', Int32Array.of(0, 1), Int32Array.of(0), Float64Array.of(1));
 * const links = [{ name: 'link', capacity: 5, fatpipe: false }];
 * place('p', { service: ({ x }) => ({ links, amount: x, weight: 1, bound: 2, routes, route: 0, solver: 'lazy' }) });
 * →
 *   function S0_modify(link: int) {
 *   if (S0_linkInts[(link << 3) + 7] === S0_solving) return;
 */
import { part } from '../part.ts';
import { type MaxMinText, NONE, newFlow, recordsOf } from './records.ts';

/**
 * Code of the lazy solver (S5b): only the links of the modified set are solved, with all flows on them, as SimGrid 3.32 does by
 * default (`network/optim:Lazy`; `System.cpp`, update_modified_cnst_set). Other links do not limit these flows.
 *
 * - A flow that begins to share its links adds its first link, with everything connected with it, if this link is not in the set
 *   yet. Otherwise it adds nothing.
 * - A token that enters, and a flow that ends, then add all links of their route, with everything connected.
 *
 * Everything connected: all links of the flows on a link that is added, and so on; a link that is in the set already is not
 * followed again. Flows begin in the order in which they entered. The lists of flows and links of the service hold those that
 * enter or end, and the modified set.
 */
const LAZY = part(
  {
    S_: 'name',
    NONE: 'number',
    routes: 'name',
    number: 'number',
    flow: 'record',
    link: 'record',
    crossing: 'record',
    flowOf: 'macro',
    newFlow: 'code',
  },
  `
function $S_reachLink(l: int) {
  if ($link.mark(l) === $S_solving) return;
  $link.mark(l) = $S_solving;
  $S_links[$S_linkCount++] = l;
}

// Adds a link to the modified set, with all links connected with it.
function $S_modify(link: int) {
  if ($link.mark(link) === $S_solving) return;
  let k = $S_linkCount;
  $S_reachLink(link);
  for (; k < $S_linkCount; k++) {
    const l = $S_links[k];
    for (let x = $link.first(l); x >= 0; x = $crossing.next(x)) {
      const f = $crossing.flow(x);
      if ($flow.mark(f) === $S_solving) continue;
      $flow.mark(f) = $S_solving;
      for (let y = $flow.crossings(f); y >= 0; y = $crossing.sibling(y)) $S_reachLink($crossing.link(y));
    }
  }
}

function $S_solve() {
  for (let k = 0; k < $S_flowCount; k++) {
    const f = $S_flows[k];
    for (let r = $flow.from(f); r < $flow.to(f); r++) $S_modify($routes_link[r]);
  }
  for (let k = 0; k < $S_flowCount; k++) {
    const f = $S_flows[k];
    if ($flow.waits(f) !== 2) continue;
    $S_uncross(f);
    $flow.waits(f) = 0;
    $flow.crossings(f) = $S_freeFlow;
    $S_freeFlow = f;
  }
  $S_flowCount = 0;
  $S_solving++;
  for (let k = 0; k < $S_linkCount; k++) {
    const l = $S_links[k];
    $link.mark(l) = $S_solving;
    for (let x = $link.first(l); x >= 0; x = $crossing.next(x)) {
      const f = $crossing.flow(x);
      if ($flow.mark(f) === $S_solving) continue;
      $flow.mark(f) = $S_solving;
      $S_flows[$S_flowCount++] = f;
    }
  }
  $S_fill();
  $S_flowCount = 0;
  $S_linkCount = 0;
  $S_solving++;
}

function enterFlow$number(s: int, order: num, amount: num, weight: num, bound: num, from: int, to: int, wait: num) {
  let most = bound;
  for (let k = from; k < to; k++)
    if (bound < Infinity && $routes_coefficient[k] >= 1) most = Math.min(most, $S_capacity[$routes_link[k]]);
  $newFlow
  $flow.rate(f) = 0;
  $flow.weight(f) = weight;
  $flow.bound(f) = most;
  $flow.level(f) = most / weight;
  $flow.waits(f) = 1;
  const end = now + wait;
  if (from === to) {
    $flow.node(f) = $S_push(end, order, s, f);
    return;
  }
  $S_flows[$S_flowCount++] = f;
  if (end > latest) $flow.node(f) = $S_push(end, order, s, f);
  else $S_share(f);
}

// A flow begins to share its links.
function $S_share(f: int) {
  const from = $flow.from(f), to = $flow.to(f);
  $flow.waits(f) = 0;
  $flow.node(f) = $NONE;
  $flow.since(f) = now;
  for (let k = from; k < to; k++) $S_cross(f, $routes_link[k], $routes_coefficient[k]);
}

// True for the end of a wait.
function timely$number(node: int): int {
  const f = $flowOf(node);
  if (!$flow.waits(f) || $flow.from(f) === $flow.to(f)) return 0;
  $S_share(f);
  $S_modify($routes_link[$flow.from(f)]);
  return 1;
}

function leaveFlow$number(f: int) {
  $S_carry($flow.from(f), $flow.to(f), $flow.amount(f));
  $flow.waits(f) = 2;
  $flow.node(f) = $NONE;
  $S_flows[$S_flowCount++] = f;
  $S_present--;
}
`,
);

/** @param flowOf code for the flow of a node of the queue */
export function emitLazy(text: MaxMinText, flowOf: (node: string) => string): string {
  const { number, routes } = text;
  return LAZY({ ...recordsOf(text), NONE, routes, number, flowOf, newFlow: newFlow(text) });
}
