import type { Emission } from './emission.ts';
import { inOrderOfPlaces } from './emit-agenda.ts';
import { alive, candidateAt, emitMarks, emitStepEnd, fireCall, isStamped, lumpSize } from './emit-firing.ts';
import { passingCase, passingUses } from './emit-passing.ts';
import { emitServed } from './emit-service.ts';
import { ageOf, stateOf, strideOf } from './layout.ts';

/** What all generated code refers to: tables, queues, counters, checks. */
export function emitPrelude(e: Emission): string {
  const tables = e.net.tables.map((t, k) => {
    const id = `K${k}`;
    if (t.kind === 'routes') return `const ${id}_start = T[${k}].start;`;
    if (t.kind === 'step')
      return `const ${id}_from = T[${k}].from, ${id}_values = T[${k}].values;
function ${id}(x) { let k = 0, end = ${t.from.length - 1}; while (k < end) { const middle = (k + end + 1) >> 1; if (${id}_from[middle] <= x) k = middle; else end = middle - 1; } return ${id}_values[k]; }`;
    return 'pages' in t.values
      ? `const ${id} = T[${k}].values, ${id}p = ${id}.pages;`
      : `const ${id} = T[${k}].values;`;
  });
  const functions = (e.net.functions ?? []).map((_, k) => `const call${k} = R.functions[${k}];`);
  const observers = e.plans.flatMap((p) =>
    e.options.observed.has(p.transition.name)
      ? [`const O${p.number} = R.starts[${p.number}], E${p.number} = R.ends[${p.number}];`]
      : [],
  );
  const counts = e.layouts.flatMap((l) =>
    e.options.counted.has(l.place.name) ? [`const count${l.number} = R.counts[${l.number}];`] : [],
  );
  const draws = [
    ...e.plans.map((p) => `const draw${p.number} = R.draws[${p.number}], given${p.number} = R.given[${p.number}];`),
    ...e.services.map((_, k) => `const drawAt${k} = R.drawsAt[${k}], givenAt${k} = R.givenAt[${k}];`),
  ];
  return `'use strict';
const { T, H, S, F, C, Races, sampling, grown, fail, choice } = R;
// C holds doubles that change all the time: the time now, the latest time that counts as now, the number of starts.
let steps = 0, instant = 0, ages = 0, x = 0, freed = false, idle = false, lump = 0, words = 0;
${[...tables, ...functions, ...observers, ...counts, ...draws].join('\n')}
function hash(h) { h ^= h >>> 15; h = Math.imul(h, ${0x2c1b3c6d}); return h ^ (h >>> 13); }
function powerOf2(n) { let p = 64; while (p < n) p *= 2; return p; }
function entry(index, length, table) { if (!(index >= 0 && index < length && Number.isInteger(index))) fail('RUN003', [table, index, length]); return index; }
function called(k, v) { if (typeof v !== 'number') v = typeof v === 'boolean' ? Number(v) : NaN; if (v !== v) fail('RUN009', [k]); return v + 0; }
function badDelay(t, d) { fail('RUN004', [t, d]); }
function badTime(p, d) { fail('RUN004', [-1, d, p]); }
function badCount(t, p, c) { fail('RUN005', [t, p, c]); }
function badColour(t, p, f, v) { fail('RUN002', [t, p, f, v]); }
function badRoute(p, r) { fail('RUN007', [p, r]); }
function badDemand(p, a, w, b) { fail('RUN006', [p, a, w, b]); }
function badWeight(t, w) { fail('RUN008', [t, w]); }
function wholeCount(t, p, c) { if (!(c >= 0 && c <= 1e6 && Number.isInteger(c))) badCount(t, p, c); return c; }
function holds(patterns, parts) {
let failure;
for (const test of parts) try { if (!test()) return false; } catch (e) { failure ??= e; }
for (const test of patterns) if (!test()) return false;
if (failure !== undefined) throw failure;
return true;
}
// Which of the candidates that one entry stands for, each of weight w, is the first whose running sum exceeds x.
function lumpAt(x, w, count) {
let k = Math.min(count - 1, Math.floor(x / w));
while (k > 0 && k * w > x) k--;
while (k < count - 1 && (k + 1) * w <= x) k++;
return k;
}
function byColour(a, b) { for (let k = 1; k < a.length; k++) if (a[k] !== b[k]) return a[k] - b[k]; return 0; }`;
}

