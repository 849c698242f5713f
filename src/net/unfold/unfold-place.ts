import type { Code } from '../../base/codes.ts';
import type { Problem } from '../../base/problem.ts';
import { type Distribution, isDistribution } from '../distribution.ts';
import { EvaluationFailure, evaluator, type Surroundings } from '../evaluate.ts';
import type { Expression } from '../expression.ts';
import type { Place, Service } from '../net.ts';
import type { TextTerms } from '../text/text-terms.ts';
import { distributionFaults } from '../validation/validate-distribution.ts';
import type { PossibleColours } from './unfold-colours.ts';
import { aloneInGroups } from './unfold-colours.ts';
import { Counters } from './unfold-counters.ts';

/** An unfolded place: one place for each possible colour. */
export interface UnfoldedPlace {
  readonly place: Place;
  readonly colours: PossibleColours;
  /** The names of the new places, by colour number. */
  readonly names: readonly string[];
  /** The colour numbers sorted by values. */
  readonly order: readonly number[];
  /** The place that counts the tokens of all colours; only for a folded place with a capacity and several colours. */
  readonly all: string | undefined;
  /** Auxiliary places that count tokens of several colours for inhibitors. */
  readonly counters: Counters;
}

/**
 * Names the unfolded places: `name[red,3]` by column values, plain `name` without columns, and `name[*]` for the
 * counter of all colours.
 */
export function unfoldedPlace(
  place: Place,
  colours: PossibleColours,
  terms: TextTerms,
  unique: (name: string) => string,
): UnfoldedPlace {
  const { columns } = colours;
  const order = Array.from({ length: colours.count }, (_, k) => k).sort((a, b) => {
    for (let c = 0; c < columns.length; c++) {
      const difference = colours.value(a, c) - colours.value(b, c);
      if (difference !== 0) return difference;
    }
    return 0;
  });
  const names: string[] = [];
  if (columns.length === 0) names.push(unique(place.name));
  else
    for (const number of order) {
      const values = columns.map((c, k) => terms.value(c.colour, colours.value(number, k)));
      names[number] = unique(`${place.name}[${values.join(',')}]`);
    }
  const all = place.capacity !== undefined && colours.count > 1 ? unique(`${place.name}[*]`) : undefined;
  return { place, colours, names, order, all, counters: new Counters(place.name, colours, terms, unique) };
}

/** The problems that prevent unfolding the place. */
export function placeProblems(u: UnfoldedPlace): Problem[] {
  const { place, colours } = u;
  if (colours.count <= 1) return [];
  const problems: Problem[] = [];
  const report = (code: Code, message: string): void => {
    problems.push({ code, message, place: { part: `place ${place.name}` } });
  };
  if (place.order !== 'bag' && !aloneInGroups(place, colours))
    report(
      'UNF004',
      `is a ${place.order} with one queue for several of its ${colours.count} colours: their order would be lost. Unfolding needs a key with a separate queue for each colour; convert with --safe and an output .pnml makes a place of each content of a queue (fifo).`,
    );
  if (place.service !== undefined && place.service.kind !== 'is')
    report(
      'UNF005',
      `its service (${place.service.kind}) is shared by ${colours.count} colours, which would become separate stations. Unfolding needs an infinite server (is).`,
    );
  return problems;
}

/** The new places. Equal tokens form a bag; expressions of the service become constants. */
export function placesOf(u: UnfoldedPlace, around: Surroundings, problems: Problem[]): Place[] {
  const { place, colours } = u;
  const counts = new Map<number, number>();
  for (const { values, count } of place.initial) {
    if (count === 0) continue;
    const number = colours.find(values)!;
    counts.set(number, (counts.get(number) ?? 0) + count);
  }
  const made = (name: string, tokens: number): Place => ({
    name,
    ...(place.kind === undefined ? {} : { kind: place.kind }),
    fields: [],
    order: 'bag',
    key: [],
    initial: tokens === 0 ? [] : [{ values: [], count: tokens }],
    ...(place.owner === undefined ? {} : { owner: place.owner }),
    ...(place.modules === undefined ? {} : { modules: place.modules }),
  });
  const capacity = place.capacity === undefined ? {} : { capacity: place.capacity };
  const own = (number: number): Place => {
    const plain = { ...made(u.names[number]!, counts.get(number) ?? 0), ...(u.all === undefined ? capacity : {}) };
    const service = serviceOf(u, number, around, problems);
    return service === undefined ? plain : { ...plain, service };
  };
  if (colours.count === 0) return colours.columns.length === 0 ? [{ ...made(u.names[0]!, 0), ...capacity }] : [];
  const counted = u.counters.all.map(({ name, colours: some }) =>
    made(
      name,
      some.reduce((sum, k) => sum + (counts.get(k) ?? 0), 0),
    ),
  );
  const places = [...u.order.map(own), ...counted];
  if (u.all === undefined) return places;
  const total = [...counts.values()].reduce((a, b) => a + b, 0);
  return [...places, { ...made(u.all, total), ...capacity }];
}

function serviceOf(u: UnfoldedPlace, number: number, around: Surroundings, problems: Problem[]): Service | undefined {
  const { place, colours } = u;
  if (place.service === undefined) return undefined;
  const slotOf = new Map(colours.columns.map((c, k) => [c.name, k]));
  const row = colours.row(number);
  try {
    const service = withConstants(place.service, (e) => evaluator(e, slotOf, around)(row));
    if ('time' in service && isDistribution(service.time)) soundDistribution(service.time);
    return service;
  } catch (e) {
    if (!(e instanceof EvaluationFailure)) throw e;
    const message = `its service for the colour (${row.join(', ')}): ${e.message} (${e.code})`;
    problems.push({ code: 'UNF009', message, place: { part: `place ${place.name}` } });
    return undefined;
  }
}

/**
 * Checks the constant parameters of a distribution; returns the distribution.
 *
 * @throws EvaluationFailure if a parameter is out of range
 */
export function soundDistribution(d: Distribution): Distribution {
  const [fault] = distributionFaults(d);
  if (fault !== undefined) throw new EvaluationFailure('NET029', fault);
  return d;
}

/** A service, distribution or delay with every expression replaced by its value. */
export function withConstants<T extends object>(data: T, value: (e: Expression) => number): T {
  const replaced = (x: unknown): unknown => {
    if (Array.isArray(x)) return x.map(replaced);
    if (typeof x !== 'object' || x === null) return x;
    if ('op' in x) return constant(value(x as Expression));
    return Object.fromEntries(Object.entries(x).map(([name, part]) => [name, replaced(part)]));
  };
  return replaced(data) as T;
}

const SMALL: readonly Expression[] = Array.from({ length: 16 }, (_, value) => ({ op: 'const', value }));

/** A constant expression. Small integers share one object, because an unfolded net has very many. */
export function constant(value: number): Expression {
  return SMALL[value] ?? { op: 'const', value };
}
