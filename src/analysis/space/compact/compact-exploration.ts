import { compileKernel } from '../../../kernel/kernel.ts';
import { provedBounds } from '../../flows/place-proofs.ts';
import type { Petri } from '../../petri/petri.ts';
import { memoryLimit } from '../budget.ts';
import { tooManyTokens } from '../check-limits.ts';
import { explorerSource } from '../packed/explorer-source.ts';
import { canHappen, happen } from '../packed/groups.ts';
import { EXTRA_WORDS, HashWords } from '../packed/hash-words.ts';
import { ENTRY_WORDS } from '../packed/hashed-code.ts';
import { type PackedLayout, pack, packedLayout, unpack } from '../packed/layout.ts';
import { PackedKernel } from '../packed/packed-kernel.ts';
import { levelsOf, NotPackable } from '../packed/step-code.ts';
import { MANY_STEPS, StepPlan } from '../packed/step-plan.ts';
import type { Exploration, ExploreOptions, Sequences, Truncation } from '../state-space.ts';
import { CompactMemory, MAX_ENTRIES, MAX_FULL, tableBytes } from './compact-memory.ts';
import { type CompactProgress, CompactSpace, Window } from './compact-space.ts';
import { Predecessors } from './predecessors.ts';

/** States per kernel call: small at first, so that optimised machine code is used as soon as it is available. */
const FIRST_SLICE = 256;
const LARGEST_SLICE = 1 << 14;
/** Milliseconds after which a slice is too long. */
const LONG_SLICE = 50;
/** Load factor at which the table is doubled. */
const DOUBLE_AT = 0.8;
/** Bits of a count. The hashes of two counts differ if their difference is less than 2³¹ − 1. */
const COUNT_BITS = 30;
/** Rows of the search for paths between two looks at the limits. */
const REPEATED = 1 << 14;

/** Settings that only tests choose. */
interface Inner {
  /** The prime of both hashes; smaller ones cause collisions. */
  readonly prime?: number;
  /** Number of transitions from which on their steps are read from a table instead of compiled. */
  readonly manySteps?: number;
}

/**
 * Breadth-first exploration with hash compaction (Wolper & Leroy 1993; Stern & Dill 1995): the table holds 62 bits of hash for each
 * state found, and markings are held for the frontier only. A collision of hashes hides a state; every state found is reachable.
 */
export class CompactExploration implements Exploration, CompactProgress {
  readonly petri: Petri;
  readonly memory: CompactMemory;
  readonly runs: Window = new Window();
  readonly isHashed = true;
  readonly depthFirst = false;
  readonly space: CompactSpace;
  readonly bits: number;
  layout!: PackedLayout;
  kernel!: PackedKernel;
  order!: readonly number[];
  states = 1;
  expanded = 0;
  edges = 0;
  seconds = 0;
  truncation: Truncation | undefined;
  readonly #hashes: HashWords;
  readonly #manySteps: number;
  readonly #bounds: readonly number[];
  readonly #widths: number[];
  readonly #options: ExploreOptions;
  readonly #limit: number;
  readonly #max: number;
  #predecessors = new Predecessors();
  #levels: number[] = [0];
  #levelEnd = 1;
  #slice = FIRST_SLICE;
  #mostBytes = 0;
  /** Set if the table must grow before more states can be stored. */
  #crowded = false;
  /** True while the search is repeated for paths; its limits are then those of the caller. */
  #repeats = false;

  /**
   * @throws NotPackable as the packed exploration
   * @throws InputError RUN013 if a place may hold 2³⁰ tokens or more
   */
  constructor(petri: Petri, options: ExploreOptions, { prime, manySteps = MANY_STEPS }: Inner = {}) {
    this.petri = petri;
    this.#options = options;
    this.#manySteps = manySteps;
    this.#hashes = new HashWords(petri.places.length, String(options.seed ?? 1), prime);
    this.bits = this.#hashes.bits;
    this.#limit = memoryLimit(options) - process.memoryUsage.rss();
    this.#max = options.maxStates ?? Number.POSITIVE_INFINITY;
    this.#bounds = provedBounds(petri);
    this.#widths = petri.places.map(() => 0);
    this.#arrange();
    this.memory = new CompactMemory(StepPlan.size(petri, manySteps));
    this.memory.growTo(1, this.layout.words);
    this.#begin();
    this.space = new CompactSpace(this);
  }

