import { whyEndless } from '../../analysis/coverability/unbounded-place.ts';
import { ComputingMeter, processRange } from '../../analysis/processes.ts';
import { simulate } from '../../analysis/simulate.ts';
import { fail, type Problem } from '../../base/problem.ts';
import { compile, type Game } from '../../engine/compile.ts';
import { netFromJson } from '../../net/json/json.ts';
import type { Net } from '../../net/net.ts';
import type { PredictionDocument, RankFigures } from '../../report/prediction.ts';
import { aboutFile } from '../about-file.ts';
import { DEFAULT_SEED, documentHead, mainFigures, profileOf } from '../document.ts';
import { inputFiles, readText } from '../inputs.ts';
import type { PredictOptions } from '../options.ts';
import { linkFigures } from './link-figures.ts';
import { RunTime } from './run-time.ts';

/** A net need not come to an end: after so many steps the answer is incomplete. */
const MAX_STEPS = 1e9;

/**
 * Plays a net from a file in the product's JSON, knowing nothing of what it models: run time, firings, the use of its
 * links, and, where the net says which of its colours are processes, when each ends and how long it computes.
 */
export function predictNet(input: string, options: PredictOptions): PredictionDocument {
  for (const key of ['machine', 'hostfile', 'placement', 'oversubscribe', 'networkModel', 'ranks', 'trace'] as const)
    if (options[key] !== undefined)
      fail('APP004', `a net holds its machine already: the option for ${key} has no use with it`, { file: input });
  const net = netFromJson(readText(input), input);
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
        : { progress: (game) => options.progress!({ time: game.now, share: Number.NaN }) }),
    }),
  );
  const ends = new Float64Array(processes).fill(Number.NaN);
  if (net.processes !== undefined)
    for (const t of run.game.tokens(net.processes.ended)) ends[t.values[0]! - low] = t.time;
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
  return {
    ...documentHead(options),
    complete: run.ended === 'quiescent' || run.ended === 'time',
    ended: run.ended,
    marking: markingOf(net, run.game),
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
      p.service?.kind === 'max-min' ? linkFigures(p.service.links, run.game.carried(p.name), time) : [],
    ),
    firings: run.firings,
    profile: profileOf(time, computing.parallelism),
    deadlock: [],
    warnings: run.ended === 'steps' ? endless(net, input) : [],
  };
}

/** A net that was still running, and may do so for ever. */
function endless(net: Net, file: string): Problem[] {
  const found = whyEndless(net);
  if (found?.sure !== true) return [];
  return [
    { code: 'COV004', message: `has been played for as many steps as are allowed: ${found.because}`, place: { file } },
  ];
}

/** How many tokens each place is left with that is not empty. */
function markingOf(net: Net, game: Game): Record<string, number> {
  const left = net.places.map((p) => [p.name, game.tokens(p.name).length] as const).filter(([, tokens]) => tokens > 0);
  return Object.fromEntries(left.sort(([a], [b]) => (a < b ? -1 : 1)));
}
