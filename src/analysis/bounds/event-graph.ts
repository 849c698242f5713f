import type { Problem } from '../../base/problem.ts';
import type { StationService } from '../../net/net.ts';
import {
  constantDelay,
  kindOfDelay,
  mostClocks,
  type TimedNet,
  type TimedPlace,
  type TimedTransition,
} from './timed-net.ts';

/** Something that happens again and again: the firings of a transition, or the services of a place. */
export interface EventNode {
  readonly name: string;
  /** Index in the timed net; undefined for the services of a place. */
  readonly transition: number | undefined;
}

/**
 * Event k of `to` takes `takes` tokens that events of `from` bring, `gives` each time and `time` seconds after they begin; there
 * are `tokens` at first.
 */
export interface EventEdge {
  readonly from: number;
  readonly to: number;
  readonly gives: number;
  readonly takes: number;
  readonly tokens: number;
  readonly time: number;
  /** Words for what holds the tokens. */
  readonly via: string;
}

/** A decision-free timed net as a graph of events (timed event graph, weighted). */
export interface EventGraph {
  readonly nodes: readonly EventNode[];
  readonly edges: readonly EventEdge[];
  /** Nodes that fire finitely often because a place is never filled again, with the place. */
  readonly starved: ReadonlyMap<number, string>;
}

/** The graph of events of a net without decisions; or all conditions that it violates. O(arcs). */
export function eventGraph(net: TimedNet): EventGraph | readonly Problem[] {
  const problems = violations(net);
  return problems.length > 0 ? problems : new Building(net).run();
}

/** True if it is a graph, not a list of problems. */
export const isEventGraph = (found: EventGraph | readonly Problem[]): found is EventGraph => 'nodes' in found;

interface Arcs {
  readonly producers: readonly (readonly number[])[];
  readonly consumers: readonly (readonly number[])[];
  readonly readers: readonly (readonly number[])[];
}

function arcsOf({ places, transitions }: TimedNet): Arcs {
  const lists = (): number[][] => places.map(() => []);
  const [producers, consumers, readers] = [lists(), lists(), lists()];
  transitions.forEach((t, k) => {
    for (const [p] of t.puts) producers[p]!.push(k);
    for (const [p] of t.takes) consumers[p]!.push(k);
    for (const [p] of t.reads) readers[p]!.push(k);
  });
  return { producers, consumers, readers };
}

function violations(net: TimedNet): Problem[] {
  const { places, transitions } = net;
  const { producers, consumers, readers } = arcsOf(net);
  const problems: Problem[] = [];
  const refuse = (part: string, message: string): void =>
    void problems.push({ code: 'BND002', message, place: { part } });
  const names = (list: readonly number[]): string => list.map((t) => `"${transitions[t]!.name}"`).join(', ');
  places.forEach((place, p) => {
    const part = `place ${place.name}`;
    if (consumers[p]!.length > 1)
      refuse(part, `is a decision: it has several transitions that take from it, ${names(consumers[p]!)}`);
    if (producers[p]!.length > 1)
      refuse(
        part,
        `has several transitions that put into it, ${names(producers[p]!)}: their order depends on the times`,
      );
    const read = transitions.find((t) => t.reads.some(([q, n]) => q === p && n > place.initial));
    if (readers[p]!.length > 0 && (consumers[p]!.length > 0 || read !== undefined))
      refuse(part, `is read by ${names(readers[p]!)}, whose firings depend on the times at which it is marked`);
    const why = serviceFault(place);
    if (why !== undefined) refuse(part, why);
    const [producer] = producers[p]!;
    if (place.capacity === undefined || producer === undefined || consumers[p]![0] === producer) return;
    const { name, isRace } = transitions[producer]!;
    if (isRace && mostClocks(transitions[producer]!) > 1)
      refuse(
        part,
        `has a capacity, and the clocks of race "${name}" run also where it has less room than firings (S9a): give the race a single server, or a delay without a race`,
      );
  });
  for (const t of transitions) {
    const part = `transition ${t.name}`;
    if (t.inhibits.length > 0) refuse(part, 'has an inhibitor arc');
    if (t.resets.length > 0) refuse(part, 'has a reset arc');
    if (constantDelay(t.delay) === undefined) refuse(part, `has ${kindOfDelay(t.delay!)}: its delay must be constant`);
  }
  return problems;
}

