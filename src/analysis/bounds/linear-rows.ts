import type { StationService } from '../../net/net.ts';
import { decreasingWeights, tokensOf } from '../flows/place-flows.ts';
import { type PlaceProofs, placeProofs } from '../flows/place-proofs.ts';
import { flatten } from '../petri/flatten.ts';
import type { Petri, PetriTransition, Weighted } from '../petri/petri.ts';
import { deadlockFree } from '../properties/build.ts';
import { questionOf } from '../properties/formula-of.ts';
import { StructuralProver } from '../structure/prove-property.ts';
import { levelRows } from './level-rows.ts';
import { placeFlowBasis } from './place-flow-basis.ts';
import { boundVariables } from './proved-bound.ts';
import { RowList, SLACK } from './row-list.ts';
import type { Row } from './simplex.ts';
import { degreeLine, enabledLine, StepClocks } from './step-clocks.ts';
import { mostClocks, type TimedNet, type TimedTransition, timeOfDelay } from './timed-net.ts';

/** Rows that the long-run means of a net satisfy, and bounds of single variables. */
export interface LinearRows {
  readonly petri: Petri;
  /** First the mean tokens of all places of `petri`, then flows: firings per second. */
  readonly variables: number;
  readonly rows: readonly Row[];
  /** By variable: an upper bound; Infinity if none is known. */
  readonly most: Float64Array;
  /** By place of `petri`: the largest number of its tokens in every marking; Infinity if none is known. */
  readonly bounds: readonly number[];
  /** Variable of the firings of each step of `petri`. */
  readonly flows: readonly number[];
  /** Tokens that arrive at a place of `petri` per second, and those that leave it, as sums of flows. */
  readonly traffic: (place: number) => {
    readonly arrivals: Map<number, number>;
    readonly departures: Map<number, number>;
  };
  /** Variable of the firings of a transition; undefined if it never fires. */
  readonly firings: (transition: number) => number | undefined;
  /**
   * Mean number of clocks or firings in progress of a transition: a factor of a variable, with a bound in every marking; undefined if it
   * does not follow from the means.
   */
  readonly active: (transition: number) => Active | undefined;
  /** Variables of the tokens of a place of the timed net: visible ones, and those in service. */
  readonly tokens: (place: number) => readonly number[];
}

/**
 * Rows of all long-run means (operational laws: Chiola, Anglano, Campos, Colom & Silva 1993; Campos & Silva 1992). Each is proved in
 * the README of this folder.
 *
 * @param stop polled by the searches for flows
 * @param balanceOf by place of `petri`; default: all may pile up
 */
export function linearRows(
  net: TimedNet,
  stop: () => boolean,
  balanceOf: (place: number) => Balance = () => 'piles up',
): LinearRows {
  return new Building(net, stop, balanceOf).run();
}

/** Assumption on a place without a known maximum: as many tokens arrive as leave, at least as many, or any number. */
export type Balance = 'equal' | 'piles up' | 'saturated';

export interface Active {
  readonly variable: number;
  readonly factor: number;
  readonly most: number;
}

/** Maximum number of means of a net that gets rows about levels: they make programs of large nets slow. */
const MAX_WITH_LEVELS = 200;
/** Limit of the search for siphons. */
const PROOF_EFFORT = 200_000;

class Building {
  readonly #net: TimedNet;
  readonly #petri: Petri;
  readonly #proofs: PlaceProofs;
  /** By place of `petri`: bound of its tokens in every marking. */
  readonly #bounds: number[];
  readonly #list = new RowList();
  #most: Float64Array;
  /** Variable of the flow of each step. */
  readonly #flow: readonly number[];
  readonly #flowOf = new Map<number, number>();
  readonly #visible = new Map<number, number>();
  readonly #served = new Map<number, number>();
  readonly #busy = new Map<number, number>();
  readonly #clocks: StepClocks;
  readonly #stop: () => boolean;
  readonly #balanceOf: (place: number) => Balance;

