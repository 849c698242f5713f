import type { Emission } from './emission.ts';

export function emitPrelude(e: Emission): string {
  const tables = e.net.tables.map((t, k) => {
    const id = `K${k}`;
    if (t.kind === 'routes') return `const ${id}_start = T[${k}].start;`;
    if (t.kind === 'step')
      return `const ${id}_from = T[${k}].from, ${id}_values = T[${k}].values;
function ${id}(x) { let k = 0; while (k + 1 < ${t.from.length} && ${id}_from[k + 1] <= x) k++; return ${id}_values[k]; }`;
    return 'pages' in t.values
      ? `const ${id} = T[${k}].values, ${id}p = ${id}.pages;`
      : `const ${id} = T[${k}].values;`;
  });
  const arcs = Math.max(1, ...e.plans.map((p) => p.arcs.length));
  return `'use strict';
const { T, H, S, F, grown, fail } = R;
const STRIDE = ${1 + 2 * arcs};
let now = 0, limit = 0, steps = 0, instant = 0, ages = 0, starts = 0, head = 0, tail = 0, x = 0;
let Q = new Int32Array(STRIDE * 256);
const spare = new Int32Array(STRIDE);
${e.hasInhibitors ? 'let QS = new Float64Array(256);' : ''}
${tables.join('\n')}
${e.plans.map((p) => (e.options.observed.has(p.transition.name) ? `const O${p.number} = R.starts[${p.number}], E${p.number} = R.ends[${p.number}];` : '')).join('')}
function growQ() { Q = grown(Q, Q.length * 2); ${e.hasInhibitors ? 'QS = grown(QS, QS.length * 2);' : ''} }
function hash(h) { h ^= h >>> 15; h = Math.imul(h, ${0x2c1b3c6d}); return h ^ (h >>> 13); }
function entry(index, length, table) { if (!(index >= 0 && index < length && Number.isInteger(index))) fail('RUN003', [table, index, length]); return index; }
function badDelay(t, d) { fail('RUN004', [t, d]); }
function badCount(t, p, c) { fail('RUN005', [t, p, c]); }
function badColour(t, p, f, v) { fail('RUN002', [t, p, f, v]); }
function badRoute(p, r) { fail('RUN007', [p, r]); }
function badDemand(p, a, w, b) { fail('RUN006', [p, a, w, b]); }
function byColour(a, b) { for (let k = 1; k < a.length; k++) if (a[k] !== b[k]) return a[k] - b[k]; return 0; }
${emitSorting(e)}`;
}

/** Candidates of one step in canonical order: the ages of their tokens, then the transition's name (number). */
function emitSorting(e: Emission): string {
  const cases = e.plans.map((p) => {
    const arcs = p.arcs.map((a, k) => ({ k, n: e.layoutOf(a).number })).sort((a, b) => a.n - b.n || a.k - b.k);
    const ages = arcs.map(
      ({ k, n }, i) => `${i === arcs.length - 1 ? '' : `k === ${i} ? `}P${n}_a[Q[q + ${1 + 2 * k}]]`,
    );
    return `case ${p.number}: return ${ages.join(' : ')};`;
  });
  const hasSteps = e.hasInhibitors;
  return `function age(q, k) {
switch (Q[q]) { ${cases.join('\n')} }
return 0;
}
function compare(a, b) {
const s = Q[a], t = Q[b], n = Math.min(ARCS[s], ARCS[t]);
for (let k = 0; k < n; k++) { const d = age(a, k) - age(b, k); if (d !== 0) return d; }
return ARCS[s] - ARCS[t] || s - t;
}
function sortStep(mark) {
const n = (tail - mark) / STRIDE;
if (n <= 8) {
  // Insertion, in place: a step seldom enables more.
  let end = mark + STRIDE;
  for (let k = end; k < tail; k += STRIDE) {
    let to = end;
    while (to > mark && compare(to - STRIDE, k) > 0) to -= STRIDE;
    if (to > mark && compare(to - STRIDE, k) === 0) continue;
    if (to < k) {
      for (let i = 0; i < STRIDE; i++) spare[i] = Q[k + i];
      Q.copyWithin(to + STRIDE, to, end);
      for (let i = 0; i < STRIDE; i++) Q[to + i] = spare[i];
    }
    end += STRIDE;
  }
  tail = end;
  ${hasSteps ? 'for (let k = mark; k < end; k += STRIDE) QS[k / STRIDE] = steps;' : ''}
  return;
}
const order = []; for (let k = mark; k < tail; k += STRIDE) order.push(k);
order.sort(compare);
const copy = Q.slice(mark, tail);
let to = mark, last = -1;
for (const from of order) {
  if (last >= 0 && compareCopy(copy, last - mark, from - mark)) continue;
  last = from;
  for (let k = 0; k < STRIDE; k++) Q[to + k] = copy[from - mark + k];
  to += STRIDE;
}
${hasSteps ? 'for (let k = mark; k < to; k += STRIDE) QS[k / STRIDE] = steps;' : ''}
tail = to;
}
function compareCopy(q, a, b) {
const n = ARCS[q[a]];
for (let k = 0; k <= 2 * n; k++) if (q[a + k] !== q[b + k]) return false;
return true;
}
const ARCS = [${e.plans.map((p) => p.arcs.length).join(', ')}];`;
}

