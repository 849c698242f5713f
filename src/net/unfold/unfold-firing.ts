import type { Code } from '../../base/codes.ts';
import type { Problem } from '../../base/problem.ts';
import { given } from '../bindings/folded-transition.ts';
import { isDistribution } from '../distribution.ts';
import { type Evaluate, EvaluationFailure, evaluator, type Surroundings } from '../evaluate.ts';
import type { Expression } from '../expression.ts';
import type { Delay, InputArc, OutputArc, Transition } from '../net.ts';
import { clocksOf } from '../race-timing.ts';
import { byText, type TextTerms } from '../text/text-terms.ts';
import { keyOf } from './unfold-colours.ts';
import type { Counter } from './unfold-counters.ts';
import { UnfoldedCounts } from './unfold-counts.ts';
import { constant, soundDistribution, type UnfoldedPlace, withConstants } from './unfold-place.ts';
import { noValue, Output, type PossibleTransition } from './unfold-possible.ts';

/** Maximum tokens of one output arc (S7). */
const MAX_TOKENS = 1e6;
const NOTHING: Readonly<Record<string, never>> = {};

export class TransitionUnfolding {
  readonly #possible: PossibleTransition;
  readonly #transition: Transition;
  readonly #places: ReadonlyMap<string, UnfoldedPlace>;
  readonly #terms: TextTerms;
  readonly #around: Surroundings;
  readonly #slots: Float64Array;
  /** The slots in the order in which transition names list them. */
  readonly #shown: readonly number[];
  readonly #tests: readonly Matcher[];
  readonly #counts: readonly { readonly name: string; readonly matcher: Matcher }[];
  readonly #outputs: readonly Output[];
  readonly #values = new Map<Expression, Evaluate>();
  readonly #problems: Problem[] = [];

