import type { Formula } from '../analysis/properties/property.ts';
import { didYouMean, fail, quote, shown } from '../base/problem.ts';
import type { MachineOptions } from '../commands/inputs/target.ts';
import type { SchedulerName } from '../models/threads/net/thread-net.ts';
import type { PoolKind } from '../models/threads/net/worker-stacks.ts';

/** Final markings: a formula without path operators, or numbers of tokens by place. */
export type Final = string | Formula | Readonly<Record<string, number>>;

/** Options of every matcher: limits of the exploration, and for models the machine, ranks and parameters. */
export interface MatcherOptions extends MachineOptions {
  /** Maximum number of markings, default 262,144. */
  readonly maxStates?: number;
  /** Maximum memory of the process in bytes. */
  readonly memory?: number;
  /** Maximum exploration time in seconds; default no limit. */
  readonly seconds?: number;
  /** The markings in which a run may end. Default for models: all ranks have ended. */
  readonly final?: Final;
  /** For thread models: workers of the pool. Default: those of `verifyWith`, else 2. */
  readonly workers?: number;
  /** For thread models: the scheduler. Default: `os` and `stealing`. */
  readonly scheduler?: SchedulerName;
  /** For thread models: the kind of the pool. Default: `migrating` and `stack`. */
  readonly pool?: PoolKind;
  /** For models: values of the parameters, default those of `verifyWith`. */
  readonly set?: Readonly<Record<string, number | string | boolean>>;
}

/** Default limit of the markings explored. */
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
  'workers',
  'scheduler',
  'pool',
];
const LIMITS = ['maxStates', 'memory', 'seconds'];

/**
 * Rejects options that are not an object or have unknown names.
 *
 * @throws InputError TEST002
 */
export function checkOptions(matcher: string, options: unknown, own: readonly string[] = LIMITS): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    fail('TEST002', `options: expected an object, got ${shown(options)}`, { part: matcher });
  const known = [...own, ...MODEL];
  for (const key of Object.keys(options as object))
    if (!known.includes(key))
      fail('TEST002', `has no option ${quote(key)}.${didYouMean(key, known)}`, { part: matcher });
}
