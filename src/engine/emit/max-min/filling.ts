/*
 * Sample:
 * const routes = n.routesTable('routes', Int32Array.of(0, 1), Int32Array.of(0), Float64Array.of(1));
 * const links = [{ name: 'link', capacity: 5, fatpipe: false }];
 * place('p', { service: ({ x }) => ({ links, amount: x, weight: 1, bound: 2, routes, route: 0 }) });
 * →
 *   function S0_reachLink(l: int) {
 *   if (S0_linkInts[(l << 3) + 7] === S0_solving) return;
 */
import { part } from '../part.ts';
import { capacityOf } from './link-arrays.ts';
import { type MaxMinText, recordsOf } from './records.ts';

/** Relative tolerance: rates, demands and times closer than this count as equal. */
export const SAME = 1e-12;

/** Length of the runs of flows that are sorted by insertion before they are merged. */
const RUN = 8;

const REACH = part(
  { S_: 'name', flow: 'record', link: 'record', crossing: 'record' },
  `
function $S_reachFlow(f: int) {
  if ($flow.mark(f) === $S_solving) return;
  $flow.mark(f) = $S_solving;
  $S_flows[$S_flowCount++] = f;
}

function $S_reachLink(l: int) {
  if ($link.mark(l) === $S_solving) return;
  $link.mark(l) = $S_solving;
  $S_links[$S_linkCount++] = l;
}

function $S_solve() {
  let f = 0, l = 0;
  while (f < $S_flowCount || l < $S_linkCount) {
    for (; l < $S_linkCount; l++) {
      const reached = $S_links[l];
      for (let x = $link.first(reached); x >= 0; x = $crossing.next(x)) $S_reachFlow($crossing.flow(x));
    }
    for (; f < $S_flowCount; f++) {
      const reached = $S_flows[f];
      for (let x = $flow.crossings(reached); x >= 0; x = $crossing.sibling(x))
        if ($S_isTight($crossing.link(x))) $S_reachLink($crossing.link(x));
    }
  }
  $S_fill();
  $S_flowCount = 0;
  $S_linkCount = 0;
  $S_solving++;
}
`,
);

/** Code per link of the component: its capacity, and the sum (of a fatpipe with a level: the maximum) of its flows' weights. */
const WEIGHTS = part(
  { S_: 'name', link: 'record', crossing: 'record', flow: 'record', capacity: 'macro' },
  `
// Keeps only the tight links in the list, and initialises their capacity and weight.
function $S_weigh() {
  let tight = 0;
  for (let k = 0; k < $S_linkCount; k++) {
    const l = $S_links[k];
    if (!$S_isTight(l)) continue;
    $link.rest(l) = $capacity(l);
    $link.weight(l) = $S_kinds[l] === 2 ? $S_largestWeight(l) : $S_sumOfWeights(l);
    $S_links[tight++] = l;
  }
  $S_linkCount = tight;
}

function $S_sumOfWeights(l: int): num {
  let sum: num = 0;
  for (let x = $link.first(l); x >= 0; x = $crossing.next(x)) {
    const f = $crossing.flow(x);
    sum += $flow.weight(f) * $crossing.coefficient(x);
  }
  return sum;
}

// Maximum of weight times coefficient over the flows of the link that are not fixed yet.
function $S_largestWeight(l: int): num {
  let most: num = 0;
  for (let x = $link.first(l); x >= 0; x = $crossing.next(x)) {
    const f = $crossing.flow(x);
    if (!$flow.fixed(f)) most = Math.max(most, $flow.weight(f) * $crossing.coefficient(x));
  }
  return most;
}
`,
);

/**
 * Code that sorts the flows of the component by level, keeping the order of equal levels: merge sort (Knuth, _The Art of Computer
 * Programming_ 3, §5.2.4) that skips the merge of runs already in order. O(c log c) for c flows.
 */
const SORT = part(
  { S_: 'name', RUN: 'number', flow: 'record' },
  `
function $S_sort() {
  const count = $S_flowCount;
  for (let from = 0; from < count; from += $RUN) $S_insert(from, Math.min(from + $RUN, count));
  for (let width = $RUN; width < count; width += width)
    for (let from = 0; from + width < count; from += 2 * width)
      $S_merge(from, from + width, Math.min(from + 2 * width, count));
}

function $S_insert(from: int, end: int) {
  for (let k = from + 1; k < end; k++) {
    const f = $S_flows[k];
    const level = $flow.level(f);
    let at = k;
    for (; at > from; at--) {
      const other = $S_flows[at - 1];
      if ($flow.level(other) <= level) break;
      $S_flows[at] = other;
    }
    $S_flows[at] = f;
  }
}

// Merges two adjacent runs.
function $S_merge(from: int, middle: int, end: int) {
  let a = $S_flows[middle - 1], b = $S_flows[middle];
  if ($flow.level(a) <= $flow.level(b)) return;
  const first = middle - from;
  for (let k = 0; k < first; k++) $S_sorted[k] = $S_flows[from + k];
  let k = 0, other = middle, to = from;
  while (k < first && other < end) {
    a = $S_sorted[k];
    b = $S_flows[other];
    if ($flow.level(a) <= $flow.level(b)) {
      $S_flows[to++] = a;
      k++;
    } else {
      $S_flows[to++] = b;
      other++;
    }
  }
  for (; k < first; k++) $S_flows[to++] = $S_sorted[k];
}
`,
);

