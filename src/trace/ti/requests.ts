import type { Kernel } from '../../kernel/kernel.ts';
import { QuadTable } from './intern.ts';

/** Names that there is room for at first. */
const FIRST = 1 << 10;

/**
 * Which requests are outstanding while a trace is read. A request is named by (rank, source, destination, tag); several
 * can be outstanding under one name. Each waitall of a rank begins a new epoch, in which nothing is outstanding. Per name: the epoch that
 * the two others belong to, how many are outstanding, whether a test may have ended one, and whether a wait or test names it.
 * O(1) per call; memory follows the distinct names.
 */
export const REQUESTS: string = `
let epochs: ints = ints(1);
let since: ints = ints(${FIRST}); let open: ints = ints(${FIRST}); let tested: bytes = bytes(${FIRST}); let named: bytes = bytes(${FIRST});
function post(id, rank) {
  const epoch = epochs[rank];
  if (since[id] === epoch) open[id]++;
  else {
    since[id] = epoch;
    open[id] = 1;
    tested[id] = 0;
  }
}
// Whether one can be outstanding, or a test can have ended one.
function wait(id, rank): int {
  named[id] = 1;
  if (since[id] !== epochs[rank]) return 0;
  if (open[id] > 0) {
    open[id]--;
    return 1;
  }
  return tested[id];
}
function test(id, rank): int {
  named[id] = 1;
  if (since[id] !== epochs[rank]) return 0;
  if (open[id] > 0) tested[id] = 1;
  return tested[id];
}
function waitall(rank) { epochs[rank]++; }
export seldom function beginRequests(ranks) { epochs = grown(epochs, ranks); epochs.fill(1); }
export seldom function moreNames(count) {
  since = grown(since, count);
  open = grown(open, count);
  tested = grown(tested, count);
  named = grown(named, count);
}
export function postOne(id, rank) { post(id, rank); }
export function waitOne(id, rank): int { return wait(id, rank); }
export function testOne(id, rank): int { return test(id, rank); }
export function waitAll(rank) { waitall(rank); }`;

/** That part of the reader's kernel, and the numbers of the names. */
export class Requests {
  readonly #table = new QuadTable();
  readonly #kernel: Kernel;
  #room = FIRST;

  constructor(kernel: Kernel, ranks: number) {
    this.#kernel = kernel;
    kernel.call['beginRequests']!(ranks);
  }

  /** The number of a name. */
  id(rank: number, source: number, destination: number, tag: number): number {
    const id = this.#table.find(rank, source, destination, tag);
    if (id === this.#room) {
      this.#room = id * 2;
      this.#kernel.call['moreNames']!(this.#room);
    }
    return id;
  }

  /** A request was posted. */
  post(id: number, rank: number): void {
    this.#kernel.call['postOne']!(id, rank);
  }

  /** A wait takes one. False where none can be outstanding and no test can have ended one. */
  wait(id: number, rank: number): boolean {
    return this.#kernel.call['waitOne']!(id, rank) !== 0;
  }

  /** A test may take one. False as for {@link wait}. */
  test(id: number, rank: number): boolean {
    return this.#kernel.call['testOne']!(id, rank) !== 0;
  }

  waitall(rank: number): void {
    this.#kernel.call['waitAll']!(rank);
  }

  /** Per name, whether a wait or test names it. */
  named(): Uint8Array {
    return this.#kernel.array<Uint8Array<ArrayBuffer>>('named').slice(0, this.#table.count);
  }
}
