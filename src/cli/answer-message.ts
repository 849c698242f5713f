import type { Answered, Job } from '../commands/command-line/job.ts';

/** An answer in transit between threads. */
export interface AnswerMessage extends Omit<Answered, 'answer'> {
  readonly answer: Answered['answer'] | { readonly kind: 'text'; readonly text: string };
}

/**
 * Commands whose results have many objects keyed by names of nodes. V8 gives each of these a separate hidden class when it clones them:
 * 1.3 million weights of 22,000 semiflows took 60 s to receive, and 2.4 s as JSON text (Node 20).
 */
const KEYED_BY_NAMES: ReadonlySet<Job['command']> = new Set(['structure']);

export function asMessage(answered: Answered, command: Job['command']): AnswerMessage {
  const { answer } = answered;
  if (answer.kind !== 'done' || !KEYED_BY_NAMES.has(command)) return answered;
  return { ...answered, answer: { kind: 'text', text: JSON.stringify(answer.result) } };
}

export function fromMessage(message: AnswerMessage): Answered {
  const { answer } = message;
  if (answer.kind !== 'text') return { ...message, answer };
  return { ...message, answer: { kind: 'done', result: JSON.parse(answer.text) as unknown } };
}
