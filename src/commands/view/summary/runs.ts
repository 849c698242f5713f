import { formatShare } from '../../../report/units.ts';
import { doublingText } from '../../predict/limit/doublings.ts';
import type { PredictionDocument } from '../../predict/prediction.ts';
import type { ProfileDocument } from '../../profile/profile-document.ts';
import type { Fact, Sentence } from './findings.ts';

export function predictedFacts({ figures }: PredictionDocument): Fact[] {
  const { runTime, parallelism, loadBalance } = figures;
  return [
    { term: 'Run time', figures: [{ name: 'runTime', ...runTime }] },
    ...(parallelism === undefined
      ? []
      : [
          {
            term: 'Degree of parallelism, mean and maximum',
            figures: [
              { name: '/figures/parallelism/mean/value', ...parallelism.mean },
              { name: '/figures/parallelism/max/value', ...parallelism.max },
            ],
          },
        ]),
    ...(loadBalance === undefined
      ? []
      : [{ term: 'Load balance', figures: [{ name: 'loadBalance', ...loadBalance }] }]),
  ];
}

/** @param isMain the page is that of the profile */
export function measuredFacts({ figures }: ProfileDocument, isMain: boolean): Fact[] {
  const of = isMain ? {} : { of: 'profile' };
  return [
    ...(isMain ? [{ term: 'Execution time', figures: [{ name: 'executionTime', ...figures.executionTime }] }] : []),
    { term: 'Efficiency', figures: [{ name: 'efficiency', ...figures.efficiency, ...of }] },
    { term: 'Lost time', figures: [{ name: 'lostTime', ...figures.lostTime, ...of }] },
  ];
}

/** What limits a run, and what changing it would gain. */
export function advice({ limit, figures }: PredictionDocument): Sentence[] {
  if (limit === undefined) return [];
  if (limit.kind === 'unknown') return [[`What limits the run is not known: ${limit.because}`]];
  const share = figures.runTime.value > 0 ? limit.gain / figures.runTime.value : 0;
  return [
    [
      `The run is limited by ${limit.kind}: with ${doublingText(limit.name)} it takes `,
      { name: '/limit/gain', value: limit.gain, unit: 's' },
      ` (${formatShare(share)}) less.`,
    ],
  ];
}
