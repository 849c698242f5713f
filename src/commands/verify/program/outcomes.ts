import { components } from '../../../analysis/petri/components.ts';
import { GeneralExploration } from '../../../analysis/space/general/general-exploration.ts';
import type { ExploreOptions, StateSpace, Truncation } from '../../../analysis/space/state-space.ts';
import { given } from '../../../base/given.ts';
import type { Problem } from '../../../base/problem.ts';
import type { CollectiveCalls } from '../../../models/program/run/collective-calls.ts';
import { CollectivePaths } from '../../../models/program/run/collective-log.ts';
import { checkRun } from '../../predict/model/program-fault.ts';
import type { Unmatched } from '../../predict/unmatched.ts';
import type { Race } from './program-verification.ts';
import { untimedNet } from './run-to-end.ts';
import type { Marking, NamedStep, ProgramInstanceNet, WildMatch } from './subject.ts';

/** Maximum number of reported races. */
const MAX_RACES = 20;
/** States per slice of the exploration. */
const SLICE = 1 << 12;
/** States between checks of the time limit and of cancellation. */
const LOOK = 1 << 8;

/** Limits and callbacks of an exploration. */
export interface SpaceLimits extends Pick<ExploreOptions, 'memory' | 'seconds' | 'workers' | 'cancelled'> {
  readonly maxStates: number;
  readonly progress?: (space: StateSpace) => void;
}

/** Possible outcomes of a program with choices. */
export interface Outcomes {
  readonly space: StateSpace;
  /** True if all states and paths were examined. */
  readonly complete: boolean;
  /** The deadlock with the fewest steps, and the choices on the path to it. */
  readonly deadlock?: { readonly marking: Marking; readonly steps: number; readonly choices: readonly string[] };
  /** Unmatched operations of the first final marking that has any. */
  readonly left: readonly Unmatched[];
  readonly races: readonly Race[];
  /** Reason for an incomplete result. */
  readonly cut: Truncation | undefined;
  /** True if the end of the program is reachable from every state; null if the result is incomplete. */
  readonly endReachable: boolean | null;
  /** A marking from which no end is reachable although ranks keep running, and the number of steps to it. */
  readonly endless?: { readonly marking: Marking; readonly steps: number };
  /** True if the transition is enabled in some explored state. */
  readonly fired: (transition: string) => boolean;
  /** Faults on paths of a program that also deadlocks. */
  readonly warnings: readonly Problem[];
}

/**
 * Explores the behaviours of a program, breadth first, on a reduced net: transitions that no other step can preempt fire
 * immediately and in a fixed order (README.md). The reduction preserves deadlocks, ends and races of
 * all orders, and the length of a shortest path to a deadlock.
 *
 * @throws InputError MODEL020, MODEL027, MODEL033 if a path is faulty and the program cannot deadlock
 * @complexity states of the reduced net × enabled firings per state
 */
export function outcomes(program: ProgramInstanceNet, ranks: number, limits: SpaceLimits): Outcomes {
  const begun = performance.now();
  const net = untimedNet(program.net, (t) => program.canHasten(t), program.sized);
  const one = new Set(
    program.net.transitions.flatMap((t, k) => (program.canHasten(t) && t.weight === undefined ? [k] : [])),
  );
  const running = new GeneralExploration(net, given(limits, ['maxStates', 'memory', 'seconds', 'cancelled']), one);
  const { space } = running;
  while (running.advance(SLICE)) limits.progress?.(space);
  const ended = net.places.findIndex((p) => p.name === 'ended');
  const gone = space.tokens([ended], 0, space.states);
  const names = net.transitions.map((t) => t.name);
  const stops = stopper(limits, begun);
  const orders = ordersOf(program, space, names, stops);
  const complete = space.complete && orders.cut === undefined;
  const degree = space.outDegree(0, space.expanded);
  const dead = orders.reached.filter((state) => degree[state] === 0);
  const stuck = dead.find((state) => gone[state]! < ranks);
  const warnings = faultsOf(program, space, dead, orders, { gone, ranks, stuck: stuck !== undefined });
  const ends = dead.filter((state) => gone[state] === ranks);
  let left: readonly Unmatched[] = [];
  for (let k = 0; k < ends.length && left.length === 0; k++) left = program.unmatched(markingOf(space, ends[k]!));
  const round = complete ? endless(orders) : undefined;
  return {
    space,
    complete,
    cut: space.truncation ?? orders.cut,
    ...(stuck === undefined
      ? {}
      : { deadlock: { marking: markingOf(space, stuck), ...pathTo(program, orders, space, names, stuck) } }),
    left,
    races: orders.races,
    endReachable: complete ? round === undefined && stuck === undefined : null,
    ...(round === undefined ? {} : { endless: { marking: markingOf(space, round), steps: orders.distance[round]! } }),
    fired: (name) => space.enabled([names.indexOf(name)], 0, space.expanded).includes(1),
    warnings,
  };
}

