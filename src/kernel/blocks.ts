import type { Bytes } from './bytes.ts';
import type { HeldAddresses } from './held-addresses.ts';
import { OP, VOID } from './opcodes.ts';

/**
 * The open blocks of a function, identified by their nesting depth, and the branches that leave them. After a block
 * those addresses are held that are held on every path to its end.
 */
export class Blocks {
  readonly #out: Bytes;
  readonly #held: HeldAddresses;
  #depth = 0;
  /**
   * By depth: addresses held on all branches to the end of the block so far; undefined for a loop, whose branches go to
   * its start.
   */
  readonly #joins: (number | undefined)[] = [];

  constructor(out: Bytes, held: HeldAddresses) {
    this.#out = out;
    this.#held = held;
  }

  /** Opens a block and returns its depth. */
  begin(op: number): number {
    this.#out.two(op, VOID);
    this.#joins[this.#depth] = op === OP.loop ? undefined : -1;
    return this.#depth++;
  }

  end(): void {
    this.#out.byte(OP.end);
    this.#held.now &= this.#joins[--this.#depth] ?? -1;
  }

  branch(op: number, to: number): void {
    this.#out.byte(op);
    this.label(to);
    this.join(to);
    if (op === OP.br) this.#held.now = -1;
  }

  /** Writes the label of a branch: the number of blocks it leaves. */
  label(to: number): void {
    this.#out.unsigned(this.#depth - 1 - to);
  }

  /** Intersects the addresses held at the end of a block with those held here, on a path to it. */
  join(to: number): void {
    const join = this.#joins[to];
    if (join !== undefined) this.#joins[to] = join & this.#held.now;
  }
}