function serviceFault({ service }: TimedPlace): string | undefined {
  if (service === undefined) return undefined;
  if (service.kind === 'max-min') return 'has a max-min service';
  // Equal constant times: any order without interruptions completes tokens at the times of first come, first served.
  const isOrdered =
    service.kind === 'is' || service.kind === 'fcfs' || (service.kind === 'priority' && !service.preemptive);
  if (!isOrdered) return `has the service "${service.kind}", which interrupts or shares`;
  return constantDelay(service.time) === undefined
    ? `has a service time with ${kindOfDelay(service.time)}: it must be constant`
    : undefined;
}

class Building {
  readonly #net: TimedNet;
  readonly #nodes: EventNode[];
  readonly #edges: EventEdge[] = [];
  readonly #starved = new Map<number, string>();

  constructor(net: TimedNet) {
    this.#net = net;
    this.#nodes = net.transitions.map(({ name }, transition) => ({ name, transition }));
  }

  run(): EventGraph {
    const { places, transitions } = this.#net;
    const arcs = arcsOf(this.#net);
    for (const [p, place] of places.entries()) this.#place(place, p, arcs.producers[p]![0], arcs.consumers[p]![0]);
    for (const [k, t] of transitions.entries()) {
      const clocks = mostClocks(t);
      if (t.isRace && clocks < Number.POSITIVE_INFINITY)
        this.#loop(
          k,
          clocks,
          constantDelay(t.delay)!,
          `the ${clocks === 1 ? 'clock' : `${clocks} clocks`} of ${t.name}`,
        );
    }
    return { nodes: this.#nodes, edges: this.#edges, starved: this.#starved };
  }

  #place(place: TimedPlace, p: number, producer: number | undefined, consumer: number | undefined): void {
    const { name, initial } = place;
    if (consumer !== undefined) {
      const takes = weightOf(this.#net.transitions[consumer]!.takes, p);
      if (producer === undefined) this.#starved.set(consumer, name);
      else {
        const giver = this.#net.transitions[producer]!;
        const from = {
          from: producer,
          gives: weightOf(giver.puts, p),
          time: constantDelay(giver.delay)!,
          tokens: initial,
          via: name,
        };
        this.#served(place, from, consumer, takes);
      }
    }
    this.#capacity(place, p, producer, consumer);
  }

  /** The edge of a place; with a service through a node that has a cycle for its servers. */
  #served({ name, service }: TimedPlace, from: Omit<EventEdge, 'to' | 'takes'>, to: number, takes: number): void {
    if (service === undefined) this.#edges.push({ ...from, to, takes });
    else {
      const station = service as StationService;
      const time = constantDelay(station.time)!;
      if (station.kind === 'is') this.#edges.push({ ...from, time: from.time + time, to, takes });
      else {
        const node = this.#nodes.push({ name: `service of ${name}`, transition: undefined }) - 1;
        this.#edges.push(
          { ...from, to: node, takes: 1 },
          { from: node, to, gives: 1, takes, tokens: 0, time, via: name },
        );
        this.#loop(node, station.servers, time, `servers of ${name}`);
      }
    }
  }

  /** A capacity becomes a place of free room. The producer takes room at its start (S8a); the consumer returns as much as it takes tokens. */
  #capacity(place: TimedPlace, p: number, producer: number | undefined, consumer: number | undefined): void {
    if (place.capacity === undefined || producer === undefined || producer === consumer) return;
    const via = `room in ${place.name}`;
    if (consumer === undefined) return void this.#starved.set(producer, via);
    const taker = this.#net.transitions[consumer]!;
    this.#edges.push({
      from: consumer,
      to: producer,
      gives: weightOf(taker.takes, p),
      takes: weightOf(this.#net.transitions[producer]!.puts, p),
      tokens: place.capacity - place.initial,
      time: taker.isRace ? constantDelay(taker.delay)! : 0,
      via,
    });
  }

  #loop(node: number, servers: number, time: number, via: string): void {
    this.#edges.push({ from: node, to: node, gives: 1, takes: 1, tokens: servers, time, via });
  }
}

const weightOf = (arcs: TimedTransition['takes'], place: number): number => arcs.find(([p]) => p === place)![1];
