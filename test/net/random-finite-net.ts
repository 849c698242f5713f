import * as fc from 'fast-check';
import type { ColourSet, Field } from '../../src/net/colour.ts';
import type { Expression } from '../../src/net/expression.ts';
import type { InputArc, Net, OutputArc, Place, Table, Transition } from '../../src/net/net.ts';

/** A small net with finite colours and all features relevant for unfolding, decoded from a tape of numbers. */
export const finiteNet: fc.Arbitrary<Net> = fc
  .noBias(fc.array(fc.nat({ max: 9999 }), { minLength: 120, maxLength: 240 }))
  .map((tape) => decode(tape));

const COLOURS: readonly ColourSet[] = [
  { kind: 'range', name: 'Two', low: 0, high: 1 },
  { kind: 'range', name: 'Three', low: -1, high: 1 },
  { kind: 'bool', name: 'Bool' },
  { kind: 'enum', name: 'Sort', values: ['red', 'green', 'blue'] },
  { kind: 'unit', name: 'Unit' },
  { kind: 'product', name: 'Pair', parts: ['Two', 'Sort'] },
  {
    kind: 'record',
    name: 'Both',
    fields: [
      { name: 'a', colour: 'Three' },
      { name: 'b', colour: 'Bool' },
    ],
  },
];

const TABLES: readonly Table[] = [
  { kind: 'int', name: 'steps', values: Int32Array.of(1, 0, 1, 1), low: 0, high: 1 },
  { kind: 'step', name: 'factor', from: Float64Array.of(0, 1), values: Float64Array.of(0.5, 3) },
];

/** Columns of composite fields, with their scalar colours. */
const COLUMNS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  Pair: [
    ['.1', 'Two'],
    ['.2', 'Sort'],
  ],
  Both: [
    ['.a', 'Three'],
    ['.b', 'Bool'],
  ],
  Unit: [],
};
const columns = (f: Field): Field[] => {
  const parts = COLUMNS[f.colour] ?? ([['', f.colour]] as const);
  return parts.map(([path, colour]) => ({ name: `${f.name}${path}`, colour }));
};
const VALUES: Readonly<Record<string, readonly number[]>> = {
  Two: [0, 1],
  Three: [-1, 0, 1],
  Bool: [0, 1],
  Sort: [0, 1, 2],
};
const num = (value: number): Expression => ({ op: 'const', value });
const plain = (colour: string, value: number): Expression =>
  colour === 'Sort' ? { op: 'const', value, colour } : num(value);

