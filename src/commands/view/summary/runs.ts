import { formatShare } from '../../../report/units.ts';
import { doublingText } from '../../predict/limit/doublings.ts';
import type { PredictionDocument } from '../../predict/prediction.ts';
import type { ProfileDocument } from '../../profile/profile-document.ts';
import type { Fact, Places, Statement } from './findings.ts';

export function predictedFacts({ figures }: PredictionDocument): Fact[] {
  const { runTime, parallelism, loadBalance } = figures;
  return [
    { term: 'Run time', figures: [{ name: 'runTime', ...runTime }], places: ['Timeline', 'Net'] },
    ...(parallelism === undefined
      ? []
      : [
          {
            term: 'Degree of parallelism, mean and maximum',
            figures: [
              { name: '/figures/parallelism/mean/value', ...parallelism.mean },
              { name: '/figures/parallelism/max/value', ...parallelism.max },
            ],
            places: ['Timeline'],
          },
        ]),
    ...(loadBalance === undefined
      ? []
      : [{ term: 'Load balance', figures: [{ name: 'loadBalance', ...loadBalance }], places: ['Intervals', 'Calls'] }]),
  ];
}

/** @param isMain the page is that of the profile */
export function measuredFacts({ figures }: ProfileDocument, isMain: boolean): Fact[] {
  const of = isMain ? {} : { of: 'profile' };
  return [
    ...(isMain
      ? [
          {
            term: 'Execution time',
            figures: [{ name: 'executionTime', ...figures.executionTime }],
            places: ['Timeline', 'Intervals', 'Calls'],
          },
        ]
      : []),
    {
      term: 'Efficiency',
      figures: [{ name: 'efficiency', ...figures.efficiency, ...of }],
      places: ['Intervals', 'Calls'],
    },
    { term: 'Lost time', figures: [{ name: 'lostTime', ...figures.lostTime, ...of }], places: ['Intervals', 'Calls'] },
  ];
}

/** The prediction lists all changes that were tried; a page without it has the losses. */
const LIMITS: Places = ['Prediction', 'Intervals', 'Calls'];

/** What limits a run, and what changing it would gain. */
export function advice({ limit, figures }: PredictionDocument): Statement[] {
  if (limit === undefined) return [];
  if (limit.kind === 'unknown')
    return [{ sentence: [`What limits the run is not known: ${limit.because}`], places: LIMITS }];
  const share = figures.runTime.value > 0 ? limit.gain / figures.runTime.value : 0;
  return [
    {
      sentence: [
        `The run is limited by ${limit.kind}: with ${doublingText(limit.name)} it takes `,
        { name: '/limit/gain', value: limit.gain, unit: 's' },
        ` (${formatShare(share)}) less.`,
      ],
      places: LIMITS,
    },
  ];
}
