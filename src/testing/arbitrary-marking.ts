import * as fc from 'fast-check';
import { ownOf } from '../base/own.ts';
import { type Column, colourBounds, columnsOf } from '../net/colour.ts';
import type { Net, Tokens } from '../net/net.ts';
import { checkMembers, integerOption } from './arbitrary-net.ts';
import { netOf } from './subject.ts';

/** The initial tokens of every place, by name. */
export type InitialMarking = Readonly<Record<string, readonly Tokens[]>>;

/** Options of {@link arbitraryMarking}. */
export interface ArbitraryMarkingOptions {
  /** Maximum number of tokens per place, default 3; never more than the place's capacity. */
  readonly tokens?: number;
}

/** Number of different values generated for large and unbounded colour sets, starting with the one nearest to 0. */
const MAX_VALUES = 16;

/**
 * Markings of a net: every place holds a random number of tokens of any of its colours. Shrinking removes tokens one by one
 * and moves their values towards 0 or the smallest value.
 *
 * @throws InputError TEST001 if `net` is not a net, TEST002 for invalid options
 */
export function arbitraryMarking(net: Net, options: ArbitraryMarkingOptions = {}): fc.Arbitrary<InitialMarking> {
  const part = 'arbitraryMarking';
  netOf(part, net);
  checkMembers(part, options, ['tokens']);
  const maximum = integerOption(part, 'tokens', options.tokens ?? 3, 0, 10_000);
  const sets = new Map(net.colours.map((c) => [c.name, c]));
  const places = net.places.map((p) => {
    const columns = columnsOf(p.fields, sets);
    const token = fc.tuple(...columns.map(() => fc.nat({ max: MAX_VALUES - 1 })));
    const maxLength = Math.min(maximum, p.capacity ?? maximum);
    return fc
      .array(token, { maxLength })
      .map((tokens): [string, Tokens[]] => [
        p.name,
        grouped(tokens.map((t) => t.map((n, k) => columnValue(columns[k]!, n)))),
      ]);
  });
  return fc.tuple(...places).map((entries) => Object.fromEntries(entries));
}

/** The net with another initial marking; places not named in it are empty. */
export function withMarking(net: Net, marking: InitialMarking): Net {
  return { ...net, places: net.places.map((p) => ({ ...p, initial: ownOf(marking, p.name) ?? [] })) };
}

function columnValue({ colour }: Column, n: number): number {
  const { low, high } = colourBounds(colour);
  const first = Math.max(low, Math.min(0, high));
  return first + (n % Math.min(MAX_VALUES, high - first + 1));
}

/** Combines equal tokens. */
function grouped(tokens: readonly (readonly number[])[]): Tokens[] {
  const groups = new Map<string, { values: readonly number[]; count: number }>();
  for (const values of tokens) {
    const key = values.join();
    const group = groups.get(key) ?? { values, count: 0 };
    group.count++;
    groups.set(key, group);
  }
  return [...groups.values()];
}
