import { fail, type Problem, quote } from '../../../base/problem.ts';
import type { Net } from '../../../net/net.ts';
import { CONFIDENCE } from '../../inputs/document-parts.ts';
import type { ReadNet } from '../../inputs/input.ts';
import { readNetFile } from '../../inputs/net-file.ts';
import type { MachineOptions } from '../../inputs/target.ts';
import { netSubject } from '../../predict/net-subject.ts';
import type { PredictionDocument } from '../../predict/prediction.ts';
import { nodeOf } from '../axes/net-axes.ts';
import { type ChangedNet, onNetwork, scenarioNet } from '../axes/schedule-axes.ts';
import { type ExactOptions, exactPredictor } from './exact-predictor.ts';
import type { Outcome, Predictor } from './predictor.ts';
import { replicatedOutcome, runsOf } from './replicated-outcome.ts';

/** Limits of the runs of a net, and what all scenarios share. */
export interface NetStudyOptions extends ExactOptions {
  readonly until?: number;
  readonly maxSteps?: number;
  readonly seed?: string;
  readonly replications?: number;
  /** Confidence level of the intervals. Default 0.95. */
  readonly confidence?: number;
  readonly loggops?: string;
  /** Schedules: the machine whose network has the parameters of LogGOPS. */
  readonly machine?: NonNullable<MachineOptions['machine']>;
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
  return netPredictor(readNetFile(file, options.loggops), file, options);
}

/** Returns a predictor for scenarios of delays, service times, servers and initial tokens of a net, or parameters of a schedule. */
export function netPredictor(
  given: ChangedNet & Pick<ReadNet, 'blocked'>,
  file: string | undefined,
  options: NetStudyOptions,
): Predictor {
  const { net, blocked } = given;
  if (options.figures !== undefined || options.rewards !== undefined) return exactPredictor(given, options);
  return ({ index, values, ideal, replications: wanted }) => {
    if (ideal !== undefined) fail('WHAT012', `net ${quote(net.name)} has no network and no balance to idealise`);
    const { changed, others } = onNetwork(given, options.machine, values);
    const own = { net: scenarioNet(changed, others), warnings: [], ...(blocked === undefined ? {} : { blocked }) };
    const subject = netSubject(own, file, options);
    const varied = new Set(Object.keys(values).map(nodeOf));
    const { confidence = CONFIDENCE } = options;
    const replications = runsOf(subject, wanted, options.replications);
    const outcome = replicatedOutcome(subject, replications, confidence, index === 0, (document) =>
      nodeFigures(document, varied),
    );
    if (replications > 1 || !subject.draws || !outcome.complete) return outcome;
    return { ...outcome, warnings: [...(outcome.warnings ?? []), drawnOnce(net)] };
  };
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
