import type { Formula, Sum } from '../analysis/properties/property.ts';
import { type PreparedNet, prepare, type SimulatedRun } from '../analysis/simulate.ts';
import { fewestValues, quantileRanks } from '../analysis/statistics/quantile.ts';
import { assertNever, fail, shown } from '../base/problem.ts';
import type { MachineOptions } from '../commands/inputs/target.ts';
import type { Delay, Net } from '../net/net.ts';
import type { Answer } from './answer.ts';
import { repeatLines, verifyArguments } from './asked.ts';
import type { Final } from './matcher-options.ts';
import type { Subject } from './subject.ts';

/** Options of `toFinishWithin`. */
export interface FinishOptions extends MachineOptions {
  /** For a model: values of its parameters, default those of `verifyWith`. */
  readonly set?: Readonly<Record<string, number | string | boolean>>;
  /** The marking in which a run must end. Default for models: all ranks have ended; for nets: any dead marking. */
  readonly final?: Final;
  /** For random nets: fraction of the runs that must end in time, default 0.95. */
  readonly quantile?: number;
  /** For random nets: confidence level of the answer, default 0.95. */
  readonly confidence?: number;
  /** For random nets: number of runs, default 200. */
  readonly replications?: number;
  /** Seed of the random numbers, default `1`. */
  readonly seed?: string;
  /** Maximum number of starts and ends of firings per run; beyond it the answer is UNKNOWN. Default 10⁷. */
  readonly maxSteps?: number;
}

/** Names of the options that only `toFinishWithin` has. */
export const FINISH_OPTIONS: readonly string[] = ['quantile', 'confidence', 'replications', 'seed', 'maxSteps'];

const MAX_STEPS = 1e7;
/** Limit of the steps at one instant for models, all of whose ranks may be ready at once. */
const MODEL_INSTANT = 1e7;

/**
 * Checks that runs end in time. Without random delays and weighted choices a single run decides it exactly, since S10 admits
 * only one. Otherwise a quantile of the run time is bounded by order statistics: `holds` is true if at the given confidence at
 * least the fraction `quantile` of all runs ends in time, false if at that confidence fewer do, and undefined in between.
 *
 * @throws InputError TEST002 for numbers out of range, TEST006 for too few replications, RUN… if a run fails
 */
export function finishWithin(subject: Subject, seconds: number, options: FinishOptions, test: string): Answer {
  const { net, words } = subject;
  const { quantile = 0.95, confidence = 0.95, replications = 200, seed = '1', maxSteps = MAX_STEPS } = options;
  const part = 'toFinishWithin';
  if (!(typeof seconds === 'number' && seconds >= 0 && Number.isFinite(seconds)))
    fail('TEST002', `seconds: expected a finite number >= 0, got ${shown(seconds)}`, { part });
  for (const [key, value] of Object.entries({ quantile, confidence }))
    if (!(typeof value === 'number' && value > 0 && value < 1))
      fail('TEST002', `${key}: expected a number between 0 and 1, got ${shown(value)}`, { part });
  if (!(Number.isSafeInteger(replications) && replications >= 1 && replications <= 1e6))
    fail('TEST002', `replications: expected an integer from 1 to 1000000, got ${shown(replications)}`, { part });
  if (!(Number.isSafeInteger(maxSteps) && maxSteps >= 1))
    fail('TEST002', `maxSteps: expected an integer >= 1, got ${shown(maxSteps)}`, { part });
  if (typeof seed !== 'string') fail('TEST002', `seed: expected a string, got ${shown(seed)}`, { part });
  if (subject.final !== undefined) holdsIn(subject.final, () => 0);
  const limits = { maxSteps, seed, ...(subject.programs.length === 0 ? {} : { maxInstantSteps: MODEL_INSTANT }) };
  const compiled = (): PreparedNet => prepare(net);
  const prepared = subject.model === undefined ? compiled() : subject.model.shared('compiled', compiled);
  const drawn = whatIsDrawn(net);
  const { stuck, ...answer } =
    drawn === undefined
      ? exactly(subject, prepared, seconds, limits)
      : byReplications(subject, prepared, seconds, { ...limits, quantile, confidence, replications, drawn });
  return {
    ...answer,
    words,
    again: () => {
      const run = (file: string): string[] => ['predict', file, '--seed', seed, '--until', String(seconds)];
      if (!stuck) return repeatLines(net, test, run);
      // `predict` does not report a run that stops early as a violation; `verify` finds the marking and explains it.
      return [
        ...repeatLines(net, test, (file) => verifyArguments(file, subject, ['deadlock-free'])),
        ...repeatLines(net, test, run, 'a run, which reports the remaining tokens'),
      ];
    },
  };
}

interface Limits {
  readonly maxSteps: number;
  readonly maxInstantSteps?: number;
  readonly seed: string;
}

interface Finding extends Pick<Answer, 'holds' | 'demand' | 'found'> {
  /** True if some run stopped before its final marking. */
  readonly stuck?: boolean;
}

