/** Maximum number of held addresses per function: the bits of an int without its sign. */
const MAX_HELD = 31;

/**
 * Array addresses that are cached in locals at the current point of a function's code. An array that grows may move, so
 * each access would read its address from a global. A cached address is read once per path, and engines compute common
 * parts of accesses to one record once.
 *
 * Bit k of `now` is set if local k holds the address of its array; all bits are set at unreachable points.
 */
export class HeldAddresses {
  now = 0;
  /** By the global of the address. */
  readonly #bits = new Map<number, { readonly bit: number; readonly local: number }>();

  /** True if the current point is unreachable. */
  get unreached(): boolean {
    return this.now === -1;
  }

  /** The local for an address, and whether it already holds it; undefined if no more addresses can be held. */
  local(base: number, fresh: () => number): { readonly index: number; readonly held: boolean } | undefined {
    let found = this.#bits.get(base);
    if (found === undefined) {
      if (this.#bits.size === MAX_HELD) return undefined;
      found = { bit: 1 << this.#bits.size, local: fresh() };
      this.#bits.set(base, found);
    }
    const held = (this.now & found.bit) !== 0;
    this.now |= found.bit;
    return { index: found.local, held };
  }

  /** Held addresses that may have changed: their globals and locals. */
  changed(mayMove: (base: number) => boolean): { readonly base: number; readonly local: number }[] {
    const out: { base: number; local: number }[] = [];
    if (this.unreached) return out;
    for (const [base, { bit, local }] of this.#bits)
      if ((this.now & bit) !== 0 && mayMove(base)) out.push({ base, local });
    return out;
  }

  forget(mayMove: (base: number) => boolean): void {
    if (this.unreached) return;
    for (const [base, { bit }] of this.#bits) if ((this.now & bit) !== 0 && mayMove(base)) this.now &= ~bit;
  }
}
