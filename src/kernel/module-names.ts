import type { Growth } from './growth.ts';
import type { Meaning, Signature } from './names.ts';

/** Names of the whole module. */
export interface ModuleNames {
  readonly meanings: ReadonlyMap<string, Meaning>;
  readonly functions: ReadonlyMap<string, Signature>;
  readonly growth: Growth;
  /** Tokens of a function that is inlined at every call of it. */
  readonly small: number;
  /** The number by which a function is called: from now on it is part of the module. */
  numberOf(f: Signature): number;
}