/** Code of progressive filling: the common level of all flows rises until a link or a flow's bound is exhausted. */
const FILL = part(
  { S_: 'name', flow: 'record', link: 'record', ABOVE: 'number', crossing: 'record', place: 'number' },
  `
function $S_fill() {
  const count = $S_flowCount;
  for (let k = 0; k < count; k++) {
    const f = $S_flows[k];
    $flow.fixed(f) = 0;
  }
  $S_weigh();
  if ($S_linkCount === 0) {
    for (let k = 0; k < count; k++) {
      const f = $S_flows[k];
      $S_setRate(f, $flow.bound(f));
    }
    return;
  }
  $S_sort();
  let open = count, nextBound = 0;
  while (open > 0) {
    let first = $S_flows[nextBound];
    while ($flow.fixed(first)) first = $S_flows[++nextBound];
    let level = $flow.level(first);
    for (let k = 0; k < $S_linkCount; k++) {
      const l = $S_links[k];
      const w = $link.weight(l);
      if (w > 0) level = Math.min(level, $link.rest(l) / w);
      else {
        $S_linkCount--;
        $S_links[k] = $S_links[$S_linkCount];
        k--;
      }
    }
    const before = open;
    // Links that are exhausted at this level fix their flows first, then the flows at their bounds are fixed.
    const limit = level * $ABOVE;
    let full = 0;
    for (let k = 0; k < $S_linkCount; k++) {
      const l = $S_links[k];
      if ($link.rest(l) <= limit * $link.weight(l)) $S_full[full++] = l;
    }
    for (let k = 0; k < full; k++) {
      const l = $S_full[k];
      for (let x = $link.first(l); x >= 0; x = $crossing.next(x)) {
        const f = $crossing.flow(x);
        if ($flow.fixed(f)) continue;
        const bound = $flow.bound(f), weight = $flow.weight(f);
        $S_fix(f, bound <= limit * weight ? bound : weight * level);
        open--;
      }
    }
    for (; nextBound < count; nextBound++) {
      const f = $S_flows[nextBound];
      if ($flow.fixed(f)) continue;
      const bound = $flow.bound(f);
      if (bound > limit * $flow.weight(f)) break;
      $S_fix(f, bound);
      open--;
    }
    for (let k = 0; k < full; k++) {
      const l = $S_full[k];
      $link.weight(l) = 0;
    }
    // No flow was fixed. This happens only with numbers near the limits of the range of a double.
    if (open === before) {
      const f = $S_flows[nextBound];
      badDemand($place, $flow.amount(f), $flow.weight(f), $flow.bound(f));
    }
  }
}
`,
);

const FIX = part(
  { S_: 'name', flow: 'record', crossing: 'record', link: 'record', SAME: 'number' },
  `
function $S_fix(f: int, rate: num) {
  $flow.fixed(f) = 1;
  const weight = $flow.weight(f);
  for (let x = $flow.crossings(f); x >= 0; x = $crossing.sibling(x)) {
    const l = $crossing.link(x);
    if ($S_kinds[l] === 2) {
      if ($link.mark(l) === $S_solving) $link.weight(l) = $S_largestWeight(l);
      continue;
    }
    const c = $crossing.coefficient(x);
    $link.rest(l) = Math.max(0, $link.rest(l) - c * rate);
    const w = $link.weight(l) - c * weight;
    // After the last weight is subtracted, the rest of the sum is a rounding error.
    $link.weight(l) = w > $SAME * c * weight ? w : 0;
  }
  $S_setRate(f, rate);
}

function $S_setRate(f: int, rate: num) {
  const old = $flow.rate(f);
  const node = $flow.node(f);
  if (rate === old && node >= 0) return;
  if (node >= 0) queueRemove(node);
  const left = Math.max(0, $flow.left(f) - old * (now - $flow.since(f)));
  $flow.left(f) = left;
  $flow.since(f) = now;
  $flow.rate(f) = rate;
  $flow.node(f) = $S_push(left === 0 ? now : now + left / rate, $flow.order(f), $flow.token(f), f);
}
`,
);

/** Code that finds the flows and links connected with a change (the component), and computes the new rates of these flows. */
export function emitFilling(text: MaxMinText): string {
  const records = recordsOf(text);
  return [
    ...(text.lazy === true ? [] : [REACH(records)]),
    WEIGHTS({ ...records, capacity: capacityOf(text) }),
    SORT({ ...records, RUN }),
    FILL({ ...records, place: text.place, ABOVE: 1 + SAME }),
    FIX({ ...records, SAME }),
  ].join('');
}
