import { given } from '../base/given.ts';
import { didYouMean, fail, quote, shown } from '../base/problem.ts';
import { byKind, type InputOf, inputOf, type ValueKind } from '../commands/inputs/input.ts';
import type { GivenProperty } from '../commands/verify/net/verify-questions.ts';
import type { ThreadProperty } from '../commands/verify/threads/thread-verification.ts';
import { renderThreadVerification } from '../commands/verify/threads/thread-verify-view.ts';
import { verifyThreads } from '../commands/verify/threads/verify-threads.ts';
import type { ThreadModel } from '../models/threads/program/threads.ts';
import { type Answer, type MatcherResult, resultOf } from './answer.ts';
import { asked, type Demand, formulaGiven } from './asked.ts';
import { conserve } from './conserve.ts';
import { FINISH_OPTIONS, type FinishOptions, finishWithin } from './finish.ts';
import { checkOptions, MAX_STATES, type MatcherOptions } from './matcher-options.ts';
import { programDeadlockFree, sound } from './sound.ts';
import { isModelSubject, type Subject, subjectOf } from './subject.ts';

/** Information from the test framework: negation by `.not`, and the name and file of the current test. */
export interface MatcherContext {
  readonly isNot?: boolean | undefined;
  readonly currentTestName?: string | undefined;
  readonly testPath?: string | undefined;
}

const testOf = ({ testPath = '', currentTestName = '' }: MatcherContext): string => `${testPath}\n${currentTestName}`;

/** A matcher that verifies one property of a net. */
function ask(
  context: MatcherContext,
  matcher: string,
  received: unknown,
  options: MatcherOptions,
  demand: (subject: Subject) => Demand,
): MatcherResult {
  checkOptions(matcher, options);
  const subject = subjectOf(matcher, received, options);
  return resultOf(asked(subject, demand(subject), testOf(context)), context.isNot === true);
}

/** The answer for a thread model, or for a program of ranks, a net or a wrong value. */
function answerOf(received: unknown, ofThreads: (model: ThreadModel) => Answer, others: () => Answer): Answer {
  const input = inputOf(received);
  const table = {
    model: others,
    'thread model': ({ model }: InputOf<'thread model'>) => ofThreads(model),
    net: others,
  };
  return input === undefined ? others() : byKind<ValueKind, [], Answer>(table, input);
}

export function toBeSafe(this: MatcherContext, received: unknown, options: MatcherOptions = {}): MatcherResult {
  return ask(this, 'toBeSafe', received, options, () => ({ words: 'to be safe', property: 'safe' }));
}

export function toBeBounded(
  this: MatcherContext,
  received: unknown,
  k: number,
  options: MatcherOptions = {},
): MatcherResult {
  if (!(Number.isSafeInteger(k) && k >= 0))
    fail('TEST002', `expected an integer >= 0 as the bound, got ${shown(k)}`, { part: 'toBeBounded' });
  return ask(this, 'toBeBounded', received, options, () => ({
    words: `to be ${k}-bounded`,
    property: { kind: 'bounded', tokens: k },
  }));
}

export function toBeDeadlockFree(this: MatcherContext, received: unknown, options: MatcherOptions = {}): MatcherResult {
  checkOptions('toBeDeadlockFree', options);
  const words = 'to be free of deadlocks';
  const threads = (model: ThreadModel): Answer =>
    threadAnswer('toBeDeadlockFree', model, options, words, ['deadlock-free']);
  const answer = answerOf(received, threads, () => {
    const subject = subjectOf('toBeDeadlockFree', received, options);
    return isModelSubject(subject)
      ? programDeadlockFree(subject, testOf(this))
      : asked(subject, { words, property: 'deadlock-free' }, testOf(this));
  });
  return resultOf(answer, this.isNot === true);
}

export function toBeLive(this: MatcherContext, received: unknown, options: MatcherOptions = {}): MatcherResult {
  return ask(this, 'toBeLive', received, options, () => ({ words: 'to be live', property: 'live' }));
}

export function toBeSound(this: MatcherContext, received: unknown, options: MatcherOptions = {}): MatcherResult {
  checkOptions('toBeSound', options);
  const threads = (model: ThreadModel): Answer => threadAnswer('toBeSound', model, options, 'to be sound');
  const answer = answerOf(received, threads, () => sound(subjectOf('toBeSound', received, options), testOf(this)));
  return resultOf(answer, this.isNot === true);
}