/** Runs until the budget of steps is used up, a time is reached, or nothing is left to happen. */
export function emitLoop(e: Emission): string {
  const ends = e.plans
    .filter((p) => p.transition.delay !== undefined && !p.race)
    .map((p) => `case ${p.number}: end${p.number}(node); break;`);
  const served = e.services.map(
    (l, k) =>
      `case ${e.plans.length + k}: { steps++; instant++; ${emitMarks(e)} ${emitServed(e, l, k)} ${emitStepEnd(e)} break; }`,
  );
  const clocks =
    e.races.length === 0
      ? []
      : [`case ${e.plans.length + e.services.length}: X.ranOut(H.values[node * ${e.width}]); break;`];
  const shared = e.services.flatMap((l, k) =>
    l.place.service!.kind === 'max-min' || l.place.service!.kind === 'ps' ? [k] : [],
  );
  const settle = shared.map((k) => `S[${k}].settle(C);`).join(' ');
  const agendas = e.levels.map((priority, l) => {
    const plans = e.prompt.filter((p) => p.priority === priority);
    return plans.some((p) => p.transition.weight !== undefined)
      ? `else if (front${l} < back${l}) pick${l}();`
      : `else if (front${l} < back${l}) {
const q = front${l}, Q = Q${l}; front${l} += STRIDE;
switch (Q[q]) { ${plans.map((p) => `case ${p.number}: if (${alive(e, p)}) ${fireCall(e, p, `QS${l}[q / STRIDE]`)}; break;\n${passingCase(e, p)}`).join('\n')} }
if (front${l} === back${l}) front${l} = back${l} = 0;
}`;
  });
  // The latest time that counts as now (S12); an empty queue has its next event at infinity, which never does.
  const limitOf = (now: string): string => (e.shares ? `Math.min(${now} * (1 + 1e-12), ${Number.MAX_VALUE})` : now);
  return `${e.levels.map((_, l) => emitPick(e, l)).join('\n')}
function run(budget, most, until) {
const stop = steps + budget;
let limit = C[1];
while (steps < stop) {
  if (H.next <= limit) {
    const node = H.pop();
    switch (H.kinds[node]) { ${[...ends, ...served, ...clocks].join('\n')} }
  } ${agendas.join('\n')}
  ${e.races.length > 0 ? 'else if (X.fire(choice)) {}' : ''}
  else {
    ${settle}
    const next = H.next;
    if (next === Infinity) { ${shared.map((k) => `S[${k}].assertServed();`).join(' ')} idle = true; return false; }
    if (next > until) { C[0] = until; instant = 0; limit = C[1] = ${limitOf('until')}; return false; }
    if (next > C[0]) { C[0] = next; instant = 0; limit = C[1] = ${limitOf('next')}; ${e.shares ? 'H.gather(next, limit);' : ''} }
  }
  if (instant > most) fail('RUN001', []);
}
return true;
}
${emitRenumber(e)}`;
}

