import type { Net } from '../../../net/net.ts';
import type { Petri } from '../../petri/petri.ts';
import {
  type Allocate,
  type Classified,
  type Firing,
  type MarkedTokens,
  type MarkingView,
  type Numbers,
  numbersBelow,
  type StateGraph,
  type StateSpace,
  type StepGraph,
  separately,
  type Truncation,
} from '../state-space.ts';
import { OUT_INTS } from './growing-memory.ts';
import { PackedStates, type PackedStore } from './packed-states.ts';
import { levelsOf } from './step-code.ts';

/** Current state of a packed exploration. */
export interface PackedProgress extends PackedStore {
  readonly states: number;
  readonly expanded: number;
  readonly edges: number;
  /** The limit that ended the exploration early, if any. */
  readonly truncation: Truncation | undefined;
  readonly depthFirst: boolean;
  readonly bytes: number;
  readonly seconds: number;
  /** First state of each known distance. */
  levels(): number[];
}

/** The states found by a packed exploration. */
export class PackedSpace implements StateSpace {
  readonly #of: PackedProgress;
  readonly #states: PackedStates;
  /** By net place and by net transition: the places and the starts (or firings) of the unfolded net. */
  readonly #places: readonly number[][];
  readonly #starts: readonly number[][];
  /** Transitions by priority level, highest first. */
  readonly #levels: readonly (readonly number[])[];
  #maxima: { states: number; perMarking: number; inPlace: number } | undefined;

  constructor(of: PackedProgress) {
    this.#of = of;
    this.#states = new PackedStates(of);
    const { petri } = of;
    this.#places = petri.net.places.map(() => []);
    petri.places.forEach(({ kind, node }, p) => {
      if (kind !== 'busy') this.#places[node]!.push(p);
    });
    this.#starts = petri.net.transitions.map(() => []);
    petri.transitions.forEach(({ level, node }, t) => {
      if (level !== undefined) this.#starts[node]!.push(t);
    });
    this.#levels = levelsOf(petri).starts;
  }

  get net(): Net {
    return this.#of.petri.net;
  }

  get states(): number {
    return this.#of.states;
  }

  get expanded(): number {
    return this.#of.expanded;
  }

  get edges(): number {
    return this.#of.edges;
  }

  get complete(): boolean {
    return this.#of.expanded === this.#of.states;
  }

  get truncation(): Truncation | undefined {
    return this.complete ? undefined : this.#of.truncation;
  }

  get order(): 'breadth' | 'depth' {
    return this.#of.depthFirst ? 'depth' : 'breadth';
  }

  get levels(): readonly number[] {
    return this.#of.depthFirst ? [] : this.#of.levels();
  }

  get bytes(): number {
    return this.#of.bytes;
  }

  get seconds(): number {
    return this.#of.seconds;
  }

  get maxTokensPerMarking(): number {
    return this.#maximum().perMarking;
  }

  get maxTokensInPlace(): number {
    return this.#maximum().inPlace;
  }

