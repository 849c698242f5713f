import { cycleOf } from '../../../analysis/cycle.ts';
import type { Budget } from '../../../analysis/space/budget.ts';
import { exploration } from '../../../analysis/space/explore.ts';
import type { ExploreOptions } from '../../../analysis/space/state-space.ts';
import { given } from '../../../base/given.ts';
import type { Problem } from '../../../base/problem.ts';
import type { Unmatched } from '../../predict/unmatched.ts';
import { settledIncidence } from './incidence.ts';
import { markingOf, type Outcomes, outcomes, type SpaceLimits } from './outcomes.ts';
import type { Deadlock, Endless, ProgramInstance, ProgramProperty } from './program-verification.ts';
import { type EndedRun, runToEnd, untimedNet } from './run-to-end.ts';
import type { Marking, ProgramInstanceNet, SendProtocol, Subject } from './subject.ts';

export interface InstanceLimits extends Pick<ExploreOptions, 'memory' | 'seconds' | 'workers'> {
  readonly maxSteps: number;
  readonly maxStates: number;
  /** Maximum number of messages that may wait for a receive of one rank; checked only if given. */
  readonly buffer?: number;
  readonly cancelled?: () => boolean;
  /** Receives faults of a program that also deadlocks; without a deadlock, faults are thrown. */
  readonly warn?: (problem: Problem) => void;
  /** Receives the missing lines of a trace (TI044) because of which verdicts are unknown. */
  readonly because?: (problems: readonly Problem[]) => void;
  /** Called during a run with its number of steps. */
  readonly played?: (steps: number) => void;
  /** Called during an exploration: states found, states expanded, and elapsed seconds. */
  readonly progress?: (p: { readonly states: number; readonly expanded: number; readonly seconds: number }) => void;
}

/** Default number of states. */
export const MAX_STATES = 1e6;

/** Limits of the next instance: all instances together share `seconds`. */
export function inTime<L extends { readonly seconds?: number }>(limits: L, budget: Budget): L {
  return budget.isTimed ? { ...limits, seconds: Math.max(Number.MIN_VALUE, budget.secondsLeft) } : limits;
}

/**
 * Verifies a program for one rank count and one protocol: first by its incidence matrix, then by one run if the program has
 * no choices, else by its state space.
 *
 * @throws InputError MODEL020, MODEL027, MODEL033 for a faulty program
 */
export function verifyInstance(subject: Subject, sends: SendProtocol, limits: InstanceLimits): ProgramInstance {
  // Compiling the nets of an instance alone would exceed a short time limit.
  if (limits.seconds !== undefined && limits.seconds <= Number.MIN_VALUE) return outOfTime(subject, sends, limits);
  return verifyProtocol(subject, sends, subject.withSends(sends), limits);
}

/** An instance for which no time is left. */
function outOfTime(
  { ranks, parameters, choices }: Subject,
  sends: SendProtocol,
  { buffer }: InstanceLimits,
): ProgramInstance {
  const explored = choices.length > 0;
  const ids: readonly ProgramProperty['id'][] = [
    'deadlock-free',
    ...(explored ? (['ends'] as const) : []),
    'received',
    'supplied',
    ...(buffer === undefined ? [] : (['buffer'] as const)),
  ];
  return {
    ranks,
    parameters,
    sends,
    method: explored ? 'state space' : 'one run',
    choices,
    steps: 0,
    properties: ids.map((id) => ({ id, verdict: null, reason: 'the time limit was reached' })),
    unmatched: [],
    sound: null,
    neverDone: [],
    seconds: 0,
  };
}

