import { fail } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import type { RankedModel } from '../inputs/option-rows.ts';
import { steady } from './steady.ts';
import type { SteadyOptions, SteadyOptionsOf } from './steady-options.ts';
import type { SteadyDocument } from './steady-result.ts';

/** Options of `steady` that apply to an input, without some. */
type Without<I, Name extends keyof SteadyOptions> = Omit<SteadyOptionsOf<I>, Name>;

/** The time until a net ends, with the size and completeness of the chain. */
export type AbsorptionAnswer = Pick<SteadyDocument, 'complete' | 'truncation' | 'states' | 'absorption' | 'warnings'>;

/** Sets of processes that are active together, with their shares of time. */
export type FragmentsAnswer = Pick<
  SteadyDocument,
  'complete' | 'truncation' | 'method' | 'parallelism' | 'fragments' | 'warnings'
>;

/**
 * The figures of a net, or of one run of a program, at a time from the initial marking.
 *
 * @param time in seconds
 * @throws InputError as `steady` with option `at`
 */
export function transient<I extends string | Net | RankedModel>(
  input: I,
  time: number,
  options?: Without<I, 'at' | 'method' | 'restart'>,
): SteadyDocument {
  // Without a time, these would be figures of the long run.
  if (time === undefined) fail('CTMC007', 'time: expected seconds >= 0, got nothing');
  return steady<string | Net | RankedModel>(input, withOwn(options, { at: time }));
}

/**
 * The time until a net, or a program, ends: mean, variance, quantiles and distribution.
 *
 * @throws InputError CTMC006 if it may run indefinitely; as `steady` with option `absorption`
 */
export function absorption<I extends string | Net | RankedModel>(
  input: I,
  options?: Without<I, 'absorption' | 'method' | 'at'>,
): AbsorptionAnswer {
  const found = steady<string | Net | RankedModel>(input, withOwn(options, { absorption: true }));
  const { complete, truncation, states, absorption: time, warnings } = found;
  return {
    complete,
    ...(truncation === undefined ? {} : { truncation }),
    states,
    ...(time === undefined ? {} : { absorption: time }),
    warnings,
  };
}

/**
 * The fragments of a program, or of a net with processes (the method, result 1): which processes are active together, and for which share of
 * time, in the long run of the input restarted at each of its ends.
 *
 * @throws InputError CTMC007 for a net without processes, or one that never ends and has to be simulated; as `steady`
 */
export function fragments<I extends string | Net | RankedModel>(
  input: I,
  options?: Without<I, 'absorption' | 'at' | 'method' | 'restart'>,
): FragmentsAnswer {
  const found = steady<string | Net | RankedModel>(input, withOwn(options, { restart: true }));
  const { complete, truncation, method, parallelism, fragments: all, warnings } = found;
  if (all === undefined && truncation === undefined)
    fail('CTMC007', 'no fragments: the net declares no processes, or it never ends and has no finite Markov chain');
  return {
    complete,
    ...(truncation === undefined ? {} : { truncation }),
    method,
    ...(parallelism === undefined ? {} : { parallelism }),
    ...(all === undefined ? {} : { fragments: all }),
    warnings,
  };
}

/** Options that are no object are refused by `steady`, as its own are; spreading would lose them. */
function withOwn(options: SteadyOptions | undefined, own: SteadyOptions): SteadyOptions {
  const isObject = options === undefined || (typeof options === 'object' && options !== null);
  return isObject ? { ...options, ...own } : options;
}
