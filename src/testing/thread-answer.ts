import { given } from '../base/given.ts';
import { didYouMean, fail, quote } from '../base/problem.ts';
import type { ThreadProperty } from '../commands/verify/thread-verification.ts';
import { renderThreadVerification } from '../commands/verify/thread-verify-view.ts';
import { verifyThreads } from '../commands/verify/verify-threads.ts';
import type { ThreadModel } from '../models/threads/program/threads.ts';
import type { Answer } from './answer.ts';
import { MAX_STATES, type MatcherOptions } from './matcher-options.ts';

/** Width of the explanation in a message, in columns. */
const WIDTH = 100;
/** Options of matchers that apply to thread models. */
const KNOWN = ['workers', 'scheduler', 'set', 'maxStates', 'memory', 'seconds'] as const;

/**
 * The answer of a matcher on a thread model: the verdict of `foretoken verify` on some of its properties.
 *
 * @throws InputError TEST002 for options of other models, VER00x, THR00x for faults of the model
 */
export function threadAnswer(
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