/** Like {@link verifyInstance}, under the protocol of `program`. */
export function verifyProtocol(
  subject: Omit<Subject, 'withSends' | 'close'>,
  sends: ProgramInstance['sends'],
  program: ProgramInstanceNet,
  limits: InstanceLimits,
): ProgramInstance {
  const begun = performance.now();
  const suspected = subject.suspicions?.();
  const { cancelled, played: progress } = limits;
  const explored = subject.choices.length > 0;
  const maxSteps = explored ? Math.min(limits.maxSteps, TRIAL_STEPS) : limits.maxSteps;
  const { seconds } = limits;
  const run = { seconds, cancelled, progress: progress };
  const played = runToEnd(program, { maxSteps, ...given(run, ['seconds', 'cancelled', 'progress']) });
  const rest = (): InstanceLimits => afterwards(limits, begun);
  const seen = !explored || played.ended === 'cancelled' ? undefined : outcomes(program, subject.ranks, rest());
  for (const problem of (seen?.warnings.length ?? 0) > 0 ? seen!.warnings : played.warnings) limits.warn?.(problem);
  const depth = limits.buffer === undefined ? undefined : buffered(program, rest());
  const found =
    seen === undefined ? ofRun(program, played, subject.ranks) : ofSpace(program, seen, played, subject.ranks);
  const missing = program.missingLines?.(found.deadlock?.blocked ?? [], found.unmatched);
  if (missing !== undefined) limits.because?.(missing);
  const { deadlock, endless, unmatched, known, reason } = missing === undefined ? found : { ...found, ...INCOMPLETE };
  const verdict = (violated: boolean): Pick<ProgramProperty, 'verdict' | 'reason'> =>
    violated ? { verdict: false } : known ? { verdict: true } : { verdict: null, reason };
  const properties: ProgramProperty[] = [{ id: 'deadlock-free', ...verdict(deadlock !== undefined) }];
  // Unmatched operations are a consequence of a deadlock and not reported separately.
  if (deadlock === undefined) {
    if (seen !== undefined) properties.push({ id: 'ends', ...verdict(endless !== undefined) });
    properties.push({ id: 'received', ...verdict(unmatched.some((u) => u.kind === 'send')) });
    properties.push({ id: 'supplied', ...verdict(unmatched.some((u) => u.kind === 'receive')) });
  }
  if (depth !== undefined) properties.push(ofBuffer(depth, limits.buffer!));
  const method = seen === undefined ? 'one run' : 'state space';
  const neverDone = known && deadlock === undefined ? program.neverDone(found.fired) : [];
  return {
    ranks: subject.ranks,
    parameters: subject.parameters,
    sends,
    method,
    ...(suspected === undefined ? {} : { incidence: settledIncidence(suspected, { properties, unmatched, method }) }),
    choices: subject.choices,
    steps: played.steps,
    ...(seen === undefined ? {} : { states: seen.space.states, edges: seen.space.edges }),
    properties,
    ...(deadlock === undefined ? {} : { deadlock }),
    ...(deadlock !== undefined || endless === undefined ? {} : { endless }),
    unmatched,
    ...(seen === undefined ? {} : { races: seen.races }),
    ...(depth === undefined ? {} : { buffer: depth }),
    sound:
      deadlock !== undefined || unmatched.length > 0 || (known && found.endReachable === false)
        ? false
        : known
          ? neverDone.length === 0
          : null,
    neverDone,
    seconds: (performance.now() - begun) / 1000,
  };
}

/** Replaces the findings in a trace that lacks lines: they may result from these. */
const INCOMPLETE = {
  deadlock: undefined,
  endless: undefined,
  unmatched: [],
  known: false,
  reason: 'the trace lacks lines of exchanges that took place',
} as const;

/** The limits with the time that remains of `seconds` since `begun`. */
function afterwards(limits: InstanceLimits, begun: number): InstanceLimits {
  if (limits.seconds === undefined) return limits;
  return { ...limits, seconds: Math.max(Number.MIN_VALUE, limits.seconds - (performance.now() - begun) / 1000) };
}

/** Step limit of the trial run if the state space is explored as well; such a run may be endless. */
const TRIAL_STEPS = 100_000;

interface Found {
  readonly deadlock: Deadlock | undefined;
  readonly endless?: Endless | undefined;
  readonly unmatched: readonly Unmatched[];
  /** True if the findings cover all behaviours; otherwise `reason` says why not. */
  readonly known: boolean;
  readonly reason: string;
  readonly endReachable: boolean | null;
  readonly fired: (transition: string) => boolean;
}

function ofRun(program: ProgramInstanceNet, { marking, ended, steps, fired }: EndedRun, ranks: number): Found {
  if (ended !== 'quiescent') {
    const reasons = {
      steps: `the limit of ${steps} steps was reached`,
      time: 'the time limit was reached',
      cancelled: 'ended by request',
    };
    const reason = reasons[ended];
    return { deadlock: undefined, unmatched: [], known: false, reason, endReachable: null, fired };
  }
  const deadlock = deadlockAt(program, marking, ranks, { steps, shortest: true, choices: [] });
  const unmatched = program.unmatched(marking);
  return { deadlock, unmatched, known: true, reason: '', endReachable: deadlock === undefined, fired };
}

