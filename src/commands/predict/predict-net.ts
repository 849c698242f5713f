import { whyEndless } from '../../analysis/coverability/boundedness.ts';
import { ComputingMeter, processRange } from '../../analysis/processes.ts';
import { simulate } from '../../analysis/simulate.ts';
import { fail, type Problem, quote } from '../../base/problem.ts';
import { compile, type NetRun } from '../../engine/compile.ts';
import type { Net } from '../../net/net.ts';
import { inputFiles } from '../inputs/inputs.ts';
import { aboutFile, readNetFile } from '../inputs/net-file.ts';
import { assertNoDatatype } from '../inputs/target.ts';
import { checkPrediction } from './check-prediction.ts';
import { DEFAULT_SEED, documentHead, mainFigures, profileOf } from './document.ts';
import { linkFigures } from './link-figures.ts';
import type { PredictOptions } from './options.ts';
import type { PredictionDocument, RankFigures } from './prediction.ts';
import { RunTime } from './run-time.ts';
import { tieWarning } from './ties.ts';

/** Default step limit. A net need not terminate; after this many steps the result is incomplete. */
const MAX_STEPS = 1e9;
/** Maximum number of marked places named in a warning. */
const MAX_NAMED = 10;

/**
 * Runs a net from a PNML or JSON file without knowledge of what it models: run time, firings and utilisation of its links.
 * If the net declares which colours are processes, also their end and computing times.
 */
export function predictNet(input: string, options: PredictOptions): PredictionDocument {
  assertNoDatatype(options, 'a net', input);
  for (const key of [
    'machine',
    'hostfile',
    'placement',
    'oversubscribe',
    'networkModel',
    'ranks',
    'trace',
    'run',
    'record',
  ] as const)
    if (options[key] !== undefined)
      fail('APP004', `a net contains its machine: option ${key} does not apply`, { file: input });
  const { net, warnings } = readNetFile(input);
  const { low, count: processes } = processRange(net);
  const computing = new ComputingMeter(net);
  const runTime = new RunTime(net);
  const compiled = compile(net, { observers: computing.observers(), counts: runTime.counts });
  computing.bind((t) => compiled.variables(t));
  const run = aboutFile(input, () =>
    simulate(compiled, {
      seed: options.seed ?? DEFAULT_SEED,
      maxSteps: options.maxSteps ?? MAX_STEPS,
      ...(options.until === undefined ? {} : { until: options.until }),
      ...(options.cancelled === undefined ? {} : { cancelled: options.cancelled }),
      ...(options.progress === undefined
        ? {}
        : { progress: (run) => options.progress!({ time: run.now, share: Number.NaN }) }),
    }),
  );
  const ends = new Float64Array(processes).fill(Number.NaN);
  if (net.processes !== undefined)
    for (const t of run.run.tokens(net.processes.ended)) ends[t.values[0]! - low] = t.time;
  const time = runTime.of(run.time, ends);
  computing.finish(time);
  const ranks = Array.from({ length: processes }, (_, rank): RankFigures => {
    const end = ends[rank]!;
    return {
      rank,
      host: '',
      endTime: Number.isNaN(end) ? null : end,
      computing: computing.seconds[rank]!,
      communicating: null,
      waiting: null,
      idle: Number.isNaN(end) ? 0 : time - end,
    };
  });
  const document: PredictionDocument = {
    ...documentHead(options),
    complete: run.ended === 'quiescent' || run.ended === 'time',
    ended: run.ended,
    marking: markingOf(net, run.run),
    inputs: inputFiles({ net: input }),
    options: {
      net: net.name,
      ranks: processes,
      ...(options.until === undefined ? {} : { until: options.until }),
      ...(options.maxSteps === undefined ? {} : { maxSteps: options.maxSteps }),
    },
    figures: mainFigures(time, computing.parallelism, computing.seconds),
    ranks,
    resources: net.places.flatMap((p) =>
      p.service?.kind === 'max-min' ? linkFigures(p.service.links, run.run.carried(p.name), time) : [],
    ),
    firings: run.firings,
    profile: profileOf(time, computing.parallelism),
    deadlock: [],
    warnings: [
      ...warnings.map((message): Problem => ({ code: 'APP047', message, place: { file: input } })),
      ...tieWarning(net, input, { ...options, seed: options.seed ?? DEFAULT_SEED }),
      ...(run.ended === 'steps' ? endless(net, input) : []),
      ...(run.ended === 'quiescent' ? notFinal(net, run.run, input) : []),
    ],
  };
  checkPrediction(document, () => ({ file: input }));
  return document;
}

/** A warning if a net that reached the step limit can run forever. */
function endless(net: Net, file: string): Problem[] {
  const found = whyEndless(net);
  if (found?.sure !== true) return [];
  return [{ code: 'COV004', message: `reached the step limit: ${found.because}`, place: { file } }];
}

/** A warning if a run stops in a marking that the net does not list as final. */
function notFinal(net: Net, run: NetRun, file: string): Problem[] {
  const { finalMarkings = [] } = net;
  if (finalMarkings.length === 0) return [];
  const left = net.places.map(({ name }) => [name, run.tokens(name).length] as const);
  const ended = finalMarkings.some((marking) => {
    const counts = new Map(marking.map(({ place, count }) => [place, count]));
    return left.every(([name, tokens]) => tokens === (counts.get(name) ?? 0));
  });
  if (ended) return [];
  const marked = left.filter(([, tokens]) => tokens > 0).map(([name, tokens]) => `${quote(name)} ${tokens}`);
  const where = marked.length === 0 ? 'no tokens' : marked.slice(0, MAX_NAMED).join(', ');
  const more = marked.length > MAX_NAMED ? ` and ${marked.length - MAX_NAMED} more places` : '';
  return [{ code: 'APP046', message: `stops in a marking that is not final: ${where}${more}`, place: { file } }];
}

/** Number of tokens left in each non-empty place. */
function markingOf(net: Net, run: NetRun): Record<string, number> {
  const left = net.places.map((p) => [p.name, run.tokens(p.name).length] as const).filter(([, tokens]) => tokens > 0);
  return Object.fromEntries(left.sort(([a], [b]) => (a < b ? -1 : 1)));
}