  /** Maxima over all states; cached, so only states found since the last call are visited. O(new states × places). */
  #maximum(): { perMarking: number; inPlace: number } {
    const { states } = this;
    if (this.#maxima?.states === states) return this.#maxima;
    const { places } = this.#of.petri;
    // The number of each colour of each place: its tokens in the place and in its service are added.
    const numbers = new Map<string, number>();
    const colourOf = places.map(({ kind, node, values }) => {
      if (kind === 'busy') return -1;
      const key = `${node}:${values.join()}`;
      if (!numbers.has(key)) numbers.set(key, numbers.size);
      return numbers.get(key)!;
    });
    const sums = new Float64Array(numbers.size);
    const { states: known = 0, perMarking = 0, inPlace = 0 } = this.#maxima ?? {};
    const maxima = { states, perMarking, inPlace };
    this.#states.eachCounts(known, states, (counts) => {
      sums.fill(0);
      let all = 0;
      for (let p = 0; p < counts.length; p++) {
        const tokens = counts[p]!;
        const colour = colourOf[p]!;
        if (tokens === 0 || colour < 0) continue;
        all += tokens;
        sums[colour]! += tokens;
        if (sums[colour]! > maxima.inPlace) maxima.inPlace = sums[colour]!;
      }
      if (all > maxima.perMarking) maxima.perMarking = all;
    });
    this.#maxima = maxima;
    return maxima;
  }

  tokens(places: readonly number[], from: number, to: number): Float64Array {
    const sums = new Float64Array(to - from);
    for (const p of places) this.#states.add(this.#places[p]!, from, to, sums);
    return sums;
  }

  classes(nodes: readonly Classified[], count: number): (from: number, to: number) => Float64Array[] {
    const { petri } = this.#of;
    const key = (kind: string, node: number): string => `${kind === 'busy' ? kind : 'place'} ${node}`;
    const classified = new Map(nodes.map((one) => [key(one.kind, one.node), one]));
    const bindings = new Map(
      petri.transitions.flatMap(({ kind, needs, binding }) =>
        kind === 'end' ? [[needs[0]![0], binding] as const] : [],
      ),
    );
    const members = Array.from({ length: count }, (): number[] => []);
    petri.places.forEach(({ kind, node, values }, p) => {
      const one = classified.get(key(kind, node));
      if (one === undefined) return;
      const value = kind === 'busy' ? bindings.get(p)![one.by] : values[columnOf(petri, node, one.by)];
      const found = one.classOf(value!);
      if (found !== undefined) members[found]!.push(p);
    });
    return (from, to) =>
      members.map((list) => {
        const sums = new Float64Array(to - from);
        this.#states.add(list, from, to, sums);
        return sums;
      });
  }

  enabled(transitions: readonly number[], from: number, to: number): Uint8Array {
    const wanted = new Set(transitions.flatMap((t) => this.#starts[t]!));
    const result = new Uint8Array(to - from);
    const higher = new Uint8Array(to - from);
    this.#levels.forEach((list, k) => {
      const own = new Uint8Array(to - from);
      this.#states.canHappen(
        list.filter((t) => wanted.has(t)),
        from,
        to,
        own,
      );
      for (let s = 0; s < own.length; s++) if (own[s] === 1 && higher[s] === 0) result[s] = 1;
      if (k < this.#levels.length - 1) this.#states.canHappen(list, from, to, higher);
    });
    return result;
  }

  neverEnabled(
    transitions: readonly number[],
    from: number,
    to: number,
    within: (state: number) => boolean = () => true,
  ): number[] {
    const nodes = this.#of.petri.transitions;
    const isSeen = new Uint8Array(this.net.transitions.length);
    const wanted = new Uint8Array(this.net.transitions.length);
    for (const t of transitions) wanted[t] = 1;
    let remaining = transitions.length;
    const left = this.#levels.map((list) => Int32Array.from(list.filter((t) => wanted[nodes[t]!.node] === 1)));
    const size = left.map((list) => list.length);
    this.#states.eachState(from, to, (state, isEnabled) => {
      if (remaining === 0 || !within(state)) return;
      for (let level = 0; level < left.length; level++) {
        const list = left[level]!;
        let kept = 0;
        for (let k = 0, end = size[level]!; k < end; k++) {
          const t = list[k]!;
          const { node } = nodes[t]!;
          if (isSeen[node] === 1) continue;
          if (isEnabled(t)) {
            isSeen[node] = 1;
            remaining--;
          } else list[kept++] = t;
        }
        size[level] = kept;
        if (level < left.length - 1 && this.#levels[level]!.some(isEnabled)) return;
      }
    });
    return transitions.filter((t) => isSeen[t] === 0);
  }

  outDegree(from: number, to: number): Int32Array {
    return this.#states.outDegree(from, to);
  }

  firings(state: number): Firing[] {
    const { transitions } = this.#of.petri;
    return this.#states.firings(state).map(({ transition, target }) => {
      const { kind, node, binding } = transitions[transition]!;
      return { kind, node, binding, target };
    });
  }

  marking(state: number): MarkingView {
    const { petri } = this.#of;
    const counts = this.#states.counts(state);
    const places = petri.net.places.map((): MarkedTokens[] => []);
    const busy: MarkingView['busy'][number][] = [];
    petri.places.forEach(({ kind, node, values }, p) => {
      const count = counts[p]!;
      if (count === 0) return;
      if (kind !== 'busy') places[node]!.push({ values, count, where: kind });
      else busy.push({ transition: node, binding: this.#bindingOf(p), count });
    });
    return { places: places.flatMap((tokens, place) => (tokens.length === 0 ? [] : [{ place, tokens }])), busy };
  }

  #bindingOf(busy: number): Readonly<Record<string, number>> {
    return this.#of.petri.transitions.find((t) => t.kind === 'end' && t.needs[0]![0] === busy)!.binding;
  }

  graph(bytes: number = Infinity, stop?: () => boolean): StateGraph | undefined {
    const { states, expanded, edges } = this;
    if (this.#of.depthFirst && !this.complete) return undefined;
    if (graphBytes(states, edges) > bytes) return undefined;
    const found = packedGraph(this.#of, states, expanded, edges, stop);
    if (found === undefined) return undefined;
    const { start, target } = found;
    return { states, edges: found.edges, start, target: (edge) => target[edge]! };
  }

  stepGraph(stop: () => boolean = () => false, allocate: Allocate = separately): StepGraph | undefined {
    const { states, edges } = this;
    const steps = this.#of.petri.transitions.map(({ kind, node, binding }) => ({ kind, node, binding }));
    const step = numbersBelow(steps.length, edges, allocate);
    const found = packedGraph(this.#of, states, states, edges, stop, allocate, step);
    return found && { ...found, step, steps };
  }
}

function columnOf({ columns }: Petri, node: number, name: string): number {
  return columns[node]!.findIndex((c) => c.name === name);
}

/** States per kernel call. */
const SLICE = 4096;

/**
 * The edges of the first `expanded` of `states` states, found in a second pass that looks up every successor again. Undefined
 * if `stop` ended it.
 *
 * @param step room for the transition of each edge, if wanted
 */
function packedGraph(
  store: PackedStore,
  states: number,
  expanded: number,
  edges: number,
  stop: () => boolean = () => false,
  allocate: Allocate = separately,
  step?: Numbers,
): Omit<StepGraph, 'step' | 'steps'> | undefined {
  const { kernel, memory, runs } = store;
  const Offsets = edges < 2 ** 32 ? Uint32Array : Float64Array;
  const starts = allocate((states + 1) * Offsets.BYTES_PER_ELEMENT);
  const start = new Offsets(starts.buffer, starts.byteOffset, states + 1);
  const targets = allocate(4 * edges);
  const target = new Int32Array(targets.buffer, targets.byteOffset, edges);
  const out = memory.outAt / 4;
  const room = OUT_INTS - SLICE;
  let filled = 0;
  const stateOf = runs.states();
  let state = 0;
  for (const [first, end] of runs.ranges(0, expanded, SLICE))
    for (let slot = first; slot < end; ) {
      if (stop()) return undefined;
      const done = kernel.call['link']!(slot, end, room);
      const { ints } = memory;
      let at = out;
      for (let k = 0; k < done - slot; k++) {
        start[state++] = filled;
        const last = at + ints[out + room + k]!;
        if (stateOf === undefined && expanded === states) {
          filled += last - at;
          at = last;
          continue;
        }
        for (; at < last; at++) {
          const slotOf = ints[at]!;
          if (slotOf < 0) continue;
          if (step !== undefined) step[filled] = ints[at + OUT_INTS]!;
          target[filled++] = stateOf === undefined ? slotOf : stateOf[slotOf]!;
        }
      }
      // Every target of a complete space is stored.
      if (stateOf === undefined && expanded === states) {
        target.set(ints.subarray(out, at), filled - (at - out));
        step?.set(ints.subarray(out + OUT_INTS, at + OUT_INTS), filled - (at - out));
      }
      slot = done;
    }
  start.fill(filled, expanded);
  return { states, edges: filled, start, target };
}

/** Size of the graph in bytes. */
const graphBytes = (states: number, edges: number): number => 4 * edges + (edges < 2 ** 32 ? 4 : 8) * (states + 1);