/** Faults of all paths to dead states: {@link checkRun} of each dead marking, and of the collective calls on the paths. */
function faultsOf(
  { program }: ProgramInstanceNet,
  space: StateSpace,
  dead: readonly number[],
  { calls }: Orders,
  { gone, ranks, stuck }: { readonly gone: Float64Array; readonly ranks: number; readonly stuck: boolean },
): readonly Problem[] {
  if (program === undefined) return [];
  const ends = new Set(dead);
  const found = [...calls].find(([state, made]) => made.problem(ends.has(state) && gone[state] === ranks));
  const [at, made] = found ?? [undefined, NO_CALLS];
  const complete = at !== undefined && ends.has(at) && gone[at] === ranks;
  for (const state of dead) checkRun(program, { marking: markingOf(space, state), calls: NO_CALLS, complete, stuck });
  return checkRun(program, { marking: NO_TOKENS, calls: { problem: () => made.problem(complete) }, complete, stuck });
}

const NO_CALLS = { problem: (): undefined => undefined };
const NO_TOKENS: Marking = { tokens: () => [] };

/** Tokens of a state, by name of the place. */
export function markingOf(space: StateSpace, state: number): Marking {
  const places = new Map(
    space
      .marking(state)
      .places.map(({ place, tokens }) => [
        space.net.places[place]!.name,
        tokens.flatMap(({ values, count }) => Array.from({ length: count }, () => ({ values }))),
      ]),
  );
  return { tokens: (place) => places.get(place) ?? [] };
}

/** States that are reachable without messages overtaking each other, and the steps between them. */
interface Orders {
  /** In ascending order of distance. */
  readonly reached: readonly number[];
  /** Predecessor on a shortest path, by state; −1 if none. */
  readonly parent: Int32Array;
  /** Number of program steps on a shortest path, by state; −1 if not reached. */
  readonly distance: Int32Array;
  /** Source and target state of each step. */
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly races: readonly Race[];
  /** States with the collective calls on the paths to them; empty for programs without collectives. */
  readonly calls: Iterable<readonly [state: number, calls: CollectiveCalls]>;
  /** Reason if not all states were examined. */
  readonly cut: Truncation | undefined;
}

/** Returns a function that gives the reason to stop: cancelled or out of time; `undefined` to continue. */
function stopper({ seconds, cancelled }: SpaceLimits, begun: number): () => Truncation | undefined {
  return () => {
    if (cancelled?.() === true) return 'interrupted';
    return seconds !== undefined && performance.now() - begun > 1000 * seconds ? 'time' : undefined;
  };
}

/**
 * Follows the steps between states in order of distance. Bookkeeping steps have length 0. The net of a trace does not
 * enforce the order of messages with different tags, so matches that violate it are skipped. O(edges).
 */
function ordersOf(
  program: ProgramInstanceNet,
  space: StateSpace,
  names: readonly string[],
  stops: () => Truncation | undefined,
): Orders {
  const wild = names.indexOf(program.wildMatch);
  const isMatch = names.map((name) => program.matches.includes(name) && name !== 'match');
  const matches = isMatch.flatMap((is, t) => (is ? [t] : []));
  const choosing = space.enabled(matches, 0, space.expanded);
  const isFree = names.map((name) => program.isBookkeeping(name));
  const parent = new Int32Array(space.states).fill(-1);
  const distance = new Int32Array(space.states).fill(-1);
  distance[0] = 0;
  const reached: number[] = [];
  const done = new Uint8Array(space.states);
  const from: number[] = [];
  const to: number[] = [];
  const races = new Races(program);
  const calls = program.program === undefined ? undefined : new CallsAt(new CollectivePaths(program.program));
  let cut: Truncation | undefined;
  let level = [0];
  let next: number[] = [];
  for (let k = 0; cut === undefined; k++) {
    if (k === level.length) {
      if (next.length === 0) break;
      [level, next, k] = [next, [], 0];
    }
    const state = level[k]!;
    if (done[state] === 1) continue;
    done[state] = 1;
    if (reached.length % LOOK === 0) cut = stops();
    reached.push(state);
    if (state >= space.expanded) continue;
    let firings = space.firings(state);
    if (choosing[state] === 1) {
      const marking = markingOf(space, state);
      firings = firings.filter(
        ({ node, binding }) =>
          isMatch[node] !== true || program.isInOrder(marking, { transition: names[node]!, binding }),
      );
      races.look(firings.filter((f) => f.node === wild).map((f) => ({ transition: names[wild]!, binding: f.binding })));
    }
    for (const { target, node, binding } of firings) {
      if (target < 0) continue;
      calls?.step(state, names[node]!, binding, target);
      from.push(state);
      to.push(target);
      const length = distance[state]! + (isFree[node] === true ? 0 : 1);
      if (distance[target]! >= 0 && distance[target]! <= length) continue;
      distance[target] = length;
      parent[target] = state;
      (isFree[node] === true ? level : next).push(target);
    }
  }
  // Other paths to a state with different calls; rare, because the position of a rank nearly always determines its calls.
  for (let other = calls?.next(); other !== undefined && cut === undefined; other = calls?.next()) {
    cut = stops();
    if (other.state >= space.expanded) continue;
    for (const { target, node, binding } of space.firings(other.state))
      if (target >= 0) calls?.step(other.state, names[node]!, binding, target, other.calls);
  }
  return { reached, parent, distance, from, to, races: races.found, calls: calls?.all() ?? [], cut };
}

