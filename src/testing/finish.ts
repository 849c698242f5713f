import type { Formula, Sum } from '../analysis/properties/property.ts';
import { type PreparedNet, prepare, type SimulatedRun } from '../analysis/simulate.ts';
import type { MachineOptions } from '../app/target.ts';
import { assertNever, fail, shown } from '../base/problem.ts';
import type { Delay, Net } from '../net/net.ts';
import type { Answer } from './answer.ts';
import { verifyArguments } from './asked.ts';
import type { Final } from './matcher-options.ts';
import { fewestValues, quantileRanks } from './quantile-ranks.ts';
import { repeatLines } from './repeat.ts';
import type { Subject } from './subject.ts';

/** What `toFinishWithin` takes. */
export interface FinishOptions extends MachineOptions {
  readonly set?: Readonly<Record<string, number | string | boolean>>;
  /** Which marking a run has to end in; of a model: all ranks have ended. Default of a net: any in which nothing can happen. */
  readonly final?: Final;
  /** Where something is drawn: the share of runs that are to end in time, default 0.95. */
  readonly quantile?: number;
  /** How sure that is to be, default 0.95. */
  readonly confidence?: number;
  /** Runs, default 200. */
  readonly replications?: number;
  /** Default `1`. */
  readonly seed?: string;
  /** Starts and ends after which a run is given up: UNKNOWN then. Default 10⁷. */
  readonly maxSteps?: number;
}

export const FINISH_OPTIONS: readonly string[] = ['quantile', 'confidence', 'replications', 'seed', 'maxSteps'];

const MAX_STEPS = 1e7;
/** Steps at one instant: those of a model's ranks may all be ready at once. */
const MODEL_INSTANT = 1e7;

/**
 * Whether runs end in time. Where nothing is drawn, and no choice is made by weights, one run says it exactly (S10 leaves
 * no other). Otherwise it asks for a quantile of the run time, bounded by order statistics: `holds` if at least the share
 * `quantile` of all runs ends in time, at that confidence; false if fewer do, at that confidence; undefined between.
 *
 * @throws InputError TEST002 numbers out of range, TEST006 too few replications, RUN… a run that fails
 */
