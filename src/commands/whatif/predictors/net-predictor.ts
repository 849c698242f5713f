import { summary } from '../../../analysis/statistics/summary.ts';
import { fail, type Problem, quote } from '../../../base/problem.ts';
import type { Net } from '../../../net/net.ts';
import { CONFIDENCE, errorOfMean } from '../../inputs/document-parts.ts';
import { readNetFile } from '../../inputs/net-file.ts';
import { netSubject } from '../../predict/net-subject.ts';
import type { PredictionDocument } from '../../predict/prediction.ts';
import { changeNet, nodeOf } from '../axes/net-axes.ts';
import { type ExactFigures, exactPredictor } from './exact-predictor.ts';
import { type Outcome, outcomeOf, type Predictor } from './predictor.ts';

/** Limits of the runs of a net, and what all scenarios share. */
export interface NetStudyOptions extends ExactFigures {
  readonly until?: number;
  readonly maxSteps?: number;
  readonly seed?: string;
  readonly replications?: number;
}

/** A net that worker threads read again. */
export interface NetStudy {
  readonly kind: 'net';
  readonly file: string;
  readonly options: NetStudyOptions;
}

/** Up to this number of places and transitions, a scenario has the figures of all; above, of stations and varied nodes. */
const FEW_NODES = 40;

/** Predictor of a net in a worker thread, which reads the file once. */
export function readNetPredictor({ file, options }: NetStudy): Predictor {
  return netPredictor(readNetFile(file).net, file, options);
}

/** Returns a predictor for scenarios of delays, service times, servers and initial tokens of a net. */
export function netPredictor(net: Net, file: string | undefined, options: NetStudyOptions): Predictor {
  if (options.figures !== undefined || options.rewards !== undefined) return exactPredictor(net, options);
  return ({ index, values, ideal }) => {
    if (ideal !== undefined) fail('WHAT012', `net ${quote(net.name)} has no network and no balance to idealise`);
    let own = net;
    for (const [axis, value] of Object.entries(values)) own = changeNet(own, axis, value);
    const subject = netSubject({ net: own, warnings: [] }, file, options);
    const run = subject.runs();
    const documents: PredictionDocument[] = [];
    for (let k = 0; k < (options.replications ?? 1); k++) {
      const found = run(k);
      // One warning that ties decide figures is enough; it needs more runs.
      const document = index === 0 && k === 0 ? subject.tied!(found) : found;
      // One run that did not end leaves the scenario without figures.
      if (!document.complete) return outcomeOf(document);
      documents.push(document);
    }
    const varied = new Set(Object.keys(values).map(nodeOf));
    const seconds = documents.map(({ figures }) => figures.runTime.value);
    const outcome = outcomeOf(documents[0]!);
    const drawn = documents.length < 2 && subject.draws ? [drawnOnce(net)] : [];
    const warnings = [...(outcome.warnings ?? []), ...drawn];
    return {
      ...outcome,
      runTime: seconds.reduce((sum, time) => sum + time, 0) / seconds.length,
      figures: { ...outcome.figures, ...means(documents.map((document) => nodeFigures(document, varied))) },
      ...(documents.length < 2 ? {} : { replications: seconds }),
      ...(warnings.length === 0 ? {} : { warnings }),
    };
  };
}

/** Means over the replications with their 95 % intervals; a figure that one of them lacks is left out. */
function means(all: readonly Outcome['figures'][]): Outcome['figures'] {
  const [first = {}, ...others] = all;
  return Object.fromEntries(
    Object.entries(first).flatMap(([name, { value, unit }]) => {
      const rest = others.map((figures) => figures[name]?.value);
      if (rest.includes(undefined)) return [];
      const mean = rest.reduce<number>((sum, x) => sum + x!, value) / all.length;
      if (rest.length === 0) return [[name, { value: mean, unit }]];
      const { half } = summary([value, ...(rest as number[])], CONFIDENCE);
      return [[name, { value: mean, unit, ...errorOfMean(mean, half, CONFIDENCE) }]];
    }),
  );
}

/** Utilisation, mean tokens and firing rate, by kind and node; every scenario has the same names. */
function nodeFigures(
  { places = [], transitions = [] }: PredictionDocument,
  varied: ReadonlySet<string>,
): Outcome['figures'] {
  const all = places.length + transitions.length <= FEW_NODES;
  const found: Record<string, Outcome['figures'][string]> = {};
  const add = (name: string, value: number | null | undefined, unit: '1' | '1/s'): void => {
    if (value !== undefined && value !== null) found[name] = { value, unit };
  };
  for (const { name, mean, utilisation } of places) {
    if (!all && utilisation === undefined && !varied.has(name)) continue;
    add(`utilisation ${name}`, utilisation, '1');
    add(`tokens ${name}`, mean, '1');
  }
  for (const { name, rate } of transitions) if (all || varied.has(name)) add(`rate ${name}`, rate, '1/s');
  return found;
}

const drawnOnce = (net: Net): Problem => ({
  code: 'WHAT018',
  message: `net ${quote(net.name)} draws random numbers: the figures of one run are one sample; --replications 30 gives means with intervals`,
});