function decode(tape: readonly number[]): Net {
  let at = 0;
  const next = (n: number): number => (tape[at++] ?? 0) % n;
  const pick = <T>(items: readonly T[]): T => items[next(items.length)]!;

  const places = Array.from({ length: 2 + next(3) }, (_, k): Place => {
    const fields = Array.from({ length: pick([0, 1, 1, 2]) }, (_, f) => ({
      name: `f${f}`,
      colour: pick(COLOURS).name,
    }));
    const all = fields.flatMap(columns);
    const initial = Array.from({ length: 1 + next(3) }, () => ({
      values: all.map((c) => pick(VALUES[c.colour]!)),
      count: 1 + next(2),
    }));
    const tokens = initial.reduce((sum, t) => sum + t.count, 0);
    const order = pick(['bag', 'bag', 'bag', 'fifo'] as const);
    return {
      name: `p${k}`,
      fields,
      order,
      key: order === 'fifo' && next(4) > 0 ? all.map((c) => c.name) : [],
      ...(next(5) === 0 ? { capacity: tokens + next(3) } : {}),
      ...(next(12) === 0 ? { service: { kind: 'is', time: num(1) } as const } : {}),
      initial,
    };
  });

  const transitions = Array.from({ length: 2 + next(3) }, (_, k): Transition => {
    const bound: Field[] = [];
    const input = (kind: InputArc['kind']): InputArc => {
      const place = pick(places);
      const pattern: Record<string, Expression> = {};
      const binds = kind === 'take' || kind === 'read';
      for (const c of place.fields.flatMap(columns)) {
        const same = bound.filter((b) => b.colour === c.colour);
        const choice = next(8);
        if (choice === 0) pattern[c.name] = plain(c.colour, pick(VALUES[c.colour]!));
        else if (choice < 3 && same.length > 0) pattern[c.name] = { op: 'var', name: pick(same).name };
        else if (choice === 3 && c.colour === 'Two' && bound.some((b) => b.colour === 'Three'))
          pattern[c.name] = {
            op: 'max',
            a: { op: 'var', name: bound.find((b) => b.colour === 'Three')!.name },
            b: num(0),
          };
        else if (choice > 4 && binds) {
          const name = `x${bound.length}`;
          bound.push({ name, colour: c.colour });
          pattern[c.name] = { op: 'var', name };
        }
      }
      return { kind, place: place.name, pattern, count: kind !== 'reset' && next(8) === 0 ? 2 : 1 };
    };
    const inputs = [input('take')];
    for (let n = pick([0, 0, 1, 1]); n > 0; n--) inputs.push(input(pick(['take', 'take', 'read'] as const)));
    const free: Field[] = next(4) === 0 ? [{ name: 'v', colour: pick(['Two', 'Sort', 'Three']) }] : [];
    bound.push(...free);
    if (next(5) === 0) inputs.push(input('inhibit'));
    if (next(6) === 0) inputs.push(input('reset'));

    const number = (): Expression => {
      const numbers = bound.filter((b) => b.colour === 'Two' || b.colour === 'Three');
      return numbers.length > 0 && next(4) > 0 ? { op: 'var', name: pick(numbers).name } : num(next(2));
    };
    const into = (colour: string): Expression => {
      const same = bound.filter((b) => b.colour === colour);
      if (same.length > 0 && next(3) > 0) return { op: 'var', name: pick(same).name };
      if (colour === 'Sort') return plain(colour, next(3));
      if (colour === 'Bool') return { op: 'lt', a: number(), b: num(1) };
      const e = number();
      const positive: Expression = { op: 'max', a: e, b: num(0) };
      // Occasionally an expression that may be outside the colour set or the table.
      if (next(25) === 0) return { op: 'add', a: e, b: num(1) };
      if (next(25) === 0) return { op: 'at', table: 'steps', index: e };
      return next(2) === 0 ? positive : { op: 'sub', a: num(1), b: positive };
    };
    const outputs = Array.from({ length: 1 + next(2) }, (): OutputArc => {
      const place = pick(places);
      const values = Object.fromEntries(place.fields.flatMap(columns).map((c) => [c.name, into(c.colour)]));
      return {
        place: place.name,
        values,
        count: pick([num(1), num(1), num(2), { op: 'max', a: number(), b: num(0) }]),
      };
    });
    const guard = pick<Expression | undefined>([
      undefined,
      undefined,
      { op: 'eq', a: number(), b: number() },
      {
        op: 'and',
        a: { op: 'ge', a: number(), b: num(0) },
        b: { op: 'eq', a: { op: 'at', table: 'steps', index: number() }, b: num(1) },
      },
      { op: 'and', a: { op: 'ne', a: number(), b: num(1) }, b: { op: 'le', a: number(), b: number() } },
    ]);
    const delay = pick<Transition['delay']>([
      undefined,
      num(1),
      { op: 'step', table: 'factor', index: number() },
      { dist: 'exponential', rate: { op: 'add', a: { op: 'max', a: number(), b: num(0) }, b: num(1) } },
    ]);
    return {
      name: `t${k}`,
      inputs,
      outputs,
      ...(free.length === 0 ? {} : { free }),
      ...(guard === undefined ? {} : { guard }),
      ...(delay === undefined ? {} : { delay }),
      ...(delay !== undefined && next(3) === 0 ? { timing: 'race' } : {}),
      ...(next(4) === 0 ? { weight: { op: 'add', a: { op: 'max', a: number(), b: num(0) }, b: num(1) } } : {}),
      ...(next(4) === 0 ? { priority: next(3) } : {}),
    };
  });
  return { name: 'finite', colours: COLOURS, tables: TABLES, places, transitions };
}