  constructor(
    possible: PossibleTransition,
    places: ReadonlyMap<string, UnfoldedPlace>,
    terms: TextTerms,
    around: Surroundings,
  ) {
    const { folded } = possible;
    this.#possible = possible;
    this.#transition = folded.transition;
    this.#places = places;
    this.#terms = terms;
    this.#around = around;
    this.#slots = new Float64Array(folded.slots.length);
    const named = folded.slotOf.size;
    this.#shown = [...folded.slots.keys()].sort(
      (a, b) => Number(a >= named) - Number(b >= named) || byText(folded.slots[a]!.name, folded.slots[b]!.name),
    );
    this.#tests = folded.transition.inputs
      .filter((a) => a.kind === 'inhibit' || a.kind === 'reset')
      .map((arc) => new Matcher(arc, places.get(arc.place)!, folded.slotOf, around));
    this.#counts = (folded.transition.counts ?? []).map(({ name, place, pattern }) => {
      const arc = { kind: 'inhibit', place, pattern, count: 1 } as const;
      return { name, matcher: new Matcher(arc, places.get(place)!, folded.slotOf, around) };
    });
    this.#outputs = folded.transition.outputs.map(
      (arc) => new Output(arc, places.get(arc.place)!.colours.columns, folded, around),
    );
  }

  /** The problems that prevent unfolding the transition as a whole. */
  problems(): Problem[] {
    const t = this.#transition;
    const { count } = this.#possible;
    const servers = clocksOf(t);
    if (t.timing !== 'race' || servers === Number.POSITIVE_INFINITY || count <= 1) return [];
    const [shared, own] =
      servers === 1 ? ['a single server', 'its own server'] : [`${servers} servers`, 'its own servers'];
    const message = `is a race with ${shared}, shared by its ${count} bindings: each would get ${own}. Unfolding needs infinite servers.`;
    return [this.#problem('UNF008', message)];
  }

  /**
   * Creates the counters needed by this transition's inhibitors. Must be called for all transitions before any is
   * unfolded, because all of them update counters. Evaluation failures are reported by {@link transitions}.
   */
  prepareCounters(): void {
    const tests = this.#tests.filter((matcher) => matcher.arc.kind === 'inhibit' && matcher.arc.count > 1);
    if (tests.length === 0) return;
    const { bindings, count } = this.#possible;
    const width = this.#slots.length;
    for (let b = 0; b < count; b++) {
      for (let k = 0; k < width; k++) this.#slots[k] = bindings[b * width + k]!;
      for (const matcher of tests)
        try {
          matcher.counter(this.#slots);
        } catch (e) {
          if (!(e instanceof EvaluationFailure)) throw e;
        }
    }
  }

  /** One transition for each binding, sorted by values. Adds rejections to `problems`, the first of each kind. */
  *transitions(unique: (name: string) => string, problems: Problem[]): Generator<Transition> {
    const { bindings, count } = this.#possible;
    const width = this.#slots.length;
    const order = Array.from({ length: count }, (_, k) => k * width).sort((a, b) => {
      for (const slot of this.#shown) {
        const difference = bindings[a + slot]! - bindings[b + slot]!;
        if (difference !== 0) return difference;
      }
      return 0;
    });
    for (const start of order) {
      for (let k = 0; k < width; k++) this.#slots[k] = bindings[start + k]!;
      try {
        yield this.#made(unique(this.#name()));
      } catch (e) {
        if (!(e instanceof EvaluationFailure)) throw e;
        this.#problems.push(noValue(this.#possible.folded, this.#slots, e));
      }
      if (this.#problems.length > 0) break;
    }
    problems.push(...this.#problems);
  }

  #name(): string {
    const { slots } = this.#possible.folded;
    const values = this.#shown.map((k) => {
      const { name, colour } = slots[k]!;
      return `${name}=${this.#terms.value(colour, this.#slots[k]!)}`;
    });
    return values.length === 0 ? this.#transition.name : `${this.#transition.name}[${values.join(',')}]`;
  }

  #made(name: string): Transition {
    const { kind, process, priority, weight, delay, timing, servers, memory, speed, modules } = this.#transition;
    const counts = new UnfoldedCounts();
    this.#counts.forEach(({ name, matcher }) => {
      counts.add(
        name,
        matcher.matches(this.#slots).map((k) => matcher.place.names[k]!),
      );
    });
    return {
      name,
      ...(kind === undefined ? {} : { kind }),
      ...(process === undefined ? {} : { process: constant(this.#value(process)) }),
      inputs: this.#inputs(),
      outputs: this.#bring(),
      ...(priority === undefined ? {} : { priority }),
      ...(weight === undefined
        ? {}
        : { weight: counts.term(weight, (e) => (e === weight ? this.#weight(e) : this.#value(e))) }),
      ...(delay === undefined ? {} : { delay: this.#delay(delay) }),
      ...(timing === undefined ? {} : { timing }),
      ...(servers === undefined ? {} : { servers }),
      ...(memory === undefined ? {} : { memory }),
      ...(speed === undefined ? {} : { speed: counts.term(speed, (e) => this.#value(e)) }),
      ...(counts.all.length === 0 ? {} : { counts: counts.all }),
      ...(modules === undefined ? {} : { modules }),
    };
  }

  /** Take arcs from one place are summed; of read arcs the largest count is used; then inhibitor and reset arcs. */
  #inputs(): InputArc[] {
    const takes = new Map<string, number>();
    const reads = new Map<string, number>();
    this.#possible.folded.arcs.forEach(({ arc, terms }) => {
      const { colours, names, all, counters } = this.#places.get(arc.place)!;
      const row = terms.map((t) => ('slot' in t ? this.#slots[t.slot]! : t.evaluate(this.#slots)));
      const colour = colours.find(row)!;
      const name = names[colour]!;
      if (arc.kind === 'read') reads.set(name, Math.max(reads.get(name) ?? 0, arc.count));
      else
        for (const place of [name, ...(all === undefined ? [] : [all]), ...counters.namesFor(colour)])
          takes.set(place, (takes.get(place) ?? 0) + arc.count);
    });
    const inhibits = new Map<string, number>();
    const resets = new Map<string, number>();
    for (const matcher of this.#tests) {
      const { arc, place } = matcher;
      const matches = matcher.matches(this.#slots);
      if (arc.kind === 'reset') {
        this.#reset(place, matches, resets);
        continue;
      }
      const counter = matcher.counter(this.#slots);
      if (counter !== undefined && place.place.service !== undefined)
        this.#refuse(
          'UNF007',
          `inhibits at ${arc.count} tokens of place ${arc.place} over ${matches.length} colours, excluding tokens in service. Unfolding needs a count of one, one colour, or no service.`,
        );
      for (const name of counter === undefined ? matches.map((k) => place.names[k]!) : [counter.name])
        inhibits.set(name, Math.min(inhibits.get(name) ?? Number.POSITIVE_INFINITY, arc.count));
    }
    this.#resetCounters(resets);
    return [...arcs('take', takes), ...arcs('read', reads), ...arcs('inhibit', inhibits), ...arcs('reset', resets)];
  }

  #reset({ place, colours, names, all }: UnfoldedPlace, matches: readonly number[], resets: Map<string, number>): void {
    for (const k of matches) resets.set(names[k]!, 1);
    if (all === undefined || matches.length === 0) return;
    resets.set(all, 1);
    if (matches.length < colours.count || place.service !== undefined)
      this.#refuse(
        'UNF006',
        `resets ${matches.length} of the ${colours.count} colours of place ${place.name}, which share its capacity: the space freed depends on the marking.`,
      );
  }

  /** A counter is reset if all its colours are. Resetting only some would depend on the marking and is rejected. */
  #resetCounters(resets: Map<string, number>): void {
    const places = this.#tests.filter(({ arc }) => arc.kind === 'reset').map(({ place }) => place);
    for (const { place, names, counters } of new Set(places))
      for (const { name, colours } of counters.all) {
        const reset = colours.filter((k) => resets.has(names[k]!)).length;
        if (reset === colours.length) resets.set(name, 1);
        else if (reset > 0)
          this.#refuse(
            'UNF006',
            `resets ${reset} of the ${colours.length} colours of place ${place.name} that one inhibitor counts: the number left depends on the marking.`,
          );
      }
  }

  #bring(): OutputArc[] {
    const brought = new Map<string, number>();
    for (const output of this.#outputs) {
      const row = output.token(this.#slots);
      if (row === undefined) continue;
      const { colours, names, all, counters } = this.#places.get(output.arc.place)!;
      const colour = colours.find(row)!;
      for (const place of [names[colour]!, ...(all === undefined ? [] : [all]), ...counters.namesFor(colour)])
        brought.set(place, (brought.get(place) ?? 0) + output.count(this.#slots));
    }
    return inOrder(brought).flatMap(([place, count]) => {
      const max = Array.from({ length: Math.ceil(count / MAX_TOKENS) }, (_, k) =>
        Math.min(MAX_TOKENS, count - k * MAX_TOKENS),
      );
      return max.map((n) => ({ place, values: NOTHING, count: constant(n) }));
    });
  }

  #delay(delay: Delay): Delay {
    if (isDistribution(delay)) return soundDistribution(withConstants(delay, (e) => this.#value(e)));
    const value = this.#value(delay);
    if (!(value >= 0 && value < Number.POSITIVE_INFINITY))
      throw new EvaluationFailure('RUN004', `a delay of ${value} seconds`);
    return constant(value);
  }

  #weight(e: Expression): number {
    const value = this.#value(e);
    if (!(value > 0 && value < Number.POSITIVE_INFINITY)) throw new EvaluationFailure('RUN008', `a weight of ${value}`);
    return value;
  }

  #value(e: Expression): number {
    let evaluate = this.#values.get(e);
    if (evaluate === undefined) {
      evaluate = evaluator(e, this.#possible.folded.slotOf, this.#around);
      this.#values.set(e, evaluate);
    }
    const value = evaluate(this.#slots);
    if (Number.isNaN(value)) throw new EvaluationFailure('RUN004', 'a delay, weight or process is NaN');
    return value;
  }

  #refuse(code: Code, message: string): void {
    if (!this.#problems.some((p) => p.code === code)) this.#problems.push(this.#problem(code, message));
  }

  #problem(code: Code, message: string): Problem {
    return { code, message, place: { part: `transition ${this.#transition.name}` } };
  }
}

function arcs(kind: InputArc['kind'], counts: ReadonlyMap<string, number>): InputArc[] {
  return inOrder(counts).map(([place, count]) => ({ kind, place, pattern: NOTHING, count }));
}

function inOrder(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].sort(([a], [b]) => byText(a, b));
}

/** The possible colours matched by an inhibitor or reset arc, or by a count. */
class Matcher {
  readonly arc: InputArc;
  readonly place: UnfoldedPlace;
  readonly #columns: readonly number[];
  readonly #values: readonly Evaluate[];

  constructor(arc: InputArc, place: UnfoldedPlace, slotOf: ReadonlyMap<string, number>, around: Surroundings) {
    this.arc = arc;
    this.place = place;
    const { columns } = place.colours;
    this.#columns = columns.flatMap((c, k) => (given(arc, c.name) === undefined ? [] : [k]));
    this.#values = this.#columns.map((k) => evaluator(given(arc, columns[k]!.name)!, slotOf, around));
  }

  /** The counter for an inhibitor that matches several colours with a threshold above 1; otherwise undefined. */
  counter(slots: Float64Array): Counter | undefined {
    if (this.arc.kind !== 'inhibit' || this.arc.count <= 1) return undefined;
    const colours = this.matches(slots);
    if (colours.length <= 1) return undefined;
    const values = this.#values.map((value) => value(slots));
    return this.place.counters.of(this.#columns, values, colours);
  }

  matches(slots: Float64Array): readonly number[] {
    const { colours, order } = this.place;
    // A place without columns exists even if it can never be marked.
    if (colours.columns.length === 0) return [0];
    if (this.#columns.length === 0) return order;
    const key = keyOf(this.#values.map((value) => value(slots)));
    return colours.indexByColumns(this.#columns).buckets.get(key) ?? [];
  }
}
