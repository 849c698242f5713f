import { clocksOf } from '../../src/net/race-timing.ts';
import type { Candidate } from './candidates.ts';
import { RunError } from './evaluate.ts';
import type { Happened } from './happened.ts';
import { canonical, type Enabled, seniority } from './order.ts';

/** A clock of a candidate with race timing. */
export interface Clock {
  end: number;
  /** Work per second until the end. */
  speed: number;
  /** Its number among all starts and resumptions of clocks. */
  readonly started: number;
}

/** A race's candidate with its speed in the current marking (S9b). */
export interface Racing extends Enabled {
  readonly speed: number;
}

/** A candidate with an expired clock: its clock that was started first. */
export interface RunOut {
  readonly key: string;
  readonly candidate: Candidate;
  readonly clock: Clock;
}

/** The clocks of all races (S9a to S9c). */
export class Clocks {
  /** Running clocks by key of their candidate, oldest first. */
  readonly #running = new Map<string, Clock[]>();
  /** The work left of stopped clocks (age memory) by key of their candidate, oldest first. */
  readonly #stopped = new Map<string, { readonly work: number; readonly started: number }[]>();
  /** The latest candidate of each key, also if it is no longer enabled. */
  readonly #candidates = new Map<string, Candidate>();
  readonly #happened: Happened;
  #starts = 0;

  /** All running clocks with their candidates. */
  all(): { readonly candidate: Candidate; readonly end: number }[] {
    return [...this.#running].flatMap(([key, clocks]) =>
      clocks.map(({ end }) => ({ candidate: this.#candidates.get(key)!, end })),
    );
  }

  constructor(happened: Happened) {
    this.#happened = happened;
  }

  /**
   * Updates the clocks after a step: drops lost and superfluous clocks, changes speeds, starts missing clocks.
   *
   * @param races candidates with race timing, by key
   * @param degree how often a candidate could fire in a row
   * @param work amount of work of a clock started now
   */
  renew(
    now: number,
    races: ReadonlyMap<string, Racing>,
    degree: (c: Candidate) => number,
    work: (c: Candidate) => number,
  ): void {
    for (const [key, { candidate }] of races) this.#candidates.set(key, candidate);
    for (const key of this.#running.keys()) {
      const lost = !races.has(key);
      if (lost && this.#running.get(key)!.length > 0) this.#happened.note('race: clock lost');
      const { memory } = this.#candidates.get(key)!.transition;
      if (!lost && memory === 'resampling') this.#happened.note('race: resampled');
      if (lost || memory === 'resampling') this.#keep(key, 0, now);
    }
    const missing: { key: string; candidate: Candidate }[] = [];
    const transitions = new Set([...races.values()].map((r) => r.candidate.transition));
    for (const [key, { candidate, speed }] of races) {
      const limit = degree(candidate);
      if (limit > 1) this.#happened.note('race: degree > 1');
      if (limit < this.#clocks(key).length) this.#happened.note('race: clock dropped');
      this.#keep(key, limit, now);
      for (const clock of this.#clocks(key)) this.#adjust(clock, speed, now);
    }
    for (const transition of transitions) {
      const own = [...races].filter(([, r]) => r.candidate.transition === transition);
      let free = clocksOf(transition) - own.reduce((sum, [key]) => sum + this.#clocks(key).length, 0);
      for (const [key, { candidate }] of own.sort(([, a], [, b]) => seniority(a, b))) {
        const lacks = degree(candidate) - this.#clocks(key).length;
        if (lacks > free) this.#happened.note('race: waits for a server');
        for (let n = Math.min(lacks, free); n > 0; n--) missing.push({ key, candidate });
        free -= Math.min(lacks, free);
      }
    }
    missing.sort((a, b) => canonical(a.candidate, b.candidate));
    for (const { key, candidate } of missing) {
      const left = this.#stopped.get(key)?.shift()?.work;
      if (left !== undefined) this.#happened.note('race: clock resumed');
      const { speed } = races.get(key)!;
      const end = endOf(now, left ?? work(candidate), speed, candidate);
      this.#running.set(key, [...this.#clocks(key), { end, speed, started: this.#starts++ }]);
    }
  }

  /** Candidates with expired clocks, in the order of clock starts. */
  ranOut(races: ReadonlyMap<string, Enabled>, limit: number): RunOut[] {
    return [...this.#running]
      .flatMap(([key, clocks]) => {
        const clock = clocks.find((c) => c.end <= limit);
        return clock === undefined ? [] : [{ key, candidate: races.get(key)!.candidate, clock }];
      })
      .sort((a, b) => a.clock.started - b.clock.started);
  }

  /** A firing uses up its clock. */
  use({ key, clock }: RunOut): void {
    const clocks = this.#running.get(key)!;
    clocks.splice(clocks.indexOf(clock), 1);
  }

  /** Expiry time of the next clock. */
  next(): number {
    return Math.min(Number.POSITIVE_INFINITY, ...[...this.#running.values()].flat().map((c) => c.end));
  }

  #clocks(key: string): Clock[] {
    return this.#running.get(key) ?? [];
  }

  /** Drops the youngest clocks above a limit; with age memory they keep the work left. */
  #keep(key: string, limit: number, now: number): void {
    const clocks = this.#clocks(key);
    const dropped = clocks.slice(limit);
    this.#running.set(key, clocks.slice(0, limit));
    if (this.#candidates.get(key)!.transition.memory !== 'age' || dropped.length === 0) return;
    this.#happened.note('race: clock stopped');
    const stopped = dropped.map(({ end, speed, started }) => ({ work: Math.max(0, end - now) * speed, started }));
    const all = [...(this.#stopped.get(key) ?? []), ...stopped];
    this.#stopped.set(
      key,
      all.sort((a, b) => a.started - b.started),
    );
  }

  /** A running clock at a new speed. */
  #adjust(clock: Clock, speed: number, now: number): void {
    if (clock.speed === speed) return;
    this.#happened.note('race: speed changed');
    clock.end = endOf(now, Math.max(0, clock.end - now) * clock.speed, speed);
    clock.speed = speed;
  }
}

function endOf(now: number, work: number, speed: number, of?: Candidate): number {
  const end = now + work / speed;
  if (end < Number.POSITIVE_INFINITY) return end;
  throw new RunError('RUN004', `${work / speed} s of ${of?.transition.name ?? 'a race'}`);
}
