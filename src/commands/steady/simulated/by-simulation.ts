import { ActivityMeter } from '../../../analysis/activity-meter.ts';
import type { Because, Estimate } from '../../../analysis/long-run/estimate.ts';
import { type LongRun, type LongRunEnd, longRun } from '../../../analysis/long-run/long-run.ts';
import { type Gauges, MeasuredNet } from '../../../analysis/long-run/measured-run.ts';
import { type RunsOfRound, replicatedRuns } from '../../../analysis/long-run/replicated-runs.ts';
import { firstRunEnds, restartedRuns } from '../../../analysis/long-run/restarted-runs.ts';
import { drawsNumbers } from '../../../analysis/monitor.ts';
import { components } from '../../../analysis/petri/components.ts';
import type { Budget } from '../../../analysis/space/budget.ts';
import { explore } from '../../../analysis/space/explore.ts';
import { InputError } from '../../../base/problem.ts';
import { usualThreads } from '../../../base/workers/start-thread.ts';
import type { NetRun } from '../../../engine/compile.ts';
import type { Net } from '../../../net/net.ts';
import { netHash } from '../../../net/net-hash.ts';
import { counted } from '../../../report/units.ts';
import { NO_INTERVAL } from '../../exact/absorption.ts';
import type { Interval } from '../../exact/exact-parts.ts';
import { CONFIDENCE } from '../../inputs/document-parts.ts';
import { DEFAULT_SEED } from '../../predict/document.ts';
import { conflictNotes } from '../../predict/ties/net-ties.ts';
import { ALSO_RESTARTED } from '../chain/solved-chain.ts';
import { shareOf } from '../check-steady-options.ts';
import { known, quotient, withResponse } from '../derived-figures.ts';
import { gaugedParts, gaugesOf } from '../part-figures.ts';
import type { Valued } from '../steady-figures.ts';
import type { Question } from '../steady-options.ts';
import type { SteadyFindings, SteadySimulation } from '../steady-result.ts';
import { loadRemarks, tieRemarks } from './load-remarks.ts';
import { RunPool } from './run-pool.ts';

const PRECISION = 0.01;
const MAX_FIRINGS = 1e8;

/** Why a simulated figure has no interval. */
const BECAUSE: Readonly<Record<Because, string>> = {
  constant: 'the same in every batch',
  'warm-up': 'the run is shorter than its warm-up, or there is no steady state',
  dependent: 'batches of the run are not independent: the run is too short, or there is no steady state',
  grows: 'grows throughout the run: no steady state',
  full: 'load 1 or more: no steady state',
  equal: 'the same in every run',
  unended:
    'a run had not ended at the limit, a hundredth of --max-firings or as much as all runs before it, and may never end: the figures leave it out',
  dead: 'the run ended in a dead marking; other runs may end in other ones',
};

const TRUNCATION: Readonly<Record<Exclude<LongRunEnd, 'precise'>, SteadyFindings['truncation']>> = {
  firings: 'firings',
  stopped: 'time',
  memory: 'memory',
  grows: 'unsteady',
  dead: 'dead',
  ends: 'ends',
};

/**
 * The figures of a net from a simulation, with confidence intervals.
 *
 * @throws InputError STAT002; RUN… if a run fails
 */
