import { MAX_CANDIDATES, MAX_CLOCKS } from './limits.ts';
import type { Events } from './station.ts';

/** The generated code of a transition with race timing, as its clocks use it. */
export interface RaceCode {
  /** Position of the transition in the order of names. */
  readonly number: number;
  /** Maximum number of clocks at a time (S9a). */
  readonly servers: number;
  /** Treatment of dropped clocks (S9c). */
  readonly memory: 'enabling' | 'age' | 'resampling';
  readonly priority: number;
  /** Calls {@link Races.seen} for every candidate. */
  look(): void;
  /** Work of a clock that starts now: seconds at speed 1. */
  delay(binding: readonly number[]): number;
  fire(slots: readonly number[], free: readonly number[]): void;
  /** Throws for a clock that would end at infinity, after these seconds. */
  late(seconds: number): never;
  /** Told whether a clock of the race runs, after its candidates were searched; absent if nobody measures that. */
  readonly running?: (on: boolean) => void;
  /** Throws for an infinite sum of weights. */
  endless(total: number): never;
  /** Throws for too many clocks or candidates. */
  full(what: string): never;
  /** `undefined` if the transition declares no weight. */
  readonly weight?: (slots: readonly number[], free: readonly number[]) => number;
  /** `undefined` if the transition has no process, or none that may choose. */
  readonly process?: (slots: readonly number[], free: readonly number[]) => number;
}

/** A candidate of a race, identified by the colours of its tokens and its free values. */
interface Candidate {
  readonly key: string;
  /** Number of the search since which it is enabled, −1 until that is noted. */
  since: number;
  /** Number of the last search that found it. */
  seen: number;
  /** How often it could fire in a row (S9a). */
  degree: number;
  /** Work of its clocks per second (S9b). */
  speed: number;
  /** True if the last search found another speed than that of its clocks. */
  changed: boolean;
  ages: readonly number[];
  binding: readonly number[];
  slots: readonly number[];
  free: readonly number[];
  /** Clocks that are running or have expired, the oldest first. */
  clocks: number[];
}

interface Clock {
  readonly race: number;
  readonly candidate: Candidate;
  readonly order: number;
  /** Its event in the queue; −1 once it has expired. */
  node: number;
  end: number;
  /** Work per second until the end. */
  speed: number;
}

/** A stopped clock (age memory): the work left, and its number among all starts. */
interface Stopped {
  readonly work: number;
  readonly order: number;
}

/** The state of the clocks, for saving and resuming a run. */
export interface RacesState {
  readonly looks: number;
  readonly candidates: readonly (readonly [string, Omit<Candidate, 'key'>][])[];
  readonly clocks: readonly ((Omit<Clock, 'candidate'> & { readonly key: string }) | null)[];
  /** By race: the stopped clocks of each key. */
  readonly stopped: readonly (readonly [string, readonly Stopped[]])[][];
  readonly free: readonly number[];
  readonly ready: readonly number[];
}

/**
 * The clocks of transitions with race timing (S9a to S9c; Ajmone Marsan et al. 1995, §3). After a step that changes the
 * tokens on which a race depends, all candidates of the race are searched again: O(candidates) per such step.
 */
export class Races {
  readonly #code: readonly RaceCode[];
  readonly #queue: Events;
  readonly #kind: number;
  readonly #candidates: Map<string, Candidate>[];
  /** By race and key of the candidate: clocks that keep the work left, the oldest first. */
  readonly #stopped: Map<string, Stopped[]>[];
  readonly #touched: boolean[];
  /** The races that are resampled at every step. */
  readonly #resampled: readonly number[];
  #dirty: number[] = [];
  #looks = 0;
  #clocks: (Clock | undefined)[] = [];
  #free: number[] = [];
  /** Expired clocks, in the order in which they were started. */
  #ready: number[] = [];
  #stops = 0;

