import type { LedgerParts } from './ledger-parts.ts';
import { ROW } from './program/rows.ts';
import type { RowEvent } from './thread-events.ts';

/**
 * Times of a pool as a whole: of its open regions, of groups of strands that begin and join, of the creation of threads, and the number of
 * carriers that compute. O(open regions) per call.
 */
export class LedgerPool {
  /** Names of the open region. */
  regions: readonly string[] = [];
  readonly #parts: LedgerParts;
  #since = 0;
  /** Carriers that compute, load or store; and those that compute. */
  #active = 0;
  #computing = 0;
  /** Time since which no carrier is active, if none is. */
  #noneSince = 0;
  /** The group that the main strand has opened: before and after another strand has begun. */
  #fork: 'head' | 'body' | undefined;
  /** True if the main strand waits for this group. */
  #isJoining = false;
  /** Beginning of the group, or the time up to which it has been accounted. */
  #forkSince = 0;
  /** Threads that are being created. */
  #creating = 0;
  #creatingSince = 0;

  constructor(parts: LedgerParts) {
    this.#parts = parts;
  }

  /** Accounts for the time up to now, before the open regions change. */
  close(time: number): void {
    this.#parts.split(this.regions, this.#since, time, (part, seconds) => {
      part.elapsed += seconds;
    });
    this.#since = time;
    this.creates(0, time);
  }

  /** The creation of a thread begins (1) or ends (−1); 0 accounts for the time up to now. */
  creates(by: 1 | 0 | -1, time: number): void {
    if (this.#creating > 0)
      this.#parts.split(this.regions, this.#creatingSince, time, (part, seconds) => {
        part.creating += seconds;
      });
    this.#creating += by;
    this.#creatingSince = time;
  }

  /** The main strand opens a group, or goes on after the group has joined, at a row of this kind and source. */
  main(op: number, site: number, event: RowEvent, time: number): void {
    if (op === ROW.open && event === 'begins') {
      this.#fork = 'head';
      this.#isJoining = false;
      this.#forkSince = time;
      for (const part of this.#parts.open(this.regions, time)) {
        part.forks++;
        if (part.forkSite < 0) part.forkSite = site;
      }
    } else if (op === ROW.sync) this.#isJoining = this.#fork !== undefined;
    else if (this.#isJoining) {
      this.#forks(time);
      this.#fork = undefined;
      this.#isJoining = false;
    }
  }

  /** A strand other than a main strand begins or goes on: the head of the group ends. */
  others(time: number): void {
    if (this.#fork !== 'head') return;
    this.#forks(time);
    this.#fork = 'body';
  }

  /** The number of active carriers changes. */
  active(by: number, time: number): void {
    if (by === 0) return;
    if (by > 0 && this.#fork === 'head') this.#forks(time);
    this.#active += by;
    if (this.#active === 0) this.#noneSince = time;
  }

  /** The number of carriers that compute, or wait for a core, changes. */
  crowd(by: 1 | -1, time: number): void {
    this.#computing += by;
    if (by > 0)
      for (const part of this.#parts.open(this.regions, time)) part.crowd = Math.max(part.crowd, this.#computing);
  }

  /** The time since the beginning of the group in which no carrier computes. */
  #forks(time: number): void {
    if (this.#active > 0) return;
    this.#parts.split(this.regions, Math.max(this.#noneSince, this.#forkSince), time, (part, seconds) => {
      part.forking += seconds;
    });
    this.#forkSince = time;
  }
}