/** Chooses among the candidates of a priority where weights are declared (S10): O(candidates). */
function emitPick(e: Emission, l: number): string {
  const plans = e.prompt.filter((p) => e.level(p) === l);
  if (plans.every((p) => p.transition.weight === undefined)) return '';
  const valid = plans.map((p) => {
    const held = isStamped(e, p)
      ? ` && valid${p.number}(${[...candidateAt(e, p), `QS${l}[q / STRIDE]`].join(', ')})`
      : '';
    return `case ${p.number}: return ${alive(e, p)}${held};`;
  });
  const weights = plans.map((p) => {
    const weight = p.transition.weight === undefined ? '1' : `weight${p.number}(${candidateAt(e, p).join(', ')})`;
    return `case ${p.number}: return ${weight};`;
  });
  const many = plans.flatMap((p) =>
    e.listed(p).length < p.free.length ? [`case ${p.number}: return ${lumpSize(p.free)};`] : [],
  );
  const times = many.length > 0 ? ` * many${l}(Q, front${l} + k * STRIDE)` : '';
  const declares = plans.filter((p) => p.transition.weight !== undefined).map((p) => p.number);
  const start = (since: string): string =>
    `switch (Q[q]) { ${plans.map((p) => `case ${p.number}: ${fireCall(e, p, since, true)}; break;`).join('\n')} }`;
  const lumps = many.length > 0;
  // Where one entry is left, which is most of the time, nothing has to be compared.
  return `function keeps${l}(Q, q) { switch (Q[q]) { ${valid.join(' ')} } return false; }
function weigh${l}(Q, q) { switch (Q[q]) { ${weights.join(' ')} } return 1; }
const declares${l} = Uint8Array.of(${e.plans.map((p) => (declares.includes(p.number) ? 1 : 0)).join(', ')});
${lumps ? `function many${l}(Q, q) { switch (Q[q]) { ${many.join(' ')} } return 1; }` : ''}
let W${l} = new Float64Array(64);
function pick${l}() {
const Q = Q${l};
if (back${l} - front${l} > STRIDE) { choose${l}(); return; }
const q = front${l};
front${l} = back${l} = 0;
if (!keeps${l}(Q, q)) return;
${lumps ? `const n = many${l}(Q, q); lump = n > 1 && declares${l}[Q[q]] === 1 ? lumpAt(choice() * weigh${l}(Q, q) * n, weigh${l}(Q, q), n) : 0;` : ''}
${start(`QS${l}[q / STRIDE]`)}
}
function choose${l}() {
const Q = Q${l};
let end = front${l}, weighted = false;
for (let q = front${l}; q < back${l}; q += STRIDE) {
  if (!keeps${l}(Q, q)) continue;
  if (end !== q) { for (let i = 0; i < STRIDE; i++) Q[end + i] = Q[q + i]; ${e.stamped ? `QS${l}[end / STRIDE] = QS${l}[q / STRIDE];` : ''} }
  if (declares${l}[Q[end]] === 1) weighted = true;
  end += STRIDE;
}
back${l} = end;
const n = (end - front${l}) / STRIDE;
if (n === 0) { front${l} = back${l} = 0; return; }
let q = front${l};
${lumps ? 'lump = 0;' : ''}
if (weighted && (n > 1${lumps ? ` || many${l}(Q, q) > 1` : ''})) {
  while (W${l}.length < n) W${l} = new Float64Array(W${l}.length * 2);
  let total = 0;
  for (let k = 0; k < n; k++) total += W${l}[k] = weigh${l}(Q, front${l} + k * STRIDE)${times};
  const at = choice() * total;
  let sum = 0, k = 0;
  for (; k < n - 1; k++) { if (at < sum + W${l}[k]) break; sum += W${l}[k]; }
  q = front${l} + k * STRIDE;
  ${lumps ? `lump = lumpAt(at - sum, weigh${l}(Q, q), many${l}(Q, q));` : ''}
}
// The chosen entry moves to the front, the others keep their order.
if (q !== front${l}) {
  const since = ${e.stamped ? `QS${l}[q / STRIDE]` : '0'};
  for (let i = 0; i < STRIDE; i++) spare[i] = Q[q + i];
  Q.copyWithin(front${l} + STRIDE, front${l}, q);
  for (let i = 0; i < STRIDE; i++) Q[front${l} + i] = spare[i];
  ${e.stamped ? `QS${l}.copyWithin(front${l} / STRIDE + 1, front${l} / STRIDE, q / STRIDE); QS${l}[front${l} / STRIDE] = since;` : ''}
  q = front${l};
}
front${l} += STRIDE;
if (front${l} === back${l}) front${l} = back${l} = 0;
${start(`QS${l}[q / STRIDE]`)}
}`;
}

/** Ages are 32 bits wide: when they run out, those of all tokens are numbered anew, in their order. */
function emitRenumber(e: Emission): string {
  const collect = e.layouts.map((l) => {
    const n = l.number;
    return `for (let s = 0; s < I${n}.length; s += ${strideOf(l)}) if (${stateOf(l, 's')} === 1 || ${stateOf(l, 's')} === 2) all.push({ age: ${ageOf(l, 's')}, set: (a) => { ${ageOf(l, 's')} = a; } });`;
  });
  const entries = e.levels.map((_, l) => {
    const plans = e.prompt.filter((p) => e.level(p) === l);
    const stored = plans.map((p) => {
      const { k, layout } = inOrderOfPlaces(e, p)[0]!;
      return `case ${p.number}: again.push(() => { Q[q + 1] = ${ageOf(layout, `Q[q + ${2 + 2 * k}]`)}; }); break;`;
    });
    const passing = plans
      .filter((p) => p.arcs.length === 1 && passingUses(e, e.layoutOf(p.arcs[0]!)).some((u) => u.plan === p))
      .map(
        (p) => `case ${p.number + e.plans.length}: all.push({ age: Q[q + 1], set: (a) => { Q[q + 1] = a; } }); break;`,
      );
    return `for (let q = front${l}; q < back${l}; q += STRIDE) { const Q = Q${l}; switch (Q[q]) { ${[...stored, ...passing].join(' ')} } }`;
  });
  return `function renumber() {
const all = [], again = [];
${[...collect, ...entries].join('\n')}
all.sort((a, b) => a.age - b.age);
ages = 0;
for (const t of all) t.set(ages++);
for (const f of again) f();
}`;
}
