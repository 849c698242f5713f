import { compileKernel } from '../../../kernel/kernel.ts';
import type { Net } from '../../../net/net.ts';
import { memoryLimit } from '../memory-limit.ts';
import type { Petri } from '../petri.ts';
import type {
  Exploration,
  ExploreOptions,
  Firing,
  MarkedTokens,
  MarkingView,
  StateGraph,
  StateSpace,
  Truncation,
} from '../state-space.ts';
import { type ExplorerText, explorerText } from './explorer-text.ts';
import { type PackedLayout, pack, packedLayout, unpack } from './layout.ts';
import { graphBytes, packedGraph } from './packed-graph.ts';
import { PackedKernel } from './packed-kernel.ts';
import { FIRST_TABLE, PackedMemory } from './packed-memory.ts';
import { PackedStates, type PackedStore } from './packed-states.ts';
import { placeBounds } from './place-bounds.ts';
import { levelsOf } from './step-code.ts';

/** States of one call of the kernel: few at first, so that its better code is used as soon as it is there. */
const FIRST_SLICE = 256;
const LARGEST_SLICE = 1 << 15;

/** A table is at most so full. */
const MOST_FULL = 0.75;

/** Explores with packed markings and compiled steps, in one thread. */
export class PackedExploration implements Exploration, PackedStore {
  readonly petri: Petri;
  readonly memory: PackedMemory;
  layout!: PackedLayout;
  kernel!: PackedKernel;
  order!: readonly number[];
  readonly space: PackedSpace;
  readonly #levels: number[] = [0];
  readonly depthFirst: boolean;
  readonly #bounds: readonly number[];
  readonly #bits: number[];
  readonly #options: ExploreOptions;
  readonly #limit: number;
  readonly #stack: number[] = [];
  #slice = FIRST_SLICE;
  #levelEnd = 1;
  #entries = 2 ** FIRST_TABLE;
  expanded = 0;
  edges = 0;
  seconds = 0;
  truncation: Truncation | undefined;

  /** @throws NotPackable where a sum of counts may exceed 32 bits */
  constructor(petri: Petri, options: ExploreOptions) {
    this.petri = petri;
    this.#options = options;
    this.depthFirst = options.order === 'depth';
    this.#limit = memoryLimit(options) - process.memoryUsage.rss();
    this.#bounds = placeBounds(petri);
    this.#bits = petri.places.map(() => 0);
    const text = this.#arrange();
    this.memory = new PackedMemory(false, options.maxStates ?? Infinity, this.layout.words);
    this.#start(text);
    const counts = petri.places.map((p) => p.initial);
    pack(this.layout, counts, this.memory.ints.subarray(this.memory.arenaAt / 4));
    this.kernel.set('next', 1);
    this.kernel.set('mask', this.#entries - 1);
    this.kernel.call['rehash']!(0, 1);
    this.space = new PackedSpace(this);
    if (this.depthFirst) this.#stack.push(0);
  }

  get states(): number {
    return this.kernel.get('next');
  }

  get bytes(): number {
    return this.#bytesOf(this.#entries, this.states);
  }

  slotOf(state: number): number {
    return state;
  }

  stateOf(slot: number): number {
    return slot;
  }

  levels(): number[] {
    return this.states > this.#levelEnd ? [...this.#levels, this.#levelEnd] : [...this.#levels];
  }

  advance(states: number): boolean {
    const begin = performance.now();
    const until = this.expanded + states;
    this.#room();
    while (this.expanded < until && !this.#finished()) {
      this.#check();
      if (this.truncation !== undefined) break;
      if (this.depthFirst) this.#deepen(until);
      else this.#widen(until);
    }
    this.seconds += (performance.now() - begin) / 1000;
    this.#options.progress?.(this.space);
    return !this.#finished();
  }

  #finished(): boolean {
    return this.truncation !== undefined || this.expanded === this.states;
  }

