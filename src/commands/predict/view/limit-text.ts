import { formatSeconds, formatShare } from '../../../report/units.ts';
import { DOUBLINGS } from '../limit/doublings.ts';
import type { Doubled, LimitKind, PredictionDocument } from '../prediction.ts';

const WORDS: Readonly<Record<LimitKind, string>> = {
  computing: 'Computing',
  cores: 'Cores',
  memory: 'Memory',
  bandwidth: 'Bandwidth',
  latency: 'Latency',
  overhead: 'Message overhead',
  gap: 'Gap between messages',
  storage: 'Storage',
  scheduler: 'Operations of threads',
  workers: 'Workers',
  dependencies: 'Dependencies',
};

/** A second resource is named from this share of the run time on. */
const NOTABLE = 0.01;

/**
 * The limit that second runs found, in sentences.
 *
 * @param facts sentences about the run, for a limit that is no resource
 */
export function limitText(
  { limit, figures }: PredictionDocument,
  one: 'rank' | 'worker' | 'thread',
  facts: string,
): string {
  if (limit === undefined) return facts;
  if (limit.kind === 'unknown') return `Not determined: ${limit.because}. ${facts}`;
  const time = figures.runTime.value;
  const gain = ({ gain: seconds }: Doubled): string => `${formatSeconds(seconds)} (${formatShare(seconds / time)})`;
  const { kind, name, tried } = limit;
  if (kind === 'dependencies') {
    const what =
      tried.length === 0
        ? `the ${one}s use no resource of the machine for long`
        : `no resource gains 1 % when doubled (${tried.map((t) => t.name.replace(/^machine\./, '')).join(', ')})`;
    return `${WORDS.dependencies}: ${what}. ${facts}`;
  }
  const next = tried.filter((t) => t.name !== name && t.gain >= NOTABLE * time).sort((a, b) => b.gain - a.gain)[0];
  const others = next === undefined ? '' : ` Next: ${textOf(next)}, ${gain(next)}.`;
  return `${WORDS[kind]}: ${textOf(limit)} would gain ${gain(limit)}.${others}`;
}

function textOf({ name }: Doubled): string {
  return DOUBLINGS.find(({ path }) => name === `machine.${path}`)?.text ?? 'twice the workers';
}
