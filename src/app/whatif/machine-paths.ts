import { fail, InputError } from '../../base/problem.ts';
import type { Machine } from '../../machine/machine.ts';
import { changeMachine, type MachineParameter, machineParameters } from '../../machine/machine-parameters.ts';
import type { Platform } from '../../machine/platform.ts';
import { changePlatform, platformParameters } from '../../machine/platform-parameters.ts';
import { type AxisValue, partOf } from './axes.ts';
import { STEP } from './elasticity.ts';
import { MACHINE_PREFIX } from './study-axes.ts';

/**
 * Returns a machine with one parameter changed. `path` is as in `link.latency`; `change` is a value in SI units, a string
 * with a unit, or a relative change (`x0.5`, `+10%`).
 *
 * @throws InputError located at the axis: WHAT009 for a boolean, and problems of {@link changeMachine} and
 * {@link changePlatform}
 */
export function changeParameter(machine: Machine | Platform, path: string, change: AxisValue): Machine | Platform {
  const part = partOf(MACHINE_PREFIX + path);
  if (typeof change === 'boolean') fail('WHAT009', `expected a number or a change, got ${change}`, { part });
  try {
    return 'route' in machine ? changePlatform(machine, path, change) : changeMachine(machine, path, change);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(error.problems.map((problem) => ({ ...problem, place: { part } })));
  }
}

/**
 * Rejects parameters that none of the machines has.
 *
 * @param paths parameter paths without the prefix `machine.`
 * @throws InputError MACH030 with the nearest known parameter, all problems together
 */
export function checkPaths(paths: readonly string[], machines: readonly (Machine | Platform)[]): void {
  const problems = paths.flatMap((path) => {
    const all = machines.map((machine) => problemOf(machine, path));
    const [first] = all;
    return first !== undefined && all.every((one) => one?.code === 'MACH030') ? [first] : [];
  });
  if (problems.length > 0) throw new InputError(problems);
}

function problemOf(machine: Machine | Platform, path: string): InputError['problems'][number] | undefined {
  try {
    changeParameter(machine, path, 'x1');
    return undefined;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.problems[0];
  }
}

/**
 * Paths of the parameters that have an elasticity: those that can be changed by ±1 %. Excludes counts and parameters that
 * are 0, infinite or not given.
 */
export function elasticPaths(machine: Machine | Platform): string[] {
  const all: readonly MachineParameter[] =
    'route' in machine ? platformParameters(machine) : machineParameters(machine);
  return all
    .filter(({ path, value, unit }) => unit !== '1' && value !== 0 && value !== Infinity && moves(machine, path))
    .map((p) => p.path);
}

function moves(machine: Machine | Platform, path: string): boolean {
  try {
    for (const factor of [1 + STEP, 1 - STEP]) changeParameter(machine, path, `x${factor}`);
    return true;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}
