import { ownOf } from '../../../base/own.ts';
import { didYouMean, fail, InputError, knownText, type Problem, quote, shown } from '../../../base/problem.ts';
import type { Machine } from '../../../machine/machine.ts';
import type { Platform } from '../../../machine/platform.ts';
import type { LogGops } from '../../../trace/goal/schedule.ts';
import { named } from '../../inputs/check-options.ts';
import { type MachineOptions, machineIn } from '../../inputs/target.ts';
import { comparedName } from '../predictors/compared-figure.ts';
import type { StudyOptions, WhatIfOptions } from '../whatif-options.ts';
import { type Axis, partOf, valuesOf } from './axes.ts';
import { changeParameter, checkDisjoint, checkPaths, elasticPaths } from './machine-paths.ts';
import { parameterName } from './schedule-axes.ts';
import { ALL_PARAMETERS, AXIS_OPTIONS, MACHINE_PREFIX, MODEL_PREFIX, START_PREFIX, THREAD_AXES } from './study-axes.ts';

/** Subject of a study, with the axes that it supports. */
export interface Studied {
  /** Name for messages: `a trace`, or the model's name. */
  readonly what: string;
  /** Additional axes; machine parameters are always supported. */
  readonly axes: readonly string[];
  /** Those of {@link AXIS_OPTIONS} that are supported; default all. */
  readonly options?: readonly string[];
  /** False for a net, which contains its machine. */
  readonly hasMachine?: boolean;
  /** Reasons why axes are not supported, by name of the axis; appended to the message. */
  readonly lacks?: Readonly<Record<string, string>>;
}

type PlanOptions = StudyOptions & MachineOptions & Pick<WhatIfOptions, 'figures'>;

/**
 * Validates a plan before any prediction.
 *
 * @returns names of the parameters whose elasticities are computed; `all` is expanded
 * @throws InputError WHAT005 axes that set the same values, WHAT007 unsupported axis, WHAT013 nothing to vary, WHAT020 invalid scaling, MACH030 unknown machine
 * parameter (with the nearest known one); all problems with one code together. APP002 elasticities without a machine
 */
export function checkPlan(studied: Studied, axes: readonly Axis[], options: PlanOptions): readonly string[] {
  const { ideals = [], elasticity = [], scaling } = options;
  if (axes.length === 0 && ideals.length === 0 && elasticity.length === 0)
    fail('WHAT013', 'nothing to vary: --vary NAME=VALUE,VALUE…, --scenario NAME or --elasticity PARAMETER');
  if (scaling !== undefined) checkScaling(scaling, axes);
  for (const name of elasticity)
    if (!name.startsWith(MACHINE_PREFIX) && name !== ALL_PARAMETERS)
      fail(
        'WHAT007',
        `only a parameter of the machine has an elasticity, as in machine.link.latency, or ${quote(ALL_PARAMETERS)}`,
        {
          part: partOf(name),
        },
      );
  const known = [...(studied.options ?? Object.keys(AXIS_OPTIONS)), ...studied.axes];
  const names = axes.map((a) => a.name);
  const { hasMachine = true } = studied;
  const unknown = names.filter((name) => !known.includes(name) && !(hasMachine && name.startsWith(MACHINE_PREFIX)));
  const isParameter = (name: string): boolean => name.startsWith(MODEL_PREFIX);
  const listed = hasMachine ? [...known, `${MACHINE_PREFIX}…`] : known;
  // Names of other axes are not proposed for an unknown parameter of an input without parameters.
  const lacking = (name: string): string =>
    isParameter(name) && !known.some(isParameter)
      ? `: it has no parameters.${knownText(listed)}`
      : `${ownOf(studied.lacks ?? {}, name) ?? ''}.${didYouMean(name, listed)}`;
  if (unknown.length > 0)
    throw new InputError(
      unknown.map((name) => ({
        code: 'WHAT007',
        message: `${studied.what} has no axis ${quote(name)}${lacking(name)}`,
        place: { part: partOf(name) },
      })),
    );
  const pathOf = (name: string): string => name.slice(MACHINE_PREFIX.length);
  const paths = [...names, ...elasticity].filter((name) => name.startsWith(MACHINE_PREFIX)).map(pathOf);
  if (paths.length > 0) {
    const machines = machinesOf(axes, options);
    if (machines.length > 0) checkPaths(paths, machines);
    checkDisjoint(names.filter((name) => name.startsWith(MACHINE_PREFIX)).map(pathOf), machines);
  }
  return elasticityOf(elasticity, options);
}

