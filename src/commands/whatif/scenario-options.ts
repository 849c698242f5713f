import { given } from '../../base/given.ts';
import { fail, shown } from '../../base/problem.ts';
import { quantity } from '../../base/units.ts';
import { idealNetwork } from '../../machine/ideal-network.ts';
import type { Machine } from '../../machine/machine.ts';
import type { Platform } from '../../machine/platform.ts';
import { logGopsText } from '../../trace/goal/loggops.ts';
import { givenInput } from '../inputs/input.ts';
import { type MachineOptions, machineIn } from '../inputs/target.ts';
import { checkedOptions } from '../predict/predict.ts';
import { predictSubject, subjectOf } from '../predict/predict-subject.ts';
import { logGopsIn } from '../subjects/loggops-network.ts';
import { type AxisValue, partOf } from './axes/axes.ts';
import type { Scenario } from './axes/grid.ts';
import { changeParameters } from './axes/machine-paths.ts';
import { SCHEDULE_AXES, scenarioParameters } from './axes/schedule-axes.ts';
import { AXIS_OPTIONS, MACHINE_PREFIX, MODEL_PREFIX, START_PREFIX, THREAD_AXES } from './axes/study-axes.ts';
import { outcomeOf, type Predictor } from './predictors/predictor.ts';
import type { SharedOptions } from './whatif-options.ts';

export type MachineReader = (options: MachineOptions) => Machine | Platform;

/**
 * Options of a scenario: the shared options with the values of its axes and its modified machine.
 *
 * @param of kind of the input; a trace has no parameters, and ranks only if it is scaled, a thread model has no ranks
 * @throws InputError WHAT007 unsupported axis, WHAT009 value of a wrong type, WHAT012 idealisation not possible for traces;
 * and problems of machines
 */
export function scenarioOptions(
  { values, ideal }: Scenario,
  options: SharedOptions,
  of: keyof typeof AXES,
  read: MachineReader = machineIn,
): SharedOptions {
  const { axes, isRecorded, hasMessages } = AXES[of];
  const own: { -readonly [K in keyof SharedOptions]: SharedOptions[K] } = { ...options };
  const changes: [path: string, value: AxisValue][] = [];
  const starts = new Map<string, number>();
  const set = new Map<string, AxisValue>(Object.entries(options.set ?? {}));
  for (const [axis, value] of Object.entries(values)) {
    if (hasMessages && SCHEDULE_AXES.includes(axis)) continue;
    if (axis.startsWith(MACHINE_PREFIX)) changes.push([axis.slice(MACHINE_PREFIX.length), value]);
    else if (!isRecorded && axis.startsWith(MODEL_PREFIX)) set.set(axis.slice(MODEL_PREFIX.length), value);
    else if (isRecorded && axis.startsWith(START_PREFIX))
      starts.set(axis.slice(START_PREFIX.length), startOf(axis, value));
    else if (Object.hasOwn(axes, axis) && !(isRecorded && axis === 'ranks' && options.scale === undefined))
      Object.assign(own, axes[axis]!(axis, value));
    else fail('WHAT007', `a ${of} does not have this axis`, { part: partOf(axis) });
  }
  if (starts.size > 0) own.start = { ...options.start, ...Object.fromEntries(starts) };
  if (set.size > 0) own.set = Object.fromEntries(set);
  if (ideal === 'balance' && isRecorded)
    fail('WHAT012', 'the computing of a trace cannot be balanced: its amounts were recorded');
  const changed = changeParameters(read(own), changes);
  const machine = ideal === 'network' ? idealNetwork(changed) : changed;
  // Parameters of LogGOPS change those of the scenario's machine.
  const varied = Object.keys(values).some((axis) => SCHEDULE_AXES.includes(axis));
  if (!hasMessages || (!varied && own.loggops === undefined)) return { ...own, machine };
  const now = logGopsIn({ machine: changed, ...given(own, ['loggops']) });
  const parameters = scenarioParameters(now, values);
  const loggops = logGopsText(ideal === 'network' ? { ...NO_TIME, S: parameters.S } : parameters);
  return { ...own, machine, loggops };
}

/** LogGOPS of a network that costs no time. */
const NO_TIME = { L: 0, o: 0, g: 0, G: 0, O: 0 } as const;

/** Seconds of a start: a number, or a time with its unit. @throws InputError WHAT009 */
function startOf(axis: string, value: AxisValue): number {
  const seconds = typeof value === 'string' ? quantity('time', value) : value;
  return typeof seconds === 'number' ? seconds : wrong(axis, value, 'seconds, or a time such as "1.5s"');
}

/** Sets an option to the value of an axis. @throws InputError WHAT009 */
type SetsAxis = (axis: string, value: AxisValue) => Partial<SharedOptions>;

/** Sets the option of this name to a value of this type. */
const sets =
  (option: string, type: 'number' | 'string', expected: string): SetsAxis =>
  (axis, value) => ({ [option]: typeof value === type ? value : wrong(axis, value, expected) });

const COMMON: Readonly<Record<string, SetsAxis>> = Object.fromEntries(
  Object.entries(AXIS_OPTIONS).map(([axis, option]) => [axis, sets(option, 'string', 'a name')]),
);
const RANKS = sets('ranks', 'number', 'a number of ranks');
const OF_THREADS: Readonly<Record<string, SetsAxis>> = Object.fromEntries(
  Object.entries(THREAD_AXES).map(([axis, type]) => [
    axis,
    sets(axis, type, type === 'number' ? 'a number' : 'a name'),
  ]),
);

interface KindAxes {
  readonly axes: Readonly<Record<string, SetsAxis>>;
  readonly isRecorded: boolean;
  /** LogGOPS can be its network model. */
  readonly hasMessages: boolean;
}

/** The axes of each kind besides `machine.…`. A recorded program has no parameters, and its amounts do not change. */
const AXES: Readonly<Record<'model' | 'thread model' | 'trace', KindAxes>> = {
  model: { axes: { ...COMMON, ranks: RANKS }, isRecorded: false, hasMessages: true },
  'thread model': { axes: { ...OF_THREADS, machine: COMMON['machine']! }, isRecorded: false, hasMessages: false },
  trace: { axes: { ...COMMON, ranks: RANKS }, isRecorded: true, hasMessages: true },
};

function wrong(axis: string, value: AxisValue, expected: string): never {
  return fail('WHAT009', `expected ${expected}, got ${shown(value)}`, { part: partOf(axis) });
}

/** Machine reader with a cache; the key is the machine option as given. */
export function machineReader(): MachineReader {
  const known = new Map<MachineOptions['machine'], Machine | Platform>();
  return (options) => {
    const { machine } = options;
    const found = known.get(machine) ?? machineIn(given(options, ['machine', 'cfg']));
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
  const trace = givenInput('predict', input);
  return (scenario) => {
    const own = checkedOptions(trace, scenarioOptions(scenario, options, 'trace', read));
    // One warning that ties decide figures is enough; it needs more runs.
    return outcomeOf(predictSubject(subjectOf(trace, own), scenario.index === 0));
  };
}
