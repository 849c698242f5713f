import type { Code } from '../../base/codes.ts';
import { fail } from '../../base/problem.ts';
import { type FoldedTransition, foldedTransition } from '../../net/bindings/folded-transition.ts';
import { type ColourSet, type Column, colourBounds, columnsOf } from '../../net/colour.ts';
import { isDistribution } from '../../net/distribution.ts';
import { sample } from '../../net/distributions/laws.ts';
import { type Evaluate, EvaluationFailure, evaluator, surroundingsOf } from '../../net/evaluate.ts';
import type { Expression } from '../../net/expression.ts';
import { scalarNet } from '../../net/expressions.ts';
import type { Delay, InputArc, Net, Place, Transition } from '../../net/net.ts';

/** Largest number of tokens that an arc brings. */
const MAX_COUNT = 1_000_000;

/** An arc that inhibits, resets or counts: tests of columns of a token. */
export interface Tested {
  readonly place: number;
  readonly count: number;
  readonly tests: readonly { readonly column: number; readonly value: Evaluate }[];
}

/** An arc that brings tokens. */
interface Brought {
  readonly place: number;
  readonly values: readonly Evaluate[];
  readonly count: Evaluate;
}

/** A transition whose expressions are functions of the slots of a binding. */
export interface GameRule {
  readonly number: number;
  readonly transition: Transition;
  readonly folded: FoldedTransition;
  /** Place of each take or read arc, and the order of these arcs by the names of the places (S10). */
  readonly places: readonly number[];
  readonly byPlace: readonly number[];
  /** Slots of the free variables in the order of their names. */
  readonly free: readonly number[];
  readonly inhibitors: readonly Tested[];
  readonly resets: readonly Tested[];
  /** In the order of the names of their places. */
  readonly outputs: readonly Brought[];
  readonly counts: readonly Tested[];
  /** Number of slots with those of counts, which follow the others. */
  readonly slots: number;
  readonly weight: Evaluate | undefined;
  readonly speed: Evaluate | undefined;
  readonly process: Evaluate | undefined;
  readonly delay: ((slots: Float64Array, draw: () => number) => number) | undefined;
  readonly isRace: boolean;
}

/** Compares names by UTF-16 code units, as all orders of the semantics do. */
export const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** A net prepared for its token game: expressions become functions of numbered variables. O(size of the net). */
export class GameRules {
  readonly net: Net;
  readonly columns: readonly (readonly Column[])[];
  readonly rules: readonly GameRule[];
  /** Position of each place in the order of names. */
  readonly position: readonly number[];
  /** Times closer than 10⁻¹² are one instant, because rates are shared (S12). */
  readonly shares: boolean;
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #around: ReturnType<typeof surroundingsOf>;

  constructor(given: Net) {
    const net = scalarNet(given);
    const colours = new Map<string, ColourSet>(net.colours.map((c) => [c.name, c]));
    this.net = net;
    this.#numbers = new Map(net.places.map(({ name }, k) => [name, k]));
    this.#around = surroundingsOf(net);
    this.columns = net.places.map(({ fields }) => columnsOf(fields, colours));
    const sorted = net.places.map((_, k) => k).sort((a, b) => byName(net.places[a]!.name, net.places[b]!.name));
    const position = new Array<number>(sorted.length);
    sorted.forEach((place, k) => {
      position[place] = k;
    });
    this.position = position;
    this.shares = net.places.some(({ service }) => service?.kind === 'max-min' || service?.kind === 'ps');
    this.rules = net.transitions.map((t, number) =>
      this.#rule(
        t,
        number,
        foldedTransition(t, (place) => this.columns[this.place(place)]!, colours, this.#around),
      ),
    );
  }

  /** Number of a place. */
  place(name: string): number {
    return this.#numbers.get(name)!;
  }

