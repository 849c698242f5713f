import { Budget } from '../../analysis/space/budget.ts';
import { checkLimits } from '../../analysis/space/check-limits.ts';
import { finiteDocument } from '../../base/finite-figures.ts';
import { given } from '../../base/given.ts';
import { PRODUCT } from '../../base/version.ts';
import type { ProgramModel } from '../../models/program/model-object.ts';
import type { ThreadModel } from '../../models/threads/program/threads.ts';
import type { Net } from '../../net/net.ts';
import { assertValid } from '../../net/validation/validate.ts';
import { checkOptions } from '../inputs/check-options.ts';
import { givenInput, type InputOf } from '../inputs/input.ts';
import { type Import, openInput } from '../inputs/load-model.ts';
import { filesOfInput } from '../inputs/local-modules.ts';
import { aboutFile } from '../inputs/net-file.ts';
import { hasPool, type KindsOf, type PooledModel, type RankedModel } from '../inputs/option-rows.ts';
import { machineFiles } from '../inputs/target.ts';
import { checkSteadyOptions } from './check-steady-options.ts';
import { answered } from './methods.ts';
import { FUNCTION, SETTINGS, STEADY_ROWS, type SteadyOptions, type SteadyOptionsOf } from './steady-options.ts';
import { questionOf } from './steady-question.ts';
import type { SteadyDocument } from './steady-result.ts';

/**
 * The long-run behaviour of a net: mean tokens of places, throughput of transitions, and the share of time in which a transition
 * is enabled, each with its interval. The method is that of the options; by default the Markov chain of a net with immediate and
 * exponential delays, whose intervals are proved to contain the exact value, and else a simulation, whose intervals contain it
 * with probability `confidence`. The net is given directly, or as a file.
 *
 * A program that ends, and a net with the option `restart`, is restarted at each of its ends: its figures are the expected gains of one run over
 * the expected run time.
 *
 * If a limit is reached or an interval stays wide, `complete` is false.
 *
 * @throws InputError CTMC001 … CTMC007 for nets that are not Markov chains with finitely many states, STAT001, STAT002 for options
 * that do not go together, RUN… if a simulation fails, EXPL005, and all problems of reading
 */
export function steady<I extends string | Net | RankedModel | PooledModel>(
  input: I,
  options?: SteadyOptionsOf<I>,
): SteadyDocument;
export function steady(input: string | Net | ProgramModel | ThreadModel, options: SteadyOptions = {}): SteadyDocument {
  return steadyInput(givenInput('steady', input), options);
}

/** As {@link steady}, for a file: a net, or a module that exports a model or a net. */
export async function steadyFile(path: string, options: SteadyOptions, load?: Import): Promise<SteadyDocument> {
  return steadyInput(await openInput('steady', path, load), options);
}

function steadyInput(input: InputOf<KindsOf<'steady'>>, options: SteadyOptions): SteadyDocument {
  checkOptions('steady', STEADY_ROWS, input, options);
  checkLimits(options);
  checkSteadyOptions(options, hasPool(input.kind));
  const begun = options.begun ?? performance.now();
  const { rewards = {} } = options;
  const budget = Budget.of({ ...options, begun });
  const { subject, question } = questionOf(input, options, budget);
  const { remarks = [], ...found } = aboutFile(subject.file, () => {
    assertValid(question.net);
    return answered(question);
  });
  return finiteDocument({
    format: 'foretoken',
    version: 1,
    kind: 'steady',
    product: PRODUCT,
    ...found,
    inputs: filesOfInput(input.path, machineFiles(options)),
    options: {
      ...subject.options,
      ...given(options, [...SETTINGS, 'memory', 'seconds']),
      ...(options.absorption === true ? { absorption: 1 } : {}),
      ...(options.restart === true ? { restart: 1 } : {}),
      ...Object.fromEntries(
        Object.entries(rewards).map(([name, reward]) => [
          `reward.${name}`,
          typeof reward === 'function' ? FUNCTION : reward,
        ]),
      ),
    },
    seconds: (performance.now() - begun) / 1000,
    warnings: [...subject.warnings, ...remarks],
  });
}
