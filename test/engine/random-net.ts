import * as fc from 'fast-check';
import type { Expression } from '../../src/net/expression.ts';
import type { ColourSet, InputArc, Net, OutputArc, Place, Table, Transition } from '../../src/net/net.ts';

/** A net decoded from a tape of numbers, so that shortening or lowering the tape shrinks the net. */
export const arbitraryNet: fc.Arbitrary<Net> = fc
  .noBias(fc.array(fc.nat({ max: 9999 }), { minLength: 150, maxLength: 300 }))
  .map((tape) => decode(tape));

const COLOURS: ColourSet[] = [
  { kind: 'range', name: 'Two', low: 0, high: 1 },
  { kind: 'range', name: 'Three', low: -1, high: 1 },
  { kind: 'integer', name: 'Int' },
  { kind: 'bool', name: 'Bool' },
  { kind: 'enum', name: 'Sort', values: ['red', 'green', 'blue'] },
];

const LINKS = [
  { name: 'wide', capacity: 10, fatpipe: false },
  { name: 'narrow', capacity: 3, fatpipe: false },
  { name: 'pipe', capacity: 2.5, fatpipe: true },
  { name: 'level', capacity: 2, fatpipe: true, level: true },
];

const TABLES: Table[] = [
  { kind: 'int', name: 'steps', values: Int32Array.of(0, 2, 1, 1, 3), low: 0, high: 3 },
  { kind: 'real', name: 'times', values: Float64Array.of(0, 0.5, 1, 1, 2.25) },
  {
    kind: 'step',
    name: 'factor',
    from: Float64Array.of(Number.NEGATIVE_INFINITY, 0, 2),
    values: Float64Array.of(0.5, 1, 3),
  },
  {
    kind: 'routes',
    name: 'routes',
    start: Int32Array.of(0, 2, 4, 7, 7),
    link: Int32Array.of(1, 3, 0, 1, 1, 2, 3),
    coefficient: Float64Array.of(1, 1, 1, 0.5, 2, 1, 0.5),
  },
];

