/** At most so many addresses of one function are held: as many as an int has bits, but for its sign. */
const MOST = 31;

/**
 * Which addresses of arrays are held in locals at the point of a function that its code has come to. An array that grows may
 * get another address, so that each access would ask for it; held in a local it is asked for once on every path, and
 * what accesses to one record have in common is calculated once.
 *
 * Bit k of `now` says that local k holds the address of its array; all bits are set where no path leads.
 */
export class HeldAddresses {
  now = 0;
  /** By the global that holds the address. */
  readonly #bits = new Map<number, { readonly bit: number; readonly local: number }>();

  /** No path leads here. */
  get unreached(): boolean {
    return this.now === -1;
  }

  /** The local for an address, and whether it holds it; undefined where no more can be held. */
  local(base: number, fresh: () => number): { readonly index: number; readonly held: boolean } | undefined {
    let found = this.#bits.get(base);
    if (found === undefined) {
      if (this.#bits.size === MOST) return undefined;
      found = { bit: 1 << this.#bits.size, local: fresh() };
      this.#bits.set(base, found);
    }
    const held = (this.now & found.bit) !== 0;
    this.now |= found.bit;
    return { index: found.local, held };
  }

  /** What is held of which an address may have changed: by their globals, with their locals. */
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
