import { fail, type Place as Part } from '../../base/problem.ts';
import { type FoldedTransition, foldedTransition } from '../../net/bindings/folded-transition.ts';
import { type Column, columnsOf } from '../../net/colour.ts';
import { type Evaluate, EvaluationFailure, evaluator, type Surroundings, surroundingsOf } from '../../net/evaluate.ts';
import type { Expression } from '../../net/expression.ts';
import { scalarNet } from '../../net/expressions.ts';
import type { Delay, Net, Place, StationService } from '../../net/net.ts';
import { clocksOf, countsIn } from '../../net/race-timing.ts';
import type { MarkedTokens, MarkingView, Step } from '../space/state-space.ts';
import { assertSolvable } from './delays/other-delays.ts';
import { isPhaseType, type PhaseType, phaseTypeOf } from './delays/phase-type.ts';
import { RaceTests } from './delays/race-tests.ts';
import { checkedRate } from './delays/rate-range.ts';

/** Contribution of a binding of a transition to its rate and to choices. */
interface Facts {
  /** Rate of one clock at speed 1, or of one firing in progress; 1 if it has phases; undefined for an immediate transition. */
  readonly rate: number | undefined;
  /** The phases of its delay, unless it is exponential. */
  readonly phases: PhaseType | undefined;
  /** Values of the variables, followed by room for counts. */
  readonly slots: Float64Array;
  /** Its weight, unless it depends on counts. */
  readonly weight: number | undefined;
  /** Tokens that a race takes, by place and colour. */
  readonly taken: readonly { readonly place: number; readonly values: readonly number[]; readonly count: number }[];
  /** By count of the transition: the values that tokens must have, by column. */
  readonly counted: readonly { readonly place: number; readonly values: readonly (number | undefined)[] }[];
}

/** A term that may depend on counts. */
interface Counting {
  readonly evaluate: Evaluate;
  readonly counts: boolean;
}

/** A count of a transition: its place, and its pattern by column. */
interface Counted {
  readonly place: number;
  readonly pattern: readonly (Evaluate | undefined)[];
}

interface Timed {
  readonly name: string;
  readonly folded: FoldedTransition;
  readonly rate: Evaluate | undefined;
  readonly phases: ((slots: ArrayLike<number>) => PhaseType) | undefined;
  /** The tests of a race with phases besides its tokens. */
  readonly tests: RaceTests | undefined;
  readonly weight: Counting | undefined;
  readonly speed: Counting | undefined;
  readonly counted: readonly Counted[];
  readonly known: WeakMap<object, Facts>;
}

/**
 * Rates and weights of the steps of a net whose delays are exponential, made of exponential phases, or absent (docs/semantics.md, S4,
 * S9 to S10). Exponential delays have no memory, so that the rate of a step follows from the marking. Of a step with phases, `rate` is the
 * number of clocks × their speed.
 */
export class StepRates {
  /** True if some delay has phases. */
  readonly havePhases: boolean;
  readonly #net: Net;
  readonly #timed: readonly Timed[];
  readonly #served: readonly (Evaluate | undefined)[];
  readonly #columns: readonly (readonly Column[])[];
  readonly #placeOf: ReadonlyMap<string, number>;