  constructor(net: TimedNet, stop: () => boolean, balanceOf: (place: number) => Balance) {
    this.#net = net;
    this.#stop = stop;
    this.#balanceOf = balanceOf;
    this.#petri = flatten(net.net, Number.POSITIVE_INFINITY);
    const { places, transitions } = this.#petri;
    this.#proofs = placeProofs(this.#petri, undefined, stop);
    this.#bounds = this.#proofs.proofs.map((proof) => proof?.bound ?? Number.POSITIVE_INFINITY);
    const kinds = { place: this.#visible, service: this.#served, busy: this.#busy };
    for (const [p, { kind, node }] of places.entries()) kinds[kind].set(node, p);
    let next = places.length;
    // The end of a firing follows its start, and as many begin as end.
    this.#flow = transitions.map(({ kind, node }) => {
      if (kind === 'end') return this.#flowOf.get(node)!;
      if (kind !== 'serve') this.#flowOf.set(node, next);
      return next++;
    });
    this.#most = new Float64Array(next).fill(Number.POSITIVE_INFINITY);
    this.#most.set(this.#bounds);
    this.#clocks = new StepClocks(net, this.#petri, this.#visible);
  }

  run(): LinearRows {
    this.#invariants();
    // These rows hold in every marking, so what follows from them are bounds of the markings.
    boundVariables(this.#list.rows, this.#most);
    this.#most.forEach((most, v) => {
      if (v < this.#bounds.length) this.#bounds[v] = Math.min(this.#bounds[v]!, Math.floor(most));
    });
    this.#balance();
    this.#petri.transitions.forEach((step, k) => {
      if (step.kind === 'serve') this.#service(step, this.#flow[k]!);
      else if (step.kind !== 'end') this.#transition(step, this.#flow[k]!);
    });
    this.#choices();
    this.#alive();
    const more = this.#levels();
    this.#most = Float64Array.from([...this.#most, ...more]);
    boundVariables(this.#list.rows, this.#most);
    return {
      petri: this.#petri,
      variables: this.#most.length,
      rows: this.#list.rows,
      most: this.#most,
      bounds: this.#bounds,
      flows: this.#flow,
      traffic: (p) => this.#traffic(p),
      firings: (t) => this.#flowOf.get(t),
      active: (t) => this.#active(t),
      tokens: (p) => [this.#visible.get(p), this.#served.get(p)].filter((v) => v !== undefined),
    };
  }

  #traffic(place: number): ReturnType<LinearRows['traffic']> {
    const [arrivals, departures] = [new Map<number, number>(), new Map<number, number>()];
    this.#petri.transitions.forEach(({ change }, t) => {
      const v = this.#flow[t]!;
      for (const [p, n] of change)
        if (p === place && n > 0) arrivals.set(v, (arrivals.get(v) ?? 0) + n);
        else if (p === place && n < 0) departures.set(v, (departures.get(v) ?? 0) - n);
    });
    return { arrivals, departures };
  }

  #active(t: number): Active | undefined {
    const transition = this.#net.transitions[t]!;
    const { isRace, takes, delay } = transition;
    if (!isRace) {
      const busy = this.#busy.get(t);
      return busy === undefined ? undefined : { variable: busy, factor: 1, most: this.#bounds[busy]! };
    }
    const time = timeOfDelay(delay!);
    const flow = this.#flowOf.get(t);
    if (time?.isMemoryless !== true || flow === undefined) return undefined;
    const degrees = takes.map(([p, n]) => Math.floor(this.#bounds[this.#visible.get(p)!]! / n));
    return { variable: flow, factor: 1 / time.rate, most: Math.min(mostClocks(transition), ...degrees) };
  }

  /** y · M = y · m₀ for flows y; ≤ where y · m only never grows; bounds by other proofs. */
  #invariants(): void {
    const petri = this.#petri;
    const { proofs, semiflows } = this.#proofs;
    const flows = placeFlowBasis(petri, this.#stop) ?? semiflows.flows;
    for (const flow of flows) this.#list.add(flow, tokensOf(flow, petri), true);
    const covered = new Set(semiflows.flows.flatMap((flow) => [...flow.keys()]));
    if (covered.size < petri.places.length)
      for (const weights of decreasingWeights(petri, undefined, this.#stop))
        this.#list.add(weights, tokensOf(weights, petri));
    proofs.forEach((proof, p) => {
      if (proof !== undefined && !(proof.by === 'weights' && proof.constant)) this.#list.add([[p, 1]], proof.bound);
    });
    // Firings in progress reserve room (S8a).
    this.#net.places.forEach(({ capacity }, p) => {
      if (capacity === undefined) return;
      const own = [this.#visible.get(p), this.#served.get(p)].filter((v) => v !== undefined);
      const reserved = this.#net.transitions.flatMap(({ puts }, t): Weighted[] => {
        const busy = this.#busy.get(t);
        const brought = puts.find(([q]) => q === p)?.[1] ?? 0;
        return busy === undefined ? [] : [[busy, brought]];
      });
      this.#list.add([...own.map((v): Weighted => [v, 1]), ...reserved], capacity);
    });
  }

  /** As many tokens arrive as leave; at least as many where they may pile up, or be removed by resets. */
  #balance(): void {
    const { places, transitions } = this.#petri;
    const rows = places.map((): Weighted[] => []);
    const isReset = new Uint8Array(places.length);
    transitions.forEach(({ change, resets }, t) => {
      for (const [p, n] of change) rows[p]!.push([this.#flow[t]!, -n]);
      for (const p of resets) isReset[p] = 1;
    });
    for (const [p, row] of rows.entries()) {
      const balance = this.#bounds[p] === Number.POSITIVE_INFINITY ? this.#balanceOf(p) : 'equal';
      if (balance !== 'saturated') this.#list.add(row, 0, balance === 'equal' && isReset[p] === 0);
    }
  }

  #transition(step: PetriTransition, flow: number): void {
    if (step.needs.some(([p, n]) => this.#bounds[p]! < n)) return void this.#list.add([[flow, 1]], 0);
    const t = this.#net.transitions[step.node]!;
    if (t.isRace) return void this.#race(step, t, flow);
    // A start that is enabled happens before time passes (S10).
    const enabled = enabledLine(step, this.#bounds);
    if (enabled !== undefined) this.#list.addRounded(enabled.terms, -enabled.constant);
    if (t.delay === undefined) return;
    const time = timeOfDelay(t.delay);
    if (time !== undefined) this.#list.little(this.#busy.get(step.node)!, flow, time);
  }

  #race(step: PetriTransition, t: TimedTransition, flow: number): void {
    const time = timeOfDelay(t.delay!);
    if (time === undefined) return;
    const isSteady = this.#clocks.isPersistent(step, t);
    const takes = t.takes.map(([p, n]): Weighted => [this.#visible.get(p)!, n]);
    const clocks = mostClocks(t);
    const degree = Math.min(clocks, ...takes.map(([p, n]) => Math.floor(this.#bounds[p]! / n)));
    // Clocks that run out may be the short ones of many; not so without memory, if all are equal, and if none is lost.
    if (time.isMemoryless || time.isConstant || isSteady) {
      // Clocks = flow × time.
      if (clocks < Number.POSITIVE_INFINITY) this.#list.addRounded([[flow, time.low]], time.rate * clocks);
      for (const [p, n] of takes)
        this.#list.addRounded(
          [
            [flow, time.low * n],
            [p, -time.rate],
          ],
          0,
        );
      for (const [p, n] of step.needs)
        if (degree < Number.POSITIVE_INFINITY && t.reads.some(([q]) => this.#visible.get(q) === p))
          this.#list.addRounded(
            [
              [flow, time.low * n],
              [p, -time.rate * degree],
            ],
            0,
          );
    }
    if (!(time.isMemoryless || isSteady)) return;
    const atLeast = (terms: readonly Weighted[], constant: number): void =>
      this.#list.addRounded(
        [[flow, -time.high], ...terms.map(([p, c]): Weighted => [p, time.rate * c])],
        -time.rate * constant,
      );
    const enabled = enabledLine(step, this.#bounds);
    if (enabled !== undefined) atLeast(enabled.terms, enabled.constant);
    if (clocks === 1 || t.reads.length > 0 || step.limits.length > 0) return;
    if (clocks < Number.POSITIVE_INFINITY) {
      const [[p, n], other] = takes as [Weighted, Weighted | undefined];
      const most = Math.floor(this.#bounds[p]! / n);
      if (other !== undefined || most === Number.POSITIVE_INFINITY) return;
      // min(c, x) is concave: at least x · min(1, c / b) for 0 ≤ x ≤ b.
      const share = Math.min(1, clocks / most);
      return void atLeast([[p, share / n]], (share * (1 - n)) / n);
    }
    for (const [k, own] of takes.entries()) {
      const others = takes.filter((_, i) => i !== k);
      const line = degreeLine(own, others, this.#bounds);
      if (line !== undefined) atLeast(line.terms, line.constant);
    }
  }

  /** Services keep their servers busy while tokens wait. */
  #service({ node, needs }: PetriTransition, flow: number): void {
    const { service } = this.#net.places[node]!;
    if (service === undefined || service.kind === 'max-min') return;
    const time = timeOfDelay(service.time);
    if (time === undefined) return;
    const tokens = needs[0]![0];
    if (service.kind === 'is') return void this.#list.little(tokens, flow, time);
    const { servers, kind } = service as Exclude<StationService, { kind: 'is' }>;
    const bound = this.#bounds[tokens]!;
    const isBounded = bound < Number.POSITIVE_INFINITY;
    // With too much work, an order that interrupts completes the short services only.
    if (!(isBounded || kind === 'fcfs' || time.isMemoryless || time.isConstant)) return;
    this.#list.addRounded([[flow, time.low]], time.rate * servers);
    this.#list.addRounded(
      [
        [flow, time.low],
        [tokens, -time.rate],
      ],
      0,
    );
    if (isBounded && bound > 0)
      this.#list.addRounded(
        [
          [flow, -time.high],
          [tokens, time.rate * Math.min(1, servers / bound)],
        ],
        0,
      );
  }

  /** In a net without deadlock, a clock runs or a firing or service is in progress at every time. */
  #alive(): void {
    const terms: Weighted[] = [];
    for (const [k, step] of this.#petri.transitions.entries()) {
      const { kind, node } = step;
      if (kind === 'end' || kind === 'serve') terms.push([step.needs[0]![0], -1]);
      else if (kind === 'fire' && this.#net.transitions[node]!.isRace) {
        const t = this.#net.transitions[node]!;
        const time = timeOfDelay(t.delay!);
        // Clocks that are lost count only where the mean number of clocks follows from the firings.
        if (time === undefined || !(time.isMemoryless || this.#clocks.isPersistent(step, t))) return;
        terms.push([this.#flow[k]!, -(time.high / time.rate) * (1 + SLACK)]);
      }
    }
    const prover = new StructuralProver(this.#net.net, { stop: this.#stop, effort: PROOF_EFFORT });
    const property = questionOf(this.#net.net, deadlockFree);
    if (prover.prove(property)?.value === true) this.#list.addRounded(terms, -1);
  }

  /** Rows about the distribution of single places. Returns the bounds of their variables. */
  #levels(): readonly number[] {
    const more: number[] = [];
    if (this.#most.length > MAX_WITH_LEVELS) return more;
    levelRows({
      petri: this.#petri,
      bounds: this.#bounds,
      semiflows: this.#proofs.semiflows,
      flow: this.#flow,
      clocks: this.#petri.transitions.map((step) => this.#clocks.memoryless(step)),
      variable: (most) => this.#most.length + more.push(most) - 1,
      add: (terms, most, isEquation) => this.#list.add(terms, most, isEquation),
      addRounded: (terms, most) => this.#list.addRounded(terms, most),
    });
    return more;
  }

  /** Transitions that are enabled together are chosen in proportion to their weights or, as races without memory, to their rates. */
  #choices(): void {
    const groups = new Map<string, { readonly flow: number; readonly chance: number; readonly declared: boolean }[]>();
    this.#petri.transitions.forEach(({ kind, node, needs, limits }, k) => {
      if (kind === 'end' || kind === 'serve' || limits.length > 0) return;
      const t = this.#net.transitions[node]!;
      const time = t.isRace ? timeOfDelay(t.delay!) : undefined;
      if (t.isRace && time?.isMemoryless !== true) return;
      const own = t.isRace ? ['race', mostClocks(t), sorted(t.takes)] : ['start', t.priority];
      const key = JSON.stringify([own, needs]);
      const list = groups.get(key) ?? [];
      list.push({
        flow: this.#flow[k]!,
        chance: time?.rate ?? t.weight ?? 1,
        declared: t.isRace || t.weight !== undefined,
      });
      groups.set(key, list);
    });
    for (const group of groups.values()) {
      const first = group.find((one) => one.declared);
      if (first === undefined) continue;
      for (const other of group)
        if (other !== first)
          this.#list.add(
            [
              [first.flow, other.chance],
              [other.flow, -first.chance],
            ],
            0,
            true,
          );
    }
  }
}

const sorted = (list: readonly Weighted[]): Weighted[] => [...list].sort(([a], [b]) => a - b);
