/*
 * Sample:
 * place('p');
 * →
 *   function new0(f0: int): int {
 *   let s = R0;
 *   if (s < 0) { grow0(); s = R0; }
 *   R0 = I0[s + 1];
 *   I0[s + 2] = f0;
 *   return s;
 */
import type { Expression } from '../../net/expression.ts';
import { MAX_WORDS } from '../limits.ts';
import { examineCall, mayJoin } from './bindings/examine.ts';
import { needsRow } from './bindings/plan.ts';
import { rangeOf, typed } from './bindings/range.ts';
import type { Emission } from './emission.ts';
import { tokenScope } from './emission.ts';
import { emitValue } from './expression.ts';
import { passThroughBucket, passThroughUses } from './firing/pass-through.ts';
import {
  ageOf,
  agree,
  become,
  bucketCode,
  cease,
  FREE,
  fieldOf,
  HIDDEN,
  headOf,
  type Index,
  isExactGroup,
  isState,
  keysOf,
  linkCall,
  nextOf,
  onlyHeads,
  type PlaceLayout,
  previousOf,
  priorityOf,
  setHead,
  setTail,
  strideOf,
  tailOf,
  timeOf,
  VISIBLE,
} from './layout.ts';
import { measureToken } from './measure.ts';

/** Records allocated per place at the start. */
const ROOM = 64;

