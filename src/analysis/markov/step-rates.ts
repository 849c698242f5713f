import { fail, InputError, type Place as Part, type Problem } from '../../base/problem.ts';
import { type FoldedTransition, foldedTransition } from '../../net/bindings/folded-transition.ts';
import { type Column, columnsOf } from '../../net/colour.ts';
import { type Evaluate, EvaluationFailure, evaluator, type Surroundings, surroundingsOf } from '../../net/evaluate.ts';
import { scalarNet } from '../../net/expressions.ts';
import type { Delay, Net, Place, StationService } from '../../net/net.ts';
import type { MarkedTokens, MarkingView, Step } from '../space/state-space.ts';

/** Accepted rates, per second: products of a few stay in the range of a double. */
const MIN_RATE = 1e-100;
const MAX_RATE = 1e100;

/** What a binding of a transition contributes to its rate and to choices. */
interface Facts {
  /** Rate of one clock or one firing in progress; undefined for an immediate transition. */
  readonly rate: number | undefined;
  readonly weight: number | undefined;
  /** Tokens that a race takes, by place and colour. */
  readonly taken: readonly { readonly place: number; readonly values: readonly number[]; readonly count: number }[];
}

interface Timed {
  readonly name: string;
  readonly folded: FoldedTransition;
  readonly rate: Evaluate | undefined;
  readonly weight: Evaluate | undefined;
  readonly known: WeakMap<object, Facts>;
}

/**
 * Rates and weights of the steps of a net whose delays are exponential or absent (docs/semantics.md, S4, S9, S9a, S10).
 * Exponential delays have no memory, so that the rate of a step follows from the marking.
 */
export class StepRates {
  readonly #net: Net;
  readonly #timed: readonly Timed[];
  readonly #served: readonly (Evaluate | undefined)[];
  readonly #columns: readonly (readonly Column[])[];
  readonly #placeOf: ReadonlyMap<string, number>;

  /** @throws InputError CTMC001 for all delays and services that are not exponential */
  constructor(given: Net) {
    assertExponential(given);
    const net = scalarNet(given);
    const around = surroundingsOf(net);
    const colours = new Map(net.colours.map((c) => [c.name, c]));
    const columns = new Map(net.places.map((p) => [p.name, columnsOf(p.fields, colours)]));
    this.#net = net;
    this.#columns = net.places.map((p) => columns.get(p.name)!);
    this.#placeOf = new Map(net.places.map((p, k) => [p.name, k]));
    this.#timed = net.transitions.map((t): Timed => {
      const folded = foldedTransition(t, (place) => columns.get(place)!, colours, around);
      const rate = rateOf(t.delay, folded.slotOf, around);
      const weight = t.weight === undefined ? undefined : evaluator(t.weight, folded.slotOf, around);
      return { name: t.name, folded, rate, weight, known: new WeakMap() };
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

  /** True for a race with one clock for all its bindings. */
  isSingle({ kind, node }: Step): boolean {
    return kind === 'fire' && this.#net.transitions[node]!.servers === 'single';
  }

  /** Weight of a start; undefined if its transition declares none. @throws InputError RUN008 */
  weight({ node, binding }: Step): number | undefined {
    const { weight } = this.#facts(node, binding);
    if (weight !== undefined && !(weight > 0 && weight < Number.POSITIVE_INFINITY))
      fail('RUN008', `weight ${weight}: expected a positive finite number`, this.#part(node));
    return weight;
  }

  /** Rate of a timed step in a marking, per second. @throws InputError CTMC002, CTMC003 */
  rate(step: Step, marking: () => MarkingView): number {
    const { kind, node, binding } = step;
    if (kind === 'serve') return this.#serviceRate(step, marking());
    const { rate, taken } = this.#facts(node, binding);
    if (kind === 'end') return rate! * inProgress(marking(), step);
    if (taken.length === 0 || this.isSingle(step)) return rate!;
    const { places } = marking();
    let degree = Number.POSITIVE_INFINITY;
    for (const { place, values, count } of taken) {
      const all = places.find((p) => p.place === place)?.tokens ?? [];
      const own = all.find((tokens) => tokens.where === 'place' && same(tokens.values, values));
      degree = Math.min(degree, Math.floor((own?.count ?? 0) / count));
    }
    return rate! * degree;
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

  #factsOf({ folded, rate, weight }: Timed, binding: Readonly<Record<string, number>>, node: number): Facts {
    const slots = folded.slots.map(({ name }) => binding[name]!);
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
      weight: weight?.(slots),
      taken: [...taken.values()],
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
      `serves tokens of several colours with "${service.kind}": which of them are in service depends on their order, which is not part of a state. Use one server with "fcfs", or the services "ps" or "is", or estimate by simulation: foretoken predict --replications 100`,
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

function checkedRate(rate: number, part: Part): number {
  if (rate >= MIN_RATE && rate <= MAX_RATE) return rate;
  return fail(
    'CTMC003',
    `the rate of its exponential delay is ${rate}: expected a number from ${MIN_RATE} to ${MAX_RATE} per second. Remove what never happens, and make what takes no time immediate`,
    part,
  );
}

function inPlace<T>(part: Part, run: () => T): T {
  try {
    return run();
  } catch (e) {
    if (e instanceof EvaluationFailure) fail(e.code, e.message, part);
    throw e;
  }
}

/** @throws InputError CTMC001 with all transitions and places whose delays are not exponential */
function assertExponential({ places, transitions, untimed }: Net): void {
  const problems: Problem[] = [];
  const refuse = (part: string, kind: string): void =>
    void problems.push({
      code: 'CTMC001',
      message: `has ${kind}: the solver takes exponential delays only. Give it an exponential delay, or estimate by simulation: foretoken predict --replications 100`,
      place: { part },
    });
  if (untimed === true)
    fail('CTMC001', 'the net has no delays: give its transitions exponential delays to solve for a steady state');
  for (const { name, delay } of transitions) {
    const kind = kindOf(delay);
    if (kind !== undefined) refuse(`transition ${name}`, kind);
  }
  for (const { name, service } of places) {
    if (service === undefined) continue;
    const kind = service.kind === 'max-min' ? 'a max-min service' : kindOf(service.time);
    if (kind !== undefined) refuse(`place ${name}`, kind);
  }
  if (problems.length > 0) throw new InputError(problems);
}

/** The kind of a delay that is not exponential, for messages. */
function kindOf(delay: Delay | undefined): string | undefined {
  if (delay === undefined || ('dist' in delay && delay.dist === 'exponential')) return undefined;
  if (!('dist' in delay)) return 'a deterministic delay';
  return `a delay with the distribution "${delay.dist}"`;
}
