import { studentQuantile } from '../../../analysis/statistics/student-t.ts';
import { fail, InputError, type Problem } from '../../../base/problem.ts';
import {
  changeMachineBy,
  type MachineParameter,
  machineParameters,
  sharedParameters,
} from '../../../machine/description/machine-parameters.ts';
import type { Machine } from '../../../machine/machine.ts';
import type { Platform } from '../../../machine/platform.ts';
import { changePlatform, platformParameters, sharedOnPlatform } from '../../../machine/platform-parameters.ts';
import { CONFIDENCE, errorOfMean } from '../../inputs/document-parts.ts';
import type { ElasticityFigures, StudyFigure } from '../whatif-result.ts';
import { type AxisValue, partOf } from './axes.ts';
import { MACHINE_PREFIX } from './study-axes.ts';

/**
 * Returns a machine with one parameter changed. `path` is as in `link.latency`; `change` is a value in SI units, a string
 * with a unit, or a relative change (`x0.5`, `+10%`).
 *
 * @throws InputError located at the axis: WHAT009 for a boolean, and problems of {@link changeMachine} and
 * {@link changePlatform}
 */
export function changeParameter(machine: Machine | Platform, path: string, change: AxisValue): Machine | Platform {
  return changeParameters(machine, [[path, change]]);
}

/**
 * As {@link changeParameter}, with several parameters that share no value ({@link checkDisjoint}). The order of the changes does not
 * matter.
 */
export function changeParameters(
  machine: Machine | Platform,
  changes: readonly (readonly [path: string, change: AxisValue])[],
): Machine | Platform {
  if (changes.length === 0) return machine;
  const wanted = changes.map(([path, change]): readonly [string, string | number] =>
    typeof change === 'boolean'
      ? fail('WHAT009', `expected a number or a change, got ${change}`, { part: partOf(MACHINE_PREFIX + path) })
      : [path, change],
  );
  const all = wanted.map(([path]) => MACHINE_PREFIX + path).join(', ');
  const located = <T>(axes: string, change: () => T): T => {
    try {
      return change();
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      const own = (part: string | undefined): string =>
        wanted.length > 1 && wanted.some(([path]) => path === part) ? `${MACHINE_PREFIX}${part}` : axes;
      throw new InputError(
        error.problems.map((problem) => ({ ...problem, place: { part: partOf(own(problem.place?.part)) } })),
      );
    }
  };
  if (!('route' in machine)) return located(all, () => changeMachineBy(machine, wanted));
  return wanted.reduce(
    (changed, [path, change]) => located(MACHINE_PREFIX + path, () => changePlatform(changed, path, change)),
    machine,
  );
}

/**
 * Rejects axes that set one value of a machine, as `machine.speed` and `machine.groups.big.speed` do: one of them would have no
 * effect, or both would have one, depending on their order.
 *
 * @param paths parameter paths without the prefix `machine.`
 * @throws InputError WHAT005
 */
export function checkDisjoint(paths: readonly string[], machines: readonly (Machine | Platform)[]): void {
  for (const machine of machines) {
    const shared = 'route' in machine ? sharedOnPlatform(paths) : sharedParameters(machine, paths);
    if (shared === undefined) continue;
    const [one, other] = shared.map((path) => MACHINE_PREFIX + path) as [string, string];
    const message = `sets values that axis ${one} sets as well: give one of them, or one axis for each group`;
    const problem: Problem = { code: 'WHAT005', message, place: { part: partOf(other) } };
    throw new InputError([problem]);
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
export function elasticPaths(machine: Machine | Platform, figure: StudyFigure = 'runTime'): string[] {
  const all: readonly MachineParameter[] =
    'route' in machine ? platformParameters(machine) : machineParameters(machine);
  return all
    .filter(({ unit }) => unit !== 'W' || figure === 'energy')
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

/** Relative change of a parameter, up and down. */
const STEP = 0.01;
const SPAN = Math.log((1 + STEP) / (1 - STEP));

/** The run time, or another figure; with replications, their mean and the single values. */
interface Timed {
  readonly value: number;
  readonly replications?: readonly number[];
}

/**
 * Elasticities d log T / d log x: the change of the run time in per cent if a parameter changes by 1 %. Computed by central
 * differences (1 % up, 1 % down) and sorted by descending magnitude. 1 means proportional, −1 inversely proportional, 0 no
 * influence. The value is local: it does not predict the effect of halving a parameter.
 *
 * With replications the run times are means, and the interval is that of log(up / down) to first order (delta method):
 * the interval of the mean of up / mean(up) − down / mean(down). The differences are paired by replication, because
 * replication k draws the same random numbers in both runs.
 *
 * @param figure run time, or another figure, with the parameter multiplied by a factor; called concurrently for all parameters
 * @returns elasticity null if a figure is 0 or unknown; `low` and `high` only with at least two replications
 */
export async function elasticities(
  parameters: readonly string[],
  figure: (parameter: string, factor: number) => Promise<Timed | undefined> | Timed | undefined,
  confidence: number = CONFIDENCE,
): Promise<ElasticityFigures[]> {
  const found = await Promise.all(
    parameters.map(async (parameter): Promise<ElasticityFigures> => {
      const [up, down] = await Promise.all([figure(parameter, 1 + STEP), figure(parameter, 1 - STEP)]);
      if (up === undefined || down === undefined || !(up.value > 0 && down.value > 0))
        return { parameter, elasticity: null };
      const elasticity = Math.log(up.value / down.value) / SPAN;
      const half = halfWidth(up.replications ?? [], down.replications ?? [], confidence);
      const own = { parameter, value: elasticity, unit: '1', elasticity } as const;
      if (half === undefined) return own;
      const error = errorOfMean(elasticity, half, confidence);
      return { ...own, ...error, low: elasticity - half, high: elasticity + half };
    }),
  );
  const size = ({ elasticity }: ElasticityFigures): number => (elasticity === null ? -1 : Math.abs(elasticity));
  return found.sort((a, b) => size(b) - size(a) || (a.parameter < b.parameter ? -1 : 1));
}

/** Half-width of the confidence interval of an elasticity; `undefined` with fewer than two replications. */
function halfWidth(up: readonly number[], down: readonly number[], confidence: number): number | undefined {
  const n = Math.min(up.length, down.length);
  if (n < 2) return undefined;
  const mean = (all: readonly number[]): number => all.reduce((sum, x) => sum + x, 0) / all.length;
  const [ups, downs] = [mean(up), mean(down)];
  const differences = Array.from({ length: n }, (_, k) => up[k]! / ups - down[k]! / downs);
  const middle = mean(differences);
  const variance = differences.reduce((sum, d) => sum + (d - middle) ** 2, 0) / (n - 1);
  return (studentQuantile((1 - confidence) / 2, n - 1) * Math.sqrt(variance / n)) / SPAN;
}
