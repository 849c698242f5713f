import { fail } from '../../base/problem.ts';
import { clocksOf } from '../../net/race-timing.ts';
import { type Candidate, canonical, type Enabled, seniority } from './candidates.ts';

/** A running clock of a race: its end at the present speed. */
interface Clock {
  readonly end: number;
  readonly speed: number;
  /** Its number among all starts of clocks. */
  readonly started: number;
}

/** The candidate of a race, with its speed in the marking. */
export interface Racing extends Enabled {
  readonly speed: number;
}

/** A candidate whose clock has run out. */
export interface RunOut {
  readonly key: string;
  readonly candidate: Candidate;
  readonly started: number;
}

/** Clocks by candidate: running ones, and work left of stopped ones (age memory). */
interface OfCandidate {
  readonly candidate: Candidate;
  readonly running: readonly Clock[];
  readonly stopped: readonly { readonly work: number; readonly started: number }[];
}

/** The clocks of all races (S9a to S9c). Lists are replaced, never changed, so that a state can be kept. */
export class GameClocks {
  #of = new Map<string, OfCandidate>();
  #starts = 0;

  saved(): { readonly of: ReadonlyMap<string, OfCandidate>; readonly starts: number } {
    return { of: new Map(this.#of), starts: this.#starts };
  }

  restore({ of, starts }: ReturnType<GameClocks['saved']>): void {
    this.#of = new Map(of);
    this.#starts = starts;
  }

  /**
   * Follows a step: drops lost and superfluous clocks, changes speeds, starts the missing ones.
   *
   * @param degree how often a candidate could fire in a row
   * @param work amount of work of a clock that starts now
   */
  renew(
    now: number,
    races: ReadonlyMap<string, Racing>,
    degree: (candidate: Candidate) => number,
    work: (candidate: Candidate) => number,
  ): void {
    for (const [key, { candidate }] of races) {
      const { running = [], stopped = [] } = this.#of.get(key) ?? {};
      this.#of.set(key, { candidate, running, stopped });
    }
    for (const [key, { candidate }] of this.#of) {
      const isDropped = !races.has(key) || candidate.rule.transition.memory === 'resampling';
      if (isDropped) this.#keep(key, 0, now);
    }
    for (const [key, { candidate, speed }] of races) {
      this.#keep(key, degree(candidate), now);
      const of = this.#of.get(key)!;
      const running = of.running.map((clock) =>
        clock.speed === speed
          ? clock
          : { ...clock, speed, end: endOf(now, Math.max(0, clock.end - now) * clock.speed, speed, candidate) },
      );
      this.#of.set(key, { ...of, running });
    }
    for (const { key, candidate } of this.#missing(races, degree))
      this.#start(now, key, candidate, races.get(key)!.speed, work);
    for (const [key, { running, stopped }] of this.#of)
      if (running.length + stopped.length === 0 && !races.has(key)) this.#of.delete(key);
  }

  /** Candidates with a clock that has run out, in the order of the starts of clocks. */
  ranOut(races: ReadonlyMap<string, Enabled>, limit: number): RunOut[] {
    const found: RunOut[] = [];
    for (const [key, { running }] of this.#of) {
      const clock = running.find(({ end }) => end <= limit);
      if (clock !== undefined) found.push({ key, candidate: races.get(key)!.candidate, started: clock.started });
    }
    return found.sort((a, b) => a.started - b.started);
  }

  /** Clocks that run beyond a time, in no order. */
  running(limit: number): { readonly candidate: Candidate; readonly end: number }[] {
    return [...this.#of.values()].flatMap(({ candidate, running }) =>
      running.filter(({ end }) => end > limit).map(({ end }) => ({ candidate, end })),
    );
  }

  /** A firing uses up its clock. */
  use({ key, started }: RunOut): void {
    const of = this.#of.get(key)!;
    this.#of.set(key, { ...of, running: of.running.filter((clock) => clock.started !== started) });
  }

  /** Time at which the next clock runs out; infinity without clocks. */
  next(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { running } of this.#of.values()) for (const { end } of running) next = Math.min(next, end);
    return next;
  }

  /** Clocks to start: as many as degrees lack and servers are free, in the canonical order. */
  #missing(
    races: ReadonlyMap<string, Racing>,
    degree: (candidate: Candidate) => number,
  ): { readonly key: string; readonly candidate: Candidate }[] {
    const byRule = new Map<number, (Racing & { readonly key: string })[]>();
    for (const [key, race] of races) {
      const { number } = race.candidate.rule;
      byRule.set(number, [...(byRule.get(number) ?? []), { ...race, key }]);
    }
    const missing: { readonly key: string; readonly candidate: Candidate }[] = [];
    for (const own of byRule.values()) {
      const running = (key: string): number => this.#of.get(key)!.running.length;
      let free = clocksOf(own[0]!.candidate.rule.transition) - own.reduce((sum, { key }) => sum + running(key), 0);
      for (const { key, candidate } of own.sort(seniority)) {
        const starts = Math.min(degree(candidate) - running(key), free);
        for (let n = 0; n < starts; n++) missing.push({ key, candidate });
        free -= starts;
      }
    }
    return missing.sort((a, b) => canonical(a.candidate, b.candidate));
  }

  #start(now: number, key: string, candidate: Candidate, speed: number, work: (candidate: Candidate) => number): void {
    const of = this.#of.get(key)!;
    const [resumed, ...stopped] = of.stopped;
    const end = endOf(now, resumed?.work ?? work(candidate), speed, candidate);
    this.#of.set(key, { ...of, stopped, running: [...of.running, { end, speed, started: this.#starts++ }] });
  }

  /** Drops the youngest clocks above a number; with age memory they keep the work left. */
  #keep(key: string, limit: number, now: number): void {
    const of = this.#of.get(key)!;
    const dropped = of.running.slice(limit);
    if (dropped.length === 0) return;
    const left =
      of.candidate.rule.transition.memory === 'age'
        ? dropped.map(({ end, speed, started }) => ({ work: Math.max(0, end - now) * speed, started }))
        : [];
    const stopped = [...of.stopped, ...left].sort((a, b) => a.started - b.started);
    this.#of.set(key, { ...of, running: of.running.slice(0, limit), stopped });
  }
}

function endOf(now: number, work: number, speed: number, { rule }: Candidate): number {
  const end = now + work / speed;
  if (end < Number.POSITIVE_INFINITY) return end;
  return fail('RUN004', `a delay of ${work / speed} s: expected a number >= 0 with a finite end time`, {
    part: `transition ${rule.transition.name}`,
  });
}
