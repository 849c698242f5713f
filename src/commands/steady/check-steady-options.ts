import { given } from '../../base/given.ts';
import { didYouMean, fail, quote, shown } from '../../base/problem.ts';
import { named } from '../inputs/check-options.ts';
import { METHOD_NAMES, type SteadyMethod, type SteadyOptions } from './steady-options.ts';

/** Options of simulated figures; the chain has no use for them. */
const SIMULATED = ['precision', 'confidence', 'replications', 'workers', 'maxFirings', 'seed'] as const;
/** Options that only the chain has. */
const SOLVED = ['at', 'absorption', 'reach', 'erlang', 'capacity', 'maxStates'] as const;
/** Options without a meaning, by method. */
const UNUSED: Readonly<Record<SteadyMethod, readonly (keyof SteadyOptions)[]>> = {
  auto: [],
  ctmc: SIMULATED,
  simulate: SOLVED,
  bounds: [...SIMULATED, ...SOLVED],
  all: ['at', 'absorption', 'reach', 'erlang'],
};
/** Maximum number of stages that are doubled. */
const MAX_STAGES = 1000;
/** Maximum number of replications. */
const MAX_REPLICATIONS = 1e5;

/**
 * @param hasPool true if `workers` are those of a pool, not threads of the simulation
 * @throws InputError CTMC007 for options that have no meaning, STAT001 for options of a simulation
 */
export function checkSteadyOptions({ workers, ...plain }: SteadyOptions, hasPool: boolean): void {
  const options: SteadyOptions = { ...plain, ...(hasPool || workers === undefined ? {} : { workers }) };
  const wrong = (part: string, expected: string, got: unknown): never =>
    fail('CTMC007', `${part}: expected ${expected}, got ${shown(got)}`);
  const { at, rewards, absorption, erlang, reach, capacity, restart, method = 'auto' } = options;
  if (at !== undefined && !(typeof at === 'number' && at >= 0 && at < Number.POSITIVE_INFINITY))
    wrong('at', 'seconds >= 0', at);
  if (absorption !== undefined && typeof absorption !== 'boolean') wrong('absorption', 'true or false', absorption);
  if (erlang !== undefined && !(Number.isSafeInteger(erlang) && erlang >= 1 && erlang <= MAX_STAGES))
    wrong('erlang', `an integer from 1 to ${MAX_STAGES}`, erlang);
  if (reach !== undefined && typeof reach !== 'string') wrong('reach', 'a text', reach);
  if (capacity !== undefined && !(Number.isSafeInteger(capacity) && capacity >= 1))
    wrong('capacity', 'an integer >= 1', capacity);
  if (restart !== undefined && typeof restart !== 'boolean') wrong('restart', 'true or false', restart);
  if (restart === true && at !== undefined)
    fail('CTMC007', 'option restart has no meaning at a time: that is of one run');
  const others = { at, absorption: absorption || undefined, reach, restart: restart || undefined, erlang };
  const [other] = Object.keys(given(others, Object.keys(others) as (keyof typeof others)[]));
  if (capacity !== undefined && other !== undefined)
    fail('CTMC007', `option capacity has a meaning in the long run of the given net only: leave out ${other}`);
  if (rewards !== undefined) {
    if (typeof rewards !== 'object' || rewards === null || Array.isArray(rewards))
      wrong('rewards', 'an object of texts or functions', rewards);
    for (const [name, reward] of Object.entries(rewards))
      if (typeof reward !== 'string' && typeof reward !== 'function')
        wrong(`reward ${quote(name)}`, 'a text or a function', reward);
  }
  if (!METHOD_NAMES.includes(method))
    fail('STAT001', `unknown method ${shown(method)}.${didYouMean(String(method), METHOD_NAMES)}`);
  for (const name of UNUSED[method])
    if (options[name] !== undefined) {
      const isSolved: boolean = (SOLVED as readonly string[]).includes(name);
      const why = isSolved
        ? method === 'all'
          ? 'bounds and a simulation have no such figure'
          : 'it needs the Markov chain'
        : 'its intervals are proved';
      fail('STAT001', `option ${named('steady', name)} does not apply to method ${method}: ${why}`);
    }
  checkSimulation(options);
}

function checkSimulation({ precision, confidence, replications, workers, maxFirings, seed }: SteadyOptions): void {
  const wrong = (part: string, expected: string, got: unknown): never =>
    fail('STAT001', `${part}: expected ${expected}, got ${shown(got)}`);
  for (const [part, share] of [
    ['precision', precision],
    ['confidence', confidence],
  ] as const)
    if (share !== undefined && !isShare(share)) wrong(part, 'a share between 0 and 1 such as 1%', share);
  const isCount = (n: unknown, least: number, most: number): boolean =>
    Number.isSafeInteger(n) && Number(n) >= least && Number(n) <= most;
  if (replications !== undefined && !isCount(replications, 2, MAX_REPLICATIONS))
    wrong('replications', `an integer from 2 to ${MAX_REPLICATIONS}`, replications);
  if (workers !== undefined && replications === undefined)
    fail('STAT001', 'option workers needs replications: one long run is made by one thread');
  if (maxFirings !== undefined && !isCount(maxFirings, 1, Number.MAX_SAFE_INTEGER))
    wrong('maxFirings', 'an integer >= 1', maxFirings);
  if (seed !== undefined && typeof seed !== 'string') wrong('seed', 'a string', seed);
}

const isShare = (given: number | string): boolean => {
  const share = shareOf(given);
  return share > 0 && share < 1;
};

/** A share as a number: `0.01`, `'1%'`; NaN for other texts. */
export function shareOf(given: number | string): number {
  const text = /^([\d.]+) ?%$/.exec(String(given))?.[1];
  return text === undefined ? (given === '' ? Number.NaN : Number(given)) : Number(text) / 100;
}
