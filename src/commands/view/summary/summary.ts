import type { AnyDocument } from '../../../report/page-parts.ts';
import { firstFew } from '../../../report/units.ts';
import type { PredictionDocument } from '../../predict/prediction.ts';
import { clocksText } from '../../profile/clocks-text.ts';
import type { ProfileDocument } from '../../profile/profile-document.ts';
import type { Statement, Summary, Warned } from './findings.ts';
import { FACTS, STATEMENTS } from './kinds.ts';
import { advice, callsToSee, measuredFacts, predictedFacts } from './runs.ts';

interface Problem {
  readonly code: string;
  readonly message: string;
}

/** Maximum number of cases that are listed. */
const MAX_CASES = 20;

/**
 * The summary of documents, the main one first.
 *
 * @param notes sentences on omitted parts
 */
export function summaryOf(documents: readonly AnyDocument[], notes: readonly string[]): Summary {
  const [main] = documents;
  const known = (kind: string): AnyDocument | undefined =>
    documents.find((document) => document.kind === kind && document.version === 1);
  const prediction = known('prediction') as unknown as PredictionDocument | undefined;
  const profile = known('profile') as unknown as ProfileDocument | undefined;
  const isMain = main === (profile as unknown);
  const isPredicted = main === (prediction as unknown);
  const own = main?.version === 1 && main.kind !== 'prediction' && main.kind !== 'profile' ? main : undefined;
  const problems = [
    ...((main?.['warnings'] ?? []) as readonly (Problem | string)[]),
    ...((main?.['notes'] ?? []) as readonly (Problem | string)[]),
  ];
  return {
    facts: [
      ...(prediction === undefined ? [] : [['The prediction', () => predictedFacts(prediction, isPredicted)] as const]),
      ...(profile === undefined ? [] : [['The profile', () => measuredFacts(profile, isMain)] as const]),
      ...(own === undefined ? [] : [['The result', () => (FACTS[own.kind] ?? FACTS['other']!)(own)] as const]),
    ],
    statements: () => [
      ...(prediction === undefined ? [] : [...advice(prediction, isPredicted), ...stopped(prediction)]),
      ...(profile === undefined ? [] : callsToSee(profile, isMain)),
      ...(own === undefined ? [] : (STATEMENTS[own.kind]?.(own) ?? []).map((sentence) => ({ sentence }))),
    ],
    findings: () => profile?.findings ?? [],
    warned: () => [
      ...(main?.complete === false ? [{ text: incompleteText(main), items: [] }] : []),
      ...(prediction === undefined ? [] : deadlocks(prediction)),
    ],
    notes: [
      ...notes,
      ...(profile?.clocks === undefined ? [] : [`Clocks are aligned. ${clocksText(profile)}`]),
      ...problems.map((problem) => (typeof problem === 'string' ? problem : `${problem.code} ${problem.message}`)),
    ],
  };
}

const incompleteText = ({ kind }: AnyDocument): string =>
  kind === 'prediction' || kind === 'profile'
    ? 'The run was not completed: figures cover the time until it was cut short.'
    : 'The result is not complete: a limit was reached, or it was interrupted.';

/** `1 rank waits`, `3 strands wait`. */
const waiting = (n: number, of: string): string => `${n} ${of}${n === 1 ? ' waits' : 's wait'}`;

/** The marking in which a net can do no further step: its end, or a deadlock. */
function stopped({ ended, marking }: Partial<PredictionDocument>): Statement[] {
  if (ended !== 'quiescent' || marking === undefined) return [];
  const all = Object.entries(marking).map(([place, tokens]) => `${place} ${tokens}`);
  return [{ sentence: [`No further step is possible; tokens left: ${firstFew(all, 'place')}.`], places: ['Net'] }];
}

function deadlocks({ deadlock = [], workers }: Partial<PredictionDocument>): Warned[] {
  if (deadlock.length === 0) return [];
  const items = deadlock
    .slice(0, MAX_CASES)
    .map(
      ({ rank, strand, operation, file, line }) =>
        `${strand ?? `rank ${rank}`}: ${operation}${file === '' ? '' : ` (${file}:${line})`}`,
    );
  return [
    {
      text: `Deadlock: ${waiting(deadlock.length, workers === undefined ? 'rank' : 'strand')} forever.`,
      items,
      places: ['Timeline', 'Net'],
    },
  ];
}