  #check(): void {
    const { cancelled, seconds } = this.#options;
    if (cancelled?.() === true) this.truncation = 'interrupted';
    else if (seconds !== undefined && this.seconds >= seconds) this.truncation = 'time';
    else if (this.bytes > this.#limit) this.truncation = 'memory';
  }

  /** The next states in the order in which they were found. */
  #widen(until: number): void {
    const to = Math.min(until, this.expanded + this.#slice, this.#levelEnd);
    const done = this.#expand(this.expanded, to);
    this.expanded = done;
    if (done === to) this.#slice = Math.min(LARGEST_SLICE, this.#slice * 2);
    if (this.expanded === this.#levelEnd && this.states > this.#levelEnd) {
      this.#levels.push(this.#levelEnd);
      this.#levelEnd = this.states;
    }
  }

  /** The state that was found last. */
  #deepen(until: number): void {
    for (let k = 0; k < this.#slice && this.expanded < until && this.#stack.length > 0; k++) {
      const state = this.#stack.at(-1)!;
      const before = this.states;
      if (this.#expand(state, state + 1) === state) {
        if (this.truncation !== undefined) return;
        // What was found by then is stored: it comes before what the second try finds.
        this.#stack.pop();
        for (let s = before; s < this.states; s++) this.#stack.push(s);
        this.#stack.push(state);
        continue;
      }
      this.#stack.pop();
      this.expanded++;
      for (let s = before; s < this.states; s++) this.#stack.push(s);
    }
  }

  /** Returns the first state that is not expanded. */
  #expand(from: number, to: number): number {
    const { kernel } = this;
    kernel.set('found', 0);
    const done = kernel.call['expand']!(from, to);
    this.edges += kernel.get('found');
    const overflow = kernel.get('overflow');
    if (overflow !== 0) this.#grow(overflow - 1);
    else if (kernel.get('full') !== 0) {
      kernel.set('full', 0);
      this.#room();
    }
    return done;
  }

  #bytesOf(entries: number, states: number): number {
    return 4 * (entries + states * this.layout.words);
  }

  /** Lets the kernel store more states, or says why not. */
  #room(): void {
    const { maxStates = Infinity } = this.#options;
    const most = Math.min(maxStates, this.memory.mostStates(this.layout.words));
    while (this.states >= Math.floor(this.#entries * MOST_FULL)) {
      if (this.states >= most) break;
      const twice = 2 * this.#entries;
      if (twice > this.memory.mostEntries || this.#bytesOf(twice, this.states) > this.#limit) {
        this.truncation = 'memory';
        return;
      }
      this.#entries = twice;
      this.#rehash();
    }
    const end = Math.min(most, Math.floor(this.#entries * MOST_FULL));
    if (this.states >= end && this.kernel.get('end') === end)
      this.truncation = this.states >= maxStates ? 'states' : 'memory';
    this.kernel.set('end', end);
  }

  #rehash(): void {
    const at = this.memory.tableAt / 4;
    this.memory.ints.fill(0, at, at + this.#entries);
    this.kernel.set('mask', this.#entries - 1);
    this.kernel.call['rehash']!(0, this.states);
  }

  /** Twice as many bits for a place that outgrew its own: all states are packed anew. */
  #grow(place: number): void {
    const old = this.layout;
    const next = this.states;
    const end = this.kernel.get('end');
    this.#bits[place] = 2 * old.fields[place]!.bits;
    this.#start(this.#arrange());
    const { ints, arenaAt } = this.memory;
    const base = arenaAt / 4;
    if (next > this.memory.mostStates(this.layout.words)) {
      this.truncation = 'memory';
      return;
    }
    const counts = new Float64Array(this.petri.places.length);
    for (let s = next - 1; s >= 0; s--) {
      unpack(old, ints, base + s * old.words, counts);
      pack(this.layout, counts, ints.subarray(base + s * this.layout.words, base + (s + 1) * this.layout.words));
    }
    this.kernel.set('next', next);
    this.kernel.set('end', end);
    this.#rehash();
  }

  /** Lays markings out anew, and writes the code for them. */
  #arrange(): ExplorerText {
    const { places, transitions } = this.petri;
    const changes = new Set(transitions.flatMap((t) => [...t.change.map(([p]) => p), ...t.resets]));
    const requests = places.map(({ initial }, p) => ({
      initial,
      changes: changes.has(p),
      bound: this.#bounds[p]!,
      bits: this.#bits[p]!,
    }));
    this.layout = packedLayout(requests);
    return explorerText(this.petri, this.layout, false);
  }

  #start({ text, order }: ExplorerText): void {
    this.order = order;
    this.kernel = new PackedKernel(compileKernel(text), this.memory);
  }
}

