import { compileKernel } from '../../../kernel/kernel.ts';
import { provedBounds } from '../../flows/place-proofs.ts';
import type { Petri } from '../../petri/petri.ts';
import { memoryLimit } from '../budget.ts';
import { tooManyTokens } from '../check-limits.ts';
import type { Exploration, ExploreOptions, Truncation } from '../state-space.ts';
import { explorerSource } from './explorer-source.ts';
import { fitsInitially, MAX_BITS, type PackedLayout, pack, packedLayout, unpack } from './layout.ts';
import { PackedKernel } from './packed-kernel.ts';
import { FIRST_ROOM, FIRST_TABLE, PackedMemory } from './packed-memory.ts';
import { PackedPool } from './packed-pool.ts';
import { type PackedProgress, PackedSpace } from './packed-space.ts';
import { Runs } from './runs.ts';
import { BLOCK, MAX_THREADS } from './shared-work.ts';
import { NotPackable } from './step-code.ts';
import { MANY_STEPS, StepPlan } from './step-plan.ts';

/** States per kernel call: small at first, so that optimised machine code is used as soon as it is available. */
const FIRST_SLICE = 256;
const LARGEST_SLICE = 1 << 15;
/** States per work piece that threads share. */
const PIECE = 256;
/** Minimum number of states at one distance to be shared among threads. */
const WORTH_SHARING = 1 << 11;

/** After this number of field overflows, all fields are widened at once. */
const WIDEN_ALL_EVERY = 8;
/** From this number of transitions on, each overflow widens all fields: compiling takes longer than testing wider rows. */
const COMPILES_LONG = 2000;

/** Milliseconds after which a slice is too long. */
const LONG_SLICE = 50;

/** Maximum load factor of the hash table. */
const MAX_FULL = 0.75;

/**
 * Explores with packed markings and compiled steps. If many states have the same distance, several threads expand them together.
 * State numbers within one distance then depend on timing; all other results do not.
 */
export class PackedExploration implements Exploration, PackedProgress {
  readonly petri: Petri;
  readonly memory: PackedMemory;
  readonly runs: Runs = new Runs();
  layout!: PackedLayout;
  kernel!: PackedKernel;
  order!: readonly number[];
  readonly space: PackedSpace;
  readonly depthFirst: boolean;
  expanded = 0;
  edges = 0;
  seconds = 0;
  truncation: Truncation | undefined;
  /** Edges found by other threads. */
  byOthers = 0;
  readonly #workers: number;
  readonly #worthSharing: number;
  readonly #manySteps: number;
  /** Started threads; `#pool` is set to them once they have taken blocks of rows. */
  #threads: PackedPool | undefined;
  #pool: PackedPool | undefined;
  #module!: WebAssembly.Module;
  readonly #bounds: readonly number[];
  readonly #bits: number[];
  readonly #options: ExploreOptions;
  readonly #limit: number;
  readonly #max: number;
  readonly #stack: number[] = [];
  #slice = FIRST_SLICE;
  readonly #levels: number[] = [0];
  #levelEnd = 1;
  #entries: number;
  #grown = 0;

