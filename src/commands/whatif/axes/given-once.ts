import { ownOf } from '../../../base/own.ts';
import { InputError, type Problem, shown } from '../../../base/problem.ts';
import { named } from '../../inputs/check-options.ts';
import type { WhatIfOptions } from '../whatif-options.ts';
import { type Axis, partOf } from './axes.ts';
import { AXIS_OPTIONS, MODEL_PREFIX, THREAD_AXES } from './study-axes.ts';

/** The options that set what an axis varies; a parameter of a model is in `set`. */
const OPTIONS_OF: Readonly<Record<string, readonly (keyof WhatIfOptions)[]>> = {
  ...Object.fromEntries(Object.entries(AXIS_OPTIONS).map(([axis, option]) => [axis, [option]])),
  ...Object.fromEntries(Object.keys(THREAD_AXES).map((axis) => [axis, [axis as keyof WhatIfOptions]])),
  ranks: ['ranks'],
  // A hostfile is a placement.
  placement: ['placement', 'hostfile'],
};

/**
 * Refuses an option that fixes what an axis varies: one of the two would be ignored. O(axes).
 *
 * @throws InputError WHAT005, all problems together
 */
export function assertGivenOnce(axes: readonly Axis[], options: WhatIfOptions): void {
  const problems = axes.flatMap(({ name }): Problem[] => {
    const refuse = (option: string, value: unknown): Problem => ({
      code: 'WHAT005',
      message: `option ${option} fixes it to ${shown(value)}: give the option or the axis`,
      place: { part: partOf(name) },
    });
    if (name.startsWith(MODEL_PREFIX)) {
      const value = ownOf(options.set ?? {}, name.slice(MODEL_PREFIX.length));
      return value === undefined ? [] : [refuse(named('whatif', 'set'), value)];
    }
    return (ownOf(OPTIONS_OF, name) ?? []).flatMap((option) => {
      const value = options[option];
      return value === undefined ? [] : [refuse(named('whatif', option), value)];
    });
  });
  if (problems.length > 0) throw new InputError(problems);
}
