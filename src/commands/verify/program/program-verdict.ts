import { ranges } from '../../../base/listing.ts';
import type { ProgramInstance, ProgramProperty, ProgramVerificationDocument } from './program-verification.ts';

const HOLDS: Readonly<Record<ProgramProperty['id'], string>> = {
  'deadlock-free': 'no deadlock',
  ends: 'the end can always be reached',
  received: 'every message is received',
  supplied: 'every receive gets a message',
  buffer: 'no rank has more waiting messages than the limit',
};
const VIOLATED: Readonly<Record<ProgramProperty['id'], string>> = {
  'deadlock-free': 'deadlock',
  ends: 'the end becomes unreachable',
  received: 'messages never received',
  supplied: 'receives without a matching send',
  buffer: 'more messages wait for a rank than the limit',
};

/** One sentence: the verdict, and its ranks, protocol and parameters. */
export interface VerdictLine {
  readonly word: 'Violated' | 'Unknown' | 'Holds';
  readonly text: string;
}

/** The verdicts as sentences, limited to the protocols and ranks that were checked: violations first, protocols with equal verdicts merged. */
export function verdictLines({ instances }: ProgramVerificationDocument): VerdictLine[] {
  const groups = new Map<string, { word: VerdictLine['word']; ranks: string; what: string; sends: string[] }>();
  for (const sends of ['eager', 'rendezvous', 'machine'] as const) {
    const own = instances.filter((i) => i.sends === sends);
    const byAnswer = new Map<string, { word: VerdictLine['word']; what: string; of: ProgramInstance[] }>();
    for (const i of own) {
      const answer = answerOf(i);
      const key = answer.word + answer.what;
      const known = byAnswer.get(key);
      if (known === undefined) byAnswer.set(key, { ...answer, of: [i] });
      else known.of.push(i);
    }
    for (const { word, what, of } of byAnswer.values()) {
      const ranks = ranksOf(of.map((i) => i.ranks));
      const key = [word, ranks, what].join('\n');
      const known = groups.get(key);
      if (known === undefined) groups.set(key, { word, ranks, what, sends: [sends] });
      else known.sends.push(sends);
    }
  }
  const urgency = { Violated: 0, Unknown: 1, Holds: 2 };
  const parameters = parametersOf(instances[0]);
  return [...groups.values()]
    .sort((a, b) => urgency[a.word] - urgency[b.word])
    .map(({ word, ranks, what, sends }) => ({
      word,
      text: `${word} for ${ranks}${parameters}, ${sendsText(sends)}: ${what}`,
    }));
}

/** `eager and rendezvous sends`. */
export function sendsText(sends: readonly string[]): string {
  return sends[0] === 'machine' ? 'sends as on the machine' : `${sends.join(' and ')} sends`;
}

function answerOf({ properties }: ProgramInstance): { word: VerdictLine['word']; what: string } {
  const list = (verdict: boolean | null, names: typeof HOLDS): string =>
    properties
      .filter((p) => p.verdict === verdict)
      .map((p) => names[p.id])
      .join(', ');
  if (properties.some((p) => p.verdict === false)) return { word: 'Violated', what: list(false, VIOLATED) };
  const unknown = properties.find((p) => p.verdict === null);
  if (unknown !== undefined) return { word: 'Unknown', what: unknown.reason ?? list(null, HOLDS) };
  return { word: 'Holds', what: list(true, HOLDS) };
}

function ranksOf(ranks: readonly number[]): string {
  return `${ranges(ranks)} rank${ranks.length === 1 && ranks[0] === 1 ? '' : 's'}`;
}

function parametersOf(instance: ProgramInstance | undefined): string {
  const all = Object.entries(instance?.parameters ?? {}).map(([name, value]) => `${name} = ${value}`);
  return all.length === 0 ? '' : ` (${all.join(', ')})`;
}
