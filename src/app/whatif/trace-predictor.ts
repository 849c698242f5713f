import { fail, shown } from '../../base/problem.ts';
import type { Machine } from '../../machine/machine.ts';
import type { PredictionDocument } from '../../report/prediction.ts';
import { predict } from '../predict.ts';
import { type MachineOptions, readTarget } from '../target.ts';
import { type AxisValue, partOf } from './axes.ts';
import type { ChangeMachine } from './change-machine.ts';
import type { Scenario } from './grid.ts';
import { idealNetwork } from './ideal-network.ts';
import type { Outcome, Predictor } from './predictor.ts';
import { AXIS_OPTIONS, MACHINE_PREFIX } from './trace-axes.ts';

/** A trace, and the options that all scenarios have in common. */
export interface TraceStudy {
  readonly kind: 'trace';
  readonly input: string;
  readonly options: MachineOptions & { readonly seed?: string };
}

/**
 * Predicts a trace in scenarios of network model, placement and machine. Every scenario reads the trace anew.
 *
 * @param change how a parameter of the machine is changed
 */
export function tracePredictor({ input, options }: TraceStudy, change: ChangeMachine | undefined): Predictor {
  return (scenario) => outcomeOf(predict(input, scenarioOptions(scenario, options, change)));
}

/**
 * The options of a scenario.
 *
 * @throws InputError WHAT007 no such axis, WHAT009 a value that is no text, WHAT010 a parameter of what has none, WHAT012
 * no such ideal; and all problems of machines
 */
export function scenarioOptions(
  { values, ideal }: Scenario,
  options: TraceStudy['options'],
  change: ChangeMachine | undefined,
): TraceStudy['options'] {
  const own: { -readonly [K in keyof MachineOptions]: MachineOptions[K] } = { ...options };
  const changes: [path: string, value: AxisValue][] = [];
  for (const [axis, value] of Object.entries(values)) {
    if (axis.startsWith(MACHINE_PREFIX)) changes.push([axis.slice(MACHINE_PREFIX.length), value]);
    else if (!Object.hasOwn(AXIS_OPTIONS, axis)) fail('WHAT007', 'a trace has no such axis', { part: partOf(axis) });
    else if (typeof value !== 'string') fail('WHAT009', `${shown(value)}: a name is expected`, { part: partOf(axis) });
    else own[AXIS_OPTIONS[axis as keyof typeof AXIS_OPTIONS]] = value;
  }
  if (changes.length === 0 && ideal === undefined) return own;
  if (ideal === 'balance')
    fail('WHAT012', 'the computing of a trace cannot be balanced: its ranks do what was recorded');
  let machine = machineOf(own, changes[0]?.[0]);
  for (const [path, value] of changes) machine = changed(machine, path, value, change);
  return { ...own, machine: ideal === 'network' ? idealNetwork(machine) : machine };
}

function machineOf(options: MachineOptions, path: string | undefined): Machine {
  const { description, platform } = readTarget(options);
  if (description !== undefined) return description;
  const what = `${platform.name} is a platform of SimGrid`;
  if (path !== undefined)
    fail('WHAT010', `${what}: only machines of our own (.yaml, .json, built-in) have parameters`, {
      part: partOf(MACHINE_PREFIX + path),
    });
  return fail('WHAT012', `${what}: only machines of our own (.yaml, .json, built-in) can have an ideal network`);
}

function changed(machine: Machine, path: string, value: AxisValue, change: ChangeMachine | undefined): Machine {
  const part = partOf(MACHINE_PREFIX + path);
  if (typeof value === 'boolean') fail('WHAT009', `${value}: a number or a change is expected`, { part });
  if (change === undefined)
    fail('WHAT010', 'parameters of machines cannot be varied yet: vary machine, a list of files', { part });
  return change(machine, path, value);
}

/** What a study keeps of a prediction. Times of ranks are means over the ranks. */
export function outcomeOf(document: PredictionDocument): Outcome {
  const { figures, ranks, complete, deadlock, warnings } = document;
  const mean = (part: 'computing' | 'communicating' | 'waiting' | 'idle'): Outcome['figures'] => {
    if (ranks.length === 0 || ranks.some((rank) => rank[part] === null)) return {};
    return { [part]: { value: ranks.reduce((sum, rank) => sum + rank[part]!, 0) / ranks.length, unit: 's' } };
  };
  return {
    runTime: figures.runTime.value,
    complete,
    blocked: deadlock.length,
    figures: {
      ranks: { value: ranks.length, unit: '1' },
      parallelism: figures.parallelism.mean,
      loadBalance: figures.loadBalance,
      ...mean('computing'),
      ...mean('communicating'),
      ...mean('waiting'),
      ...mean('idle'),
    },
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}