/** Code that declares the records of a place and the functions that add, remove and find its tokens. */
export function emitPlace(e: Emission, layout: PlaceLayout, examined: boolean): string {
  const n = layout.number;
  const stride = strideOf(layout);
  const fields = layout.place.fields.map((_, k) => k);
  const values = fields.map((k) => typed(`f${k}`, layout.wide[k]!));
  const multi = [...e.uses(layout)].some(({ plan, arc }) => needsRow(plan, arc));
  const prioritised = layout.place.order === 'priority';
  const g = layout.groupIndex;
  const exact = isExactGroup(layout, layout.indexes[g]!);
  const sameGroup = (a: string, b: string): string => (exact ? 'true' : agree(layout, layout.group, a, b));
  const touch = e.racesAt(layout).length > 0 ? `touch${n}();` : '';
  const bounded = layout.place.capacity !== undefined;
  const counted = e.options.counted.has(layout.place.name);
  const fieldOfLeaving = (f: number): string => fieldOf(layout, f, 's');
  const colour = e.isColoured(layout) ? fields.map(fieldOfLeaving) : [];
  const count = (sign: '+' | '-'): string =>
    `${bounded ? (sign === '+' ? `N${n}++; ${touch}` : `left${n}();`) : ''} ${counted ? `count${n}(${['now', `${sign === '+' ? '' : '-'}1`, ...colour].join(', ')});` : ''} ${measureToken(e, layout, sign, sign === '+' ? (f) => `f${f}` : fieldOfLeaving)}`;

  const passesThrough = passThroughUses(e, layout).length > 0;
  const bucketOf = (slot: string): string => passThroughBucket(layout, (f) => fieldOf(layout, f, slot)).code;
  const died = e.countsDeaths ? 'deaths++;' : '';
  const rows =
    multi ||
    e.options.conflicts === true ||
    e.races.some((p) => p.arcs.some((a) => a.place === layout.place.name && a.kind === 'take') || rowsOf(p, layout));
  // All tokens of a bucket are equal. They are counted as they come and go, because chains may be long.
  const counts = rows && exact && fields.every((f) => layout.group.includes(f));
  const heads = onlyHeads(layout);
  const bucketBy = (value: (f: number) => string): string =>
    bucketCode(layout, g, layout.indexes[g]!.fields.map(value));
  const groupBucket = bucketBy((f) => fieldOf(layout, f, 's'));
  const code: string[] = [];
  code.push(`let I${n}: ints = ints(${ROOM * stride}); let D${n}: nums = view(I${n}); let R${n}: int = 0;`);
  layout.indexes.forEach((index, m) => {
    code.push(`let L${n}_h${m}: ints = ints(${index.buckets}); let L${n}_e${m}: ints = ints(${index.buckets});`);
    if (index.kind === 'hash') code.push(`let L${n}_m${m}: int = ${index.buckets - 1};`);
  });
  if (counts) code.push(`let waiting${n}: ints = ints(${layout.indexes[g]!.buckets});`);
  code.push(`for (let s = 0; s < ${ROOM * stride}; s += ${stride}) ${ageOf(layout, 's')} = s + ${stride} < ${ROOM * stride} ? s + ${stride} : -1;
cold function grow${n}() {
  const old = I${n}.length;
  if ((words += old) > ${MAX_WORDS}) fail(13, ${n}, 0, 0, 0);
  I${n} = grown(I${n}, old * 2);
  for (let s = old; s < old * 2; s += ${stride}) ${ageOf(layout, 's')} = s + ${stride} < old * 2 ? s + ${stride} : -1;
  R${n} = old;
  ${layout.indexes.map((index, m) => (index.kind === 'hash' ? rehash(layout, m) : '')).join('')}
}`);
  const slotValues = (index: Index): string[] => index.fields.map((f) => fieldOf(layout, f, 's'));
  const append = (m: number): string => {
    const { fields: by } = layout.indexes[m]!;
    const bucket = bucketCode(layout, m, heads ? by.map((f) => `g${f}`) : slotValues(layout.indexes[m]!));
    const before = heads ? 'hidden = e >= 0;' : `${previousOf(layout, m, 's')} = e;`;
    return `{ const b = ${bucket}, e = ${tailOf(layout, m, 'b')}; ${nextOf(layout, m, 's')} = -1; ${before} if (e < 0) ${setHead(layout, m, 'b', 's')} else ${nextOf(layout, m, 'e')} = s; ${setTail(layout, m, 'b', 's')} }`;
  };
  /** Code that inserts a record into a chain ordered by priority. */
  const insert = (m: number): string => {
    const bucket = bucketCode(layout, m, slotValues(layout.indexes[m]!));
    return `{ const b = ${bucket}, w = ${priorityOf(layout, 's')}; let y = ${tailOf(layout, m, 'b')}; while (y >= 0 && ${priorityOf(layout, 'y')} < w) y = ${previousOf(layout, m, 'y')}; const x = y < 0 ? ${headOf(layout, m, 'b')} : ${nextOf(layout, m, 'y')}; ${nextOf(layout, m, 's')} = x; ${previousOf(layout, m, 's')} = y; if (y < 0) ${setHead(layout, m, 'b', 's')} else ${nextOf(layout, m, 'y')} = s; if (x < 0) ${setTail(layout, m, 'b', 's')} else ${previousOf(layout, m, 'x')} = s; }`;
  };
  const link = layout.indexes.map((_, m) => (prioritised && m === g ? insert(m) : append(m))).join('\n  ');
  const unlink = layout.indexes
    .map((index, m) => {
      const bucket = bucketCode(layout, m, slotValues(index));
      if (heads)
        return `{ const b = ${bucket}; ${setHead(layout, m, 'b', 'r')} if (r < 0) ${setTail(layout, m, 'b', '(-1)')} }`;
      const [x, y] = [nextOf(layout, m, 's'), previousOf(layout, m, 's')];
      return `{ const x = ${x}, y = ${y}; if (y < 0) ${setHead(layout, m, bucket, 'x')} else ${nextOf(layout, m, 'y')} = x; if (x < 0) ${setTail(layout, m, bucket, 'y')} else ${previousOf(layout, m, 'x')} = y; }`;
    })
    .join('\n  ');
  // In a chain ordered by age, a token that has just been linked is the last.
  const hidden = heads
    ? ''
    : exact
      ? `const hidden = ${previousOf(layout, g, 's')} >= 0;`
      : `let hidden = 0; for (let o = ${previousOf(layout, g, 's')}; o >= 0; o = ${previousOf(layout, g, 'o')}) if (${sameGroup('o', 's')}) { hidden = 1; break; }`;
  const overtake = prioritised
    ? `for (let o = ${nextOf(layout, g, 's')}; o >= 0; o = ${nextOf(layout, g, 'o')}) if (${sameGroup('o', 's')}) { ${cease(layout, 'o', HIDDEN)} ${died} break; }`
    : '';
  const examine = examineCall(e, layout, 's', (f) => (heads ? `g${f}` : fieldOf(layout, f, 's')));
  const keys = keysOf(layout).map((k) => `, ${typed(`g${k}`, layout.wide[k]!)}`);
  const next = exact
    ? `const r = ${nextOf(layout, g, 's')};`
    : `let r = ${nextOf(layout, g, 's')}; for (; r >= 0; r = ${nextOf(layout, g, 'r')}) if (${sameGroup('r', 's')}) break;`;
  code.push(`function new${n}(${values.join(', ')}): int {
  let s = R${n};
  if (s < 0) { grow${n}(); s = R${n}; }
  R${n} = ${ageOf(layout, 's')};
  ${fields.map((k) => `${fieldOf(layout, k, 's')} = f${k};`).join(' ')}
  ${prioritised ? `${priorityOf(layout, 's')} = ${emitPriority(e, layout, layout.place.priority!)};` : ''}
  ${count('+')}
  return s;
}
function link${n}(s: int, age: int${keys.join('')})${heads ? ': int' : ''} {
  ${ageOf(layout, 's')} = age;
  ${heads ? 'let hidden = 0;' : ''}
  ${link}
  ${counts ? `waiting${n}[${heads ? bucketBy((f) => `g${f}`) : groupBucket}]++;` : ''}
  ${heads ? 'return hidden;' : ''}
}
function enter${n}(s: int${keys.join('')}) {
  ${heads ? 'const hidden = ' : ''}${linkCall(layout, 's', 'ages++', (k) => `g${k}`)}
  ${layout.timed ? `${timeOf(layout, 's')} = now;` : ''}
  ${passesThrough ? `Z${n}[${bucketOf('s')}]++;` : ''}
  ${touch}
  ${hidden}
  ${
    heads
      ? `${become(layout, 's', VISIBLE)} ${examined ? `if (!hidden) ${examine}` : ''}`
      : `if (hidden) { ${become(layout, 's', HIDDEN)} ${multi ? `multi${n}(s);` : ''} }
  else { ${become(layout, 's', VISIBLE)} ${overtake} ${examined ? examine : ''} }`
  }
}
function rm${n}(s: int): int {
  ${next}
  ${heads ? '' : `const seen = ${isState(layout, 's', VISIBLE)};`}
  ${unlink}
  ${counts ? `waiting${n}[${groupBucket}]--;` : ''}
  ${passesThrough ? `Z${n}[${bucketOf('s')}]--;` : ''}
  ${cease(layout, 's', FREE)} ${died} ${ageOf(layout, 's')} = R${n}; R${n} = s;
  ${count('-')} ${touch}
  ${heads ? '' : `if (!seen || r < 0) return -1; ${become(layout, 'r', VISIBLE)}`}
  return r;
}`);
  if (passesThrough && layout.place.service !== undefined)
    code.push(
      `function drop${n}(s: int) { ${cease(layout, 's', FREE)} ${died} ${ageOf(layout, 's')} = R${n}; R${n} = s; ${measureToken(e, layout, '-', fieldOfLeaving)} }`,
    );
  if (e.racesAt(layout).length > 0)
    code.push(
      `function touch${n}() { racesTouched = 1; ${e
        .racesAt(layout)
        .map((p) => `touchRace(${e.races.indexOf(p)});`)
        .join(' ')} }`,
    );
  if (rows) {
    code.push(`function row${n}(s: int): int {
  ${counts ? `{ const b = ${groupBucket}; if (${headOf(layout, g, 'b')} === s) return waiting${n}[b]; }` : ''}
  let n = 1;
  for (let o = ${nextOf(layout, g, 's')}; o >= 0; o = ${nextOf(layout, g, 'o')}) { if (${sameGroup('o', 's')}) { if (${agree(layout, fields, 'o', 's')}) n++; else break; } }
  return n;
}`);
  }
  if (multi) {
    code.push(`function head${n}(s: int): int {
  ${
    exact
      ? `return ${headOf(layout, g, groupBucket)};`
      : `let h = s;
  for (let o = ${previousOf(layout, g, 's')}; o >= 0; o = ${previousOf(layout, g, 'o')}) if (${sameGroup('o', 's')}) h = o;
  return h;`
  }
}`);
  }
  if (mayJoin(e, layout))
    code.push(`function behind${n}(s): int {
  ${next}
  return r;
}`);
  return code.join('\n');
}

