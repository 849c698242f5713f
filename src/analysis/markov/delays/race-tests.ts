import { fail } from '../../../base/problem.ts';
import type { FoldedTransition, Term } from '../../../net/bindings/folded-transition.ts';
import { columnsOf } from '../../../net/colour.ts';
import { type Evaluate, evaluator, type Surroundings } from '../../../net/evaluate.ts';
import type { Net, Transition } from '../../../net/net.ts';
import type { MarkedTokens, MarkingView } from '../../space/state-space.ts';

/** A binding of a race. */
interface Binding {
  readonly slots: ArrayLike<number>;
  readonly taken: readonly { readonly place: number; readonly count: number }[];
}

/**
 * The tests of a race besides the tokens that it takes: arcs that read or inhibit, and capacities (S8, S8a). An explored marking that
 * takes no time does not list its races (E5), but clocks that are not enabled in it are lost.
 */
export class RaceTests {
  readonly #name: string;
  readonly #reads: readonly { readonly place: number; readonly count: number; readonly terms: readonly Term[] }[];
  readonly #inhibits: readonly {
    readonly place: number;
    readonly count: number;
    readonly pattern: readonly (Evaluate | undefined)[];
  }[];
  readonly #bounded: readonly {
    readonly place: number;
    readonly capacity: number;
    readonly brought: readonly Evaluate[];
  }[];
  /** Why a marking does not decide the tests. */
  readonly #obstacle: string | undefined;

  /** @param net with scalar columns */
  constructor(net: Net, t: Transition, { arcs, slotOf }: FoldedTransition, around: Surroundings) {
    const colours = new Map(net.colours.map((c) => [c.name, c]));
    const numberOf = new Map(net.places.map((p, k) => [p.name, k]));
    const term = (e: Parameters<typeof evaluator>[0]): Evaluate => evaluator(e, slotOf, around);
    this.#name = t.name;
    this.#reads = arcs
      .filter(({ arc }) => arc.kind === 'read')
      .map(({ arc, terms }) => ({ place: numberOf.get(arc.place)!, count: arc.count, terms }));
    this.#inhibits = t.inputs
      .filter((arc) => arc.kind === 'inhibit')
      .map(({ place, count, pattern }) => {
        const columns = columnsOf(net.places[numberOf.get(place)!]!.fields, colours);
        const given = columns.map((c) => (Object.hasOwn(pattern, c.name) ? pattern[c.name] : undefined));
        return { place: numberOf.get(place)!, count, pattern: given.map((e) => e && term(e)) };
      });
    const outputs = new Set(t.outputs.map(({ place }) => place));
    const bounded = net.places.filter(({ name, capacity }) => capacity !== undefined && outputs.has(name));
    this.#bounded = bounded.map(({ name, capacity }) => ({
      place: numberOf.get(name)!,
      capacity: capacity!,
      brought: t.outputs.filter(({ place }) => place === name).map(({ count }) => term(count)),
    }));
    const queue = arcs
      .map(({ arc }) => net.places[numberOf.get(arc.place)!]!)
      .find(({ order, fields }) => order !== 'bag' && fields.length > 0);
    const reserved = bounded.find(({ name }) =>
      net.transitions.some(
        (o) => o.delay !== undefined && o.timing !== 'race' && o.outputs.some((a) => a.place === name),
      ),
    );
    if (queue !== undefined) this.#obstacle = `the order of tokens in place ${queue.name}`;
    else if (reserved !== undefined) this.#obstacle = `room in place ${reserved.name} that firings in progress reserve`;
  }

  /** True if a binding whose tokens are in their places is enabled. @throws InputError CTMC001 if the marking does not decide it */
  hold({ slots, taken }: Binding, { places }: MarkingView): boolean {
    if (this.#obstacle !== undefined)
      fail(
        'CTMC001',
        `has a delay with phases, and its clock may be lost in a marking that takes no time, which depends on ${this.#obstacle}: this is not solved for. Give it an exponential delay, or estimate the figures by simulation: foretoken steady --method simulate`,
        { part: `transition ${this.#name}` },
      );
    const tokensOf = (place: number): readonly MarkedTokens[] => places.find((p) => p.place === place)?.tokens ?? [];
    const number = (place: number, matches: (tokens: MarkedTokens) => boolean): number =>
      tokensOf(place).reduce((sum, tokens) => sum + (matches(tokens) ? tokens.count : 0), 0);
    return (
      this.#reads.every(
        ({ place, count, terms }) =>
          number(
            place,
            ({ where, values }) =>
              where === 'place' &&
              terms.every((term, k) => values[k] === ('slot' in term ? slots[term.slot] : term.evaluate(slots))),
          ) >= count,
      ) &&
      this.#inhibits.every(
        ({ place, count, pattern }) =>
          number(
            place,
            ({ where, values }) =>
              where === 'place' && pattern.every((term, k) => term === undefined || values[k] === term(slots)),
          ) < count,
      ) &&
      this.#bounded.every(({ place, capacity, brought }) => {
        const more = brought.reduce((sum, count) => sum + count(slots), 0);
        const fewer = taken.reduce((sum, t) => sum + (t.place === place ? t.count : 0), 0);
        return more === 0 || number(place, () => true) - fewer + more <= capacity;
      })
    );
  }
}
