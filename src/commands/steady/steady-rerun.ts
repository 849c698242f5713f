import { fail, quote } from '../../base/problem.ts';
import type { Repeat } from '../command-line/repeat.ts';
import { canonical, parametersIn, threadOptionsIn, unchanged } from '../inputs/inputs.ts';
import type { SteadyJobOptions } from './job.ts';
import { FUNCTION, SETTINGS } from './steady-options.ts';
import type { SteadyDocument, SteadySettings } from './steady-result.ts';
import { steadyJson } from './view/steady-view.ts';

/** Input and options that reproduce figures of the long run. */
interface SteadyRerun {
  readonly input: string;
  readonly options: SteadyJobOptions;
}

const REWARD = 'reward.';

/**
 * Input and options that repeat figures of the long run, as `rerunOf` does for predictions.
 *
 * @throws InputError APP001 a file is missing, APP011 one has changed; APP012 the work was ended by time, memory or
 * the user, so that its extent depends on the computer, or the net was created by a program
 */
export function steadyRerunOf(document: SteadyDocument, file: string): SteadyRerun {
  const { inputs, options, truncation, methods = [] } = document;
  const ended = [truncation, ...methods.map((m) => m.truncation)];
  if (ended.some((t) => t === 'time' || t === 'memory' || t === 'interrupted'))
    fail('APP012', 'was cut short by time, memory or request: it has no final result to compare with', { file });
  const found = unchanged(inputs, file);
  const input = found.get('model') ?? found.get('net');
  if (input === undefined)
    return fail('APP012', 'names no net or model file, so its input cannot be read again', { file });
  const { ranks, skippedRanks, assumed, builtIn } = options;
  const machine = found.get('machine') ?? (assumed === undefined ? builtIn : undefined);
  const set = parametersIn(options);
  const rewards = rewardsIn(options, file);
  const same = Object.fromEntries(SETTINGS.flatMap((key) => (options[key] == null ? [] : [[key, options[key]]])));
  return {
    input,
    options: {
      ...same,
      ...(options.absorption === undefined ? {} : { absorption: true }),
      ...(options.restart === undefined ? {} : { restart: true }),
      // Automatically chosen ranks are chosen again, with the same warning.
      ...(typeof ranks === 'number' && skippedRanks === undefined ? { ranks } : {}),
      ...threadOptionsIn(options),
      ...(machine === undefined ? {} : { machine: String(machine) }),
      ...(options.oversubscribe === 'yes' ? { oversubscribe: true } : {}),
      ...(Object.keys(set).length === 0 ? {} : { set }),
      ...(Object.keys(rewards).length === 0 ? {} : { rewards }),
    },
  };
}

function rewardsIn(options: SteadySettings, file: string): Readonly<Record<string, string>> {
  const own = Object.entries<unknown>({ ...options }).filter(([key]) => key.startsWith(REWARD));
  const called = own.find(([, text]) => text === FUNCTION);
  if (called !== undefined)
    fail(
      'APP012',
      `has reward ${quote(called[0].slice(REWARD.length))} by a function of a program, so it cannot be repeated`,
      {
        file,
      },
    );
  return Object.fromEntries(own.map(([key, text]) => [key.slice(REWARD.length), String(text)]));
}

/** Members that are not compared: versions, paths and times. */
const LEFT_OUT: readonly (keyof SteadyDocument)[] = ['product', 'inputs', 'seconds'];

/** The members in which two results for the same input differ. Limits of time and memory that were not reached are ignored. */
export function steadyDifferences(before: SteadyDocument, after: SteadyDocument): string[] {
  const shown = (d: SteadyDocument, key: keyof SteadyDocument): string => {
    if (key !== 'options') return canonical(d[key]);
    const { memory: _, seconds: __, ...rest } = d.options;
    return canonical(rest);
  };
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof SteadyDocument)[];
  return keys.filter((key) => !LEFT_OUT.includes(key) && shown(before, key) !== shown(after, key));
}

/** Figures of the long run in `rerun`. */
export const REPEAT: Repeat<SteadyDocument> = {
  command: 'steady',
  of: steadyRerunOf,
  differences: steadyDifferences,
  json: steadyJson,
  summary: ({ method, states, simulation }) =>
    simulation === undefined ? `${method}, ${states} states` : `${method}, ${simulation.firings} firings`,
};