export function finishWithin(subject: Subject, seconds: number, options: FinishOptions, test: string): Answer {
  const { net, words } = subject;
  const { quantile = 0.95, confidence = 0.95, replications = 200, seed = '1', maxSteps = MAX_STEPS } = options;
  const part = 'toFinishWithin';
  if (!(typeof seconds === 'number' && seconds >= 0 && Number.isFinite(seconds)))
    fail('TEST002', `${shown(seconds)} seconds: a number from 0 on is expected`, { part });
  for (const [key, value] of Object.entries({ quantile, confidence }))
    if (!(typeof value === 'number' && value > 0 && value < 1))
      fail('TEST002', `${key} is ${shown(value)}: a number between 0 and 1 is expected`, { part });
  if (!(Number.isSafeInteger(replications) && replications >= 1 && replications <= 1e6))
    fail('TEST002', `replications is ${shown(replications)}: a whole number from 1 to 1000000 is expected`, { part });
  if (!(Number.isSafeInteger(maxSteps) && maxSteps >= 1))
    fail('TEST002', `maxSteps is ${shown(maxSteps)}: a whole number from 1 on is expected`, { part });
  if (typeof seed !== 'string') fail('TEST002', `seed is ${shown(seed)}: a text is expected`, { part });
  if (subject.final !== undefined) holdsIn(subject.final, () => 0);
  const limits = { maxSteps, seed, ...(subject.programs.length === 0 ? {} : { maxInstantSteps: MODEL_INSTANT }) };
  const compiled = (): PreparedNet => prepare(net);
  const play = subject.model === undefined ? compiled() : subject.model.shared('compiled', compiled);
  const drawn = whatIsDrawn(net);
  const { stuck, ...answer } =
    drawn === undefined
      ? exactly(subject, play, seconds, limits)
      : byReplications(subject, play, seconds, { ...limits, quantile, confidence, replications, drawn });
  return {
    ...answer,
    words,
    again: () => {
      const run = (file: string): string[] => ['predict', file, '--seed', seed, '--until', String(seconds)];
      if (!stuck) return repeatLines(net, test, run);
      // A run that stops early is no violation to `predict`: `verify` finds the marking, and says what is wrong with it.
      return [
        ...repeatLines(net, test, (file) => verifyArguments(file, subject, ['deadlock-free'])),
        ...repeatLines(net, test, run, 'a run, which says what is left'),
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
  /** Whether some run stopped before its final marking. */
  readonly stuck?: boolean;
}

function exactly(subject: Subject, play: PreparedNet, seconds: number, limits: Limits): Finding {
  const demand = `to finish within ${seconds} s`;
  const run = play({ ...limits, until: seconds });
  if (run.ended === 'steps')
    return {
      holds: undefined,
      demand,
      found: [`it had not ended after ${run.steps} steps (maxSteps), at ${run.time} s`],
    };
  if (run.ended === 'time') {
    const longer = play({ ...limits, maxSteps: Math.min(limits.maxSteps, 10 * run.steps + 1e5) });
    const ends = longer.ended === 'quiescent' ? `it ends at ${longer.time} s` : `it had not ended at ${longer.time} s`;
    return { holds: false, demand, found: [`exact, by one run (nothing is drawn): ${ends}`] };
  }
  if (!isFinal(subject, run))
    return {
      holds: false,
      demand,
      stuck: true,
      found: [
        `exact, by one run (nothing is drawn): it stops at ${run.time} s, before its final marking: ${left(subject.net, run)}`,
      ],
    };
  return { holds: true, demand, found: [`exact, by one run (nothing is drawn): it ends at ${run.time} s`] };
}

function byReplications(
  subject: Subject,
  play: PreparedNet,
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
      `${replications} replications cannot show the ${quantile} quantile at confidence ${confidence}: at least ${fewestValues(quantile, confidence)} are needed`,
      { part: 'toFinishWithin' },
    );
  const demand = `to finish within ${seconds} s in ${100 * quantile} % of its runs`;
  const times: number[] = [];
  let stuck: string | undefined;
  for (let replication = 0; replication < replications; replication++) {
    const run = play({ ...limits, until: seconds, replication });
    if (run.ended === 'steps')
      return {
        holds: undefined,
        demand,
        found: [`replication ${replication} had not ended after ${run.steps} steps (maxSteps), at ${run.time} s`],
      };
    if (run.ended === 'time') continue;
    if (isFinal(subject, run)) times.push(run.time);
    else
      stuck ??= `replication ${replication} stops at ${run.time} s, before its final marking: ${left(subject.net, run)}`;
  }
  times.sort((a, b) => a - b);
  const share = `${times.length} of ${replications} runs end within ${seconds} s (seed ${JSON.stringify(limits.seed)}; ${drawn} is drawn)`;
  const enough = `at confidence ${confidence} the ${quantile} quantile of the run time`;
  const found =
    times.length >= upper
      ? `${enough} is at most ${times[upper - 1]} s, the ${upper}th shortest run`
      : lower !== undefined && times.length < lower
        ? `${enough} is more than ${seconds} s: ${lower} runs would have to end in time`
        : `that decides nothing ${enough.slice(0, 'at confidence'.length)} ${confidence}: ${upper} or more would show that it holds, fewer than ${lower} that it does not; more replications decide it`;
  const holds = times.length >= upper ? true : lower !== undefined && times.length < lower ? false : undefined;
  return {
    holds,
    demand,
    stuck: stuck !== undefined,
    found: [share, found, ...(stuck === undefined ? [] : [stuck])],
  };
}

/** Something that is drawn in a run; undefined: every run is the same. */
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

function left(net: Net, { game }: SimulatedRun): string {
  const counts = net.places.flatMap(({ name }) => {
    const n = game.tokens(name).length;
    return n === 0 ? [] : [`${name} ${n}`];
  });
  return counts.length === 0
    ? 'no tokens are left'
    : `left are ${counts.slice(0, 12).join(', ')}${counts.length > 12 ? ' …' : ''}`;
}

function isFinal({ final }: Subject, { game }: SimulatedRun): boolean {
  return final === undefined || holdsIn(final, (place) => game.tokens(place).length);
}

/** A formula of numbers of tokens, in a marking in which nothing can happen. */
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
    // Every part is looked at, so that one that says something else is refused whatever the marking.
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
  return fail('TEST003', `the final marking of a run is told by numbers of tokens, not by ${what}`, { part: 'final' });
}
