import type { Formula } from '../analysis/properties/property.ts';
import type { MachineOptions } from '../app/target.ts';
import { didYouMean, fail, quote, shown } from '../base/problem.ts';

/** Which marking is final: a formula without path operators, or the tokens that places hold in it. */
export type Final = string | Formula | Readonly<Record<string, number>>;

/** What every matcher takes: limits of its exploration; of a model also its machine, ranks and parameters. */
export interface MatcherOptions extends MachineOptions {
  /** Most markings, default 262,144. */
  readonly maxStates?: number;
  /** Most bytes of memory of this process. */
  readonly memory?: number;
  /** Most seconds of exploring, default: no limit. */
  readonly seconds?: number;
  /** Which markings a run may end in. Of a model: all ranks have ended. */
  readonly final?: Final;
  /** Of a model: values of its parameters, default those of `verifyWith`. */
  readonly set?: Readonly<Record<string, number | string | boolean>>;
}

/** Markings that are explored unless told otherwise. */
export const MAX_STATES: number = 2 ** 18;

const MODEL = [
  'machine',
  'hostfile',
  'placement',
  'oversubscribe',
  'ranks',
  'networkModel',
  'collectives',
  'final',
  'set',
];
const LIMITS = ['maxStates', 'memory', 'seconds'];

/**
 * Refuses options that are no object, and names that are none.
 *
 * @throws InputError TEST002
 */
export function checkOptions(matcher: string, options: unknown, own: readonly string[] = LIMITS): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    fail('TEST002', `options are ${shown(options)}: an object is expected`, { part: matcher });
  const known = [...own, ...MODEL];
  for (const key of Object.keys(options as object))
    if (!known.includes(key))
      fail('TEST002', `has no option ${quote(key)}.${didYouMean(key, known)}`, { part: matcher });
}
