/*
 * Sample:
 * const p = place('p'), q = place('q'); fires((t) => t.put(q, t.take(p)));
 * →
 *   function pass0(t0: int): int {
 *   const b = t0;
 *   if (Z0[b] !== 0) { if (P0 > 0) store0(b); return 0; }
 */
import { emitUses, type Use, type UseGroup, usesOf } from '../bindings/examine.ts';
import { Join } from '../bindings/join.ts';
import { needsRow, type TransitionPlan } from '../bindings/plan.ts';
import { typed } from '../bindings/range.ts';
import type { Emission } from '../emission.ts';
import { become, fieldOf, linkCall, type PlaceLayout, statusOf, VISIBLE } from '../layout.ts';
import { entryNumber } from '../queue/agenda.ts';

/**
 * The uses of a place's tokens for which a token passes through the place without being stored.
 *
 * If a token alone enables exactly one transition, and nothing else can take, read or count it, that transition is certain to
 * fire: the token is not stored, and its agenda entry carries its values. No token of the same group may be there, since it would
 * hide the new one. `Z` counts the tokens per bucket of the group, stored or pass-through; a token whose bucket is not empty is
 * stored as usual. If another token arrives in the bucket of a pass-through token, the latter is stored after all (`store`).
 */
export function passThroughUses(e: Emission, layout: PlaceLayout): readonly Use[] {
  const known = memo.get(layout);
  if (known !== undefined) return known;
  const found = findPassThrough(e, layout);
  memo.set(layout, found);
  return found;
}

const memo = new WeakMap<PlaceLayout, readonly Use[]>();

function findPassThrough(e: Emission, layout: PlaceLayout): Use[] {
  const { place } = layout;
  if (
    place.capacity !== undefined ||
    place.order === 'priority' ||
    layout.timed ||
    e.options.counted.has(place.name) ||
    e.racesAt(layout).length > 0 ||
    e.inhibitedBy(layout).length > 0 ||
    e.isReset(layout) ||
    e.isTallied(layout)
  )
    return [];
  const groups = usesOf(e, layout);
  if (groups.length !== 1) return [];
  return groups[0]!.cases.filter((c) => c.uses.length === 1 && isAlone(e, c.uses[0]!)).map((c) => c.uses[0]!);
}

/** True if a transition needs one token and nothing else. */
function isAlone(e: Emission, { plan, arc }: Use): boolean {
  return (
    plan.arcs.length === 1 &&
    plan.arcs[0]!.kind === 'take' &&
    !needsRow(plan, arc) &&
    plan.inhibitors.length === 0 &&
    plan.resets.length === 0 &&
    plan.free.length === 0 &&
    e.boundedOutputs(plan).length === 0 &&
    !e.isWeighted(e.level(plan))
  );
}

/** Maximum number of buckets in which tokens are counted, for one field. For several, FEW_BUCKETS stay in the cache. */
const MAX_BUCKETS = 1 << 16;
const FEW_BUCKETS = 1 << 10;

const parameters = (layout: PlaceLayout): string =>
  layout.place.fields.map((_, k) => typed(`t${k}`, layout.wide[k]!)).join(', ');

/** First word of an agenda entry that holds a value: wide values (two words each) precede narrow ones. */
const FIRST_VALUE = 2;

/** The word of an agenda entry that holds the value of a field. */
export function passThroughWord(layout: PlaceLayout, field: number): number {
  const before = layout.wide.slice(0, field);
  const wide = layout.wide[field] ? before.filter((w) => w) : layout.wide.filter((w) => w);
  return FIRST_VALUE + 2 * wide.length + (layout.wide[field] ? 0 : before.filter((w) => !w).length);
}

/** Code: the value of a field in the entry at `q` of a level's agenda. */
const passThroughValue = (layout: PlaceLayout, field: number, level: number): string => {
  const word = passThroughWord(layout, field);
  return layout.wide[field] ? `QD${level}[(q >> 1) + ${word / 2}]` : `Q${level}[q + ${word}]`;
};

/** Code for the bucket of a token's group, and the number of buckets. */
export function passThroughBucket(
  layout: PlaceLayout,
  values: (field: number) => string,
): { code: string; size: number } {
  let size = 1;
  const terms: { field: number; low: number; count: number }[] = [];
  for (const f of layout.group) {
    const { low, high } = layout.ranges[f]!;
    if (size * (high - low + 1) > (size === 1 ? MAX_BUCKETS : FEW_BUCKETS)) continue;
    terms.push({ field: f, low, count: high - low + 1 });
    size *= high - low + 1;
  }
  const value = (t: (typeof terms)[number]): string =>
    t.low === 0 ? values(t.field) : `(${values(t.field)} - (${t.low}))`;
  const code = terms.reduce((c, t) => (c === '' ? value(t) : `(${c} * ${t.count} + ${value(t)})`), '');
  return { code: code === '' ? '0' : code, size };
}

