/*
 * Sample:
 * const routes = n.routesTable('routes', Int32Array.of(0, 1), Int32Array.of(0), Float64Array.of(1));
 * const profiles = [{ of: 'capacity', times: [2], values: [0.5] }];
 * const links = [{ name: 'link', capacity: 5, fatpipe: false, profiles }];
 * place('p', { service: ({ x }) => ({ links, amount: x, weight: 1, bound: 2, routes, route: 0 }) });
 * →
 *   function S0_catchUp() {
 *   for (let p = 0; p < 1; p++) {
 */
import type { KernelArray } from '../../../kernel/kernel.ts';
import { initialOf } from '../../../net/link-profile.ts';
import type { LinkProfile, MaxMinService, ServiceLink } from '../../../net/net.ts';
import { part } from '../part.ts';
import { flowSize, type MaxMinText, NONE, newFlow, recordsOf } from './records.ts';

/** Quantities of links, by the numbers that they have in the code. */
const QUANTITIES = ['capacity', 'latency', 'state'] as const satisfies readonly LinkProfile['of'][];

/** Arrays of a service whose links change: its profiles one after another, and how weights and bounds follow them. */
export function profileArrays(
  k: number,
  { links, follow }: Pick<MaxMinService, 'links' | 'follow'>,
): Record<string, KernelArray> {
  const all = links.flatMap(({ profiles = [] }, link) => profiles.map((profile) => ({ link, ...profile })));
  const from = new Int32Array(all.length + 1);
  all.forEach(({ times }, p) => {
    from[p + 1] = from[p]! + times.length;
  });
  const { capped = false, weightByLatency = 0, weightByCapacity = 0, boundByLatency = 0 } = follow ?? {};
  return {
    [`S${k}_profileLink`]: Int32Array.from(all, ({ link }) => link),
    [`S${k}_profileOf`]: Uint8Array.from(all, ({ of }) => QUANTITIES.indexOf(of)),
    [`S${k}_profileFrom`]: from,
    [`S${k}_profileTimes`]: Float64Array.from(all.flatMap(({ times }) => times)),
    [`S${k}_profileValues`]: Float64Array.from(all.flatMap(({ values }) => values)),
    [`S${k}_profilePeriod`]: Float64Array.from(all, ({ period = 0 }) => period),
    [`S${k}_first`]: Float64Array.from(QUANTITIES.flatMap((of) => links.map((link) => firstOf(link, of)))),
    [`S${k}_follow`]: Float64Array.of(capped ? 1 : 0, weightByLatency, weightByCapacity, boundByLatency),
  };
}

const firstOf = ({ profiles = [] }: ServiceLink, of: LinkProfile['of']): number =>
  initialOf(profiles.find((p) => p.of === of) ?? { of });

/** Number of the profiles of all links. */
export const profileCount = (links: readonly ServiceLink[]): number =>
  links.reduce((sum, { profiles = [] }) => sum + profiles.length, 0);

/** True if a link has a profile. */
export const isChanging = (links: readonly ServiceLink[]): boolean => profileCount(links) > 0;

/**
 * Code of links that change (S5a). While the service is empty, changes are no events: they are made when the next token
 * enters. Otherwise the next change is an event, which precedes the completions of its instant. A change costs O(profiles)
 * plus the flows on the link; a failure also O(flows).
 *
 * A token that still waits is a flow with `waits` 1 and without crossings; its event is the end of its wait. A token that was lost
 * has no flow and no event: it stays in service.
 */
