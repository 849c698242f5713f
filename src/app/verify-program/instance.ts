import { cycleOf } from '../../analysis/cycle.ts';
import type { ExploreOptions } from '../../analysis/space/state-space.ts';
import { given } from '../../base/given.ts';
import type { Problem } from '../../base/problem.ts';
import type {
  Deadlock,
  Endless,
  ProgramInstance,
  ProgramProperty,
  Unmatched,
} from '../../report/program-verification.ts';
import { type Buffered, buffered } from './buffers.ts';
import { settledIncidence } from './incidence.ts';
import { type Outcomes, outcomes } from './outcomes.ts';
import { type PlayedOut, playOut } from './play-out.ts';
import type { Marking, Playable, Subject } from './subject.ts';
import type { SendProtocol } from './untimed-machine.ts';

/** Limits and callbacks of one instance. */
export interface InstanceLimits extends Pick<ExploreOptions, 'memory' | 'seconds' | 'workers'> {
  readonly maxSteps: number;
  readonly maxStates: number;
  /** Maximum number of messages that may wait for a receive of one rank; checked only if given. */
  readonly buffer?: number;
  readonly cancelled?: () => boolean;
  /** Receives faults of a program that also deadlocks; without a deadlock, faults are thrown. */
  readonly warn?: (problem: Problem) => void;
  /** Called during a run with its number of steps. */
  readonly played?: (steps: number) => void;
  /** Called during an exploration: states found, states expanded, and elapsed seconds. */
  readonly progress?: (p: { readonly states: number; readonly expanded: number; readonly seconds: number }) => void;
}

/**
 * Verifies a program for one rank count and one protocol: first by its incidence matrix, then by one run if the program has
 * no choices, else by its state space.
 *
 * @throws InputError MODEL020, MODEL027, MODEL033 for a faulty program
 */
export function verifyInstance(subject: Subject, sends: SendProtocol, limits: InstanceLimits): ProgramInstance {
  return verifyPlay(subject, sends, subject.withSends(sends), limits);
}

/** Like {@link verifyInstance}, under the protocol of `play`. */
export function verifyPlay(
  subject: Omit<Subject, 'withSends' | 'close'>,
  sends: ProgramInstance['sends'],
  play: Playable,
  limits: InstanceLimits,
): ProgramInstance {
  const begun = performance.now();
  const suspected = subject.suspicions?.();
  const { cancelled, played: tell } = limits;
  const explored = subject.choices.length > 0;
  const maxSteps = explored ? Math.min(limits.maxSteps, TRIAL_STEPS) : limits.maxSteps;
  const played = playOut(play, { maxSteps, ...given({ cancelled, progress: tell }, ['cancelled', 'progress']) });
  const seen = !explored || played.ended === 'cancelled' ? undefined : outcomes(play, subject.ranks, limits);
  for (const problem of (seen?.warnings.length ?? 0) > 0 ? seen!.warnings : played.warnings) limits.warn?.(problem);
  const depth = limits.buffer === undefined ? undefined : buffered(play, limits);
  const found = seen === undefined ? ofRun(play, played, subject.ranks) : ofSpace(play, seen, played, subject.ranks);
  const { deadlock, endless, unmatched, known, reason } = found;
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
  const neverDone = known && deadlock === undefined ? play.neverDone(found.fired) : [];
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
      deadlock !== undefined || unmatched.length > 0 || found.endReachable === false
        ? false
        : known
          ? neverDone.length === 0
          : null,
    neverDone,
    seconds: (performance.now() - begun) / 1000,
  };
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

function ofRun(play: Playable, { game, ended, steps, fired }: PlayedOut, ranks: number): Found {
  if (ended !== 'quiescent') {
    const reason = ended === 'steps' ? `the limit of ${steps} steps was reached` : 'ended by request';
    return { deadlock: undefined, unmatched: [], known: false, reason, endReachable: null, fired };
  }
  const deadlock = deadlockAt(play, game, ranks, { steps, shortest: true, choices: [] });
  const unmatched = play.unmatched(game);
  return { deadlock, unmatched, known: true, reason: '', endReachable: deadlock === undefined, fired };
}

function ofSpace(play: Playable, seen: Outcomes, { game, steps, ended, ...played }: PlayedOut, ranks: number): Found {
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
  const endless = seen.endless === undefined ? {} : { endless: endlessAt(play, seen.endless) };
  const rest = { known: complete, reason: limit, endReachable, fired, ...endless };
  const run =
    ended === 'quiescent' ? deadlockAt(play, game, ranks, { steps, shortest: false, choices: [] }) : undefined;
  if (seen.deadlock !== undefined) {
    const { marking, choices } = seen.deadlock;
    const about = { steps: seen.deadlock.steps, shortest: true, choices };
    const deadlock = deadlockAt(play, marking, ranks, about);
    return { ...rest, deadlock, unmatched: play.unmatched(marking) };
  }
  // The run may have gone beyond the explored states.
  if (run !== undefined) return { ...rest, deadlock: run, unmatched: play.unmatched(game) };
  const unmatched = seen.left.length > 0 || ended !== 'quiescent' ? seen.left : play.unmatched(game);
  return { ...rest, deadlock: undefined, unmatched };
}

function endlessAt(play: Playable, { marking, steps }: NonNullable<Outcomes['endless']>): Endless {
  const ended = marking
    .tokens('ended')
    .map(({ values }) => values[0]!)
    .sort((a, b) => a - b);
  return { blocked: play.blocked(marking), ended, steps };
}

function deadlockAt(
  play: Playable,
  marking: Marking,
  ranks: number,
  about: Pick<Deadlock, 'steps' | 'shortest' | 'choices'>,
): Deadlock | undefined {
  const ended = marking
    .tokens('ended')
    .map(({ values }) => values[0]!)
    .sort((a, b) => a - b);
  if (ended.length === ranks) return undefined;
  const blocked = play.blocked(marking);
  const cycle = cycleOf(new Map(blocked.map((b) => [b.rank, b.waitsFor ?? []])));
  return { blocked, ...(cycle === undefined ? {} : { cycle }), ended, ...about };
}

function ofBuffer({ most, exact }: Buffered, k: number): ProgramProperty {
  if (most > k) return { id: 'buffer', verdict: false };
  return exact
    ? { id: 'buffer', verdict: true }
    : { id: 'buffer', verdict: null, reason: 'not all orders were explored' };
}
