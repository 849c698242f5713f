import type { Growth } from './growth.ts';
import type { Meaning, Signature } from './names.ts';

/** Names in the scope of a module. */
export interface ModuleNames {
  readonly meanings: ReadonlyMap<string, Meaning>;
  readonly functions: ReadonlyMap<string, Signature>;
  readonly growth: Growth;
  /** Functions up to this size, in tokens, are inlined at every call. */
  readonly small: number;
  /** Index of a function for calls; adds the function to the module. */
  numberOf(f: Signature): number;
}