export function toConserve(
  this: MatcherContext,
  received: unknown,
  weights: Readonly<Record<string, number>>,
  options: MatcherOptions = {},
): MatcherResult {
  checkOptions('toConserve', options);
  const subject = subjectOf('toConserve', received, options);
  return resultOf(conserve(subject, weights, testOf(this)), this.isNot === true);
}

export function toFinishWithin(
  this: MatcherContext,
  received: unknown,
  seconds: number,
  options: FinishOptions = {},
): MatcherResult {
  checkOptions('toFinishWithin', options, FINISH_OPTIONS);
  const subject = subjectOf('toFinishWithin', received, options);
  return resultOf(finishWithin(subject, seconds, options, testOf(this)), this.isNot === true);
}

export function toReach(
  this: MatcherContext,
  received: unknown,
  formula: GivenProperty,
  options: MatcherOptions = {},
): MatcherResult {
  return ask(this, 'toReach', received, options, ({ net }) => ({
    words: `to reach ${textOf(formula)}`,
    property: { op: 'EF', of: formulaGiven('toReach', net, formula) },
  }));
}

export function toNeverReach(
  this: MatcherContext,
  received: unknown,
  formula: GivenProperty,
  options: MatcherOptions = {},
): MatcherResult {
  return ask(this, 'toNeverReach', received, options, ({ net }) => ({
    words: `never to reach ${textOf(formula)}`,
    property: { op: 'EF', of: formulaGiven('toNeverReach', net, formula) },
    wanted: false,
  }));
}

/** Verifies a property of a net. As in vitest, also accepts a predicate on any value, with the message of a failure. */
export function toSatisfy(
  this: MatcherContext,
  received: unknown,
  property: GivenProperty | ((value: unknown) => boolean),
  options: MatcherOptions | string = {},
): MatcherResult {
  if (typeof property === 'function') {
    const text = `expected ${shown(received)} ${this.isNot === true ? 'not ' : ''}to satisfy the given function`;
    return { pass: Boolean(property(received)), message: () => (typeof options === 'string' ? options : text) };
  }
  return ask(this, 'toSatisfy', received, options as MatcherOptions, () => ({
    words: `to satisfy ${textOf(property)}`,
    property,
  }));
}

function textOf(property: GivenProperty): string {
  return typeof property === 'string' ? property : 'the given formula';
}

/** Width of the explanation in a message, in columns. */
const WIDTH = 100;
/** Options of matchers that apply to thread models. */
const KNOWN = ['workers', 'scheduler', 'pool', 'set', 'maxStates', 'memory', 'seconds'] as const;

/**
 * The answer of a matcher on a thread model: the verdict of `foretoken verify` on some of its properties.
 *
 * @throws InputError TEST002 for options of other models, VER00x, THR00x for faults of the model
 */
function threadAnswer(
  matcher: string,
  model: ThreadModel,
  options: MatcherOptions,
  demand: string,
  properties?: readonly ThreadProperty['id'][],
): Answer {
  for (const key of Object.keys(options))
    if (!(KNOWN as readonly string[]).includes(key))
      fail('TEST002', `option ${quote(key)} does not apply to thread models.${didYouMean(key, KNOWN)}`, {
        part: matcher,
      });
  const document = verifyThreads(model, { maxStates: MAX_STATES, ...given(options, KNOWN) });
  const asked = document.instances.flatMap((i) =>
    i.properties.filter(({ id }) => properties === undefined || properties.includes(id)),
  );
  const isViolated = asked.some(({ verdict }) => verdict === false);
  const isOpen = asked.some(({ verdict }) => verdict === null);
  const workers = Number(document.options['workers']);
  return {
    holds: isViolated ? false : isOpen ? undefined : true,
    words: `thread model ${quote(model.name)} with ${workers} worker${workers === 1 ? '' : 's'}`,
    demand,
    found: renderThreadVerification(document, { width: WIDTH, colour: false, unicode: true }).trimEnd().split('\n'),
    again: () => (model.file === undefined ? [] : [`model: ${model.file}`]),
  };
}
