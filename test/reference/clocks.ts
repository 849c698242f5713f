import type { Candidate } from './candidates.ts';
import type { Happened } from './happened.ts';
import { canonical, type Enabled, seniority } from './order.ts';

/** A clock of a candidate with race timing. */
export interface Clock {
  readonly end: number;
  /** Its number among all starts of clocks. */
  readonly started: number;
}

/** A candidate with an expired clock: its clock that was started first. */
export interface RunOut {
  readonly key: string;
  readonly candidate: Candidate;
  readonly clock: Clock;
}

/** The clocks of all races (S9a). */
export class Clocks {
  /** Running clocks by key of their candidate, oldest first. */
  readonly #running = new Map<string, Clock[]>();
  readonly #happened: Happened;
  #starts = 0;

  constructor(happened: Happened) {
    this.#happened = happened;
  }

  /**
   * Updates the clocks after a step: drops lost and superfluous clocks, starts missing ones.
   *
   * @param races candidates with race timing, by key
   * @param degree required number of clocks of a candidate
   * @param end expiry time of a clock started now
   */
  renew(races: ReadonlyMap<string, Enabled>, degree: (c: Candidate) => number, end: (c: Candidate) => number): void {
    for (const [key, clocks] of this.#running) {
      if (races.has(key)) continue;
      this.#running.delete(key);
      if (clocks.length > 0) this.#happened.note('race: clock lost');
    }
    const missing: { key: string; candidate: Candidate }[] = [];
    for (const [key, { candidate }] of races) {
      const clocks = this.#running.get(key) ?? [];
      const wanted = this.#wanted(key, candidate, races, degree);
      if (wanted > 1) this.#happened.note('race: degree > 1');
      if (wanted < clocks.length) this.#happened.note('race: clock dropped');
      this.#running.set(key, clocks.slice(0, wanted));
      for (let n = clocks.length; n < wanted; n++) missing.push({ key, candidate });
    }
    missing.sort((a, b) => canonical(a.candidate, b.candidate));
    for (const { key, candidate } of missing)
      this.#running.get(key)!.push({ end: end(candidate), started: this.#starts++ });
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

  /** Number of clocks. A single-server transition has one clock: its current candidate keeps it, else the senior gets it. */
  #wanted(
    key: string,
    candidate: Candidate,
    races: ReadonlyMap<string, Enabled>,
    degree: (c: Candidate) => number,
  ): number {
    const { transition } = candidate;
    if (transition.servers !== 'single') return degree(candidate);
    const rivals = [...races].filter(([, e]) => e.candidate.transition === transition);
    const holder = rivals.find(([k]) => (this.#running.get(k) ?? []).length > 0);
    const first = holder ?? rivals.sort(([, a], [, b]) => seniority(a, b))[0]!;
    if (first[0] !== key) this.#happened.note('race: waits for the single server');
    return first[0] === key ? 1 : 0;
  }
}