  /** @param kind the kind of clocks' events in the queue; an event carries the clock's number */
  constructor(code: readonly RaceCode[], queue: Events, kind: number) {
    this.#code = code;
    this.#queue = queue;
    this.#kind = kind;
    this.#candidates = code.map(() => new Map());
    this.#stopped = code.map(() => new Map());
    this.#resampled = [...code.keys()].filter((race) => code[race]!.memory === 'resampling');
    this.#touched = code.map(() => false);
  }

  /** Marks a race whose tokens have changed. */
  touch(race: number): void {
    if (this.#touched[race]) return;
    this.#touched[race] = true;
    this.#dirty.push(race);
  }

  /** Notes a candidate that the current search has found. */
  seen(
    race: number,
    key: string,
    degree: number,
    speed: number,
    ages: readonly number[],
    binding: readonly number[],
    slots: readonly number[],
    free: readonly number[],
  ): void {
    const known = this.#candidates[race]!.get(key);
    const again = known?.seen === this.#looks && known.changed;
    const changed = known !== undefined && (again || known.speed !== speed);
    const found = { degree, speed, changed, ages, binding, slots, free, seen: this.#looks };
    if (known === undefined && this.#candidates[race]!.size >= MAX_CANDIDATES)
      this.#code[race]!.full(`${MAX_CANDIDATES} candidates`);
    if (known === undefined) this.#candidates[race]!.set(key, { key, since: -1, clocks: [], ...found });
    else Object.assign(known, found);
  }

  /** After a step: drops excess clocks, changes speeds, and starts missing clocks, in canonical order (S9a to S9c). */
  settle(now: number, latest: number): void {
    for (const race of this.#resampled) this.touch(race);
    if (this.#dirty.length === 0) return;
    this.#looks++;
    const dirty = this.#dirty;
    this.#dirty = [];
    for (const race of dirty) {
      this.#touched[race] = false;
      this.#code[race]!.look();
      for (const [key, c] of this.#candidates[race]!) {
        if (c.seen !== this.#looks) {
          this.#keep(c, 0, now);
          this.#candidates[race]!.delete(key);
          continue;
        }
        this.#keep(c, this.#code[race]!.memory === 'resampling' ? 0 : c.degree, now);
        if (c.changed) for (const clock of c.clocks) this.#adjust(this.#clocks[clock]!, now, latest);
        if (c.since < 0) c.since = this.#looks;
      }
    }
    const missing = dirty.flatMap((race) => this.#missing(race));
    missing.sort((a, b) => this.#compare(a, b));
    for (const { race, candidate } of missing) this.#start(race, candidate, now, latest);
    for (const race of dirty) {
      const { running } = this.#code[race]!;
      if (running !== undefined) running([...this.#candidates[race]!.values()].some((c) => c.clocks.length > 0));
    }
  }

  /** Notes that a clock has expired. */
  ranOut(clock: number): void {
    const { order } = this.#clocks[clock]!;
    this.#clocks[clock]!.node = -1;
    let k = this.#ready.length;
    while (k > 0 && this.#clocks[this.#ready[k - 1]!]!.order > order) k--;
    this.#ready.splice(k, 0, clock);
  }

  /**
   * Fires one race with an expired clock; returns false if no clock has expired.
   *
   * @param draw draws the next number for a choice of the net
   * @param ofProcess draws the next number for a choice of a process (S15)
   */
  fire(draw: () => number, ofProcess: (process: number) => number): boolean {
    const ready = this.#ready;
    if (ready.length === 0) return false;
    let highest = Number.NEGATIVE_INFINITY;
    for (const c of ready) highest = Math.max(highest, this.#code[this.#clocks[c]!.race]!.priority);
    // Expired clocks of one candidate count once: the oldest represents them.
    const candidates = new Set<Candidate>();
    const first = ready.filter((c) => {
      const { race, candidate } = this.#clocks[c]!;
      if (this.#code[race]!.priority !== highest || candidates.has(candidate)) return false;
      candidates.add(candidate);
      return true;
    });
    const chosen = first.length > 1 ? this.#choose(first, draw, ofProcess) : first[0]!;
    ready.splice(ready.indexOf(chosen), 1);
    const { race, candidate } = this.#clocks[chosen]!;
    candidate.clocks.splice(candidate.clocks.indexOf(chosen), 1);
    candidate.since = -1;
    this.#forget(chosen);
    this.touch(race);
    this.#code[race]!.fire(candidate.slots, candidate.free);
    return true;
  }

  #choose(clocks: readonly number[], draw: () => number, ofProcess: (process: number) => number): number {
    const code = (c: number): RaceCode => this.#code[this.#clocks[c]!.race]!;
    if (clocks.every((c) => code(c).weight === undefined)) return clocks[0]!;
    const weights = clocks.map((c) => {
      const { slots, free } = this.#clocks[c]!.candidate;
      return code(c).weight?.(slots, free) ?? 1;
    });
    let total = 0;
    for (const w of weights) total += w;
    if (total === Number.POSITIVE_INFINITY) code(clocks[0]!).endless(total);
    const chosen = clocks[drawn(weights, draw() * total)]!;
    const owner = (c: number): number | undefined => {
      const { slots, free } = this.#clocks[c]!.candidate;
      return code(c).process?.(slots, free);
    };
    const process = owner(chosen);
    if (process === undefined) return chosen;
    // The process of the drawn candidate chooses again among its candidates, with its own random numbers (S15).
    const own = [...clocks.keys()].filter((k) => owner(clocks[k]!) === process);
    if (own.length < 2) return chosen;
    const ownWeights = own.map((k) => weights[k]!);
    const ownTotal = ownWeights.reduce((sum, w) => sum + w, 0);
    return clocks[own[drawn(ownWeights, ofProcess(process) * ownTotal)]!]!;
  }

  /** The candidates for which a race must start a clock, repeated for several clocks. */
  #missing(race: number): { race: number; candidate: Candidate }[] {
    const all = [...this.#candidates[race]!.values()];
    const times = (candidate: Candidate, length: number) => Array.from({ length }, () => ({ race, candidate }));
    const { servers } = this.#code[race]!;
    if (servers === Number.POSITIVE_INFINITY) return all.flatMap((c) => times(c, c.degree - c.clocks.length));
    let free = servers - all.reduce((sum, c) => sum + c.clocks.length, 0);
    if (free === 0) return [];
    // Free servers go to the candidates enabled longest.
    all.sort((a, b) => a.since - b.since || this.#compare({ race, candidate: a }, { race, candidate: b }));
    return all.flatMap((c) => {
      const served = Math.min(free, c.degree - c.clocks.length);
      free -= served;
      return times(c, served);
    });
  }

  #start(race: number, candidate: Candidate, now: number, latest: number): void {
    const code = this.#code[race]!;
    const work = this.#resumed(race, candidate.key) ?? code.delay(candidate.binding);
    const clock = this.#free.pop() ?? this.#clocks.length;
    if (clock >= MAX_CLOCKS) this.#code[race]!.full(`${MAX_CLOCKS} clocks`);
    const order = this.#queue.nextOrder();
    candidate.clocks.push(clock);
    const { speed } = candidate;
    const end = this.#end(race, now, work, speed);
    const node = this.#queue.enter(end <= latest ? now : end, order, this.#kind, clock);
    this.#clocks[clock] = { race, candidate, order, node, end, speed };
  }

  #end(race: number, now: number, work: number, speed: number): number {
    const end = now + work / speed;
    if (!(end < Number.POSITIVE_INFINITY)) this.#code[race]!.late(work / speed);
    return end;
  }

  /** Moves the end of a clock if its speed has changed. */
  #adjust(clock: Clock, now: number, latest: number): void {
    const { race, candidate, order, node, end } = clock;
    const { speed } = candidate;
    if (clock.speed === speed) return;
    clock.end = this.#end(race, now, Math.max(0, end - now) * clock.speed, speed);
    clock.speed = speed;
    if (node < 0) return;
    const number = candidate.clocks.find((c) => this.#clocks[c] === clock)!;
    this.#queue.remove(node);
    clock.node = this.#queue.enter(clock.end <= latest ? now : clock.end, order, this.#kind, number);
  }

  /** The work left of the oldest stopped clock of a candidate, which ends its stop. */
  #resumed(race: number, key: string): number | undefined {
    const stopped = this.#stopped[race]!.get(key);
    if (stopped === undefined) return undefined;
    const { work } = stopped.shift()!;
    this.#stops--;
    if (stopped.length === 0) this.#stopped[race]!.delete(key);
    return work;
  }

  /** Drops the youngest clocks of a candidate above a limit; with age memory they keep the work left. */
  #keep(candidate: Candidate, limit: number, now: number): void {
    while (candidate.clocks.length > limit) {
      const clock = candidate.clocks.pop()!;
      const { race, order, end, speed } = this.#clocks[clock]!;
      this.#stop(clock);
      const code = this.#code[race]!;
      if (code.memory !== 'age') continue;
      if (++this.#stops > MAX_CLOCKS) code.full(`${MAX_CLOCKS} stopped clocks`);
      const all = this.#stopped[race]!;
      const work = Math.max(0, end - now) * speed;
      all.set(
        candidate.key,
        [...(all.get(candidate.key) ?? []), { work, order }].sort((a, b) => a.order - b.order),
      );
    }
  }

  /** Drops a clock, running or expired. */
  #stop(clock: number): void {
    const { node } = this.#clocks[clock]!;
    if (node >= 0) this.#queue.remove(node);
    else this.#ready.splice(this.#ready.indexOf(clock), 1);
    this.#forget(clock);
  }

  #forget(clock: number): void {
    this.#clocks[clock] = undefined;
    this.#free.push(clock);
  }

  #compare(a: { race: number; candidate: Candidate }, b: { race: number; candidate: Candidate }): number {
    const [x, y] = [a.candidate, b.candidate];
    for (let k = 0; k < Math.min(x.ages.length, y.ages.length); k++)
      if (x.ages[k] !== y.ages[k]) return x.ages[k]! - y.ages[k]!;
    const names = x.ages.length - y.ages.length || this.#code[a.race]!.number - this.#code[b.race]!.number;
    if (names !== 0) return names;
    for (let k = 0; k < x.free.length; k++) if (x.free[k] !== y.free[k]) return x.free[k]! - y.free[k]!;
    return 0;
  }

  state(): RacesState {
    return {
      looks: this.#looks,
      candidates: this.#candidates.map((m) => [...m].map(([key, { key: _, ...rest }]) => [key, rest] as const)),
      clocks: this.#clocks.map((c) => {
        if (c === undefined) return null;
        const { candidate, ...rest } = c;
        return { ...rest, key: candidate.key };
      }),
      stopped: this.#stopped.map((m) => [...m]),
      free: this.#free,
      ready: this.#ready,
    };
  }

  restore(state: RacesState): void {
    this.#looks = state.looks;
    state.candidates.forEach((list, race) => {
      for (const [key, rest] of list) this.#candidates[race]!.set(key, { key, ...rest, clocks: [...rest.clocks] });
    });
    this.#clocks = state.clocks.map((c) =>
      c === null ? undefined : { ...c, candidate: this.#candidates[c.race]!.get(c.key)! },
    );
    state.stopped.forEach((list, race) => {
      for (const [key, stopped] of list) {
        this.#stopped[race]!.set(key, [...stopped]);
        this.#stops += stopped.length;
      }
    });
    this.#free = [...state.free];
    this.#ready = [...state.ready];
  }
}

/** Index of the first weight whose running sum exceeds `at`; the last if none does. */
function drawn(weights: readonly number[], at: number): number {
  let sum = 0;
  const k = weights.findIndex((w) => {
    sum += w;
    return sum > at;
  });
  return k < 0 ? weights.length - 1 : k;
}