  /** An expression over the columns of a place, as a function of the values of a token. */
  ofToken(place: Place, e: Expression): Evaluate {
    const slots = new Map(this.columns[this.place(place.name)]!.map(({ name }, k) => [name, k]));
    return this.guarded(evaluator(e, slots, this.#around), `place ${place.name}`);
  }

  /** Seconds of a service over the columns of a place. */
  secondsOfToken(place: Place, delay: Delay): (values: ArrayLike<number>, draw: () => number) => number {
    return this.#seconds(delay, (e) => this.ofToken(place, e));
  }

  /** A table of routes. */
  routes(name: string) {
    const table = this.#around.tables.get(name)!;
    if (table.kind !== 'routes') throw new Error(`table ${name} has no routes`);
    return table;
  }

  /** Turns failures of expressions into errors that name a part of the net. */
  guarded(evaluate: Evaluate, part: string): Evaluate {
    return (slots) => {
      try {
        return evaluate(slots);
      } catch (error) {
        if (error instanceof EvaluationFailure) fail(error.code, error.message, { part });
        throw error;
      }
    };
  }

  /** The tokens that a firing brings, arc by arc: place, values, number. @throws InputError RUN002, RUN005 */
  brought(
    rule: GameRule,
    slots: Float64Array,
  ): { readonly place: number; readonly values: number[]; readonly count: number }[] {
    const part = `transition ${rule.transition.name}`;
    return rule.outputs.flatMap((arc) => {
      const count = this.count(rule, arc, slots);
      if (count === 0) return [];
      const values = arc.values.map((evaluate, k) => {
        const value = evaluate(slots);
        const column = this.columns[arc.place]![k]!;
        const { low, high } = colourBounds(column.colour);
        if (!(Number.isInteger(value) && value >= low && value <= high))
          fail(
            'RUN002',
            `field "${column.name}" of place "${this.net.places[arc.place]!.name}" would be ${value}, outside ${column.colour.name} (${low} … ${high})`,
            { part },
          );
        return value;
      });
      return [{ place: arc.place, values, count }];
    });
  }

  /** Number of tokens that an arc brings. @throws InputError RUN005 */
  count({ transition }: GameRule, { count, place }: Pick<Brought, 'count' | 'place'>, slots: Float64Array): number {
    const value = count(slots);
    if (!(Number.isInteger(value) && value >= 0 && value <= MAX_COUNT))
      fail(
        'RUN005',
        `a count of ${value} on the arc to ${this.net.places[place]!.name}: expected an integer from 0 to ${MAX_COUNT}`,
        { part: `transition ${transition.name}` },
      );
    return value;
  }

  #rule(transition: Transition, number: number, folded: FoldedTransition): GameRule {
    const part = `transition ${transition.name}`;
    const of = (e: Expression, slots: ReadonlyMap<string, number> = folded.slotOf): Evaluate =>
      this.guarded(evaluator(e, slots, this.#around), part);
    const tested = ({ place, pattern, count }: Pick<InputArc, 'place' | 'pattern' | 'count'>): Tested => ({
      place: this.place(place),
      count,
      tests: this.columns[this.place(place)]!.flatMap(({ name }, column) =>
        Object.hasOwn(pattern, name) ? [{ column, value: of(pattern[name]!) }] : [],
      ),
    });
    const arcs = (kind: InputArc['kind']): Tested[] => transition.inputs.filter((a) => a.kind === kind).map(tested);
    const places = folded.arcs.map(({ arc }) => this.place(arc.place));
    const counts = transition.counts ?? [];
    const withCounts = new Map(folded.slotOf);
    for (const [k, { name }] of counts.entries()) withCounts.set(name, folded.slots.length + k);
    const optional = (e: Expression | undefined): Evaluate | undefined =>
      e === undefined ? undefined : of(e, withCounts);
    return {
      number,
      transition,
      folded,
      places,
      byPlace: places.map((_, k) => k).sort((a, b) => this.position[places[a]!]! - this.position[places[b]!]! || a - b),
      free: [...folded.free].sort((a, b) => byName(folded.slots[a]!.name, folded.slots[b]!.name)),
      inhibitors: arcs('inhibit'),
      resets: arcs('reset'),
      outputs: transition.outputs
        .map((arc) => ({
          place: this.place(arc.place),
          values: this.columns[this.place(arc.place)]!.map(({ name }) => of(arc.values[name]!)),
          count: of(arc.count),
        }))
        .sort((a, b) => this.position[a.place]! - this.position[b.place]!),
      counts: counts.map(({ place, pattern }) => tested({ place, pattern, count: 1 })),
      slots: folded.slots.length + counts.length,
      weight: optional(transition.weight),
      speed: optional(transition.speed),
      process: optional(transition.process),
      delay: transition.delay === undefined ? undefined : this.#seconds(transition.delay, (e) => of(e)),
      isRace: transition.timing === 'race',
    };
  }

  #seconds(delay: Delay, of: (e: Expression) => Evaluate): (slots: ArrayLike<number>, draw: () => number) => number {
    if (!isDistribution(delay)) return of(delay);
    // Parameters are expressions of the binding: each is a function that is made once.
    const made = new Map<Expression, Evaluate>();
    const evaluate = (e: Expression): Evaluate => {
      const known = made.get(e) ?? of(e);
      made.set(e, known);
      return known;
    };
    return (slots, draw) => sample(delay, (e) => evaluate(e)(slots), draw);
  }
}

/** Seconds that end at a finite time. @throws InputError RUN004 */
export function checkedSeconds(seconds: number, now: number, what: 'delay' | 'service time', part: string): number {
  if (!(seconds >= 0 && now + seconds < Number.POSITIVE_INFINITY))
    fail('RUN004', `a ${what} of ${seconds} s: expected a number >= 0 with a finite end time`, { part });
  return seconds;
}

/** A number that must be positive and finite, or at least 0. @throws InputError */
export function checkedNumber(value: number, code: Code & ('RUN008' | 'RUN017'), part: string): number {
  const isSound = code === 'RUN008' ? value > 0 : value >= 0;
  if (isSound && value < Number.POSITIVE_INFINITY) return value;
  if (code === 'RUN008') fail('RUN008', `a weight of ${value}: expected a positive finite number`, { part });
  return fail('RUN017', `a speed of ${value}: expected a finite number >= 0`, { part });
}