export function bySimulation(question: Question): SteadyFindings {
  const { net, rewards, options, budget } = question;
  const precision = options.precision === undefined ? PRECISION : shareOf(options.precision);
  const confidence = options.confidence === undefined ? CONFIDENCE : shareOf(options.confidence);
  const { numbers, run, restarted, severalEnds } = simulated(question, precision, confidence);
  const figure = (k: number): { readonly mean: number } & Interval => intervalOf(run.estimates[k]!, confidence);
  const valued = (found: Estimate): Valued => {
    const { mean: value, ...interval } = intervalOf(found, confidence);
    return { value, ...interval };
  };
  const isEmpty = run.estimates.length === 0;
  const truncation =
    run.ended === 'precise' ? undefined : run.ended === 'stopped' ? (budget.late ?? 'time') : TRUNCATION[run.ended];
  const places = isEmpty ? [] : net.places.map(({ name }, k) => ({ name, ...figure(numbers.place(k)) }));
  const transitions = isEmpty
    ? []
    : net.transitions.map(({ name }, k) => {
        const { mean: throughput, ...error } = figure(numbers.throughput(k));
        const { mean: value, ...own } = figure(numbers.enabled(k));
        return {
          name,
          throughput,
          ...error,
          enabledProbability: value,
          enabled: { value, unit: '1' as const, ...own },
        };
      });
  const runTime = restarted === undefined || isEmpty ? undefined : restarted.runTime;
  const restarts = runTime && quotient(known(1), valued(runTime));
  const replications = options.replications ?? restarted?.runs ?? 1;
  const isOneRun = options.replications === undefined && restarted === undefined;
  const ends = severalEnds ?? (isOneRun && run.ended === 'precise' ? endsOf(net, budget) : 1);
  const stuck = restarted?.stuck ?? 0;
  const remarks = [
    ...(run.ended === 'grows' ? loadRemarks(net, budget.stop) : []),
    ...(run.ended === 'firings' && places.some(({ certainty }) => certainty === 0)
      ? tieRemarks(net, precision, budget.stop)
      : []),
    ...(ends > 1
      ? [
          isOneRun
            ? `the net can end in ${ends} sets of markings that are never left, and this run has seen one of them: use --replications`
            : `the net can end in ${ends} sets of markings that are never left: the number of runs decides the precision, not their length, and a set that no run has reached is missing. If all delays are exponential, foretoken steady --method ctmc has the probability of each set, and exact means`,
        ]
      : []),
    ...(stuck === 0 ? [] : [`${ALSO_RESTARTED}: ${stuck} of ${counted(restarted?.runs ?? 0, 'run')}`]),
    ...conflictRemarks(question),
  ];
  return {
    method: 'simulate',
    solver: null,
    complete: run.ended === 'precise',
    ...(truncation === undefined ? {} : { truncation }),
    states: 0,
    vanishing: 0,
    residual: null,
    simulation: { ...simulationOf(run, precision, confidence), replications },
    places: run.ended === 'dead' || run.ended === 'grows' ? places : withResponse(net, places, transitions, restarts),
    transitions,
    ...(rewards.length === 0
      ? {}
      : { rewards: isEmpty ? [] : rewards.map(([name], k) => ({ name, ...figure(numbers.reward(k)) })) }),
    ...(runTime === undefined ? {} : { runTime: { ...intervalOf(runTime, confidence) } }),
    ...(run.gauged === undefined || isEmpty ? {} : gaugedParts(question, run.gauged, valued)),
    ...(remarks.length === 0 ? {} : { remarks }),
    // A dead marking is a component of one state.
    components: (run.ends ?? []).map(({ probability, lower, upper }) => ({
      states: 1,
      probability,
      ...spread(probability, { lower, upper }, confidence),
    })),
  };
}

/** A sentence for every two transitions whose conflict the ages of tokens decide; programs decide theirs by the rules of messages. */
function conflictRemarks({ net, nodes, options, budget }: Question): string[] {
  if (nodes !== undefined) return [];
  const { seed = DEFAULT_SEED } = options;
  return conflictNotes(net, net.name, { seed, cancelled: budget.stop }).map(({ message }) => message);
}

/** The ends of a net with more markings are not known: no limit of time, which would change the result between runs. */
const MAX_MARKINGS = 20_000;

/** Number of sets of markings that are never left, whatever the times of firings; 1 if it is not known. */
function endsOf(net: Net, budget: Budget): number {
  try {
    const space = explore(net, { maxStates: MAX_MARKINGS, budget });
    const graph = space.complete ? space.graph(undefined, budget.stop) : undefined;
    return (graph && components(graph, budget.stop))?.bottoms ?? 1;
  } catch (error) {
    if (error instanceof InputError) return 1;
    throw error;
  }
}

/** True if all processes of a program have ended. */
const isFinal =
  ({ places }: Net, { place, tokens }: NonNullable<Question['ended']>) =>
  (run: Pick<NetRun, 'tokens'>): boolean =>
    run.tokens(places[place]!.name).length >= tokens;

