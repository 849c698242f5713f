import type { ParallelismMeter } from '../../analysis/parallelism.ts';
import { formatProblem, type Problem } from '../../base/problem.ts';
import { PRODUCT } from '../../base/version.ts';
import { isStateLink } from '../../machine/profile.ts';
import { capacityMean } from '../../net/link-profile.ts';
import type { ServiceLink } from '../../net/net.ts';
import { PROFILE_SLICES, type PredictOptions } from './options.ts';
import type { PredictionDocument, ResourceFigures } from './prediction.ts';

/** Default seed of all random numbers. */
export const DEFAULT_SEED = '1';

/** The first members of every prediction document. */
export function documentHead(
  options: PredictOptions,
): Pick<PredictionDocument, 'format' | 'version' | 'kind' | 'product' | 'seed'> {
  return { format: 'foretoken', version: 1, kind: 'prediction', product: PRODUCT, seed: options.seed ?? DEFAULT_SEED };
}

/**
 * Mean over maximum of the computing times of processes, in seconds; 1 is perfect, and the result if none computes.
 *
 * @param counted the processes that count; default: those that compute. A process that never computes, such as a master that
 * only distributes work, has no share of the work to be balanced
 */
export function loadBalance(computing: Float64Array, counted: readonly number[] = working(computing)): number {
  const maximum = computing.reduce((a, b) => Math.max(a, b), 0);
  const total = counted.reduce((sum, process) => sum + computing[process]!, 0);
  return maximum > 0 ? total / counted.length / maximum : 1;
}

/** The processes that compute at all. */
export function working(computing: Float64Array): number[] {
  return [...computing.keys()].filter((process) => computing[process]! > 0);
}

/** Run time, degree of parallelism and load balance from the computing time of each process; all times in seconds. */
export function mainFigures(
  time: number,
  parallelism: ParallelismMeter,
  computing: Float64Array,
): Required<Pick<PredictionDocument['figures'], 'runTime' | 'parallelism' | 'loadBalance'>> {
  return {
    runTime: { value: time, unit: 's' },
    parallelism: {
      max: { value: parallelism.max, unit: '1' },
      mean: { value: time > 0 ? parallelism.integral / time : 0, unit: '1' },
      none: { value: time > 0 ? parallelism.none / time : 0, unit: '1' },
      one: { value: time > 0 ? parallelism.one / time : 0, unit: '1' },
    },
    loadBalance: { value: loadBalance(computing), unit: '1' },
  };
}

/** Parallelism over time, in the slices of a document. */
export function profileOf(time: number, parallelism: ParallelismMeter): NonNullable<PredictionDocument['profile']> {
  return {
    width: { value: time / PROFILE_SLICES, unit: 's' },
    values: parallelism.profile(time, PROFILE_SLICES),
  };
}

/** Shares of latency and bandwidth in the ranks' communicating time, from seconds per rank; empty if no rank communicates. */
export function transferFigures(
  communicating: Float64Array,
  latency: Float64Array,
): Pick<PredictionDocument['figures'], 'transfer'> {
  const all = communicating.reduce((a, b) => a + b, 0);
  if (!(all > 0)) return {};
  const waited = Math.min(
    all,
    latency.reduce((a, b) => a + b, 0),
  );
  return {
    transfer: { latency: { value: waited / all, unit: '1' }, bandwidth: { value: 1 - waited / all, unit: '1' } },
  };
}

/** The member `notes` of a document: distinct notes in order; no member without notes. */
export function notesOf(notes: readonly Problem[]): { readonly notes?: readonly Problem[] } {
  const distinct = [...new Map(notes.map((note) => [formatProblem(note), note])).values()];
  return distinct.length === 0 ? {} : { notes: distinct };
}

/** The links or memories that carried data within `time` (s), the busiest first. `carried` is in bytes. */
export function linkFigures(
  links: readonly ServiceLink[],
  carried: Float64Array,
  time: number,
  kind: 'link' | 'memory' = 'link',
): ResourceFigures[] {
  return links
    .flatMap((l, k): ResourceFigures[] => {
      if (!(carried[k]! > 0) || isStateLink(l)) return [];
      const capacity = l.capacity * capacityMean(l, time);
      return [
        {
          name: l.name,
          kind,
          utilisation: time > 0 ? carried[k]! / (capacity * time) : 0,
          amount: { value: carried[k]!, unit: 'B' },
          capacity: { value: capacity, unit: 'B/s' },
          ...(l.fatpipe ? { fatpipe: true as const } : {}),
        },
      ];
    })
    .sort((a, b) => b.utilisation - a.utilisation || (a.name < b.name ? -1 : 1));
}
