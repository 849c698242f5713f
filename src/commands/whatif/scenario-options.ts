import { fail, shown } from '../../base/problem.ts';
import { idealNetwork } from '../../machine/ideal-network.ts';
import type { Machine } from '../../machine/machine.ts';
import type { Platform } from '../../machine/platform.ts';
import { type MachineOptions, machineIn } from '../inputs/target.ts';
import { checkPredict, predictAny } from '../predict/predict.ts';
import { type AxisValue, partOf } from './axes/axes.ts';
import type { Scenario } from './axes/grid.ts';
import { changeParameter } from './axes/machine-paths.ts';
import { AXIS_OPTIONS, MACHINE_PREFIX, MODEL_PREFIX, THREAD_AXES } from './axes/study-axes.ts';
import { outcomeOf, type Predictor } from './predictors/predictor.ts';
import type { SharedOptions } from './whatif-options.ts';

export type MachineReader = (options: MachineOptions) => Machine | Platform;

/**
 * Options of a scenario: the shared options with the values of its axes and its modified machine.
 *
 * @param of kind of the input; a trace has a recorded number of ranks and no parameters, a thread model has no ranks
 * @throws InputError WHAT007 unsupported axis, WHAT009 value of a wrong type, WHAT012 idealisation not possible for traces;
 * and problems of machines
 */
export function scenarioOptions(
  { values, ideal }: Scenario,
  options: SharedOptions,
  of: 'trace' | 'model' | 'thread model',
  read: MachineReader = machineIn,
): SharedOptions {
  const own: { -readonly [K in keyof SharedOptions]: SharedOptions[K] } = { ...options };
  const changes: [path: string, value: AxisValue][] = [];
  const set = new Map<string, AxisValue>(Object.entries(options.set ?? {}));
  for (const [axis, value] of Object.entries(values)) {
    if (axis.startsWith(MACHINE_PREFIX)) changes.push([axis.slice(MACHINE_PREFIX.length), value]);
    else if (of !== 'trace' && axis.startsWith(MODEL_PREFIX)) set.set(axis.slice(MODEL_PREFIX.length), value);
    else if (of === 'model' && axis === 'ranks')
      own.ranks = typeof value === 'number' ? value : wrong(axis, value, 'a number of ranks');
    else if (of === 'thread model' && Object.hasOwn(THREAD_AXES, axis))
      Object.assign(own, { [axis]: ofThreads(axis, value) });
    else if (!Object.hasOwn(AXIS_OPTIONS, axis) || (of === 'thread model' && axis !== 'machine'))
      fail('WHAT007', `a ${of} does not have this axis`, { part: partOf(axis) });
    else
      own[AXIS_OPTIONS[axis as keyof typeof AXIS_OPTIONS]] =
        typeof value === 'string' ? value : wrong(axis, value, 'a name');
  }
  if (set.size > 0) own.set = Object.fromEntries(set);
  if (ideal === 'balance' && of === 'trace')
    fail('WHAT012', 'the computing of a trace cannot be balanced: its amounts were recorded');
  let machine = read(own);
  for (const [path, value] of changes) machine = changeParameter(machine, path, value);
  return { ...own, machine: ideal === 'network' ? idealNetwork(machine) : machine };
}

function ofThreads(axis: string, value: AxisValue): AxisValue {
  const type = THREAD_AXES[axis as keyof typeof THREAD_AXES];
  return typeof value === type ? value : wrong(axis, value, type === 'number' ? 'a number' : 'a name');
}

function wrong(axis: string, value: AxisValue, expected: string): never {
  return fail('WHAT009', `expected ${expected}, got ${shown(value)}`, { part: partOf(axis) });
}

/** Machine reader with a cache; the key is the machine option as given. */
export function machineReader(): MachineReader {
  const known = new Map<MachineOptions['machine'], Machine | Platform>();
  return ({ machine }) => {
    const found = known.get(machine) ?? machineIn(machine === undefined ? {} : { machine });
    known.set(machine, found);
    return found;
  };
}

/** A trace, and the options shared by all scenarios. */
export interface TraceStudy {
  readonly kind: 'trace';
  readonly input: string;
  readonly options: SharedOptions;
}

/** Returns a predictor for scenarios of machine, network model, placement and collectives. Each prediction reads the trace. */
export function tracePredictor({ input, options }: TraceStudy): Predictor {
  const read = machineReader();
  return (scenario) => {
    const own = scenarioOptions(scenario, options, 'trace', read);
    checkPredict(input, own);
    // One warning that ties decide figures is enough; it needs more runs.
    return outcomeOf(predictAny(input, own, undefined, scenario.index === 0));
  };
}