  /** @throws InputError CTMC001 for all delays and services that are not made of exponential phases */
  constructor(given: Net) {
    assertSolvable(given);
    this.havePhases = given.transitions.some((t) => isPhaseType(t.delay));
    const net = scalarNet(given);
    const around = surroundingsOf(net);
    const colours = new Map(net.colours.map((c) => [c.name, c]));
    const columns = new Map(net.places.map((p) => [p.name, columnsOf(p.fields, colours)]));
    this.#net = net;
    this.#columns = net.places.map((p) => columns.get(p.name)!);
    this.#placeOf = new Map(net.places.map((p, k) => [p.name, k]));
    this.#timed = net.transitions.map((t): Timed => {
      const folded = foldedTransition(t, (place) => columns.get(place)!, colours, around);
      const rate = isPhaseType(t.delay) ? () => 1 : rateOf(t.delay, folded.slotOf, around);
      const phases = isPhaseType(t.delay)
        ? phaseTypeOf(t.delay, folded.slotOf, around, { part: `transition ${t.name}` })
        : undefined;
      const isRace = phases !== undefined && t.timing === 'race';
      const tests = isRace ? new RaceTests(net, t, folded, around) : undefined;
      const counts = t.counts ?? [];
      const slotOf = new Map(folded.slotOf);
      for (const [k, c] of counts.entries()) slotOf.set(c.name, folded.slots.length + k);
      const counting = (e: Expression | undefined): Counting | undefined =>
        e && { evaluate: evaluator(e, slotOf, around), counts: countsIn(t, e).length > 0 };
      const counted = counts.map(({ place, pattern }): Counted => {
        const terms = columns.get(place)!.map((c) => (Object.hasOwn(pattern, c.name) ? pattern[c.name] : undefined));
        return { place: this.#placeOf.get(place)!, pattern: terms.map((e) => e && evaluator(e, slotOf, around)) };
      });
      const [weight, speed] = [counting(t.weight), counting(t.speed)];
      return { name: t.name, folded, rate, phases, tests, weight, speed, counted, known: new WeakMap() };
    });
    this.#served = net.places.map((p, k) => {
      const slots = new Map(this.#columns[k]!.map((c, i) => [c.name, i]));
      return p.service?.kind === 'max-min' ? undefined : rateOf(p.service?.time, slots, around);
    });
  }

  /** True for a step that happens at once where it can: an immediate firing, or the start of a holding one. */
  isImmediate({ kind, node }: Step): boolean {
    return kind === 'start' || (kind === 'fire' && this.#timed[node]!.rate === undefined);
  }

  /** True for a race whose bindings share a limited number of servers. */
  isLimited({ kind, node }: Step): boolean {
    return kind === 'fire' && clocksOf(this.#net.transitions[node]!) < Number.POSITIVE_INFINITY;
  }

  /**
   * Checks the steps of a marking without immediate ones.
   *
   * @throws InputError CTMC002 for a race with fewer servers than the clocks that several of its bindings need
   */
  assertServers(steps: readonly Step[], marking: () => MarkingView): void {
    const wanted = new Map<number, Step[]>();
    for (const step of steps) {
      if (!this.isLimited(step)) continue;
      wanted.set(step.node, [...(wanted.get(step.node) ?? []), step]);
    }
    for (const [node, own] of wanted) {
      if (own.length < 2) continue;
      const enabled = own.filter((step) => this.rate(step, marking) > 0);
      const servers = clocksOf(this.#net.transitions[node]!);
      const clocks = enabled.reduce((sum, step) => sum + this.#degree(this.#facts(node, step.binding), marking), 0);
      if (enabled.length < 2 || clocks <= servers) continue;
      const many = servers === 1 ? 'a single server' : `${servers} servers`;
      fail(
        'CTMC002',
        `is a race with ${many} and is enabled ${servers === 1 ? '' : 'more often '}for several colours at once: the one enabled longest has the clock, which is not part of a state. Give it servers "infinite", or estimate the figures by simulation: foretoken steady --method simulate`,
        this.#part(node),
      );
    }
  }

  /** The phases of the delay of a race or of the end of a firing; undefined for other steps and for exponential delays. */
  phases({ kind, node, binding }: Step): PhaseType | undefined {
    return kind === 'fire' || kind === 'end' ? this.#facts(node, binding).phases : undefined;
  }

  /**
   * Number of clocks of a race with phases in a marking (S9a).
   *
   * @param isListed true if the marking lists the race as enabled, apart from its speed
   * @throws InputError CTMC001, RUN017
   */
  clocksIn({ node, binding }: Step, marking: MarkingView, isListed: boolean): number {
    const facts = this.#facts(node, binding);
    if (!isListed && !this.#timed[node]!.tests!.hold(facts, marking)) return 0;
    if (this.#clockRate(facts, node, () => marking) === 0) return 0;
    return Math.min(
      clocksOf(this.#net.transitions[node]!),
      this.#degree(facts, () => marking),
    );
  }

  /** The speed of a race with phases. @throws InputError RUN017 */
  speed({ node, binding }: Step, marking: () => MarkingView): number {
    return this.#clockRate(this.#facts(node, binding), node, marking);
  }

  /** Weight of a start; undefined if its transition declares none. @throws InputError RUN008 */
  weight({ node, binding }: Step, marking: () => MarkingView): number | undefined {
    const facts = this.#facts(node, binding);
    const own = this.#timed[node]!.weight;
    const weight = own?.counts === true ? this.#ofCounts(own, facts, node, marking()) : facts.weight;
    if (weight !== undefined && !(weight > 0 && weight < Number.POSITIVE_INFINITY))
      fail('RUN008', `weight ${weight}: expected a positive finite number`, this.#part(node));
    return weight;
  }

  /** Rate of a timed step in a marking, per second; 0 for a race of speed 0. @throws InputError CTMC002, CTMC003, RUN017 */
  rate(step: Step, marking: () => MarkingView): number {
    const { kind, node, binding } = step;
    if (kind === 'serve') return this.#serviceRate(step, marking());
    const facts = this.#facts(node, binding);
    if (kind === 'end') return facts.rate! * inProgress(marking(), step);
    const rate = this.#clockRate(facts, node, marking);
    const servers = clocksOf(this.#net.transitions[node]!);
    if (rate === 0 || facts.taken.length === 0 || servers === 1) return rate;
    return rate * Math.min(servers, this.#degree(facts, marking));
  }

  /**
   * A race of constant speed that takes tokens without colours: its rate is `rate` times the least of `servers` and of tokens over `count`
   * of each place. Undefined for other steps.
   */
  clocks(step: Step):
    | {
        readonly rate: number;
        readonly servers: number;
        readonly taken: readonly { readonly place: number; readonly count: number }[];
      }
    | undefined {
    const { kind, node, binding } = step;
    const { rate: isTimed, speed } = this.#timed[node] ?? {};
    if (kind !== 'fire' || isTimed === undefined || speed !== undefined) return undefined;
    const { rate, taken } = this.#facts(node, binding);
    const isPlain = taken.every(
      ({ place, values }) => values.length === 0 && this.#net.places[place]!.service === undefined,
    );
    return isPlain ? { rate: rate!, servers: clocksOf(this.#net.transitions[node]!), taken } : undefined;
  }

  /** Rate of one clock of a race in a marking (S9b). */
  #clockRate(facts: Facts, node: number, marking: () => MarkingView): number {
    const rate = facts.rate!;
    const own = this.#timed[node]!.speed;
    if (own === undefined) return rate;
    // Also asked for a speed without counts: the rate may be 0, which no step of a state has.
    const speed = this.#ofCounts(own, facts, node, marking());
    if (!(speed >= 0 && speed < Number.POSITIVE_INFINITY))
      fail('RUN017', `a speed of ${speed}: expected a finite number >= 0`, this.#part(node));
    return speed === 0 ? 0 : checkedRate(rate * speed, this.#part(node));
  }

  /** How often a race could fire in a row (S9a). */
  #degree({ taken }: Facts, marking: () => MarkingView): number {
    if (taken.length === 0) return 1;
    const { places } = marking();
    let degree = Number.POSITIVE_INFINITY;
    for (const { place, values, count } of taken) {
      const all = places.find((p) => p.place === place)?.tokens ?? [];
      const own = all.find((tokens) => tokens.where === 'place' && same(tokens.values, values));
      degree = Math.min(degree, Math.floor((own?.count ?? 0) / count));
    }
    return degree;
  }

  /** The value of a term of the binding and of counts. */
  #ofCounts({ evaluate }: Counting, { slots, counted }: Facts, node: number, { places }: MarkingView): number {
    const first = slots.length - counted.length;
    counted.forEach(({ place, values }, k) => {
      const all = places.find((p) => p.place === place)?.tokens ?? [];
      const matching = all.filter(
        (t) => t.where === 'place' && values.every((v, c) => v === undefined || v === t.values[c]),
      );
      slots[first + k] = matching.reduce((sum, t) => sum + t.count, 0);
    });
    return this.#inPart(node, () => evaluate(slots));
  }

  #facts(node: number, binding: Readonly<Record<string, number>>): Facts {
    const timed = this.#timed[node]!;
    let facts = timed.known.get(binding);
    if (facts === undefined) {
      facts = this.#inPart(node, () => this.#factsOf(timed, binding, node));
      timed.known.set(binding, facts);
    }
    return facts;
  }

  #factsOf(
    { folded, rate, phases, weight, counted }: Timed,
    binding: Readonly<Record<string, number>>,
    node: number,
  ): Facts {
    const slots = new Float64Array(folded.slots.length + counted.length);
    folded.slots.forEach(({ name }, k) => {
      slots[k] = binding[name]!;
    });
    const taken = new Map<string, { place: number; values: readonly number[]; count: number }>();
    for (const { arc, terms } of folded.arcs) {
      if (arc.kind !== 'take') continue;
      const values = terms.map((t) => ('slot' in t ? slots[t.slot]! : t.evaluate(slots)));
      const place = this.#placeOf.get(arc.place)!;
      const key = `${place}:${values.join()}`;
      taken.set(key, { place, values, count: arc.count + (taken.get(key)?.count ?? 0) });
    }
    return {
      rate: rate === undefined ? undefined : checkedRate(rate(slots), this.#part(node)),
      phases: phases?.(slots),
      slots,
      weight: weight === undefined || weight.counts ? undefined : weight.evaluate(slots),
      taken: [...taken.values()],
      counted: counted.map(({ place, pattern }) => ({ place, values: pattern.map((term) => term?.(slots)) })),
    };
  }

  #serviceRate({ node, binding }: Step, { places }: MarkingView): number {
    const place = this.#net.places[node]!;
    const part = { part: `place ${place.name}` };
    const values = this.#columns[node]!.map((c) => binding[c.name]!);
    const rate = checkedRate(
      inPlace(part, () => this.#served[node]!(values)),
      part,
    );
    const all = places.find((p) => p.place === node)!.tokens.filter((t) => t.where === 'service');
    return rate * share(place, place.service as StationService, values, all);
  }

  #part(node: number): Part {
    return { part: `transition ${this.#net.transitions[node]!.name}` };
  }

  #inPart<T>(node: number, run: () => T): T {
    return inPlace(this.#part(node), run);
  }
}

/** Number of servers at work for tokens of a colour. @throws InputError CTMC002 if it depends on the order of arrival */
function share(place: Place, service: StationService, values: readonly number[], all: readonly MarkedTokens[]): number {
  const total = all.reduce((sum, { count }) => sum + count, 0);
  const own = all.reduce((sum, t) => sum + (same(t.values, values) ? t.count : 0), 0);
  if (service.kind === 'is') return own;
  if (service.kind === 'ps') return total <= service.servers ? own : (own * service.servers) / total;
  if (service.kind === 'fcfs' && service.servers === 1) return 1;
  if (total <= service.servers) return own;
  if (own < total)
    fail(
      'CTMC002',
      `serves tokens of several colours with "${service.kind}": which of them are in service depends on their order, which is not part of a state. Use one server with "fcfs", or the services "ps" or "is", or estimate the figures by simulation: foretoken steady --method simulate`,
      { part: `place ${place.name}` },
    );
  return Math.min(service.servers, total);
}

function inProgress({ busy }: MarkingView, { node, binding }: Step): number {
  const keys = Object.keys(binding);
  const own = busy.find((b) => b.transition === node && keys.every((key) => b.binding[key] === binding[key]));
  return own?.count ?? 0;
}

function same(a: readonly number[], b: readonly number[]): boolean {
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}

function rateOf(
  delay: Delay | undefined,
  slotOf: ReadonlyMap<string, number>,
  around: Surroundings,
): Evaluate | undefined {
  return delay !== undefined && 'dist' in delay && delay.dist === 'exponential'
    ? evaluator(delay.rate, slotOf, around)
    : undefined;
}

function inPlace<T>(part: Part, run: () => T): T {
  try {
    return run();
  } catch (e) {
    if (e instanceof EvaluationFailure) fail(e.code, e.message, part);
    throw e;
  }
}