/** The states that a packed exploration has found. */
export class PackedSpace implements StateSpace {
  readonly #of: PackedExploration;
  readonly #states: PackedStates;
  /** Places and transitions of the petri net by those of the net. */
  readonly #places: readonly number[][];
  readonly #starts: readonly number[][];
  #maxima: { states: number; perMarking: number; inPlace: number } | undefined;

  constructor(of: PackedExploration) {
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
    return this.#most().perMarking;
  }

  get maxTokensInPlace(): number {
    return this.#most().inPlace;
  }

  /** O(states × places), once. */
  #most(): { perMarking: number; inPlace: number } {
    const { states } = this;
    if (this.#maxima?.states === states) return this.#maxima;
    const { petri } = this.#of;
    const colours = new Map<string, number[]>();
    petri.places.forEach(({ kind, node, values }, p) => {
      if (kind === 'busy') return;
      const key = `${node}:${values.join()}`;
      colours.set(key, [...(colours.get(key) ?? []), p]);
    });
    const maxima = { states, perMarking: 0, inPlace: 0 };
    const chunk = 1 << 16;
    const one = new Int32Array(chunk);
    const all = new Float64Array(chunk);
    for (let from = 0; from < states; from += chunk) {
      const to = Math.min(states, from + chunk);
      all.fill(0);
      for (const places of colours.values()) {
        one.fill(0);
        this.#states.add(places, from, to, one);
        for (let k = 0; k < to - from; k++) {
          const tokens = one[k]!;
          all[k]! += tokens;
          if (tokens > maxima.inPlace) maxima.inPlace = tokens;
        }
      }
      for (let k = 0; k < to - from; k++) if (all[k]! > maxima.perMarking) maxima.perMarking = all[k]!;
    }
    this.#maxima = maxima;
    return maxima;
  }

  tokens(places: readonly number[], from: number, to: number): Int32Array {
    const sums = new Int32Array(to - from);
    for (const p of places) this.#states.add(this.#places[p]!, from, to, sums);
    return sums;
  }

  enabled(transitions: readonly number[], from: number, to: number): Uint8Array {
    const { petri } = this.#of;
    const wanted = new Set(transitions.flatMap((t) => this.#starts[t]!));
    const { starts } = levelsOf(petri);
    const result = new Uint8Array(to - from);
    const higher = new Uint8Array(to - from);
    starts.forEach((list, k) => {
      const own = new Uint8Array(to - from);
      this.#states.canHappen(
        list.filter((t) => wanted.has(t)),
        from,
        to,
        own,
      );
      for (let s = 0; s < own.length; s++) if (own[s] === 1 && higher[s] === 0) result[s] = 1;
      if (k < starts.length - 1) this.#states.canHappen(list, from, to, higher);
    });
    return result;
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

  graph(bytes: number = Infinity): StateGraph | undefined {
    const { states, expanded, edges } = this;
    if (this.#of.depthFirst && !this.complete) return undefined;
    return graphBytes(states, edges) > bytes ? undefined : packedGraph(this.#of, states, expanded, edges);
  }
}
