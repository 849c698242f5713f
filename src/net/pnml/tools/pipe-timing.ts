import type { Expression } from '../../expression.ts';
import type { TokenCount, Transition } from '../../net.ts';
import type { PipeTiming, TransitionRecord } from '../pnml-document.ts';

/** True if a document has rates or timed transitions: then every transition is timed or immediate with a weight. */
export function isStochastic(records: readonly TransitionRecord[]): boolean {
  return records.some(
    ({ timing }) => timing !== undefined && (timing.timed !== undefined || rateOf(timing) !== undefined),
  );
}

const rateOf = ({ rate, weight, parameter, expression }: PipeTiming): number | string | undefined =>
  rate ?? weight ?? parameter ?? expression?.text;

/** A rate or weight; it may depend on numbers of tokens. */
export interface PipeRate {
  readonly value: Expression;
  readonly counts: readonly TokenCount[];
}

/**
 * The transition with the delay, servers, weight and priority of a generalised stochastic Petri net (PIPE): timed
 * transitions are races with exponential delays, immediate ones precede them and are chosen by priority, then weight.
 */
export function withTiming(
  transition: Transition,
  { timed, infiniteServer, priority, weight }: PipeTiming,
  stochastic: boolean,
  { value, counts }: PipeRate,
): Transition {
  if (!stochastic) return { ...transition, ...priorityOf(priority ?? 0) };
  const counted = counts.length === 0 ? {} : { counts };
  if (timed === true)
    return {
      ...transition,
      ...counted,
      delay: { dist: 'exponential', rate: counts.length === 0 ? value : { op: 'const', value: 1 } },
      timing: 'race',
      ...(infiniteServer === true ? {} : { servers: 'single' as const }),
      ...(counts.length === 0 ? {} : { speed: value }),
    };
  return {
    ...transition,
    ...counted,
    ...priorityOf(priority ?? 1),
    weight: weight === undefined ? value : { op: 'const', value: weight },
  };
}

const priorityOf = (priority: number): { priority?: number } => (priority === 0 ? {} : { priority });
