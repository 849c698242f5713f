import { summary } from '../../../analysis/statistics/summary.ts';
import { errorOfMean } from '../../inputs/document-parts.ts';
import type { PredictionDocument } from '../../predict/prediction.ts';
import type { Subject } from '../../predict/subject.ts';
import { type Outcome, outcomeOf } from './predictor.ts';
import { meanTimes } from './worker-times.ts';

/** Figures that a scenario sets, and no run changes. */
const GIVEN: readonly string[] = ['ranks', 'workers'];

/**
 * Runs a subject several times. Each figure is the mean over the runs, with its interval. If a run deadlocks or is cut short, its
 * outcome is returned.
 *
 * @param looksForTies adds a warning if ties decide figures; needs more runs
 * @param more further figures of a run
 */
export function replicatedOutcome(
  subject: Subject,
  replications: number,
  confidence: number,
  looksForTies: boolean,
  more: (document: PredictionDocument) => Outcome['figures'] = () => ({}),
): Outcome {
  try {
    const run = subject.runs();
    const seconds: number[] = [];
    const all: Outcome['figures'][] = [];
    const times: NonNullable<Outcome['times']>[] = [];
    let first: Outcome | undefined;
    for (let k = 0; k < replications; k++) {
      const found = run(k);
      const document = looksForTies && k === 0 && subject.tied !== undefined ? subject.tied(found) : found;
      const outcome = outcomeOf(document);
      if (!document.complete || document.deadlock.length > 0) return outcome;
      first ??= outcome;
      if (outcome.times !== undefined) times.push(outcome.times);
      seconds.push(document.figures.runTime.value);
      all.push({ ...outcome.figures, ...more(document) });
    }
    const samples = samplesOf(all);
    const { runTime: _, figures: __, ...others } = first!;
    return {
      ...others,
      runTime: summary(seconds).mean,
      ...(times.length === 0 ? {} : { times: meanTimes(times) }),
      figures: Object.fromEntries(
        Object.entries(all[0]!).flatMap(([name, { value, unit }]) => {
          if (GIVEN.includes(name)) return [[name, { value, unit }]];
          const values = samples[name];
          if (values === undefined) return [];
          const { mean, half } = summary(values, confidence);
          return [[name, { value: mean, unit, ...(values.length < 2 ? {} : errorOfMean(mean, half, confidence)) }]];
        }),
      ),
      ...(replications < 2 ? {} : { replications: seconds, samples }),
    };
  } finally {
    subject.close?.();
  }
}

/**
 * Number of runs of a scenario: as many as the study wants for its precision, but one if nothing is drawn, or as many as all scenarios have.
 */
export function runsOf({ draws }: Subject, wanted: number | undefined, shared = 1): number {
  return wanted === undefined ? shared : draws ? wanted : 1;
}

/** The values of each figure by replication; a figure that one of them lacks is left out. */
function samplesOf(all: readonly Outcome['figures'][]): NonNullable<Outcome['samples']> {
  return Object.fromEntries(
    Object.keys(all[0]!).flatMap((name) => {
      const values = all.map((figures) => figures[name]?.value);
      return GIVEN.includes(name) || values.includes(undefined) ? [] : [[name, values as number[]]];
    }),
  );
}
