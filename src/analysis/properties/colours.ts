import { didYouMean, quote } from '../../base/problem.ts';
import { type Column, colourBounds, columnsOf } from '../../net/colour.ts';
import type { Net } from '../../net/net.ts';
import type { MarkingView } from '../space/state-space.ts';
import { name } from './property-text.ts';

/** The names of a net that properties refer to: places with their columns, and transitions. */
export interface Colours {
  readonly places: ReadonlyMap<string, number>;
  readonly transitions: ReadonlyMap<string, number>;
  columns(place: string): readonly Column[];
  /** The values of a colour as numbers; undefined if it is not a colour of the place. */
  values(place: string, colour: readonly (number | string)[]): number[] | undefined;
  /** An error message for a colour of a place; undefined if the colour is valid. */
  problem(place: string, colour: readonly (number | string)[]): string | undefined;
  unknownPlace(name: string): string | undefined;
  unknownTransition(name: string): string | undefined;
}

const known = new WeakMap<Net, Colours>();

/** The names of a net, cached per net. O(places + transitions). */
export function coloursOf(net: Net): Colours {
  let found = known.get(net);
  if (found === undefined) {
    found = make(net);
    known.set(net, found);
  }
  return found;
}

/** The named values of a column: those of an enumeration, or `false` and `true`. */
function valueNames({ colour }: Column): readonly string[] {
  return colour.kind === 'enum' ? colour.values : colour.kind === 'bool' ? ['false', 'true'] : [];
}

/** A value of a column as users write it. */
export function valueText(column: Column | undefined, value: number): string {
  return (column === undefined ? undefined : valueNames(column)[value]) ?? String(value);
}

function numberOf(column: Column, value: number | string): number | undefined {
  if (typeof value === 'string') {
    const position = valueNames(column).indexOf(value);
    return position < 0 ? undefined : position;
  }
  const { low, high } = colourBounds(column.colour);
  return Number.isInteger(value) && value >= low && value <= high ? value : undefined;
}

function make(net: Net): Colours {
  const sets = new Map(net.colours.map((c) => [c.name, c]));
  const places = new Map(net.places.map((p, k) => [p.name, k]));
  const transitions = new Map(net.transitions.map((t, k) => [t.name, k]));
  const all: (readonly Column[] | undefined)[] = [];
  const columns = (place: string): readonly Column[] => {
    const k = places.get(place)!;
    all[k] ??= columnsOf(net.places[k]!.fields, sets);
    return all[k];
  };
  const values: Colours['values'] = (place, colour) => {
    const expected = columns(place);
    const found = colour.flatMap((v, k) => (expected[k] === undefined ? [] : (numberOf(expected[k], v) ?? [])));
    return found.length === expected.length && colour.length === expected.length ? found : undefined;
  };
  return {
    places,
    transitions,
    columns,
    values,
    problem(place, colour) {
      if (!places.has(place) || values(place, colour) !== undefined) return undefined;
      const expected = columns(place);
      if (colour.length !== expected.length)
        return `tokens of ${quote(place)} have ${expected.length} values${expected.length === 0 ? '' : ` (${expected.map((c) => c.name).join(', ')})`}, not ${colour.length}`;
      const k = colour.findIndex((v, i) => numberOf(expected[i]!, v) === undefined);
      const { name, colour: set } = expected[k]!;
      const names = valueNames(expected[k]!);
      const { low, high } = colourBounds(set);
      const hint = names.length === 0 ? ` Expected ${low} … ${high}.` : didYouMean(String(colour[k]), names);
      return `${quote(String(colour[k]))} is not a value of ${name} in ${quote(place)}.${hint}`;
    },
    unknownPlace: (name) =>
      places.has(name) ? undefined : `unknown place ${quote(name)}.${didYouMean(name, places.keys())}`,
    unknownTransition: (name) =>
      transitions.has(name) ? undefined : `unknown transition ${quote(name)}.${didYouMean(name, transitions.keys())}`,
  };
}

/** The places with more than `max` tokens of one colour, as equations that hold in the marking. */
export function crowded(net: Net, { places }: Pick<MarkingView, 'places'>, max: number): string[] {
  return places.flatMap(({ place, tokens }) => {
    const counts = new Map<string, number>();
    for (const { values, count } of tokens) {
      const columns = coloursOf(net).columns(net.places[place]!.name);
      const words = values.map((v, k) => name(valueText(columns[k], v)).replace(/^"(-?\d+)"$/, '$1'));
      const key = words.length === 0 ? '' : `[${words.join(', ')}]`;
      counts.set(key, (counts.get(key) ?? 0) + count);
    }
    return [...counts]
      .filter(([, count]) => count > max)
      .map(([colour, count]) => `tokens(${name(net.places[place]!.name)}${colour}) = ${count}`);
  });
}
