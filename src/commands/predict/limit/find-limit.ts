import { InputError } from '../../../base/problem.ts';
import { changeMachine, withThreadCosts } from '../../../machine/description/machine-parameters.ts';
import { equallyFast } from '../../../machine/ideal-network.ts';
import type { Machine } from '../../../machine/machine.ts';
import { type Platform, SLOWER_HOSTS } from '../../../machine/platform.ts';
import { changePlatform, hasParameter } from '../../../machine/platform-parameters.ts';
import { type ByKind, byKind, type InputOf } from '../../inputs/input.ts';
import { isReadOnce, nameOfInput } from '../../inputs/input-kinds.ts';
import type { KindsOf } from '../../inputs/option-rows.ts';
import { hostfileOf, machineFileOf, machineIn } from '../../inputs/target.ts';
import type { Doubled, LimitFigures } from '../improvement-figures.ts';
import { ASSUMED_MACHINE } from '../model/stages.ts';
import type { PredictOptions } from '../options.ts';
import type { PredictionDocument } from '../prediction.ts';
import { ASSUMED_THREAD_MACHINE } from '../threads/thread-model-net.ts';
import { DOUBLINGS, type Doubling } from './doublings.ts';

/** Maximum number of firings of a run that is repeated with doubled resources. */
const MAX_FIRINGS = 250_000;
/** Maximum number of ranks of a lumped run that is repeated: their classes are found and proven each time. */
const MAX_LUMPED = 65_536;
/** A gain below this share of the run time does not count. */
const NOTABLE = 0.01;
/** Relative difference below which two gains are equal. */
const EQUAL = 1e-9;

/** Runs the same program with a changed machine, or with another number of workers. */
interface SecondRuns {
  /** The run time in seconds; undefined if the run does not end, or not as the first one. */
  readonly on: (machine: Machine | Platform) => number | undefined;
  /** Thread models: the run with twice the workers. */
  readonly withTwiceTheWorkers?: () => number | undefined;
}

/**
 * The limit of a run: the resource whose doubling shortens it most, from one second run for each resource. A resource is
 * skipped if the program spends too little time on it: a gain is at most half of that time.
 *
 * @returns undefined for a run without ranks or threads, or one that did not end
 * @complexity at most one run for each parameter of the machine
 */
function findLimit(
  document: PredictionDocument,
  machine: Machine | Platform,
  runs: SecondRuns,
): LimitFigures | undefined {
  const { figures, ranks, workers = [], deadlock, complete, firings } = document;
  const time = figures.runTime.value;
  if (!complete || deadlock.length > 0 || ranks.length + workers.length === 0 || !(time > 0)) return undefined;
  if (document.lumping !== undefined && document.lumping.ranks > MAX_LUMPED)
    return notMade(`lumped runs are repeated with doubled resources up to ${MAX_LUMPED} ranks`);
  const count = Object.values(firings).reduce((sum, n) => sum + n, 0);
  if (count > MAX_FIRINGS)
    return notMade(`the run has ${count} firings; it is repeated with doubled resources up to ${MAX_FIRINGS}`);
  const tried: Doubled[] = [];
  let best: Doubled | undefined;
  const tries = (kind: Doubling['kind'], name: string, bound: number, run: () => number | undefined): void => {
    // Halving all time on this resource would gain less than the best doubling so far, or nothing notable.
    if (bound <= Math.max(best?.gain ?? 0, NOTABLE * time) * (1 - EQUAL)) return;
    const seconds = run();
    if (seconds === undefined) return;
    const one = { kind, name, gain: time - seconds };
    tried.push(one);
    if (best === undefined || one.gain > best.gain + EQUAL * time) best = one;
  };
  const boundOf = (used: number): number => (used === Number.POSITIVE_INFINITY ? time : Math.min(used, time) / 2);
  const open = DOUBLINGS.map((doubling) => ({ doubling, bound: boundOf(doubling.used(document)) }))
    .filter(({ bound }) => bound > 0)
    .sort((a, b) => b.bound - a.bound);
  for (const { doubling, bound } of open) {
    const changed = doubled(machine, doubling);
    if (changed === undefined) continue;
    tries(doubling.kind, `machine.${doubling.path}`, bound, () => runs.on(changed));
  }
  if (runs.withTwiceTheWorkers !== undefined) tries('workers', 'workers', time, runs.withTwiceTheWorkers);
  if (best !== undefined && best.gain >= NOTABLE * time) return { ...best, tried };
  return { kind: 'dependencies', name: 'dependencies', gain: Math.max(0, best?.gain ?? 0), tried };
}

