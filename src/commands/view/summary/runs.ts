import { TIME_WORDS } from '../../../base/time-words.ts';
import { formatShare } from '../../../report/units.ts';
import { doublingText } from '../../predict/limit/doublings.ts';
import type { PredictionDocument } from '../../predict/prediction.ts';
import type { ProfileDocument } from '../../profile/profile-document.ts';
import type { Fact, Places, Statement } from './findings.ts';

/** @param isMain the page is that of the prediction */
export function predictedFacts({ figures }: PredictionDocument, isMain: boolean): Fact[] {
  const { runTime, parallelism, loadBalance } = figures;
  // Figures that would be 0 / 0 are no findings, although documents have numbers for them.
  const computes = parallelism === undefined || parallelism.max.value > 0;
  const of = isMain ? {} : { of: 'prediction' };
  return [
    { term: 'Run time', figures: [{ name: 'runTime', ...runTime, ...of }], places: ['Timeline', 'Net'] },
    ...(parallelism === undefined || runTime.value === 0
      ? []
      : [
          {
            term: 'Degree of parallelism, mean and maximum',
            figures: [
              { name: '/figures/parallelism/mean/value', ...parallelism.mean, ...of },
              { name: '/figures/parallelism/max/value', ...parallelism.max, ...of },
            ],
            places: ['Timeline'],
          },
        ]),
    ...(loadBalance === undefined || !computes
      ? []
      : [
          {
            term: 'Load balance',
            figures: [{ name: 'loadBalance', ...loadBalance, ...of }],
            places: ['Intervals', 'Calls'],
          },
        ]),
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
    ...(figures.totalTime.value === 0
      ? []
      : [
          {
            term: 'Efficiency',
            figures: [{ name: 'efficiency', ...figures.efficiency, ...of }],
            places: ['Intervals', 'Calls'],
          } as const,
        ]),
    { term: 'Lost time', figures: [{ name: 'lostTime', ...figures.lostTime, ...of }], places: ['Intervals', 'Calls'] },
  ];
}

/** The prediction lists all changes that were tried; a page without it has the losses. */
const LIMITS: Places = ['Prediction', 'Intervals', 'Calls'];

/** What limits a run, and what changing it would gain. */
export function advice({ limit, figures }: PredictionDocument, isMain: boolean): Statement[] {
  if (limit === undefined) return [];
  if (limit.kind === 'unknown')
    return [{ sentence: [`What limits the run is not known: ${limit.because}`], places: LIMITS }];
  const share = figures.runTime.value > 0 ? limit.gain / figures.runTime.value : 0;
  return [
    {
      sentence: [
        `The run is limited by ${limit.kind}: with ${doublingText(limit.name)} it takes `,
        { name: '/limit/gain', value: limit.gain, unit: 's', ...(isMain ? {} : { of: 'prediction' }) },
        ` (${formatShare(share)}) less.`,
      ],
      places: LIMITS,
    },
  ];
}

/** Calls that take less of the time of all processes are not worth a look. */
const LEAST_SHARE = 0.01;

/** The call to look at first, in which processes are blocked longest, or else are longest; and the largest wait state. */
export function callsToSee(profile: ProfileDocument, isMain: boolean): Statement[] {
  // A document that lacks a member keeps the other statements.
  const { calls = [], waits = [], figures } = profile as Partial<ProfileDocument>;
  const of = isMain ? {} : { of: 'profile' };
  const total = figures?.totalTime.value ?? 0;
  const first = calls.reduce((most, { blocked }, k) => (blocked > calls[most]!.blocked ? k : most), 0);
  const call = calls[first];
  if (call === undefined || !(total > 0 && call.seconds >= LEAST_SHARE * total)) return [];
  const wait = waits.reduce((most, { seconds }, k) => (seconds > waits[most]!.seconds ? k : most), 0);
  const places = ['Calls'];
  return [
    {
      sentence: [
        `Look first at the call ${call.call}: processes spend `,
        { name: `/calls/${first}/seconds`, value: call.seconds, unit: 's', ...of },
        ` in it (${formatShare(call.seconds / total)} of their time), `,
        { name: `/calls/${first}/blocked`, value: call.blocked, unit: 's', ...of },
        ` of it ${TIME_WORDS.transferOrWait.label}.`,
      ],
      places,
    },
    ...(waits.length === 0
      ? []
      : [
          {
            sentence: [
              `The largest wait state is ${waits[wait]!.state}: `,
              { name: `/waits/${wait}/seconds`, value: waits[wait]!.seconds, unit: 's', ...of },
              ' lost.',
            ],
            places,
          },
        ]),
  ];
}
