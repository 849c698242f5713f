import { grown, QuadTable } from './intern.ts';

/**
 * Which requests are outstanding while a trace is read. A request is named by (rank, source, destination, tag); several
 * can be outstanding under one name. Each waitall of a rank begins a new epoch, in which nothing is outstanding.
 * O(1) per call; memory follows the distinct names.
 */
export class Requests {
  readonly #table = new QuadTable();
  readonly #epoch: Int32Array;
  /** Per name: the epoch that the two others belong to, how many are outstanding, whether a test may have ended one. */
  #since: Int32Array = new Int32Array(1 << 10);
  #open: Int32Array = new Int32Array(1 << 10);
  #tested: Uint8Array = new Uint8Array(1 << 10);
  #named: Uint8Array = new Uint8Array(1 << 10);

  constructor(ranks: number) {
    this.#epoch = new Int32Array(ranks).fill(1);
  }

  /** The number of a name. */
  id(rank: number, source: number, destination: number, tag: number): number {
    const id = this.#table.find(rank, source, destination, tag);
    if (id === this.#since.length) {
      this.#since = grown(this.#since, id * 2);
      this.#open = grown(this.#open, id * 2);
      this.#tested = grown(this.#tested, id * 2);
      this.#named = grown(this.#named, id * 2);
    }
    return id;
  }

  /** A request was posted. */
  post(id: number, rank: number): void {
    const epoch = this.#epoch[rank]!;
    if (this.#since[id] === epoch) this.#open[id] = this.#open[id]! + 1;
    else this.#begin(id, epoch, 1);
  }

  /** A wait takes one. False where none can be outstanding and no test can have ended one. */
  wait(id: number, rank: number): boolean {
    this.#named[id] = 1;
    if (this.#since[id] !== this.#epoch[rank]) return false;
    if (this.#open[id]! > 0) {
      this.#open[id] = this.#open[id]! - 1;
      return true;
    }
    return this.#tested[id] === 1;
  }

  /** A test may take one. False as for {@link wait}. */
  test(id: number, rank: number): boolean {
    this.#named[id] = 1;
    if (this.#since[id] !== this.#epoch[rank]) return false;
    if (this.#open[id]! > 0) this.#tested[id] = 1;
    return this.#tested[id] === 1;
  }

  waitall(rank: number): void {
    this.#epoch[rank] = this.#epoch[rank]! + 1;
  }

  /** Per name, whether a wait or test names it. */
  named(): Uint8Array {
    return this.#named.slice(0, this.#table.count);
  }

  #begin(id: number, epoch: number, open: number): void {
    this.#since[id] = epoch;
    this.#open[id] = open;
    this.#tested[id] = 0;
  }
}
