import type { ColourSet, Field } from '../../src/net/colour.ts';
import type { Expression } from '../../src/net/expression.ts';
import type { InputArc, Net, NetFunction, OutputArc, Place, Table, Transition } from '../../src/net/net.ts';
import { assertValid } from '../../src/net/validation/validate.ts';

/** Attributes of a place in a test; `tokens` is a number of black tokens, or the values of each token. */
export interface PlaceParts extends Partial<Omit<Place, 'name' | 'initial'>> {
  readonly tokens?: number | readonly (readonly number[])[];
}

export interface NetParts {
  readonly colours?: readonly ColourSet[];
  readonly tables?: readonly Table[];
  readonly places: Readonly<Record<string, PlaceParts>>;
  readonly transitions: Readonly<Record<string, Partial<Omit<Transition, 'name'>>>>;
  readonly functions?: readonly NetFunction[];
}

/** A predefined colour set. */
export const INT: Field['colour'] = 'Int';

/** A small net from its non-default attributes; it must be valid. */
export function netOf(parts: NetParts): Net {
  const net: Net = {
    name: 'test',
    colours: [{ kind: 'integer', name: INT }, ...(parts.colours ?? [])],
    tables: parts.tables ?? [],
    places: Object.entries(parts.places).map(([name, { tokens = [], ...p }]) => ({
      fields: [],
      order: 'bag',
      key: [],
      ...p,
      name,
      initial:
        typeof tokens === 'number' ? [{ values: [], count: tokens }] : tokens.map((values) => ({ values, count: 1 })),
    })),
    transitions: Object.entries(parts.transitions).map(([name, t]) => ({ inputs: [], outputs: [], ...t, name })),
    ...(parts.functions === undefined ? {} : { functions: parts.functions }),
  };
  assertValid(net);
  return net;
}

export const num = (value: number): Expression => ({ op: 'const', value });
export const x = (name: string): Expression => ({ op: 'var', name });

type Pattern = Readonly<Record<string, Expression>>;
const arc =
  (kind: InputArc['kind']) =>
  (place: string, pattern: Pattern = {}, count = 1): InputArc => ({
    kind,
    place,
    pattern,
    count,
  });

export const take: (place: string, pattern?: Pattern, count?: number) => InputArc = arc('take');
export const read: (place: string, pattern?: Pattern, count?: number) => InputArc = arc('read');
export const inhibit: (place: string, pattern?: Pattern, count?: number) => InputArc = arc('inhibit');
export const reset: (place: string, pattern?: Pattern) => InputArc = arc('reset');

export function put(place: string, values: Pattern = {}, count: number | Expression = 1): OutputArc {
  return { place, values, count: typeof count === 'number' ? num(count) : count };
}