const PROFILES = part(
  {
    S_: 'name',
    links: 'number',
    profiles: 'number',
    NONE: 'number',
    CHANGE: 'number',
    FLOW: 'number',
    flow: 'record',
    link: 'record',
    crossing: 'record',
    routes: 'name',
    number: 'number',
    place: 'number',
    flowOf: 'macro',
    LEAST: 'number',
    newFlow: 'code',
  },
  `
declare const $S_profileLink: ints;
declare const $S_profileOf: bytes;
declare const $S_profileFrom: ints;
declare const $S_profileTimes: nums;
declare const $S_profileValues: nums;
declare const $S_profilePeriod: nums;
// Values of all links before their first change: factors, latencies, states.
declare const $S_first: nums;
// 1 if rates are capped on arrival; increments of 1 / weight per second of latency and per inverse of a capacity; increment of
// 1 / bound per second of latency.
declare const $S_follow: nums;
// Next entry of each profile, and start of its present repetition in seconds.
let $S_profileAt: ints = ints($profiles);
let $S_profileTurn: nums = nums($profiles);
// By link: factor on the capacity, additional seconds of waiting of a token, increment of 1 / weight since the start, and 1 if it is
// down.
let $S_factor: nums = nums($links);
let $S_late: nums = nums($links);
let $S_heavy: nums = nums($links);
let $S_down: ints = ints($links);
// Time of the next change, and the node of its event.
let $S_changeAt: num = 0;
let $S_changeNode: int = $NONE;

function $S_beginProfiles() {
  for (let l = 0; l < $links; l++) {
    $S_factor[l] = $S_first[l];
    $S_late[l] = $S_first[$links + l];
    $S_down[l] = $S_first[2 * $links + l] > 0 ? 0 : 1;
  }
  for (let p = 0; p < $profiles; p++) $S_profileAt[p] = $S_profileFrom[p];
}
$S_beginProfiles();

function $S_dueAt(p: int): num {
  const at = $S_profileAt[p];
  return at < $S_profileFrom[p + 1] ? $S_profileTurn[p] + $S_profileTimes[at] : Infinity;
}

// Makes all changes up to now.
function $S_catchUp() {
  for (let p = 0; p < $profiles; p++) {
    const from = $S_profileFrom[p], end = $S_profileFrom[p + 1];
    const period: num = $S_profilePeriod[p];
    // Whole repetitions that passed while the service was empty.
    if (period > 0 && $S_dueAt(p) + 2 * period < now) {
      $S_profileTurn[p] = $S_profileTurn[p] + period * Math.floor((now - $S_dueAt(p)) / period - 1);
    }
    let due: num = $S_dueAt(p);
    while (due <= latest) {
      const at = $S_profileAt[p];
      $S_change($S_profileLink[p], $S_profileOf[p], $S_profileValues[at]);
      $S_profileAt[p] = at + 1;
      if (at + 1 === end && period > 0) {
        $S_profileAt[p] = from;
        $S_profileTurn[p] = $S_profileTurn[p] + period;
      }
      due = $S_dueAt(p);
    }
  }
  let next: num = Infinity;
  for (let p = 0; p < $profiles; p++) next = Math.min(next, $S_dueAt(p));
  $S_changeAt = next;
}

function $S_change(l: int, quantity: int, value: num) {
  if (quantity === 2) {
    const down: int = value > 0 ? 0 : 1;
    if (down && !$S_down[l]) $S_fails(l);
    $S_down[l] = down;
    return;
  }
  const wasTight = $S_isTight(l);
  let heavier: num = 0;
  let slower: num = 0;
  if (quantity === 1) {
    const later = value - $S_late[l];
    $S_late[l] = value;
    heavier = later * $S_follow[1];
    slower = later * $S_follow[3];
  } else {
    const whole: num = $S_capacity[l];
    heavier = $S_follow[2] / (whole * value) - $S_follow[2] / (whole * $S_factor[l]);
    $S_factor[l] = value;
  }
  $S_heavy[l] = $S_heavy[l] + heavier;
  for (let x = $link.first(l); x >= 0; x = $crossing.next(x)) {
    const f = $crossing.flow(x);
    $flow.penalty(f) = $flow.penalty(f) + heavier;
    $flow.slowness(f) = $flow.slowness(f) + slower;
    $flow.weight(f) = 1 / Math.max($flow.penalty(f), $LEAST);
    $S_reachFlow(f);
    $S_rebound(f);
  }
  if (wasTight || $S_isTight(l)) $S_reachLink(l);
}

// The maximum rate of a flow at the present capacities of its links.
function $S_boundOf(f: int): num {
  let most: num = Math.min($flow.cap(f), 1 / Math.max($flow.slowness(f), 0));
  for (let k = $flow.from(f); k < $flow.to(f); k++) {
    const l = $routes_link[k];
    const room: num = $S_kinds[l] === 2 ? 2 : 1;
    most = Math.min(most, room * $S_factor[l] * $S_capacity[l] / $routes_coefficient[k]);
  }
  return most;
}

function $S_rebound(f: int) {
  const bound = $S_boundOf(f);
  const more = bound - $flow.bound(f);
  for (let x = $flow.crossings(f); x >= 0; x = $crossing.sibling(x)) {
    const l = $crossing.link(x);
    const wasTight = $S_isTight(l);
    $link.demand(l) = Math.max(0, $link.demand(l) + more * $crossing.coefficient(x));
    if (wasTight || $S_isTight(l)) $S_reachLink(l);
  }
  $flow.bound(f) = bound;
  $flow.level(f) = bound / $flow.weight(f);
}

// All tokens on a link that fails are lost, also those that still wait.
cold function $S_fails(l: int) {
  let x = $link.first(l);
  while (x >= 0) {
    const f = $crossing.flow(x);
    $S_lose(f);
    x = $link.first(l);
  }
  for (let f = 0; f < $S_flowNums.length; f += $FLOW) {
    if (!$flow.waits(f)) continue;
    let crosses = 0;
    for (let k = $flow.from(f); k < $flow.to(f); k++) if ($routes_link[k] === l) crosses = 1;
    if (crosses) $S_lose(f);
  }
}

function $S_lose(f: int) {
  if ($flow.node(f) >= 0) queueRemove($flow.node(f));
  // The finished part of its work counts.
  if (!$flow.waits(f)) {
    const left = Math.max(0, $flow.left(f) - $flow.rate(f) * (now - $flow.since(f)));
    $S_carry($flow.from(f), $flow.to(f), $flow.amount(f) - left);
  }
  $S_free(f);
}

function $S_free(f: int) {
  $S_uncross(f);
  // A flow may leave at the instant of a change, before the rates are solved again.
  if ($flow.mark(f) === $S_solving) {
    let kept = 0;
    for (let k = 0; k < $S_flowCount; k++) {
      const other = $S_flows[k];
      if (other !== f) $S_flows[kept++] = other;
    }
    $S_flowCount = kept;
    $flow.mark(f) = 0;
  }
  $flow.waits(f) = 0;
  $flow.crossings(f) = $S_freeFlow;
  $S_freeFlow = f;
  $S_present--;
}

// The next change is an event only while there are tokens.
function $S_watch() {
  if ($S_present > 0 && $S_changeNode < 0 && $S_changeAt < Infinity) {
    $S_changeNode = $S_push(Math.max(now, $S_changeAt), -1, $NONE, $CHANGE);
  } else if ($S_present === 0 && $S_changeNode >= 0) {
    queueRemove($S_changeNode);
    $S_changeNode = $NONE;
  }
}

// True for an event other than a completion: a change, or the end of a wait.
function timely$number(node: int): int {
  const f = $flowOf(node);
  if (f === $CHANGE) {
    $S_changeNode = $NONE;
    $S_catchUp();
    $S_watch();
    return 1;
  }
  if (f < 0 || !$flow.waits(f)) return 0;
  $flow.waits(f) = 0;
  $flow.node(f) = $NONE;
  $S_share(f);
  return 1;
}

function enterFlow$number(s: int, order: num, amount: num, weight: num, bound: num, from: int, to: int, wait: num, factor: num) {
  if ($S_present === 0 && $S_changeAt <= latest) $S_catchUp();
  let late: num = 0;
  let cap: num = Infinity;
  let down = 0;
  for (let k = from; k < to; k++) {
    const l = $routes_link[k];
    if ($S_down[l]) down = 1;
    const whole = Math.floor($routes_coefficient[k]);
    if (whole < 1) continue;
    late += whole * $S_late[l];
    cap = Math.min(cap, $S_factor[l] * $S_capacity[l]);
  }
  if (down) return;
  $newFlow
  $flow.penalty(f) = 1 / weight;
  $flow.slowness(f) = 1 / bound;
  $flow.cap(f) = $S_follow[0] ? cap : Infinity;
  $flow.rate(f) = 0;
  $flow.waits(f) = 0;
  const seconds = wait + factor * late;
  if (seconds > 0) {
    $flow.waits(f) = 1;
    $flow.node(f) = $S_push(now + seconds, order, s, f);
  } else {
    $S_share(f);
  }
  $S_watch();
}

// A flow begins to share its links.
function $S_share(f: int) {
  const from = $flow.from(f), to = $flow.to(f);
  let heavy: num = 0;
  let late: num = 0;
  for (let k = from; k < to; k++) {
    const l = $routes_link[k];
    const whole = Math.floor($routes_coefficient[k]);
    if (whole < 1) continue;
    heavy += whole * $S_heavy[l];
    late += whole * ($S_late[l] - $S_first[$links + l]);
  }
  $flow.penalty(f) = $flow.penalty(f) + heavy;
  $flow.slowness(f) = $flow.slowness(f) + late * $S_follow[3];
  const weight: num = 1 / Math.max($flow.penalty(f), $LEAST);
  $flow.weight(f) = weight;
  const most = $S_boundOf(f);
  const amount = $flow.amount(f);
  if (!(most > 0)) badDemand($place, amount, weight, most);
  $flow.bound(f) = most;
  $flow.level(f) = most / weight;
  $flow.rate(f) = most;
  $flow.since(f) = now;
  if (amount === 0 || most === Infinity) {
    $flow.node(f) = $S_push(now, $flow.order(f), $flow.token(f), f);
    return;
  }
  let tight = 0;
  for (let k = from; k < to; k++) {
    const l = $routes_link[k];
    if ($S_kinds[l] === 1) continue;
    const c = $routes_coefficient[k];
    $S_cross(f, l, c);
    $link.demand(l) = $link.demand(l) + c * most;
    if (!tight) tight = $S_isTight(l);
  }
  if (tight) $S_reachFlow(f);
  else $flow.node(f) = $S_push(now + amount / most, $flow.order(f), $flow.token(f), f);
}

function leaveFlow$number(f: int) {
  $S_carry($flow.from(f), $flow.to(f), $flow.amount(f));
  $S_free(f);
  $S_watch();
}
`,
);

/** Mark of the event of a change, in place of its flow. */
const CHANGE = -2;
/** The smallest value of 1 / weight. */
const LEAST = 1e-12;

/**
 * Code of a service whose links change: how flows enter, leave, wait and change with their links.
 *
 * @param flowOf code for the flow of a node of the queue
 */
export function emitProfiles(text: MaxMinText, flowOf: (node: string) => string): string {
  const { number, place, routes, links, profiles } = text;
  const constants = { links, profiles, NONE, CHANGE, LEAST, FLOW: flowSize(text) };
  return PROFILES({ ...recordsOf(text), ...constants, routes, number, place, flowOf, newFlow: newFlow(text) });
}
