import { type Index, isExactGroup, type PlaceLayout } from './layout.ts';

/** Numbers of multiplicative hashing (Knuth 1998, §6.4), one per field. */
const MIX = [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f, 0x165667b1];

/** The bucket of an index for given values: code. Dense values must be known to lie in range. */
export function bucketCode(layout: PlaceLayout, number: number, values: readonly string[]): string {
  const index = layout.indexes[number]!;
  if (index.kind === 'all') return '0';
  if (index.kind === 'hash') return `hash(${hashCode(values)}) & P${layout.number}_m${number}`;
  let code = '';
  index.fields.forEach((f, k) => {
    const { low, high } = layout.ranges[f]!;
    const offset = low === 0 ? values[k]! : `(${values[k]} - (${low}))`;
    code = code === '' ? offset : `(${code} * ${high - low + 1} + ${offset})`;
  });
  return code;
}

const hashCode = (values: readonly string[]): string =>
  values.map((v, k) => `Math.imul(${v}, ${MIX[k % MIX.length]! | 0})`).join(' ^ ');

/** Declares the arrays of a place and the functions that enter, remove and find its tokens. */
export function emitPlace(layout: PlaceLayout, options: { timed: boolean; examined: boolean; multi: boolean }): string {
  const p = `P${layout.number}`;
  const fields = layout.place.fields.map((_, k) => k);
  const arrays = [
    ...fields.map((k) => ({ name: `${p}_f${k}`, type: layout.wide[k] ? 'Float64Array' : 'Int32Array' })),
    { name: `${p}_g`, type: 'Int32Array' },
    { name: `${p}_a`, type: 'Float64Array' },
    { name: `${p}_v`, type: 'Uint8Array' },
    { name: `${p}_n`, type: 'Int32Array' },
    ...(options.timed ? [{ name: `${p}_t`, type: 'Float64Array' }] : []),
    ...layout.indexes.flatMap((_, m) => [
      { name: `${p}_x${m}`, type: 'Int32Array' },
      { name: `${p}_y${m}`, type: 'Int32Array' },
    ]),
  ];
  const values = fields.map((k) => `f${k}`);
  const code: string[] = [];
  code.push(`let ${p}_c = 16, ${p}_free = 0;`);
  for (const a of arrays) code.push(`let ${a.name} = new ${a.type}(16);`);
  code.push(`for (let k = 0; k < 16; k++) ${p}_n[k] = k === 15 ? -1 : k + 1;`);
  layout.indexes.forEach((index, m) => {
    code.push(
      `let ${p}_h${m} = new Int32Array(${index.buckets}).fill(-1), ${p}_e${m} = new Int32Array(${index.buckets}).fill(-1);`,
    );
    if (index.kind === 'hash') code.push(`let ${p}_m${m} = ${index.buckets - 1};`);
  });
  code.push(`function grow${layout.number}() {
  const old = ${p}_c; ${p}_c = old * 2;
  ${arrays.map((a) => `${a.name} = grown(${a.name}, ${p}_c);`).join(' ')}
  for (let k = old; k < ${p}_c; k++) ${p}_n[k] = k === ${p}_c - 1 ? -1 : k + 1;
  ${p}_free = old;
  ${layout.indexes.map((index, m) => (index.kind === 'hash' ? rehash(layout, m) : '')).join('')}
}`);
  const slotValues = (index: Index): string[] => index.fields.map((f) => `${p}_f${f}[s]`);
  const link = layout.indexes
    .map(
      (index, m) =>
        `{ const b = ${bucketCode(layout, m, slotValues(index))}, e = ${p}_e${m}[b]; ${p}_x${m}[s] = -1; ${p}_y${m}[s] = e; if (e < 0) ${p}_h${m}[b] = s; else ${p}_x${m}[e] = s; ${p}_e${m}[b] = s; }`,
    )
    .join('\n  ');
  const unlink = layout.indexes
    .map(
      (index, m) =>
        `{ const b = ${bucketCode(layout, m, slotValues(index))}, x = ${p}_x${m}[s], y = ${p}_y${m}[s]; if (y < 0) ${p}_h${m}[b] = x; else ${p}_x${m}[y] = x; if (x < 0) ${p}_e${m}[b] = y; else ${p}_y${m}[x] = y; }`,
    )
    .join('\n  ');
  const g = layout.groupIndex;
  const groupIndex = layout.indexes[g]!;
  const exact = isExactGroup(layout, groupIndex);
  const sameGroup = layout.group.map((f) => `${p}_f${f}[o] === ${p}_f${f}[s]`).join(' && ') || 'true';
  const sameColour = fields.map((f) => `${p}_f${f}[o] === ${p}_f${f}[s]`).join(' && ') || 'true';
  // A token that has just been linked is the last of its chain: an older one of its group would stand before it.
  const hiddenCode = exact
    ? `const hidden = ${p}_y${g}[s] >= 0;`
    : `let hidden = false; for (let o = ${p}_y${g}[s]; o >= 0; o = ${p}_y${g}[o]) if (${sameGroup}) { hidden = true; break; }`;
  code.push(`function take${layout.number}slot(${values.join(', ')}) {
  if (${p}_free < 0) grow${layout.number}();
  const s = ${p}_free; ${p}_free = ${p}_n[s];
  ${fields.map((k) => `${p}_f${k}[s] = f${k};`).join(' ')}
  return s;
}
function enter${layout.number}(s) {
  ${p}_a[s] = ages++;
  ${options.timed ? `${p}_t[s] = now;` : ''}
  ${link}
  ${hiddenCode}
  if (hidden) { ${p}_v[s] = 1; ${options.multi ? `multi${layout.number}(s);` : ''} }
  else { ${p}_v[s] = 2; ${options.examined ? `ex${layout.number}(s);` : ''} }
}
function rm${layout.number}(s) {
  let r = -1;
  ${exact ? `r = ${p}_x${g}[s];` : `for (let o = ${p}_x${g}[s]; o >= 0; o = ${p}_x${g}[o]) if (${sameGroup}) { r = o; break; }`}
  ${unlink}
  ${p}_g[s]++; ${p}_v[s] = 0; ${p}_n[s] = ${p}_free; ${p}_free = s;
  if (r >= 0) ${p}_v[r] = 2;
  return r;
}`);
  if (options.multi) {
    code.push(`function row${layout.number}(s) {
  let n = 1;
  for (let o = ${p}_x${g}[s]; o >= 0; o = ${p}_x${g}[o]) { if (${exact ? 'true' : sameGroup}) { if (${sameColour}) n++; else break; } }
  return n;
}
function head${layout.number}(s) {
  let h = s;
  for (let o = ${p}_y${g}[s]; o >= 0; o = ${p}_y${g}[o]) if (${exact ? 'true' : sameGroup}) h = o;
  return h;
}`);
  }
  return code.join('\n');
}

/** A hash index keeps at most two tokens per bucket on average: it is built anew, oldest first, when the place grows. */
function rehash(layout: PlaceLayout, m: number): string {
  const p = `P${layout.number}`;
  const index = layout.indexes[m]!;
  const bucket = bucketCode(
    layout,
    m,
    index.fields.map((f) => `${p}_f${f}[s]`),
  );
  return `{
    const live = []; for (let b = 0; b < ${p}_h${m}.length; b++) for (let s = ${p}_h${m}[b]; s >= 0; s = ${p}_x${m}[s]) live.push(s);
    live.sort((a, b) => ${p}_a[a] - ${p}_a[b]);
    const size = Math.max(64, ${p}_c); ${p}_m${m} = size - 1; ${p}_h${m} = new Int32Array(size).fill(-1); ${p}_e${m} = new Int32Array(size).fill(-1);
    for (const s of live) { const b = ${bucket}, e = ${p}_e${m}[b]; ${p}_x${m}[s] = -1; ${p}_y${m}[s] = e; if (e < 0) ${p}_h${m}[b] = s; else ${p}_x${m}[e] = s; ${p}_e${m}[b] = s; }
  }`;
}