export function decode(tape: readonly number[]): Net {
  let at = 0;
  const next = (n: number): number => (tape[at++] ?? 0) % n;
  const num = (value: number): Expression => ({ op: 'const', value });
  const size = (colour: string): { low: number; count: number } =>
    colour === 'Two' || colour === 'Bool'
      ? { low: 0, count: 2 }
      : colour === 'Sort'
        ? { low: 0, count: 3 }
        : { low: -1, count: 3 };
  const places: Place[] = Array.from({ length: 2 + next(4) }, (_, k) => {
    const fields = Array.from({ length: [0, 1, 1, 2][next(4)]! }, (_, f) => ({
      name: `f${f}`,
      colour: COLOURS[next(COLOURS.length)]!.name,
    }));
    const order = next(2) === 0 ? 'bag' : 'fifo';
    const key = order === 'fifo' ? fields.filter(() => next(2) === 0).map((f) => f.name) : [];
    const numeric = fields.find((f) => f.colour === 'Two');
    const service =
      next(6) === 0
        ? {
            kind: 'max-min' as const,
            links: LINKS,
            amount:
              numeric === undefined
                ? num(next(4))
                : ({ op: 'add', a: { op: 'var', name: numeric.name }, b: num(next(3)) } as const),
            weight: num(1 + next(3)),
            bound: next(2) === 0 ? num(Number.POSITIVE_INFINITY) : num(1 + next(5)),
            routes: 'routes',
            route: numeric === undefined ? num(next(4)) : ({ op: 'var', name: numeric.name } as const),
          }
        : undefined;
    const initial = Array.from({ length: 1 + next(5) }, () => ({
      values: fields.map((f) => {
        const s = size(f.colour);
        return s.low + next(s.count);
      }),
      count: 1 + next(2),
    }));
    return { name: `p${(k * 7) % 5}${k}`, fields, order, key, initial, ...(service === undefined ? {} : { service }) };
  });
  const transitions: Transition[] = Array.from({ length: 1 + next(5) }, (_, k) => {
    const bound: { name: string; colour: string }[] = [];
    const input = (kind: InputArc['kind']): InputArc => {
      const place = places[next(places.length)]!;
      const pattern: Record<string, Expression> = {};
      for (const f of place.fields) {
        const same = bound.filter((b) => b.colour === f.colour);
        const choice = next(kind === 'inhibit' ? 4 : 8);
        if (choice === 0 && same.length > 0) pattern[f.name] = { op: 'var', name: same[next(same.length)]!.name };
        else if (choice === 1 && f.colour !== 'Sort') {
          const s = size(f.colour);
          pattern[f.name] = num(f.colour === 'Bool' ? next(2) : s.low + next(s.count));
        } else if (kind !== 'inhibit' && choice !== 2) {
          const name = `x${bound.length}`;
          bound.push({ name, colour: f.colour });
          pattern[f.name] = { op: 'var', name };
        }
      }
      return { kind, place: place.name, pattern, count: kind === 'take' && next(4) === 0 ? 2 : 1 };
    };
    const inputs = [input('take')];
    for (let n = [0, 0, 1, 1, 2][next(5)]!; n > 0; n--) inputs.push(input(next(4) === 0 ? 'read' : 'take'));
    if (next(3) === 0) inputs.push(input('inhibit'));
    const numeric = (): Expression => {
      const numbers = bound.filter((b) => b.colour !== 'Bool' && b.colour !== 'Sort');
      const base: Expression =
        numbers.length > 0 && next(3) > 0 ? { op: 'var', name: numbers[next(numbers.length)]!.name } : num(next(3));
      const choice = next(7);
      if (choice === 0) return { op: 'add', a: base, b: num(1) };
      if (choice === 1) return { op: 'mul', a: base, b: num(-1) };
      if (choice === 2) return { op: 'if', test: { op: 'gt', a: base, b: num(0) }, a: num(0), b: base };
      if (choice === 3)
        return { op: 'at', table: 'steps', index: { op: 'mod', a: { op: 'max', a: base, b: num(0) }, b: num(5) } };
      return base;
    };
    const into = (colour: string): Expression => {
      const same = bound.filter((b) => b.colour === colour);
      if (same.length > 0 && next(2) === 0) return { op: 'var', name: same[next(same.length)]!.name };
      if (colour === 'Sort') return { op: 'const', value: next(3), colour: 'Sort' };
      if (colour === 'Bool') return next(2) === 0 ? { op: 'lt', a: numeric(), b: num(1) } : num(next(2));
      if (colour === 'Int') return { op: 'mod', a: numeric(), b: num(7) };
      return colour === 'Two'
        ? { op: 'mod', a: { op: 'max', a: numeric(), b: num(0) }, b: num(2) }
        : { op: 'mod', a: numeric(), b: num(2) };
    };
    const outputs: OutputArc[] = Array.from({ length: 1 + next(3) }, () => {
      const place = places[next(places.length)]!;
      const choice = next(5);
      return {
        place: place.name,
        values: Object.fromEntries(place.fields.map((f) => [f.name, into(f.colour)])),
        count:
          choice === 0
            ? num(2)
            : choice === 1
              ? { op: 'mod' as const, a: { op: 'max' as const, a: numeric(), b: num(0) }, b: num(2) }
              : num(1),
      };
    });
    const guard: Expression | undefined =
      next(4) > 0
        ? undefined
        : next(2) === 0
          ? { op: 'eq', a: numeric(), b: num(next(2)) }
          : {
              op: 'and',
              a: { op: 'le', a: numeric(), b: num(1) },
              b: { op: 'not', a: { op: 'eq', a: numeric(), b: num(2) } },
            };
    const timing = next(5);
    const delay: Expression | undefined =
      timing < 2
        ? undefined
        : timing === 2
          ? num(next(3) / 2)
          : timing === 3
            ? { op: 'at', table: 'times', index: { op: 'mod', a: { op: 'max', a: numeric(), b: num(0) }, b: num(5) } }
            : { op: 'mul', a: { op: 'step', table: 'factor', index: numeric() }, b: num(0.25) };
    return {
      name: `t${(k * 3) % 5}${k}`,
      inputs,
      outputs,
      ...(guard === undefined ? {} : { guard }),
      ...(delay === undefined ? {} : { delay }),
    };
  });
  return { name: 'random', colours: COLOURS, tables: TABLES, places, transitions };
}
