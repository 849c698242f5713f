import { type MaxMinText, recordsOf } from './records.ts';

/** Relative tolerance: rates, demands and times closer than this count as equal. */
export const SAME = 1e-12;

/** Length of the runs of flows that are sorted by insertion before they are merged. */
const RUN = 8;

/** Code that finds the flows and links connected with a change (the component), and computes the new rates of these flows. */
export function emitFilling(text: MaxMinText): string {
  return [emitReach(text), emitWeights(text), emitSort(text), emitFill(text), emitFix(text)].join('');
}

function emitReach(text: MaxMinText): string {
  const { s, flow, crossing, link } = recordsOf(text);
  return `
function ${s}reachFlow(f: int) {
  if (${flow.mark('f')} === ${s}solving) return;
  ${flow.mark('f')} = ${s}solving;
  ${s}flows[${s}flowCount++] = f;
}

function ${s}reachLink(l: int) {
  if (${link.mark('l')} === ${s}solving) return;
  ${link.mark('l')} = ${s}solving;
  ${s}links[${s}linkCount++] = l;
}

function ${s}solve() {
  let f = 0, l = 0;
  while (f < ${s}flowCount || l < ${s}linkCount) {
    for (; l < ${s}linkCount; l++) {
      const reached = ${s}links[l];
      for (let x = ${link.first('reached')}; x >= 0; x = ${crossing.next('x')}) ${s}reachFlow(${crossing.flow('x')});
    }
    for (; f < ${s}flowCount; f++) {
      const reached = ${s}flows[f];
      for (let x = ${flow.crossings('reached')}; x >= 0; x = ${crossing.sibling('x')})
        if (${s}isTight(${crossing.link('x')})) ${s}reachLink(${crossing.link('x')});
    }
  }
  ${s}fill();
  ${s}flowCount = 0;
  ${s}linkCount = 0;
  ${s}solving++;
}
`;
}

/** Code per link of the component: its capacity, and the sum (of a fatpipe with a level: the maximum) of its flows' weights. */
function emitWeights(text: MaxMinText): string {
  const { s, flow, crossing, link } = recordsOf(text);
  return `
// Keeps only the tight links in the list, and initialises their capacity and weight.
function ${s}weigh() {
  let tight = 0;
  for (let k = 0; k < ${s}linkCount; k++) {
    const l = ${s}links[k];
    if (!${s}isTight(l)) continue;
    ${link.rest('l')} = ${s}capacity[l];
    ${link.weight('l')} = ${s}kinds[l] === 2 ? ${s}largestWeight(l) : ${s}sumOfWeights(l);
    ${s}links[tight++] = l;
  }
  ${s}linkCount = tight;
}

function ${s}sumOfWeights(l: int): num {
  let sum: num = 0;
  for (let x = ${link.first('l')}; x >= 0; x = ${crossing.next('x')}) {
    const f = ${crossing.flow('x')};
    sum += ${flow.weight('f')} * ${crossing.coefficient('x')};
  }
  return sum;
}

// Maximum of weight times coefficient over the flows of the link that are not fixed yet.
function ${s}largestWeight(l: int): num {
  let most: num = 0;
  for (let x = ${link.first('l')}; x >= 0; x = ${crossing.next('x')}) {
    const f = ${crossing.flow('x')};
    if (!${flow.fixed('f')}) most = Math.max(most, ${flow.weight('f')} * ${crossing.coefficient('x')});
  }
  return most;
}
`;
}

/**
 * Code that sorts the flows of the component by level, keeping the order of equal levels: merge sort (Knuth, _The Art of Computer
 * Programming_ 3, §5.2.4) that skips the merge of runs already in order. O(c log c) for c flows.
 */
function emitSort(text: MaxMinText): string {
  const { s, flow } = recordsOf(text);
  const [list, rest] = [`${s}flows`, `${s}sorted`];
  return `
function ${s}sort() {
  const count = ${s}flowCount;
  for (let from = 0; from < count; from += ${RUN}) ${s}insert(from, Math.min(from + ${RUN}, count));
  for (let width = ${RUN}; width < count; width += width)
    for (let from = 0; from + width < count; from += 2 * width)
      ${s}merge(from, from + width, Math.min(from + 2 * width, count));
}

function ${s}insert(from: int, end: int) {
  for (let k = from + 1; k < end; k++) {
    const f = ${list}[k];
    const level = ${flow.level('f')};
    let at = k;
    for (; at > from; at--) {
      const other = ${list}[at - 1];
      if (${flow.level('other')} <= level) break;
      ${list}[at] = other;
    }
    ${list}[at] = f;
  }
}

// Merges two adjacent runs.
function ${s}merge(from: int, middle: int, end: int) {
  let a = ${list}[middle - 1], b = ${list}[middle];
  if (${flow.level('a')} <= ${flow.level('b')}) return;
  const first = middle - from;
  for (let k = 0; k < first; k++) ${rest}[k] = ${list}[from + k];
  let k = 0, other = middle, to = from;
  while (k < first && other < end) {
    a = ${rest}[k];
    b = ${list}[other];
    if (${flow.level('a')} <= ${flow.level('b')}) {
      ${list}[to++] = a;
      k++;
    } else {
      ${list}[to++] = b;
      other++;
    }
  }
  for (; k < first; k++) ${list}[to++] = ${rest}[k];
}
`;
}

