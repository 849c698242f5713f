import { InputError, type Problem } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import { components } from '../petri/components.ts';
import { maximumCycleRatio } from './cycle-ratio.ts';
import { type EventEdge, type EventGraph, eventGraph, isEventGraph } from './event-graph.ts';
import { decimals, doubleOf, isLess, plus, type Ratio, ratio, ratioText, ZERO } from './exact-ratio.ts';
import { type Expansion, expansion } from './expansion.ts';
import { type TimedNet, timedNet } from './timed-net.ts';

/** An exact figure: its double, and the fraction as text, such as `7/3`. */
export interface ExactFigure {
  readonly value: number;
  readonly exact: string;
}

/** A step of a critical cycle: a transition, and the place in which the next one finds its token. */
export interface CycleStep {
  readonly transition: string;
  /** The place that leads to the next step; `room in p` for the capacity of p, `the clock of t` for a race with one server. */
  readonly place: string;
  /** Seconds from this step to the next one. */
  readonly seconds: number;
  /** Number of tokens between this step and the next one. */
  readonly tokens: number;
}

/** A set of transitions that wait for each other, and so fire in fixed proportions. */
export interface CycleComponent {
  readonly transitions: readonly string[];
  /** Seconds in which every transition fires `firings` times, were the component alone; absent if it stops. */
  readonly cycleTime?: ExactFigure;
  /** Firings of each transition in this time. */
  readonly firings: readonly number[];
  /** The cycle that takes longest for each of its tokens, or that has none. */
  readonly criticalCycle?: readonly CycleStep[];
  /**
   * The limit of the throughput: `cycle`, the slowest cycle of the component; `input`, a component that feeds it; `deadlock`, a cycle
   * without tokens; `starved`, a place that is never filled again.
   */
  readonly limitedBy: 'cycle' | 'input' | 'deadlock' | 'starved';
  /** For `input` and `starved`, the place. */
  readonly place?: string;
}

/** Exact speed of a net without decisions and with constant delays. */
export interface CycleTimes {
  /** Seconds between firings of the slowest transition that fires forever; absent if every transition stops. */
  readonly cycleTime?: ExactFigure;
  /** By transition of the net, in its order: firings per second in the long run. */
  readonly transitions: readonly { readonly name: string; readonly throughput: number; readonly exact: string }[];
  /** Components, those that feed others first. */
  readonly components: readonly CycleComponent[];
}

/**
 * The exact long-run speed of a timed net without decisions (a timed marked graph, weights allowed), by its maximum cycle ratio. Delays
 * count as the decimals that they are written as, so that results are fractions without rounding.
 *
 * @throws InputError BND001 no delays, BND002 with every condition that is violated, BND003 an iteration is too long, BND004 firings
 * without time, UNF001 … nets that cannot be unfolded
 */
export function cycleTime(net: Net): CycleTimes {
  const timed = timedNet(net);
  const graph = eventGraph(timed);
  if (!isEventGraph(graph)) throw new InputError(graph as readonly Problem[]);
  return cycleTimesOf(net, timed, graph);
}

/** As {@link cycleTime}, for a graph that has been made. */
export function cycleTimesOf(net: Net, timed: TimedNet, graph: EventGraph): CycleTimes {
  const rates = new Rates(graph);
  rates.run();
  const sums = net.transitions.map(() => ZERO);
  graph.nodes.forEach(({ transition }, k) => {
    if (transition === undefined) return;
    const origin = timed.transitions[transition]!.origin;
    sums[origin] = plus(sums[origin]!, rates.of[k]!);
  });
  const slowest = sums
    .filter((r) => r.numerator > 0n)
    .reduce<Ratio | undefined>((a, b) => (a === undefined || isLess(b, a) ? b : a), undefined);
  return {
    ...(slowest === undefined
      ? {}
      : { cycleTime: figure({ numerator: slowest.denominator, denominator: slowest.numerator }) }),
    transitions: net.transitions.map(({ name }, t) => ({
      name,
      throughput: doubleOf(sums[t]!),
      exact: ratioText(sums[t]!),
    })),
    components: rates.components,
  };
}

const figure = (r: Ratio): ExactFigure => ({ value: doubleOf(r), exact: ratioText(r) });

/** Firings per second of each node, component by component. */
class Rates {
  /** By node. */
  readonly of: Ratio[];
  readonly components: CycleComponent[] = [];
  readonly #graph: EventGraph;
  /** The times of all edges as integers of one power of ten seconds. */
  readonly #times: readonly bigint[];
  readonly #exponent: number;

  constructor(graph: EventGraph) {
    this.#graph = graph;
    const { integers, exponent } = decimals(graph.edges.map((e) => e.time));
    this.#times = integers;
    this.#exponent = exponent;
    this.of = graph.nodes.map(() => ZERO);
  }

  run(): void {
    const { nodes, edges } = this.#graph;
    const start = new Uint32Array(nodes.length + 1);
    for (const { from } of edges) start[from + 1]!++;
    for (let v = 0; v < nodes.length; v++) start[v + 1]! += start[v]!;
    const fill = start.slice();
    const target = new Uint32Array(edges.length);
    for (const { from, to } of edges) target[fill[from]!++] = to;
    const found = components({ states: nodes.length, edges: edges.length, start, target: (e) => target[e]! });
    const members = Array.from({ length: found.count }, (): number[] => []);
    for (let v = 0; v < nodes.length; v++) members[found.of[v]!]!.push(v);
    const inside = Array.from({ length: found.count }, (): number[] => []);
    const into = Array.from({ length: found.count }, (): number[] => []);
    for (const [e, { from, to }] of edges.entries())
      (found.of[from] === found.of[to] ? inside : into)[found.of[to]!]!.push(e);
    // Edges lead to smaller numbers: those that feed others come first.
    for (let c = found.count - 1; c >= 0; c--) this.#component(members[c]!, inside[c]!, into[c]!);
  }

