import type { Kernel } from '../../kernel/kernel.ts';
import { QuadTable } from './intern.ts';

/** Initial capacity for request names. */
const FIRST = 1 << 10;

/**
 * Tracks outstanding requests while a trace is read. A request name is (rank, source, destination, tag); several
 * requests with the same name can be outstanding. Each waitall of a rank begins a new epoch, in which nothing is
 * outstanding.
 * - Per name: its epoch; requests outstanding in it; whether a test may have completed one; requests completed by a
 *   waitall and not waited for since; whether a wait or test refers to the name.
 * - Per rank: its epoch; outstanding requests; requests completed by waitalls beyond their counts, minus later waits
 *   for them.
 *
 * As in SimGrid, a replayed waitall completes all requests of its rank, even if the program waited for only some of
 * them. A later wait for one of the others takes no time. SimGrid aborts at such a wait if nothing else is outstanding;
 * here it is also legal if the count of the waitall shows that it was partial. O(1) per call; memory is proportional to
 * the number of names.
 */
export const REQUESTS: string = `
let epochs: ints = ints(1); let outstanding: ints = ints(1); let partial: ints = ints(1);
let since: ints = ints(${FIRST}); let open: ints = ints(${FIRST}); let tested: bytes = bytes(${FIRST});
let anyOne: ints = ints(1);
let completed: ints = ints(${FIRST}); let named: bytes = bytes(${FIRST});
// Brings a name to the epoch of its rank.
function renew(id, rank) {
  const epoch = epochs[rank];
  if (since[id] === epoch) return;
  since[id] = epoch;
  completed[id] = completed[id] + open[id];
  open[id] = 0;
  tested[id] = 0;
}
function post(id, rank) {
  renew(id, rank);
  open[id]++;
  outstanding[rank]++;
}
// Whether one can be outstanding, or a test can have ended one.
function wait(id, rank): int {
  named[id] = 1;
  renew(id, rank);
  if (open[id] > 0) {
    open[id]--;
    // A wait for any may have ended it.
    if (outstanding[rank] > 0) outstanding[rank]--;
    return 1;
  }
  return tested[id] || anyOne[rank] === epochs[rank];
}
// Some outstanding request, which the trace does not identify; returns the number of candidates.
function waitAnyOne(rank): int {
  const count = outstanding[rank];
  if (count > 0) {
    anyOne[rank] = epochs[rank];
    outstanding[rank] = count - 1;
  }
  return count;
}
function test(id, rank): int {
  named[id] = 1;
  renew(id, rank);
  if (open[id] > 0) tested[id] = 1;
  return tested[id];
}
function waitall(count, rank) {
  if (count < outstanding[rank]) partial[rank] = partial[rank] + outstanding[rank] - count;
  outstanding[rank] = 0;
  epochs[rank]++;
}
export cold function beginRequests(ranks) {
  epochs = grown(epochs, ranks);
  anyOne = grown(anyOne, ranks);
  epochs.fill(1);
  outstanding = grown(outstanding, ranks);
  partial = grown(partial, ranks);
}
export cold function moreNames(count) {
  since = grown(since, count);
  open = grown(open, count);
  tested = grown(tested, count);
  completed = grown(completed, count);
  named = grown(named, count);
}
export function outstandingOf(rank): int { return outstanding[rank]; }
export function openOf(id, rank): int {
  renew(id, rank);
  return open[id];
}
export function postOne(id, rank) { post(id, rank); }
// Whether a waitall completed one that no wait has named since, where none is outstanding.
export cold function waitPast(id, rank): int {
  if (completed[id] === 0) return 0;
  if (partial[rank] > 0) partial[rank]--;
  else if (outstanding[rank] === 0) return 0;
  completed[id]--;
  return 1;
}
export cold function testPast(id): int { return completed[id] > 0; }
export function waitForAny(rank): int { return waitAnyOne(rank); }
export function waitOne(id, rank): int { return wait(id, rank); }
export function testOne(id, rank): int { return test(id, rank); }
export function waitAll(count, rank) { waitall(count, rank); }`;

/** Count of a waitall without a count, which waits for all requests. */
export const ALL_REQUESTS = 0x7fffffff;

/** Access to this part of the reader's kernel, and the numbers of request names. */
export class Requests {
  readonly #table = new QuadTable();
  readonly #kernel: Kernel;
  #room = FIRST;

  constructor(kernel: Kernel, ranks: number) {
    this.#kernel = kernel;
    kernel.call['beginRequests']!(ranks);
  }

  id(rank: number, source: number, destination: number, tag: number): number {
    const id = this.#table.find(rank, source, destination, tag);
    if (id === this.#room) {
      this.#room = id * 2;
      this.#kernel.call['moreNames']!(this.#room);
    }
    return id;
  }

  /** Number of outstanding requests of a rank. */
  outstanding(rank: number): number {
    return this.#kernel.call['outstandingOf']!(rank);
  }

  /** Number of outstanding requests with this name. */
  open(id: number, rank: number): number {
    return this.#kernel.call['openOf']!(id, rank);
  }

  post(id: number, rank: number): void {
    this.#kernel.call['postOne']!(id, rank);
  }

  /** Completes a request by a wait. Returns false if none can be outstanding and no test can have completed one. */
  wait(id: number, rank: number): boolean {
    return this.#kernel.call['waitOne']!(id, rank) !== 0;
  }

  /** Completes some outstanding request of a rank. Returns the number of candidates; 0 without outstanding requests. */
  waitAny(rank: number): number {
    return this.#kernel.call['waitForAny']!(rank);
  }

  /** Tests a request, which may complete it. Returns false under the same conditions as {@link wait}. */
  test(id: number, rank: number): boolean {
    return this.#kernel.call['testOne']!(id, rank) !== 0;
  }

  /**
   * Called if {@link wait} or {@link test} returned false. True if an earlier waitall completed the request, so that
   * there is nothing to wait for.
   */
  isPast(kind: 'wait' | 'test', id: number, rank: number): boolean {
    const { call } = this.#kernel;
    return (kind === 'wait' ? call['waitPast']!(id, rank) : call['testPast']!(id)) !== 0;
  }

  /** A waitall for `count` requests, at most {@link ALL_REQUESTS}, completes all requests of the rank. */
  waitall(count: number, rank: number): void {
    this.#kernel.call['waitAll']!(count, rank);
  }

  /** By name: 1 if a wait or test refers to it. */
  named(): Uint8Array {
    return this.#kernel.array<Uint8Array<ArrayBuffer>>('named').slice(0, this.#table.count);
  }
}