/** Length of a shortest path to a state, and descriptions of the choices on it. */
function pathTo(
  program: ProgramInstanceNet,
  { parent, distance }: Orders,
  space: StateSpace,
  names: readonly string[],
  goal: number,
): { readonly steps: number; readonly choices: readonly string[] } {
  const choices: string[] = [];
  for (let s = goal; s > 0; s = parent[s]!) {
    const before = markingOf(space, parent[s]!);
    const step = space
      .firings(parent[s]!)
      .map(({ node, binding, target }) => ({ transition: names[node]!, binding, target }))
      .find(
        (f) =>
          f.target === s &&
          (f.transition === 'match' || !program.matches.includes(f.transition) || program.isInOrder(before, f)),
      )!;
    const choice = program.describe(step);
    if (choice !== undefined) choices.push(choice);
  }
  return { steps: distance[goal]!, choices: choices.reverse() };
}

/** Collects message races: receives that can take different messages in one marking. */
class Races {
  readonly #program: ProgramInstanceNet;
  readonly #known = new Set<string>();
  readonly #found = new Map<string, Race>();

  constructor(program: ProgramInstanceNet) {
    this.#program = program;
  }

  get found(): Race[] {
    return [...this.#found.values()];
  }

  look(matches: readonly NamedStep[]): void {
    if (matches.length < 2 || this.#found.size >= MAX_RACES) return;
    const byReceive = new Map<string, Map<string, WildMatch>>();
    for (const step of matches) {
      const match = this.#program.match(step);
      byReceive.set(match.receive, (byReceive.get(match.receive) ?? new Map()).set(match.message, match));
    }
    for (const [key, of] of byReceive) {
      if (of.size < 2 || this.#known.has(key)) continue;
      this.#known.add(key);
      const words = [...of.values()].map((match) => match.words());
      const { receive } = words[0]!;
      const messages = [...new Set(words.map(({ message }) => message))].sort();
      if (!this.#found.has(receive)) this.#found.set(receive, { receive, messages });
    }
  }
}

/**
 * Finds the nearest state of a bottom strongly connected component that contains a step, that is, one that a run never
 * leaves. `undefined` if no such state exists: a dead marking is then reachable from every state. O(steps).
 */
function endless({ reached, from, to, parent }: Orders): number | undefined {
  const start = new Uint32Array(parent.length + 1);
  for (const state of from) start[state + 1]!++;
  for (let s = 0; s < parent.length; s++) start[s + 1]! += start[s]!;
  const after = new Uint32Array(to.length);
  const next = start.slice();
  from.forEach((state, k) => {
    after[next[state]!++] = to[k]!;
  });
  const { of, bottom } = components({ states: parent.length, edges: to.length, start, target: (edge) => after[edge]! });
  return reached.find((s) => bottom[of[s]!] === 1 && start[s + 1]! > start[s]!);
}

/** Maximum number of additional pairs of a state and its collective calls, beyond the first pair of each state. */
const MAX_MORE = 1e6;

/**
 * Collective calls on the paths to each state. Different paths to a state may contain different calls. All distinct pairs of
 * a state and its calls are followed, each once.
 */
class CallsAt {
  readonly #paths: CollectivePaths;
  /** Calls of the first path to a state, by state. */
  readonly #first = new Map<number, CollectiveCalls>();
  readonly #more: { readonly state: number; readonly calls: CollectiveCalls }[] = [];
  readonly #known = new Set<string>();
  #at = 0;

  constructor(paths: CollectivePaths) {
    this.#paths = paths;
    if (paths.some) this.#first.set(0, paths.first());
  }

  /** Records a step from a state to `target`; `from`: the calls before it, default those of the first path. */
  step(
    state: number,
    transition: string,
    binding: Readonly<Record<string, number>>,
    target: number,
    from: CollectiveCalls | undefined = this.#first.get(state),
  ): void {
    if (from === undefined) return;
    const calls = this.#paths.after(from, transition, binding);
    const known = this.#first.get(target);
    if (known === undefined) this.#first.set(target, calls);
    else if (known !== calls && known.key !== calls.key) this.#add(target, calls);
  }

  #add(state: number, calls: CollectiveCalls): void {
    const key = `${state} ${calls.key}`;
    if (this.#known.has(key) || this.#more.length >= MAX_MORE) return;
    this.#known.add(key);
    this.#more.push({ state, calls });
  }

  /** The next pair whose steps must be followed; `undefined` if none is left. */
  next(): { readonly state: number; readonly calls: CollectiveCalls } | undefined {
    return this.#more[this.#at++];
  }

  /** All pairs recorded so far. */
  *all(): Generator<readonly [number, CollectiveCalls]> {
    yield* this.#first;
    for (const { state, calls } of this.#more) yield [state, calls];
  }
}