  #component(members: readonly number[], inside: readonly number[], into: readonly number[]): void {
    const { nodes, edges, starved } = this.#graph;
    const number = new Map(members.map((v, k) => [v, k]));
    const own = inside.map((e): EventEdge => {
      const edge = edges[e]!;
      return { ...edge, from: number.get(edge.from)!, to: number.get(edge.to)! };
    });
    const names = members.map((v) => nodes[v]!.name);
    const expanded = expansion(members.length, own, names[0]!);
    const common = {
      transitions: members.flatMap((v) => (nodes[v]!.transition === undefined ? [] : [nodes[v]!.name])),
      firings: members.flatMap((v, k) => (nodes[v]!.transition === undefined ? [] : [expanded.repetitions[k]!])),
    };
    const steps = (cycle: readonly number[]): CycleStep[] =>
      cycle.map((k) => {
        const { from, tokens, edge } = expanded.edges[k]!;
        const transition = names[expanded.nodeOf[from]!]!;
        if (edge < 0) return { transition, place: `order of ${transition}`, seconds: 0, tokens };
        return { transition, place: own[edge]!.via, seconds: own[edge]!.time, tokens };
      });
    const dry = members.find((v) => starved.has(v));
    const stuck = cycleWithoutTokens(expanded);
    if (stuck !== undefined)
      return void this.components.push({ ...common, criticalCycle: steps(stuck), limitedBy: 'deadlock' });
    if (dry !== undefined)
      return void this.components.push({ ...common, limitedBy: 'starved', place: starved.get(dry)! });
    // Iterations per second; undefined: no limit yet.
    let rate: Ratio | undefined;
    let input: EventEdge | undefined;
    for (const e of into) {
      const edge = edges[e]!;
      const { numerator, denominator } = this.of[edge.from]!;
      const n = expanded.repetitions[number.get(edge.to)!]!;
      const fed = ratio(numerator * BigInt(edge.gives), denominator * BigInt(edge.takes) * BigInt(n));
      if (rate === undefined || isLess(fed, rate)) [rate, input] = [fed, edge];
    }
    const cycle = own.length === 0 ? undefined : this.#critical(expanded, inside);
    let ownTime: Ratio | undefined;
    if (cycle !== undefined) {
      ownTime = this.#seconds(cycle.ratio);
      const { numerator, denominator } = ownTime;
      if (numerator > 0n && (rate === undefined || !isLess(rate, { numerator: denominator, denominator: numerator })))
        [rate, input] = [{ numerator: denominator, denominator: numerator }, undefined];
    }
    if (rate === undefined) throw endless(names[0]!);
    members.forEach((v, k) => {
      this.of[v] = ratio(rate.numerator * BigInt(expanded.repetitions[k]!), rate.denominator);
    });
    this.components.push({
      ...common,
      ...(ownTime === undefined ? {} : { cycleTime: figure(ownTime) }),
      ...(cycle === undefined ? {} : { criticalCycle: steps(cycle.cycle) }),
      ...(input === undefined ? { limitedBy: 'cycle' } : { limitedBy: 'input', place: input.via }),
    });
  }

  #critical({ firings, edges }: Expansion, inside: readonly number[]): ReturnType<typeof maximumCycleRatio> {
    return maximumCycleRatio({
      nodes: firings,
      from: Int32Array.from(edges, (e) => e.from),
      to: Int32Array.from(edges, (e) => e.to),
      time: edges.map((e) => (e.edge < 0 ? 0n : this.#times[inside[e.edge]!]!)),
      tokens: Float64Array.from(edges, (e) => e.tokens),
    });
  }

  #seconds({ numerator, denominator }: Ratio): Ratio {
    const power = 10n ** BigInt(Math.abs(this.#exponent));
    return this.#exponent < 0 ? ratio(numerator, denominator * power) : ratio(numerator * power, denominator);
  }
}

function endless(transition: string): InputError {
  return new InputError([
    {
      code: 'BND004',
      message: 'fires without end at one instant: no cycle through it takes time. Give one of its transitions a delay',
      place: { part: `transition ${transition}` },
    },
  ]);
}

/** A cycle of edges without tokens: none of its firings can be the first. O(edges). */
function cycleWithoutTokens({ firings, edges }: Expansion): number[] | undefined {
  const waits = new Int32Array(firings);
  const next = Array.from({ length: firings }, (): number[] => []);
  edges.forEach(({ from, to, tokens }, e) => {
    if (tokens > 0) return;
    waits[to]!++;
    next[from]!.push(e);
  });
  const free = [...waits.keys()].filter((v) => waits[v] === 0);
  for (const v of free) for (const e of next[v]!) if (--waits[edges[e]!.to]! === 0) free.push(edges[e]!.to);
  if (free.length === firings) return undefined;
  // Every firing that is left waits for another one that is left.
  const before = new Map<number, number>();
  edges.forEach(({ from, to, tokens }, e) => {
    if (tokens === 0 && waits[from]! > 0 && waits[to]! > 0) before.set(to, e);
  });
  const seen = new Map<number, number>();
  const path: number[] = [];
  let v = waits.findIndex((n) => n > 0);
  while (!seen.has(v)) {
    seen.set(v, path.length);
    const e = before.get(v)!;
    path.push(e);
    v = edges[e]!.from;
  }
  return path.slice(seen.get(v)!).reverse();
}