  /**
   * @param worthSharing minimum number of states at one distance to be shared among threads
   * @param manySteps number of transitions from which on their steps are read from a table instead of compiled
   * @param room number of table entries for which the memory has room at first, a power of 2
   * @throws NotPackable if an initial count or a sum of counts may exceed 32 bits
   */
  constructor(
    petri: Petri,
    options: ExploreOptions,
    worthSharing: number = WORTH_SHARING,
    manySteps: number = MANY_STEPS,
    room: number = FIRST_ROOM,
  ) {
    this.#worthSharing = worthSharing;
    this.#manySteps = manySteps;
    this.petri = petri;
    this.#options = options;
    this.depthFirst = options.order === 'depth';
    this.#workers = this.depthFirst ? 1 : Math.min(options.workers ?? 1, MAX_THREADS);
    this.#limit = memoryLimit(options) - process.memoryUsage.rss();
    this.#max = options.maxStates ?? Number.POSITIVE_INFINITY;
    this.#bounds = provedBounds(petri);
    this.#bits = petri.places.map(() => 0);
    this.#arrange();
    const states = this.#max + 2 * BLOCK * (this.#workers - 1);
    this.memory = new PackedMemory(this.#workers, states, this.layout.words, StepPlan.size(petri, manySteps), room);
    this.#entries = Math.min(2 ** FIRST_TABLE, room);
    this.memory.growTo(1, this.layout.words);
    if (this.#workers > 1) this.#threads = new PackedPool(this.#workers, this.memory);
    this.#start(1, 0);
    this.#threads?.waitUntilReady();
    const counts = petri.places.map((p) => p.initial);
    pack(this.layout, counts, this.memory.ints.subarray(this.memory.arenaAt / 4));
    this.kernel.set('mask', this.#entries - 1);
    this.kernel.call['rehash']!(0, 1);
    this.runs.add(0, 1);
    this.space = new PackedSpace(this);
    if (this.depthFirst) this.#stack.push(0);
  }

  get states(): number {
    return this.runs.count;
  }

  get bytes(): number {
    return this.#bytesOf(this.#entries);
  }

  /** First state of each known distance. */
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
    if (!this.#finished()) return true;
    this.#threads?.end();
    this.#threads = this.#pool = undefined;
    return false;
  }

  #finished(): boolean {
    return this.truncation !== undefined || this.expanded === this.states;
  }

  #check(): void {
    const { cancelled, seconds, budget } = this.#options;
    const exceeded = budget?.exceeded;
    if (cancelled?.() === true) this.truncation = 'interrupted';
    else if (exceeded !== undefined) this.truncation = exceeded;
    else if (seconds !== undefined && this.seconds >= seconds) this.truncation = 'time';
    else if (this.bytes > this.#limit) this.truncation = 'memory';
  }

  /** Expands the next states in breadth-first order. */
  #widen(until: number): void {
    const to = Math.min(until, this.#levelEnd);
    const room = this.#max - this.states > 2 * BLOCK * this.#workers;
    if (this.#workers > 1 && room && to - this.expanded >= this.#worthSharing) this.#together(to);
    else this.#alone(Math.min(to, this.expanded + this.#slice));
    if (this.expanded < this.#levelEnd || this.states === this.#levelEnd) return;
    this.#levels.push(this.#levelEnd);
    this.#levelEnd = this.states;
  }

  #alone(to: number): void {
    const [from, end] = this.runs.ranges(this.expanded, to)[0]!;
    const begun = performance.now();
    const done = this.#expand(from, end);
    this.expanded += done - from;
    // Limits are looked at between slices: those of wide markings with many steps must not grow.
    if (performance.now() - begun > LONG_SLICE) this.#slice = Math.max(1, this.#slice >> 1);
    else if (done === end) this.#slice = Math.min(LARGEST_SLICE, this.#slice * 2);
  }

  /** Expands the states up to `to` with all threads. */
  #together(to: number): void {
    this.#pool ??= this.#gather();
    const before = this.edges;
    let left: readonly (readonly [number, number])[] = this.runs.ranges(this.expanded, to, PIECE);
    while (left.length > 0) {
      const given = this.#pool.rows + (this.#max - this.states);
      const phase = this.#pool.expand(left, this.kernel, this.#entries - 1, Math.min(this.#rowsEnd(), given));
      ({ left } = phase);
      let overflow = 0;
      for (const [thread, report] of phase.reports.entries()) {
        this.edges += report.found;
        if (thread > 0) this.byOthers += report.found;
        for (const [slot, count] of report.runs) this.runs.add(slot, count);
        overflow ||= report.overflow;
      }
      if (overflow !== 0) this.#grow(overflow - 1);
      else if (left.length > 0) {
        if (this.#rowsEnd() < given) this.#double();
        else this.truncation = 'states';
      }
      this.#check();
      if (this.truncation === undefined || left.length === 0) continue;
      // Some of these states were expanded, but the phase is incomplete, so its edges are not counted.
      this.edges = before;
      return;
    }
    this.expanded = to;
  }

  /** From here on, every thread takes blocks of rows. */
  #gather(): PackedPool {
    const next = this.kernel.get('next');
    this.kernel.set('end', next);
    const threads = this.#threads!;
    threads.use(this.#module, next + 1);
    return threads;
  }

  /** Expands the state found last. */
  #deepen(until: number): void {
    for (let k = 0; k < this.#slice && this.expanded < until && this.#stack.length > 0; k++) {
      const state = this.#stack.pop()!;
      const before = this.states;
      const done = this.#expand(state, state + 1) > state;
      if (done) this.expanded++;
      // Successors found by an incomplete expansion are stored; the state itself is expanded again later.
      for (let s = before; s < this.states; s++) this.#stack.push(s);
      if (!done) this.#stack.push(state);
      if (this.truncation !== undefined) return;
    }
  }

  /** Expands rows; returns the first row that was not expanded. */
  #expand(from: number, to: number): number {
    const { kernel } = this;
    const before = kernel.get('next');
    kernel.set('found', 0);
    const done = kernel.call['expand']!(from, to);
    this.edges += kernel.get('found');
    this.runs.add(before, kernel.get('next') - before);
    const overflow = kernel.get('overflow');
    if (overflow !== 0) this.#grow(overflow - 1);
    else if (kernel.get('full') !== 0) {
      kernel.set('full', 0);
      this.#room();
    }
    return done;
  }

  #bytesOf(entries: number): number {
    return 4 * (entries + (this.#pool?.rows ?? this.kernel.get('next')) * this.layout.words);
  }

  /** Maximum number of rows, limited by the table and the memory. */
  #rowsEnd(): number {
    return Math.min(this.memory.maxStates(this.layout.words), Math.floor(this.#entries * MAX_FULL));
  }

  /** Rows that the memory limit allows beyond those that are written. */
  get #rowsLeft(): number {
    const bytes = Math.min(this.#limit - this.bytes, this.#options.budget?.bytesLeft ?? Number.POSITIVE_INFINITY);
    return Math.floor(bytes / (4 * this.layout.words));
  }

  /** Makes room for more states, or sets the truncation. */
  #room(): void {
    while (this.truncation === undefined) {
      const { kernel } = this;
      const next = kernel.get('next');
      if (next < kernel.get('end')) return;
      const max = this.#max - this.states;
      if (max <= 0) this.truncation = 'states';
      else if (this.#pool === undefined) {
        const end = Math.min(this.#rowsEnd(), next + max);
        if (end <= next) this.#double();
        else if (this.#rowsLeft < 1 || !this.memory.growTo(next + 1, this.layout.words)) this.truncation = 'memory';
        else kernel.set('end', Math.min(end, next + this.#rowsLeft, this.memory.rows(this.layout.words)));
      } else if (this.#rowsLeft < BLOCK) this.truncation = 'memory';
      else {
        const row = this.#pool.takeRows(this.#rowsEnd());
        if (row === undefined) this.#double();
        else {
          kernel.set('next', row);
          kernel.set('end', row + Math.min(BLOCK - 1, max));
        }
      }
    }
  }

  #double(): void {
    const twice = 2 * this.#entries;
    const full = this.memory.maxStates(this.layout.words) <= Math.floor(this.#entries * MAX_FULL);
    const room = this.#options.budget?.bytesLeft ?? Number.POSITIVE_INFINITY;
    const more = 4 * (twice - this.#entries);
    const next = this.kernel.get('next');
    const moves = !this.memory.holds(twice);
    if (
      full ||
      twice > this.memory.maxEntries ||
      this.#bytesOf(twice) > this.#limit ||
      more > room ||
      (moves && !this.memory.moveArena(twice, next, this.layout.words))
    ) {
      this.truncation = 'memory';
      return;
    }
    if (moves) this.#start(next, next);
    this.#entries = twice;
    this.#rehash();
  }

  #rehash(): void {
    const at = this.memory.tableAt / 4;
    this.memory.ints.fill(0, at, at + this.#entries);
    this.kernel.set('mask', this.#entries - 1);
    if (this.#pool === undefined)
      for (const [from, to] of this.runs.ranges(0, this.states)) this.kernel.call['rehash']!(from, to);
    else this.#pool.rehash(this.runs.ranges(0, this.states, LARGEST_SLICE), this.kernel, this.#entries - 1);
  }

  /**
   * Doubles the bits of a place whose count overflowed; after some overflows, widens all places to that size. All states are
   * repacked in place, from the last row backwards.
   */
  #grow(place: number): void {
    const old = this.layout;
    if (old.fields[place]!.bits === MAX_BITS) this.#tooMany(place);
    const [next, end] = [this.kernel.get('next'), this.kernel.get('end')];
    const bits = 2 * old.fields[place]!.bits;
    this.#bits[place] = bits;
    const every = this.petri.transitions.length < COMPILES_LONG ? WIDEN_ALL_EVERY : 1;
    if (++this.#grown % every === 0) for (const p of this.#bits.keys()) this.#bits[p] = Math.max(this.#bits[p]!, bits);
    try {
      this.#arrange();
      this.#start(next, end);
    } catch (e) {
      if (!(e instanceof NotPackable)) throw e;
      this.#tooMany(place);
    }
    const { words } = this.layout;
    const rows = this.#pool?.rows ?? next;
    const fits = rows <= this.memory.maxStates(words) && this.memory.growTo(rows, words);
    this.kernel.set('end', Math.min(end, this.memory.rows(words)));
    this.#pool?.use(this.#module);
    if (!fits) {
      this.truncation = 'memory';
      return;
    }
    const { ints, arenaAt } = this.memory;
    const base = arenaAt / 4;
    const counts = new Float64Array(this.petri.places.length);
    const ranges = this.runs.ranges(0, this.states).sort(([a], [b]) => b - a);
    for (const [from, to] of ranges)
      for (let row = to - 1; row >= from; row--) {
        unpack(old, ints, base + row * old.words, counts);
        pack(this.layout, counts, ints.subarray(base + row * words, base + (row + 1) * words));
      }
    this.#rehash();
  }

  #arrange(): void {
    const { places, transitions } = this.petri;
    const changes = new Set(transitions.flatMap((t) => [...t.change.map(([p]) => p), ...t.resets]));
    const requests = places.map(({ initial }, p) => ({
      initial,
      changes: changes.has(p),
      bound: this.#bounds[p]!,
      bits: this.#bits[p]!,
    }));
    if (!requests.every(fitsInitially)) throw new NotPackable('the initial count of a place exceeds 31 bits');
    this.layout = packedLayout(requests);
  }

  /** @throws InputError RUN013 */
  #tooMany(place: number): never {
    const { net, places } = this.petri;
    const { kind, node } = places[place]!;
    return tooManyTokens(
      kind === 'busy' ? `transition ${net.transitions[node]!.name}` : `place ${net.places[node]!.name}`,
    );
  }

  /** Compiles the kernel for the current layout and addresses. New states get the rows next … end − 1. */
  #start(next: number, end: number): void {
    const { text, order, plan } = explorerSource(
      this.petri,
      this.layout,
      this.memory,
      this.#workers > 1,
      this.#manySteps,
    );
    this.order = order;
    this.memory.ints.set(plan, this.memory.planAt / 4);
    this.#module = compileKernel(text, { shared: this.#workers > 1 }).module;
    this.kernel = new PackedKernel(this.#module, this.memory.memory);
    this.kernel.set('next', next);
    this.kernel.set('end', end);
  }
}
