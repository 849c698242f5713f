import type { FunctionDeclaration, Meaning, Reach } from './syntax.ts';

/** All arrays. */
const EVERY = 'every';

/**
 * The arrays that may move to another address while a function runs, identified by the globals of their addresses:
 * those that the function or its callees grow. An import that is not `nogrow` may grow every array.
 */
export class Growth {
  readonly #functions: ReadonlyMap<string, { readonly declaration: FunctionDeclaration }>;
  readonly #meanings: ReadonlyMap<string, Meaning>;
  readonly #known = new Map<string, ReadonlySet<number> | typeof EVERY>();

  constructor(
    functions: ReadonlyMap<string, { readonly declaration: FunctionDeclaration }>,
    meanings: ReadonlyMap<string, Meaning>,
  ) {
    this.#functions = functions;
    this.#meanings = meanings;
  }

  /** True if a call of the function may move the array. O(functions) once per function. */
  mayMove(name: string, base: number): boolean {
    let moved = this.#known.get(name);
    if (moved === undefined) {
      moved = this.#movedBy(name);
      this.#known.set(name, moved);
    }
    return moved === EVERY || moved.has(base);
  }

  /** Like {@link mayMove} for a part of the source. */
  mayMoveIn({ calls, grows }: Reach, base: number): boolean {
    return grows.some((a) => this.#baseOf(a) === base) || calls.some((f) => this.mayMove(f, base));
  }

  #movedBy(name: string): ReadonlySet<number> | typeof EVERY {
    const moved = new Set<number>();
    const seen = new Set([name]);
    for (const f of seen) {
      const declaration = this.#functions.get(f)?.declaration;
      // Functions without a declaration are single instructions.
      if (declaration === undefined || declaration.nogrow) continue;
      if (declaration.body === undefined) return EVERY;
      for (const a of declaration.reach.grows) moved.add(this.#baseOf(a));
      for (const g of declaration.reach.calls) seen.add(g);
    }
    return moved;
  }

  #baseOf(array: string): number {
    const m = this.#meanings.get(array);
    return m?.k === 'array' && 'index' in m.base && !m.base.local ? m.base.index : -1;
  }
}
