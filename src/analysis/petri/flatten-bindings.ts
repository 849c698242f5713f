import { given } from '../../net/bindings/folded-transition.ts';
import { type Evaluate, evaluator } from '../../net/evaluate.ts';
import type { InputArc, Place } from '../../net/net.ts';
import { keyOf, type PossibleColours } from '../../net/unfold/unfold-colours.ts';
import { Output, type Possible, type PossibleTransition } from '../../net/unfold/unfold-possible.ts';
import type { AtMost, Weighted } from './petri.ts';

/** Unfolded places of one net place. */
export interface Parts {
  readonly place: Place;
  readonly colours: PossibleColours;
  /** Index of its first unfolded place for tokens visible to arcs; one place per colour. */
  readonly first: number;
  /** Index of its first unfolded place for tokens in service; undefined without a service. */
  readonly service: number | undefined;
}

/** Orders by place index. */
export const byPlace: (a: Weighted, b: Weighted) => number = ([a], [b]) => a - b;

/** The bindings of one transition; methods refer to the selected binding. */
export class Bindings {
  readonly node: number;
  readonly transition: PossibleTransition['folded']['transition'];
  readonly lasts: boolean;
  readonly count: number;
  firstBusy = -1;
  readonly #possible: PossibleTransition;
  readonly #parts: ReadonlyMap<string, Parts>;
  readonly #slots: Float64Array;
  readonly #outputs: readonly Output[];
  readonly #tests: readonly Test[];

  constructor(possible: PossibleTransition, node: number, all: Possible, parts: ReadonlyMap<string, Parts>) {
    const { folded } = possible;
    this.node = node;
    this.transition = folded.transition;
    this.lasts = folded.transition.delay !== undefined && folded.transition.timing !== 'race';
    this.count = possible.count;
    this.#possible = possible;
    this.#parts = parts;
    this.#slots = new Float64Array(folded.slots.length);
    this.#outputs = folded.transition.outputs.map(
      (arc) => new Output(arc, parts.get(arc.place)!.colours.columns, folded, all.around),
    );
    this.#tests = folded.transition.inputs
      .filter((a) => a.kind === 'inhibit' || a.kind === 'reset')
      .map((arc) => {
        const { columns } = parts.get(arc.place)!.colours;
        const own = columns.flatMap((c, k) => (given(arc, c.name) === undefined ? [] : [k]));
        const values = own.map((k) => evaluator(given(arc, columns[k]!.name)!, folded.slotOf, all.around));
        return { arc, columns: own, values };
      });
  }

  select(binding: number): void {
    const { bindings } = this.#possible;
    for (let k = 0; k < this.#slots.length; k++) this.#slots[k] = bindings[binding * this.#slots.length + k]!;
  }

  values(): number[] {
    return [...this.#slots];
  }

  named(): Record<string, number> {
    return Object.fromEntries(this.#possible.folded.slots.map(({ name }, k) => [name, this.#slots[k]!]));
  }

  takes(): Weighted[] {
    const takes = new Map<number, number>();
    this.#arcs('take', (place, count) => takes.set(place, (takes.get(place) ?? 0) + count));
    return [...takes];
  }

  /** Minimum tokens per place: consumed tokens are added, read tokens are not (S3). */
  needs(): Weighted[] {
    const needs = new Map(this.takes());
    this.#arcs('read', (place, count) => needs.set(place, Math.max(needs.get(place) ?? 0, count)));
    return [...needs].filter(([, n]) => n > 0).sort(byPlace);
  }

  #arcs(kind: 'take' | 'read', found: (place: number, count: number) => void): void {
    for (const { arc, terms } of this.#possible.folded.arcs) {
      if (arc.kind !== kind) continue;
      const { colours, first } = this.#parts.get(arc.place)!;
      const row = terms.map((t) => ('slot' in t ? this.#slots[t.slot]! : t.evaluate(this.#slots)));
      found(first + colours.find(row)!, arc.count);
    }
  }

  /** Tokens consumed from a net place, over all colours. */
  taken(place: string): number {
    return this.transition.inputs.reduce((sum, a) => sum + (a.kind === 'take' && a.place === place ? a.count : 0), 0);
  }

  outputs(): Weighted[] {
    return this.#outputs.flatMap((output): Weighted[] => {
      const row = output.token(this.#slots);
      if (row === undefined) return [];
      const { colours, first, service } = this.#parts.get(output.arc.place)!;
      return [[(service ?? first) + colours.find(row)!, output.count(this.#slots)]];
    });
  }

  /** Tokens produced in each net place, over all colours. */
  brought(): [place: string, count: number][] {
    const brought = new Map<string, number>();
    for (const output of this.#outputs) {
      const { place } = output.arc;
      brought.set(place, (brought.get(place) ?? 0) + output.count(this.#slots));
    }
    return [...brought];
  }

  inhibitors(all: (place: string) => readonly Weighted[]): AtMost[] {
    return this.#tests.flatMap((test): AtMost[] => {
      if (test.arc.kind !== 'inhibit') return [];
      const { first } = this.#parts.get(test.arc.place)!;
      const sum =
        test.columns.length === 0 ? all(test.arc.place) : this.#matches(test).map((c): Weighted => [first + c, 1]);
      return [{ sum, most: test.arc.count - 1 }];
    });
  }

  resets(): number[] {
    const resets = this.#tests.flatMap((test) => {
      if (test.arc.kind !== 'reset') return [];
      const { first } = this.#parts.get(test.arc.place)!;
      return this.#matches(test).map((c) => first + c);
    });
    return [...new Set(resets)].sort((a, b) => a - b);
  }

  #matches({ arc, columns, values }: Test): readonly number[] {
    const { colours } = this.#parts.get(arc.place)!;
    if (columns.length === 0) return Array.from({ length: colours.count }, (_, c) => c);
    return colours.indexByColumns(columns).buckets.get(keyOf(values.map((v) => v(this.#slots)))) ?? [];
  }
}

/** An inhibitor or reset arc: the columns of its pattern, and their required values. */
interface Test {
  readonly arc: InputArc;
  readonly columns: readonly number[];
  readonly values: readonly Evaluate[];
}