/** A limit that was not determined. */
const notMade = (because: string): LimitFigures => ({ kind: 'unknown', because });

/** How an input is run again: options that stay as in the first run. */
interface Again {
  readonly fixed: PredictOptions;
  /** Its workers are a resource. */
  readonly hasWorkers?: true;
}

const AGAIN: ByKind<KindsOf<'predict'>, [PredictionDocument], Again | undefined> = {
  // The number of ranks does not follow the machine.
  model: (_, { options }) => ({ fixed: { machine: ASSUMED_MACHINE, ranks: Number(options['ranks']) } }),
  'thread model': () => ({ fixed: { machine: ASSUMED_THREAD_MACHINE }, hasWorkers: true }),
  // Its lines are not read again: the machine does not change the algorithms of its collectives.
  trace: () => ({ fixed: {} }),
  // A net has no machine whose parts could be doubled.
  net: () => undefined,
};

/** Options that concern the first run only. */
const OF_FIRST_RUN = [
  ...(['trace', 'run', 'record', 'progress', 'offloadedRanks', 'digestOf'] as const),
  ...(['replications', 'precision', 'confidence', 'secondRuns', 'exact', 'suggestPlacement'] as const),
];

/**
 * Adds the limit to a prediction, from second runs of the same input.
 *
 * @param options those of the prediction
 * @param predict predicts the input with other options
 */
export function withLimit(
  document: PredictionDocument,
  input: InputOf<KindsOf<'predict'>>,
  options: PredictOptions,
  predict: (options: PredictOptions) => PredictionDocument,
): PredictionDocument {
  const again = byKind(AGAIN, input, document);
  if (again === undefined) return document;
  const once = [machineFileOf(options), hostfileOf(options)].find(isReadOnce);
  if (once !== undefined) {
    const name = nameOfInput(once);
    return { ...document, limit: notMade(`${name} cannot be read again for runs with doubled resources`) };
  }
  const { machine = again.fixed.machine } = options;
  const others: { -readonly [key in keyof PredictOptions]: PredictOptions[key] } = {
    ...options,
    ...again.fixed,
    ...(machine === undefined ? {} : { machine }),
  };
  for (const name of OF_FIRST_RUN) delete others[name];
  const isOver = (): boolean => options.cancelled?.() === true;
  const runTime = (changed: PredictOptions): number | undefined => {
    if (isOver()) return undefined;
    const { complete, deadlock, figures } = predict({ ...others, ...changed });
    return complete && deadlock.length === 0 ? figures.runTime.value : undefined;
  };
  const workers = 2 * Number(document.options['workers']);
  const runs: SecondRuns = {
    on: (machine) => runTime({ machine }),
    ...(again.hasWorkers === true ? { withTwiceTheWorkers: () => runTime({ workers }) } : {}),
  };
  const limit = findLimit(document, machineIn(others), runs);
  return limit === undefined || isOver() ? document : { ...document, limit };
}

/** Times are halved; everything else is doubled. */
const factorOf = (path: string): string => (/latency|overhead|gap/.test(path) ? 'x0.5' : 'x2');

/** A machine with a doubled resource; undefined if it does not have the resource. */
function doubled(machine: Machine | Platform, { path }: Doubling): Machine | Platform | undefined {
  try {
    if (path === SLOWER_HOSTS) return equallyFast(machine);
    if ('route' in machine) return hasParameter(path) ? changePlatform(machine, path, factorOf(path)) : undefined;
    if (path !== 'threads') return changeMachine(machine, path, factorOf(path));
    const all = withThreadCosts(machine);
    return Object.entries(all.threads!).reduce<Machine>(
      (changed, [name, cost]) => (cost === 0 ? changed : changeMachine(changed, `threads.${name}`, 'x0.5')),
      all,
    );
  } catch (error) {
    // The machine lacks the parameter (MACH030), has no value to multiply (MACH032), or cannot have twice as much.
    if (error instanceof InputError) return undefined;
    throw error;
  }
}
