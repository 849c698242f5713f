import type { Transition } from '../../net.ts';
import type { PipeTiming, TransitionRecord } from '../pnml-document.ts';

/** True if a document has rates or timed transitions: then every transition is timed or immediate with a weight. */
export function isStochastic(records: readonly TransitionRecord[]): boolean {
  return records.some(
    ({ timing }) => timing !== undefined && (timing.timed !== undefined || rateOf(timing) !== undefined),
  );
}

const rateOf = ({ rate, weight, parameter }: PipeTiming): number | string | undefined => rate ?? weight ?? parameter;

/**
 * The transition with the delay, servers, weight and priority of a generalised stochastic Petri net (PIPE): timed
 * transitions are races with exponential delays, immediate ones precede them and are chosen by priority, then weight.
 */
export function withTiming(
  transition: Transition,
  timing: PipeTiming,
  stochastic: boolean,
  parameters: ReadonlyMap<string, number>,
): Transition {
  if (!stochastic) return { ...transition, ...priorityOf(timing.priority ?? 0) };
  const value = (timing.parameter === undefined ? undefined : parameters.get(timing.parameter)) ?? timing.rate ?? 1;
  if (timing.timed === true)
    return {
      ...transition,
      delay: { dist: 'exponential', rate: { op: 'const', value } },
      timing: 'race',
      ...(timing.infiniteServer === true ? {} : { servers: 'single' as const }),
    };
  return {
    ...transition,
    ...priorityOf(timing.priority ?? 1),
    weight: { op: 'const', value: timing.weight ?? value },
  };
}

const priorityOf = (priority: number): { priority?: number } => (priority === 0 ? {} : { priority });