/** Code for the priority of the token with values `f0`, `f1`, …; checked for NaN (RUN014) unless that is impossible. */
export function emitPriority(e: Emission, layout: PlaceLayout, priority: Expression): string {
  const scope = tokenScope(e, layout);
  const value = emitValue(priority, scope);
  const { low } = rangeOf(priority, scope.ranges, e.tables);
  return Number.isFinite(low) ? value : `ranked(${layout.number}, ${value})`;
}

const rowsOf = (p: Emission['races'][number], layout: PlaceLayout): boolean =>
  p.arcs.some((a, k) => a.place === layout.place.name && needsRow(p, k));

/**
 * Code that enlarges a hash index when its place grows, so that it has at least as many buckets as the place has records. The
 * tokens of a new bucket all come from one old bucket, so they keep their order.
 */
function rehash(layout: PlaceLayout, m: number): string {
  const n = layout.number;
  const index = layout.indexes[m]!;
  const bucket = bucketCode(
    layout,
    m,
    index.fields.map((f) => fieldOf(layout, f, 's')),
  );
  return `{
    const few = L${n}_h${m}.length, size = powerOf2(I${n}.length / ${strideOf(layout)} | 0);
    if (size > few) {
      L${n}_m${m} = size - 1;
      L${n}_h${m} = grown(L${n}_h${m}, size);
      L${n}_e${m} = grown(L${n}_e${m}, size);
      for (let o = 0; o < few; o++) {
        let s = ${headOf(layout, m, 'o')};
        ${setHead(layout, m, 'o', '(-1)')} ${setTail(layout, m, 'o', '(-1)')}
        while (s >= 0) {
          const rest = ${nextOf(layout, m, 's')}, b = ${bucket}, e = ${tailOf(layout, m, 'b')};
          ${nextOf(layout, m, 's')} = -1; ${previousOf(layout, m, 's')} = e;
          if (e < 0) ${setHead(layout, m, 'b', 's')} else ${nextOf(layout, m, 'e')} = s;
          ${setTail(layout, m, 'b', 's')}
          s = rest;
        }
      }
    }
  }`;
}