/** Code for pass-through tokens of a place: counters, `pass` (true if a new token passes through), and `store`. */
export function emitPassThrough(e: Emission, layout: PlaceLayout): string {
  const passThrough = passThroughUses(e, layout);
  if (passThrough.length === 0) return '';
  const n = layout.number;
  const args = parameters(layout);
  const bucket = passThroughBucket(layout, (f) => `t${f}`);
  const groups: UseGroup[] = usesOf(e, layout);
  const pass = emitUses(groups, (use) =>
    passThrough.some((p) => p.plan === use.plan)
      ? new Join(e, use.plan).emit(
          { arc: use.arc, values: layout.place.fields.map((_, k) => `t${k}`) },
          use.tested === undefined ? [] : [use.tested],
          () => `t = ${use.plan.number + e.plans.length};`,
        )
      : '',
  );
  const values = (l: number): string =>
    layout.place.fields.map((_, k) => `${passThroughValue(layout, k, l)} = t${k};`).join(' ');
  const enter = (l: number): string =>
    `const q = back${l}; if (q + STRIDE > Q${l}.length) growQ${l}(); const Q = Q${l}; Q[q] = t; Q[q + 1] = ages++; ${values(l)} ${e.stamped ? `QS${l}[${entryNumber(e, 'q')}] = steps;` : ''} back${l} = q + STRIDE;`;
  const levels = [...new Set(passThrough.map((p) => e.level(p.plan)))];
  const stored = levels.map(
    (l) => `for (let q = front${l}; q < back${l}; q += STRIDE) {
const Q = Q${l};
switch (Q[q]) { ${passThrough
      .filter((p) => e.level(p.plan) === l)
      .map((p) => `case ${p.plan.number + e.plans.length}:`)
      .join(' ')} if (${passThroughBucket(layout, (f) => passThroughValue(layout, f, l)).code} === b) {
const s = new${n}(${layout.place.fields.map((_, k) => passThroughValue(layout, k, l)).join(', ')});
${linkCall(layout, 's', 'Q[q + 1]', (k) => passThroughValue(layout, k, l))} ${become(layout, 's', VISIBLE)} P${n}--;
Q[q] -= ${e.plans.length}; Q[q + 2] = s; Q[q + 3] = ${statusOf(layout, 's')};
} }
}`,
  );
  return `let Z${n}: ints = ints(${bucket.size}); let P${n}: int = 0;
function pass${n}(${args}): int {
const b = ${bucket.code};
if (Z${n}[b] !== 0) { if (P${n} > 0) store${n}(b); return 0; }
let t = -1;
${pass}
if (t < 0) return 0;
${
  levels.length === 1
    ? enter(levels[0]!)
    : levels
        .map(
          (l) =>
            `if (${passThrough
              .filter((p) => e.level(p.plan) === l)
              .map((p) => `t === ${p.plan.number + e.plans.length}`)
              .join(' || ')}) { ${enter(l)} }`,
        )
        .join(' else ')
}
Z${n}[b] = 1; P${n}++;
return 1;
}
cold function store${n}(b) { ${stored.join('\n')} }`;
}

/** Code that fires for a pass-through token, as a case of the `switch` over the entries of an agenda. */
export function passThroughCase(e: Emission, plan: TransitionPlan): string {
  const layout = e.layoutOf(plan.arcs[0]!);
  if (!passThroughUses(e, layout).some((u) => u.plan === plan)) return '';
  const values = layout.place.fields.map((_, k) => passThroughValue(layout, k, e.level(plan)));
  const { code } = passThroughBucket(layout, (f) => passThroughValue(layout, f, e.level(plan)));
  return `case ${plan.number + e.plans.length}: Z${layout.number}[${code}]--; P${layout.number}--; go${plan.number}(${[...values, '-1'].join(', ')}); break;`;
}

/** Code of the fields of the record in slot `s`, as arguments of `pass`. */
export const loadToken = (layout: PlaceLayout): string =>
  layout.place.fields.map((_, k) => fieldOf(layout, k, 's')).join(', ');