/** The runs of a net, and the positions of its figures in their estimates. */
interface Simulated {
  readonly numbers: MeasuredNet['numbers'];
  readonly run: LongRun;
  /** The same runs, if the net is restarted at each of its ends. */
  readonly restarted: ReturnType<typeof restartedRuns> | undefined;
  /** Independent runs only: the number of sets of markings that are never left. */
  readonly severalEnds: number | undefined;
}

/** Runs until the rewards are known to the precision, or without rewards all mean tokens and throughputs. */
function simulated(question: Question, precision: number, confidence: number): Simulated {
  const { net, rewards, options, budget, isRestarted, ended } = question;
  const { replications, seed = DEFAULT_SEED, maxFirings = MAX_FIRINGS } = options;
  const expressions = rewards.map(([, reward]) => reward);
  const settings = {
    seed,
    replication: 0,
    precision,
    confidence,
    maxFirings,
    stop: budget.stop,
    ...(options.simulated === undefined ? {} : { progress: options.simulated }),
  };
  // A net whose first run does not end is not restarted.
  const restarts =
    isRestarted &&
    replications === undefined &&
    firstRunEnds(new MeasuredNet(net, expressions, true), settings) === true;
  const { measured, gauges } = measuredQuestion(question, replications === undefined && !restarts);
  const { numbers } = measured;
  const wanted =
    rewards.length > 0
      ? rewards.map((_, k) => numbers.reward(k))
      : [...net.places.map((_, k) => numbers.place(k)), ...net.transitions.map((_, k) => numbers.throughput(k))];
  const restarted = restarts
    ? restartedRuns(
        measured,
        wanted,
        { ...settings, isRandom: drawsNumbers(net), ...(ended === undefined ? {} : { isFinal: isFinal(net, ended) }) },
        gauges,
      )
    : undefined;
  const severalEnds = replications === undefined || restarted !== undefined ? undefined : endsOf(net, budget);
  const run =
    restarted ??
    (replications === undefined
      ? longRun(measured, wanted, settings, gauges)
      : together(question, (round) =>
          replicatedRuns(measured, replications, wanted, settings, gauges, round, (severalEnds ?? 1) > 1),
        ));
  return { numbers, run, restarted, severalEnds };
}

/** A net compiled for runs that measure all figures of a question. */
export interface MeasuredQuestion {
  readonly measured: MeasuredNet;
  /** Measures the figures that the compiled code does not integrate; undefined if the question has none. */
  readonly gauges: Gauges | undefined;
}

/**
 * Compiles the net of a question.
 *
 * @param once true for one long run
 * @throws InputError for an invalid net; STAT002
 */
export function measuredQuestion(question: Question, once: boolean): MeasuredQuestion {
  const { net, rewards, activity, served = [] } = question;
  const meter = activity && new ActivityMeter(net, activity);
  const measured = new MeasuredNet(
    net,
    rewards.map(([, reward]) => reward),
    once,
    meter && { observers: meter.observers, counts: meter.counts, coloured: meter.coloured },
  );
  meter?.bind((transition) => measured.compiled.variables(transition));
  return { measured, gauges: meter === undefined && served.length === 0 ? undefined : gaugesOf(meter, question) };
}

/** Calls a function with threads that run replications; without, if the input cannot be read again in them. */
function together<T>({ net, options, again }: Question, run: (round?: RunsOfRound) => T): T {
  const workers = Math.min(options.workers ?? usualThreads(), options.replications ?? 1);
  if (again === undefined || workers === 1) return run();
  const pool = new RunPool({ ...again, hash: netHash(net) }, workers);
  try {
    return run(pool.round);
  } finally {
    pool.end();
  }
}

function simulationOf(run: LongRun, precision: number, confidence: number): Omit<SteadySimulation, 'replications'> {
  return { firings: run.firings, time: { value: run.time, unit: 's' }, precision, confidence };
}

function intervalOf(found: Estimate, confidence: number): { readonly mean: number } & Interval {
  const { mean } = found;
  if ('lower' in found) return { mean, ...spread(mean, found, confidence) };
  return { mean, ...NO_INTERVAL, because: BECAUSE[found.because] };
}

function spread(value: number, { lower, upper }: { lower: number; upper: number }, confidence: number): Interval {
  return { halfWidth: Math.max(value - lower, upper - value), lower, upper, certainty: confidence };
}
