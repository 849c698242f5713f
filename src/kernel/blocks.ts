import type { Bytes } from './bytes.ts';
import type { HeldAddresses } from './held-addresses.ts';
import { OP, VOID } from './opcodes.ts';

/**
 * The blocks of a function that are open, each known by the depth at which it began, and the branches that leave them:
 * behind a block those addresses are held which are on every way there.
 */
export class Blocks {
  readonly #out: Bytes;
  readonly #held: HeldAddresses;
  #depth = 0;
  /** By the depth of a block: which addresses are held wherever it is left; undefined where its beginning is returned to. */
  readonly #joins: (number | undefined)[] = [];

  constructor(out: Bytes, held: HeldAddresses) {
    this.#out = out;
    this.#held = held;
  }

  /** Returns the depth of the block. */
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

  /** Writes where a branch leads: how many blocks it leaves. */
  label(to: number): void {
    this.#out.unsigned(this.#depth - 1 - to);
  }

  /** What is held here is what is held on one of the ways behind a block. */
  join(to: number): void {
    const join = this.#joins[to];
    if (join !== undefined) this.#joins[to] = join & this.#held.now;
  }
}