function checkScaling(scaling: unknown, axes: readonly Axis[]): void {
  const part = 'scaling';
  if (scaling !== 'strong' && scaling !== 'weak')
    fail(
      'WHAT020',
      `expected strong or weak, got ${shown(scaling)}.${didYouMean(String(scaling), ['strong', 'weak'])}`,
      {
        part,
      },
    );
  if (!axes.some((axis) => axis.name === 'ranks' || axis.name === 'workers'))
    fail('WHAT020', `${scaling} scaling needs an axis of ranks, as in --vary ranks=1..64*2, or of workers`, { part });
}

/** Machines of a study that can be read; the others are reported by their scenarios. */
function machinesOf(axes: readonly Axis[], options: PlanOptions): (Machine | Platform)[] {
  const named = axes.filter((a) => a.name === 'machine').flatMap(valuesOf);
  const given = named.length > 0 ? named.map((machine) => ({ machine: String(machine) })) : [options];
  return given.flatMap((one) => {
    try {
      return [machineIn(one)];
    } catch (error) {
      if (error instanceof InputError) return [];
      throw error;
    }
  });
}

function elasticityOf(elasticity: readonly string[], options: PlanOptions): readonly string[] {
  if (elasticity.length === 0) return [];
  if (options.machine === undefined)
    fail('APP002', 'elasticities need one machine: --machine FILE', { part: 'elasticity' });
  const machine = machineIn(options);
  for (const name of elasticity)
    if (name !== ALL_PARAMETERS) changeParameter(machine, name.slice(MACHINE_PREFIX.length), '+1%');
  const all = elasticity.includes(ALL_PARAMETERS)
    ? elasticPaths(machine, comparedName(options.figures)).map((path) => MACHINE_PREFIX + path)
    : [];
  return [...new Set([...elasticity.filter((name) => name !== ALL_PARAMETERS), ...all])];
}

/** The options that set the same value as an axis; a parameter of a model is in `set`. */
const OPTIONS_OF: Readonly<Record<string, readonly (keyof WhatIfOptions)[]>> = {
  ...Object.fromEntries(Object.entries(AXIS_OPTIONS).map(([axis, option]) => [axis, [option]])),
  ...Object.fromEntries(Object.keys(THREAD_AXES).map((axis) => [axis, [axis as keyof WhatIfOptions]])),
  ranks: ['ranks'],
  // A hostfile is a placement.
  placement: ['placement', 'hostfile'],
};

/** Parameters of the network of a machine: those of a loggops network are the parameters of LogGOPS. */
const NETWORK = `${MACHINE_PREFIX}network.`;

/**
 * Refuses an option that fixes the value that an axis varies: one of the two would be ignored. O(axes).
 *
 * @param parameters the parameters of LogGOPS that `--loggops` fixes
 * @throws InputError WHAT005, all problems together
 */
export function assertGivenOnce(
  axes: readonly Axis[],
  options: WhatIfOptions,
  parameters: Partial<LogGops> = {},
): void {
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
    if (name.startsWith(START_PREFIX)) {
      const value = ownOf(options.start ?? {}, name.slice(START_PREFIX.length));
      return value === undefined ? [] : [refuse(named('whatif', 'start'), value)];
    }
    const parameter = parameterName(name);
    const twin = NETWORK + parameter;
    if (parameter !== undefined && axes.some((axis) => axis.name === twin))
      return [
        {
          code: 'WHAT005',
          message: `axis ${twin} sets the same parameter: vary one of the two`,
          place: { part: partOf(name) },
        },
      ];
    const own = name.startsWith(NETWORK) ? name.slice(NETWORK.length) : parameter;
    const fixed = own === undefined ? undefined : ownOf<number>(parameters, own);
    if (fixed !== undefined) return [refuse(named('whatif', 'loggops'), fixed)];
    return (ownOf(OPTIONS_OF, name) ?? []).flatMap((option) => {
      const value = options[option];
      return value === undefined ? [] : [refuse(named('whatif', option), value)];
    });
  });
  if (problems.length > 0) throw new InputError(problems);
}