function exactly(subject: Subject, prepared: PreparedNet, seconds: number, limits: Limits): Finding {
  const demand = `to finish within ${seconds} s`;
  const run = prepared({ ...limits, until: seconds });
  if (run.ended === 'steps')
    return {
      holds: undefined,
      demand,
      found: [`it has not ended after ${run.steps} steps (maxSteps), at ${run.time} s`],
    };
  if (run.ended === 'time') {
    const longer = prepared({ ...limits, maxSteps: Math.min(limits.maxSteps, 10 * run.steps + 1e5) });
    const ends = longer.ended === 'quiescent' ? `it ends at ${longer.time} s` : `it has not ended at ${longer.time} s`;
    return { holds: false, demand, found: [`exact, by one run (nothing is random): ${ends}`] };
  }
  if (!isFinal(subject, run))
    return {
      holds: false,
      demand,
      stuck: true,
      found: [
        `exact, by one run (nothing is random): it stops at ${run.time} s, before its final marking: ${left(subject.net, run)}`,
      ],
    };
  return { holds: true, demand, found: [`exact, by one run (nothing is random): it ends at ${run.time} s`] };
}

function byReplications(
  subject: Subject,
  prepared: PreparedNet,
  seconds: number,
  {
    quantile,
    confidence,
    replications,
    drawn,
    ...limits
  }: Limits & { quantile: number; confidence: number; replications: number; drawn: string },
): Finding {
  const { upper, lower } = quantileRanks(replications, quantile, confidence);
  if (upper === undefined)
    return fail(
      'TEST006',
      `${replications} replications cannot bound the ${quantile} quantile at confidence ${confidence}: expected at least ${fewestValues(quantile, confidence)}`,
      { part: 'toFinishWithin' },
    );
  const demand = `to finish within ${seconds} s in ${100 * quantile} % of its runs`;
  const times: number[] = [];
  let stuck: string | undefined;
  for (let replication = 0; replication < replications; replication++) {
    const run = prepared({ ...limits, until: seconds, replication });
    if (run.ended === 'steps')
      return {
        holds: undefined,
        demand,
        found: [`replication ${replication} has not ended after ${run.steps} steps (maxSteps), at ${run.time} s`],
      };
    if (run.ended === 'time') continue;
    if (isFinal(subject, run)) times.push(run.time);
    else
      stuck ??= `replication ${replication} stops at ${run.time} s, before its final marking: ${left(subject.net, run)}`;
  }
  times.sort((a, b) => a - b);
  const share = `${times.length} of ${replications} runs end within ${seconds} s (seed ${JSON.stringify(limits.seed)}; ${drawn} is random)`;
  const enough = `at confidence ${confidence} the ${quantile} quantile of the run time`;
  const found =
    times.length >= upper
      ? `${enough} is at most ${times[upper - 1]} s, the ${upper}th shortest run`
      : lower !== undefined && times.length < lower
        ? `${enough} is more than ${seconds} s: fewer than ${lower} runs end in time`
        : `undecided at confidence ${confidence}: ${upper} or more would prove it, fewer than ${lower} would refute it; use more replications`;
  const holds = times.length >= upper ? true : lower !== undefined && times.length < lower ? false : undefined;
  return {
    holds,
    demand,
    stuck: stuck !== undefined,
    found: [share, found, ...(stuck === undefined ? [] : [stuck])],
  };
}

/** Describes a random element of the net; undefined if every run is the same. */
export function whatIsDrawn(net: Net): string | undefined {
  const random = (delay: Delay | undefined): boolean => delay !== undefined && 'dist' in delay;
  for (const t of net.transitions) {
    if (random(t.delay)) return `the delay of ${t.name}`;
    if (t.weight !== undefined) return `a choice of ${t.name} by its weight`;
  }
  for (const { name, service } of net.places)
    if (service !== undefined && service.kind !== 'max-min' && random(service.time))
      return `the service time of ${name}`;
  return undefined;
}

function left(net: Net, { run }: SimulatedRun): string {
  const counts = net.places.flatMap(({ name }) => {
    const n = run.tokens(name).length;
    return n === 0 ? [] : [`${name} ${n}`];
  });
  return counts.length === 0
    ? 'no tokens remain'
    : `remaining tokens: ${counts.slice(0, 12).join(', ')}${counts.length > 12 ? ' …' : ''}`;
}

function isFinal({ final }: Subject, { run }: SimulatedRun): boolean {
  return final === undefined || holdsIn(final, (place) => run.tokens(place).length);
}

/** Evaluates a formula over token counts in a dead marking. */
function holdsIn(f: Formula, tokens: (place: string) => number): boolean {
  const value = ({ terms, constant }: Sum): number =>
    terms.reduce((sum, { factor, place, colour }) => {
      if (colour !== undefined) unsaid('colours');
      return sum + factor * tokens(place);
    }, constant);
  switch (f.op) {
    case 'true':
    case 'dead':
      return true;
    case 'false':
    case 'enabled':
      return false;
    case 'not':
      return !holdsIn(f.of, tokens);
    // No short-circuit: every part is evaluated, so that unsupported parts are rejected in any marking.
    case 'and':
      return f.of.map((part) => holdsIn(part, tokens)).every(Boolean);
    case 'or':
      return f.of.map((part) => holdsIn(part, tokens)).some(Boolean);
    case 'implies':
      return [!holdsIn(f.a, tokens), holdsIn(f.b, tokens)].some(Boolean);
    case 'compare': {
      const by = value(f.left) - value(f.right);
      switch (f.relation) {
        case '<':
          return by < 0;
        case '<=':
          return by <= 0;
        case '=':
          return by === 0;
        case '!=':
          return by !== 0;
        case '>=':
          return by >= 0;
        case '>':
          return by > 0;
        default:
          return assertNever(f.relation);
      }
    }
    default:
      return unsaid(f.op);
  }
}

function unsaid(what: string): never {
  return fail('TEST003', `expected a final marking of a run by numbers of tokens, got ${what}`, { part: 'final' });
}
