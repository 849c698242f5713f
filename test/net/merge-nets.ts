import type { Expression } from '../../src/net/expression.ts';
import type { ColourSet, InputArc, Net, OutputArc, Place, Transition } from '../../src/net/net.ts';

/* Helpers to write the small nets of the merge tests. */

export const v = (name: string): Expression => ({ op: 'var', name });
export const num = (value: number): Expression => ({ op: 'const', value });

type Terms = Readonly<Record<string, Expression>>;

const arc =
  (kind: InputArc['kind']) =>
  (place: string, pattern: Terms = {}, count = 1): InputArc => ({ kind, place, pattern, count });

export const take: (place: string, pattern?: Terms, count?: number) => InputArc = arc('take');
export const read: (place: string, pattern?: Terms, count?: number) => InputArc = arc('read');
export const inhibit: (place: string, pattern?: Terms, count?: number) => InputArc = arc('inhibit');
export const reset: (place: string, pattern?: Terms) => InputArc = arc('reset');

export const put = (place: string, values: Terms = {}, count: Expression = num(1)): OutputArc => ({
  place,
  values,
  count,
});

/** A bag without tokens; fields are given as `{ name: colour }`. */
export function place(name: string, fields: Readonly<Record<string, string>> = {}, rest: Partial<Place> = {}): Place {
  return {
    name,
    fields: Object.entries(fields).map(([field, colour]) => ({ name: field, colour })),
    order: 'bag',
    key: [],
    initial: [],
    ...rest,
  };
}

export function transition(
  name: string,
  inputs: readonly InputArc[],
  outputs: readonly OutputArc[],
  rest: Partial<Transition> = {},
): Transition {
  return { name, inputs, outputs, ...rest };
}

export function net(name: string, rest: Partial<Net> = {}): Net {
  return { name, colours: [], tables: [], places: [], transitions: [], ...rest };
}

export const label = (name: string, exports: Readonly<Record<string, string>> = {}): Transition['label'] & object => ({
  name,
  exports,
});

export const range = (name: string, low: number, high: number): ColourSet => ({ kind: 'range', name, low, high });