function ofSpace(
  program: ProgramInstanceNet,
  seen: Outcomes,
  { marking, steps, ended, ...played }: EndedRun,
  ranks: number,
): Found {
  const { complete, endReachable, space } = seen;
  // Try the run first: it fires most transitions, and a search of the space takes longer.
  const fired = (name: string): boolean => played.fired(name) || seen.fired(name);
  const limits = {
    states: `the limit of ${space.states} states was reached`,
    memory: 'the memory limit was reached',
    time: 'the time limit was reached',
    interrupted: 'ended by request',
  };
  const limit = limits[seen.cut ?? 'interrupted'];
  const endless = seen.endless === undefined ? {} : { endless: endlessAt(program, seen.endless) };
  const rest = { known: complete, reason: limit, endReachable, fired, ...endless };
  const run =
    ended === 'quiescent' ? deadlockAt(program, marking, ranks, { steps, shortest: false, choices: [] }) : undefined;
  if (seen.deadlock !== undefined) {
    const { marking, choices } = seen.deadlock;
    const about = { steps: seen.deadlock.steps, shortest: true, choices };
    const deadlock = deadlockAt(program, marking, ranks, about);
    return { ...rest, deadlock, unmatched: program.unmatched(marking) };
  }
  // The run may have gone beyond the explored states.
  if (run !== undefined) return { ...rest, deadlock: run, unmatched: program.unmatched(marking) };
  const unmatched = seen.left.length > 0 || ended !== 'quiescent' ? seen.left : program.unmatched(marking);
  return { ...rest, deadlock: undefined, unmatched };
}

function endlessAt(program: ProgramInstanceNet, { marking, steps }: NonNullable<Outcomes['endless']>): Endless {
  const ended = marking
    .tokens('ended')
    .map(({ values }) => values[0]!)
    .sort((a, b) => a - b);
  return { blocked: program.blocked(marking), ended, steps };
}

function deadlockAt(
  program: ProgramInstanceNet,
  marking: Marking,
  ranks: number,
  about: Pick<Deadlock, 'steps' | 'shortest' | 'choices'>,
): Deadlock | undefined {
  const ended = marking
    .tokens('ended')
    .map(({ values }) => values[0]!)
    .sort((a, b) => a - b);
  if (ended.length === ranks) return undefined;
  const blocked = program.blocked(marking);
  const cycle = cycleOf(new Map(blocked.map((b) => [b.rank, b.waitsFor ?? []])));
  return { blocked, ...(cycle === undefined ? {} : { cycle }), ended, ...about };
}

function ofBuffer({ most, exact }: Buffered, k: number): ProgramProperty {
  if (most > k) return { id: 'buffer', verdict: false };
  return exact
    ? { id: 'buffer', verdict: true }
    : { id: 'buffer', verdict: null, reason: 'not all orders were explored' };
}

/** States per slice of the exploration. */
const SLICE = 1 << 12;

/** Maximum number of messages that wait for a receive of one rank; a lower bound unless `exact` (all orders explored). */
interface Buffered {
  readonly most: number;
  readonly rank: number;
  readonly exact: boolean;
}

/**
 * Computes the maximum number of messages that wait for receives of one rank. It depends on the order of steps even if the
 * outcome does not, so all orders are explored. Only a match of a message with a posted receive is taken to be immediate.
 *
 * @complexity proportional to the reachable markings of the program's net
 */
function buffered(program: ProgramInstanceNet, limits: SpaceLimits): Buffered {
  const net = untimedNet(program.net, (t) => program.matches.includes(t.name), program.sized);
  const running = exploration(net, given(limits, ['maxStates', 'memory', 'seconds', 'workers', 'cancelled']));
  const { space } = running;
  while (running.advance(SLICE)) limits.progress?.(space);
  const indices = (names: readonly string[], of: readonly { readonly name: string }[]): number[] =>
    names.map((name) => of.findIndex((x) => x.name === name)).filter((k) => k >= 0);
  const places = indices(['sends', 'wildSends', 'wildcardSends'], net.places);
  const matching = space.enabled(indices(program.matches, net.transitions), 0, space.states);
  const tokens = space.tokens(places, 0, space.states);
  let [max, rank] = [0, 0];
  for (let state = 0; state < space.states; state++) {
    if (matching[state] === 1 || tokens[state]! <= max) continue;
    for (const [r, n] of program.waiting(markingOf(space, state))) if (n > max) [max, rank] = [n, r];
  }
  return { most: max, rank, exact: space.complete };
}