  /** At most so far: the frontier shrinks towards the end. */
  get bytes(): number {
    this.#mostBytes = Math.max(this.#mostBytes, this.#bytesNow);
    return this.#mostBytes;
  }

  levels(): number[] {
    return this.states > this.#levelEnd ? [...this.#levels, this.#levelEnd] : [...this.#levels];
  }

  advance(states: number): boolean {
    const begin = performance.now();
    const until = this.expanded + states;
    this.#forget();
    this.#room();
    while (this.expanded < until && !this.#finished()) {
      this.#check();
      if (this.truncation !== undefined) break;
      this.#widen(Math.min(until, this.#levelEnd));
    }
    this.seconds += (performance.now() - begin) / 1000;
    if (!this.#repeats) this.#options.progress?.(this.space);
    return !this.#finished();
  }

  /**
   * For each of these states the transitions of the unfolded net on a path to it: the search is repeated up to the last of them, and
   * the markings on the paths are noted. Ends the exploration: only its numbers can be read afterwards.
   */
  readonly sequences: Sequences = (goals, stop) => {
    const { states, expanded, edges, seconds, truncation } = this;
    const levels = [this.#levels, this.#levelEnd] as const;
    // Without a step no search is repeated, and the initial marking is still held.
    if (goals.every((goal) => goal === 0)) return goals.map(() => []);
    const paths = this.#predecessors.paths(goals);
    const on = [...new Set(paths.flat())].sort((a, b) => a - b);
    this.#predecessors = new Predecessors();
    this.#repeats = true;
    this.memory.clear();
    this.#begin();
    const noted = new Map<number, Float64Array>();
    let next = 0;
    for (let more = true; more; more = !stop()) {
      for (; next < on.length && on[next]! < this.states; next++) noted.set(on[next]!, this.#counts(on[next]!));
      if (next === on.length) break;
      this.advance(REPEATED);
    }
    Object.assign(this, { states, expanded, edges, seconds });
    this.truncation = truncation;
    [this.#levels, this.#levelEnd] = levels;
    this.runs.first = states;
    if (next < on.length) return undefined;
    return paths.map((path) => path.slice(1).map((to, k) => this.#between(noted.get(path[k]!)!, noted.get(to)!)));
  };

  /** The transition that leads from one marking to the other. */
  #between(from: Float64Array, to: Float64Array): number {
    const { transitions } = this.petri;
    const { starts, others } = levelsOf(this.petri);
    const leads = (t: number): boolean => {
      const after = from.slice();
      happen(transitions[t]!, after);
      return after.every((count, p) => count === to[p]);
    };
    const isEnabled = (t: number): boolean => canHappen(transitions[t]!, from);
    const able = [...(starts.find((list) => list.some(isEnabled)) ?? []), ...others].filter(isEnabled);
    return able.find(leads) ?? fault('no step leads to the next state of a path');
  }

  #counts(state: number): Float64Array {
    const counts = new Float64Array(this.petri.places.length);
    const row = this.runs.slotOf(state) * this.layout.words;
    unpack(this.layout, this.memory.ints, this.memory.arenaAt / 4 + row, counts);
    return counts;
  }

  /** The initial marking, whose hashes are 0, in an empty table. */
  #begin(): void {
    this.#start(1, 0);
    this.runs.first = 0;
    [this.states, this.expanded, this.edges] = [1, 0, 0];
    this.truncation = undefined;
    [this.#levels, this.#levelEnd, this.#slice, this.#crowded] = [[0], 1, FIRST_SLICE, false];
    const counts = this.petri.places.map((p) => p.initial);
    pack(this.layout, counts, this.memory.ints.subarray(this.memory.arenaAt / 4));
    this.kernel.call['insert']!(-(2 ** 31), 0);
  }

  #finished(): boolean {
    return this.truncation !== undefined || this.expanded === this.states;
  }

  #check(): void {
    if (this.#repeats) return;
    const { cancelled, seconds, budget } = this.#options;
    const exceeded = budget?.exceeded;
    if (cancelled?.() === true) this.truncation = 'interrupted';
    else if (exceeded !== undefined) this.truncation = exceeded;
    else if (seconds !== undefined && this.seconds >= seconds) this.truncation = 'time';
    else if (this.bytes > this.#limit) this.truncation = 'memory';
  }

  /** Gives up the rows of expanded states once they are the larger part, so that each row is moved at most once on average. */
  #forget(): void {
    const { kernel, memory, runs, expanded } = this;
    const rows = kernel.get('next');
    const gone = expanded - runs.first;
    if (2 * gone < rows) return;
    const { words } = this.layout;
    const base = memory.arenaAt / 4;
    memory.ints.copyWithin(base, base + gone * words, base + rows * words);
    runs.first = expanded;
    kernel.set('next', rows - gone);
    kernel.set('end', Math.max(rows - gone, kernel.get('end') - gone));
  }

  /** Expands the next states of one distance. */
  #widen(to: number): void {
    const { kernel, runs } = this;
    const from = runs.slotOf(this.expanded);
    const end = runs.slotOf(Math.min(to, this.expanded + this.#slice));
    const begun = performance.now();
    const before = kernel.get('next');
    kernel.set('found', 0);
    const done = kernel.call['expand']!(from, end);
    this.edges += kernel.get('found');
    this.expanded += done - from;
    this.#note(before, kernel.get('next'));
    const overflow = kernel.get('overflow');
    if (overflow !== 0) this.#grow(overflow - 1);
    else if (kernel.get('full') !== 0) {
      kernel.set('full', 0);
      // A run of entries may have reached the end of the table before the rows ran out.
      this.#crowded = kernel.get('next') < kernel.get('end');
      this.#room();
    } else if (performance.now() - begun > LONG_SLICE) this.#slice = Math.max(1, this.#slice >> 1);
    else this.#slice = Math.min(LARGEST_SLICE, this.#slice * 2);
    if (this.expanded < this.#levelEnd || this.states === this.#levelEnd) return;
    this.#levels.push(this.#levelEnd);
    this.#levelEnd = this.states;
  }

  /** Notes the predecessors of the states in new rows. */
  #note(from: number, to: number): void {
    const { words } = this.layout;
    const { ints, arenaAt } = this.memory;
    const { first } = this.runs;
    for (let row = from, at = arenaAt / 4 + (from + 1) * words - 1; row < to; row++, at += words)
      this.#predecessors.add(first + ints[at]! / words);
    this.states += to - from;
  }

  get #bytesNow(): number {
    const rows = this.kernel.get('next');
    return tableBytes(this.memory.entries) + 4 * rows * this.layout.words + this.#predecessors.bytes;
  }

  get #bytesLeft(): number {
    return Math.min(this.#limit - this.#bytesNow, this.#options.budget?.bytesLeft ?? Number.POSITIVE_INFINITY);
  }

  /** Makes room for more states, or sets the truncation. */
  #room(): void {
    const { kernel, memory } = this;
    while (this.truncation === undefined) {
      const next = kernel.get('next');
      if (!this.#crowded && next < kernel.get('end')) return;
      if (this.states >= this.#max) {
        this.truncation = 'states';
        return;
      }
      const { entries } = memory;
      const isLast = 2 * entries > MAX_ENTRIES || tableBytes(2 * entries) - tableBytes(entries) > this.#bytesLeft;
      const fill = isLast ? MAX_FULL : DOUBLE_AT;
      const left = Math.min(this.#max, Math.floor(entries * fill)) - this.states;
      if (this.#crowded || left <= 0) {
        if (isLast || !this.#double()) this.truncation = 'memory';
        continue;
      }
      const { words } = this.layout;
      const rows = Math.floor(this.#bytesLeft / (4 * words));
      if (rows < 1 || !memory.growTo(next + 1, words)) this.truncation = 'memory';
      else kernel.set('end', Math.min(next + left, next + rows, memory.rows(words)));
    }
  }

  /** A table of twice the size; false if memory is missing. */
  #double(): boolean {
    const { memory } = this;
    const next = this.kernel.get('next');
    const { entries } = memory;
    const tail = memory.double(next, this.layout.words);
    if (tail === undefined) return false;
    this.#start(next, next);
    this.#crowded = false;
    const { call } = this.kernel;
    let failed = call['rehash']!(0, entries);
    for (let k = 0; k < tail.length; k += ENTRY_WORDS)
      if (tail[k] !== 0) failed |= call['insert']!(tail[k]!, tail[k + 1]!);
    if (failed !== 0) fault('a run of entries reaches the end of the table');
    return true;
  }

  /** Doubles the bits of all places without a proved bound. Hashes do not depend on the layout, so only rows are packed again. */
  #grow(place: number): void {
    const old = this.layout;
    const { bits } = old.fields[place]!;
    if (bits >= COUNT_BITS) this.#tooMany(place);
    for (const p of this.#widths.keys()) this.#widths[p] = Math.min(COUNT_BITS, Math.max(this.#widths[p]!, 2 * bits));
    const { kernel, memory } = this;
    const next = kernel.get('next');
    try {
      this.#arrange();
      this.#start(next, next);
    } catch (e) {
      if (!(e instanceof NotPackable)) throw e;
      this.#tooMany(place);
    }
    const { words } = this.layout;
    if (!memory.growTo(next, words)) {
      this.truncation = 'memory';
      return;
    }
    const { ints, arenaAt } = memory;
    const base = arenaAt / 4;
    const counts = new Float64Array(this.petri.places.length);
    for (let row = next - 1; row >= 0; row--) {
      const end = base + (row + 1) * old.words;
      const extra = ints.slice(end - EXTRA_WORDS, end);
      unpack(old, ints, base + row * old.words, counts);
      const to = base + row * words;
      pack(this.layout, counts, ints.subarray(to, to + words));
      ints.set(extra, to + words - EXTRA_WORDS);
    }
  }

  #arrange(): void {
    const { places, transitions } = this.petri;
    const changes = new Set(transitions.flatMap((t) => [...t.change.map(([p]) => p), ...t.resets]));
    const requests = places.map(({ initial }, p) => ({
      initial,
      changes: changes.has(p),
      // A proved bound beyond the bits of a count is no bound: additions are guarded then.
      bound: this.#bounds[p]! < 2 ** COUNT_BITS ? this.#bounds[p]! : Number.POSITIVE_INFINITY,
      bits: this.#widths[p]!,
    }));
    const large = requests.findIndex(({ changes, initial }) => changes && initial >= 2 ** COUNT_BITS);
    if (large >= 0) this.#tooMany(large);
    const layout = packedLayout(requests);
    this.layout = { ...layout, words: layout.words + EXTRA_WORDS };
  }

  /** @throws InputError RUN013 */
  #tooMany(place: number): never {
    const { net, places } = this.petri;
    const { kind, node } = places[place]!;
    return tooManyTokens(
      kind === 'busy' ? `transition ${net.transitions[node]!.name}` : `place ${net.places[node]!.name}`,
      2 ** COUNT_BITS - 1,
    );
  }

  /** Compiles the kernel for the current layout and addresses. New states get the rows next … end − 1. */
  #start(next: number, end: number): void {
    const { memory } = this;
    const { text, order, plan } = explorerSource(this.petri, this.layout, memory, false, this.#manySteps, this.#hashes);
    this.order = order;
    memory.ints.set(plan, memory.planAt / 4);
    this.kernel = new PackedKernel(compileKernel(text).module, memory.memory);
    this.kernel.set('next', next);
    this.kernel.set('end', end);
    this.kernel.set('mask', ENTRY_WORDS * memory.entries - 1);
  }
}

function fault(message: string): never {
  throw new Error(`internal error: ${message}`);
}