/** Code of progressive filling: the common level of all flows rises until a link or a flow's bound is exhausted. */
function emitFill(text: MaxMinText): string {
  const { s, flow, crossing, link } = recordsOf(text);
  return `
function ${s}fill() {
  const count = ${s}flowCount;
  for (let k = 0; k < count; k++) {
    const f = ${s}flows[k];
    ${flow.fixed('f')} = 0;
  }
  ${s}weigh();
  if (${s}linkCount === 0) {
    for (let k = 0; k < count; k++) {
      const f = ${s}flows[k];
      ${s}setRate(f, ${flow.bound('f')});
    }
    return;
  }
  ${s}sort();
  let open = count, nextBound = 0;
  while (open > 0) {
    let first = ${s}flows[nextBound];
    while (${flow.fixed('first')}) first = ${s}flows[++nextBound];
    let level = ${flow.level('first')};
    for (let k = 0; k < ${s}linkCount; k++) {
      const l = ${s}links[k];
      const w = ${link.weight('l')};
      if (w > 0) level = Math.min(level, ${link.rest('l')} / w);
      else {
        ${s}linkCount--;
        ${s}links[k] = ${s}links[${s}linkCount];
        k--;
      }
    }
    const before = open;
    // Links that are exhausted at this level fix their flows first, then the flows at their bounds are fixed.
    const limit = level * ${1 + SAME};
    let full = 0;
    for (let k = 0; k < ${s}linkCount; k++) {
      const l = ${s}links[k];
      if (${link.rest('l')} <= limit * ${link.weight('l')}) ${s}full[full++] = l;
    }
    for (let k = 0; k < full; k++) {
      const l = ${s}full[k];
      for (let x = ${link.first('l')}; x >= 0; x = ${crossing.next('x')}) {
        const f = ${crossing.flow('x')};
        if (${flow.fixed('f')}) continue;
        const bound = ${flow.bound('f')}, weight = ${flow.weight('f')};
        ${s}fix(f, bound <= limit * weight ? bound : weight * level);
        open--;
      }
    }
    for (; nextBound < count; nextBound++) {
      const f = ${s}flows[nextBound];
      if (${flow.fixed('f')}) continue;
      const bound = ${flow.bound('f')};
      if (bound > limit * ${flow.weight('f')}) break;
      ${s}fix(f, bound);
      open--;
    }
    for (let k = 0; k < full; k++) {
      const l = ${s}full[k];
      ${link.weight('l')} = 0;
    }
    // No flow was fixed. This happens only with numbers near the limits of the range of a double.
    if (open === before) {
      const f = ${s}flows[nextBound];
      badDemand(${text.place}, ${flow.amount('f')}, ${flow.weight('f')}, ${flow.bound('f')});
    }
  }
}
`;
}

function emitFix(text: MaxMinText): string {
  const { s, flow, crossing, link } = recordsOf(text);
  return `
function ${s}fix(f: int, rate: num) {
  ${flow.fixed('f')} = 1;
  const weight = ${flow.weight('f')};
  for (let x = ${flow.crossings('f')}; x >= 0; x = ${crossing.sibling('x')}) {
    const l = ${crossing.link('x')};
    if (${s}kinds[l] === 2) {
      if (${link.mark('l')} === ${s}solving) ${link.weight('l')} = ${s}largestWeight(l);
      continue;
    }
    const c = ${crossing.coefficient('x')};
    ${link.rest('l')} = Math.max(0, ${link.rest('l')} - c * rate);
    const w = ${link.weight('l')} - c * weight;
    // After the last weight is subtracted, the rest of the sum is a rounding error.
    ${link.weight('l')} = w > ${SAME} * c * weight ? w : 0;
  }
  ${s}setRate(f, rate);
}

function ${s}setRate(f: int, rate: num) {
  const old = ${flow.rate('f')};
  const node = ${flow.node('f')};
  if (rate === old && node >= 0) return;
  if (node >= 0) queueRemove(node);
  const left = Math.max(0, ${flow.left('f')} - old * (now - ${flow.since('f')}));
  ${flow.left('f')} = left;
  ${flow.since('f')} = now;
  ${flow.rate('f')} = rate;
  ${flow.node('f')} = ${s}push(left === 0 ? now : now + left / rate, ${flow.order('f')}, ${flow.token('f')}, f);
}
`;
}