export function emitLoop(e: Emission): string {
  const shares = e.services.length > 0;
  const fires = e.plans.map((p) => {
    const valid = p.arcs
      .map((a, k) => `P${e.layoutOf(a).number}_g[Q[q + ${1 + 2 * k}]] === Q[q + ${2 + 2 * k}]`)
      .join(' && ');
    const slots = p.arcs.map((_, k) => `Q[q + ${1 + 2 * k}]`);
    const since = p.inhibitors.length > 0 ? 'QS[q / STRIDE]' : '0';
    return `case ${p.number}: if (${valid}) fire${p.number}(${[...slots, since].join(', ')}); break;`;
  });
  const ends = e.plans
    .filter((p) => p.transition.delay !== undefined)
    .map((p) => `case ${p.number}: end${p.number}(node); break;`);
  const served = e.services.map(
    (l, k) =>
      `case ${e.plans.length + k}: { steps++; instant++; const mark = tail; enter${l.number}(H.values[node * ${e.width}]); if (tail > mark + STRIDE) sortStep(mark); break; }`,
  );
  const advance = e.services.map((_, k) => `{ const t = S[${k}].next(now); if (t < next) next = t; }`).join(' ');
  const collect = e.services
    .map(
      (_, k) =>
        `for (let f = S[${k}].due(limit); f >= 0; f = S[${k}].due(limit)) { const n = H.push(now, S[${k}].order, ${e.plans.length + k}); H.values[n * ${e.width}] = f; }`,
    )
    .join(' ');
  return `function run(budget, most) {
const stop = steps + budget;
while (steps < stop) {
  if (H.next <= limit) {
    const node = H.pop();
    switch (H.kinds[node]) { ${[...ends, ...served].join('\n')} }
  } else if (head < tail) {
    const q = head; head += STRIDE;
    switch (Q[q]) { ${fires.join('\n')} }
    if (head === tail) head = tail = 0;
  } else {
    let next = H.next;
    ${advance}
    if (next === Infinity) return false;
    if (next > now) { now = next; instant = 0; limit = ${shares ? 'now * (1 + 1e-12); H.gather(now, limit)' : 'now'}; }
    ${collect}
  }
  if (instant > most) fail('RUN001', []);
}
return true;
}`;
}

/** Initial marking and what can be read after a run. */
export function emitInterface(e: Emission): string {
  const puts = e.layouts.map((l) => `(v) => put${l.number}(${l.place.fields.map((_, k) => `v[${k}]`).join(', ')})`);
  const reads = e.layouts.map((l) => {
    const p = `P${l.number}`;
    const timed = e.options.timed.has(l.place.name);
    return `() => { const out = []; for (let s = 0; s < ${p}_c; s++) if (${p}_v[s] !== 0) out.push({ values: [${l.place.fields.map((_, k) => `${p}_f${k}[s]`).join(', ')}], age: ${p}_v[s] === 3 ? Infinity : ${p}_a[s], time: ${timed ? `${p}_t[s]` : 'NaN'} }); return out.sort((a, b) => (a.age < b.age ? -1 : a.age > b.age ? 1 : 0)); }`;
  });
  return `return {
run, put: [${puts.join(', ')}], tokens: [${reads.join(', ')}],
begun() { if (tail > STRIDE) sortStep(0); },
get now() { return now; }, get steps() { return steps; }, get starts() { return starts; },
};`;
}
