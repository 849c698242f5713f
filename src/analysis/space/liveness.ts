import type { Components } from '../petri/components.ts';
import type { StateGraph, StateSpace } from './state-space.ts';

/**
 * How often a transition can fire (Murata, _Petri nets: properties, analysis and applications_, Proceedings of the IEEE 77,
 * 1989): 0 never, 1 at least once, 3 infinitely often in some run, 4 again from every reachable marking. With finitely many
 * markings a transition that can fire as often as one likes (level 2) can fire infinitely often.
 */
export type LivenessLevel = 0 | 1 | 3 | 4;

/** The level of a transition; `undefined` means unknown, with the reason. */
export interface Liveness {
  readonly level: LivenessLevel | undefined;
  readonly because: string;
  /** Levels 1 and 3: a state from which the transition is never possible again. */
  readonly lostFrom: number | undefined;
}

/** A space with its edges and components; `undefined` where they are missing. */
export interface Connected {
  readonly graph: StateGraph | undefined;
  readonly components: Components | undefined;
  /** Why they are missing. */
  readonly missing: string;
  /** Polled regularly; returning true leaves the remaining levels unknown. */
  readonly stop: () => boolean;
  /** Why `stop` returned true, as a clause for messages. */
  readonly stopped: () => string;
}

/** `in the 12 states found`: the end of a finding in an incomplete space. */
export const inStatesFound = ({ states }: StateSpace): string =>
  states === 1 ? 'in the only state found' : `in the ${states} states found`;

/**
 * The level of every transition. A transition is live if it is enabled in every bottom component, and can fire infinitely often
 * if one of its edges stays inside a component. O(states × transitions + edges).
 */
export function livenessLevels(space: StateSpace, known: Connected): Liveness[] {
  const { graph, components, missing, stop, stopped } = known;
  const all = [...space.net.transitions.keys()];
  const open = (because: string): Liveness => ({ level: undefined, because, lostFrom: undefined });
  const impossible = neverPossible(space, all, 0, space.states, stop);
  if (impossible === undefined) return all.map(() => open(stopped()));
  const never = new Set(impossible);
  const dead: Liveness = space.complete
    ? { level: 0, because: 'never possible', lostFrom: undefined }
    : open(`not possible ${inStatesFound(space)}`);
  if (graph === undefined || components === undefined)
    return all.map((t) => (never.has(t) ? dead : open(`at least 1: ${missing}`)));
  const possible = all.filter((t) => !never.has(t));
  const lost = lostTransitions(space, components, possible, stop);
  const repeated = lost && repeatable(space, graph, components, [...lost.keys()], stop);
  return all.map((t): Liveness => {
    if (never.has(t)) return dead;
    if (lost === undefined || repeated === undefined) return open(`at least 1: ${stopped()}`);
    const lostFrom = lost.get(t);
    if (lostFrom === undefined) return { level: 4, because: 'possible in every bottom component', lostFrom };
    const again = `never again from state ${lostFrom}`;
    return repeated.has(t)
      ? { level: 3, because: `in a cycle, but ${again}`, lostFrom }
      : { level: 1, because: `in no cycle, and ${again}`, lostFrom };
  });
}

/** Those of `transitions` that some bottom component excludes, each with a state of it. */
function lostTransitions(
  space: StateSpace,
  components: Components,
  transitions: readonly number[],
  stop: () => boolean,
): Map<number, number> | undefined {
  const { starts, members } = bottomMembers(components);
  const lost = new Map<number, number>();
  let left = transitions;
  for (let b = 0; b + 1 < starts.length && left.length > 0; b++) {
    const gone = impossibleIn(space, components, members.subarray(starts[b]!, starts[b + 1]!), stop, left);
    if (gone === undefined) return undefined;
    for (const t of gone) lost.set(t, members[starts[b]!]!);
    if (gone.length > 0) left = left.filter((t) => !lost.has(t));
  }
  return lost;
}

/** States between two calls of `stop`, and between two selections of the states that matter. */
const CHUNK = 1 << 12;

/** Those of `transitions` with a start or firing whose edge stays inside a component. */
function repeatable(
  space: StateSpace,
  graph: StateGraph,
  { of }: Components,
  transitions: readonly number[],
  stop: () => boolean,
): Set<number> | undefined {
  const found = new Set<number>();
  const left = new Set(transitions);
  const stays = (s: number): boolean => {
    for (let e = graph.start[s]!; e < graph.start[s + 1]!; e++) if (of[graph.target(e)] === of[s]) return true;
    return false;
  };
  for (let at = 0; at < space.states && left.size > 0; at += CHUNK) {
    if (stop()) return undefined;
    const end = Math.min(space.states, at + CHUNK);
    const enabled = space.enabled([...left], at, end);
    for (let s = at; s < end; s++) {
      if (enabled[s - at] === 0 || !stays(s)) continue;
      for (const { kind, node, target } of space.firings(s)) {
        if ((kind !== 'fire' && kind !== 'start') || of[target] !== of[s] || !left.delete(node)) continue;
        found.add(node);
      }
    }
  }
  return found;
}

/** Number of home states, which can be reached from every state: those of the bottom component if there is one only. */
export function homeStates({ sizes, bottom, bottoms }: Components): number {
  return bottoms === 1 ? sizes[bottom.indexOf(1)]! : 0;
}

/** Those of `transitions` that are enabled in none of `members`, the sorted states of one component. */
export function impossibleIn(
  space: StateSpace,
  { of }: Components,
  members: Uint32Array,
  stop: () => boolean,
  transitions: readonly number[],
): number[] | undefined {
  let left: number[] | undefined = [...transitions];
  const [first, last] = [members[0]!, members.at(-1)!];
  if (last - first < 8 * members.length)
    return neverPossible(space, left, first, last + 1, stop, (s) => of[s] === of[first]);
  for (const s of members) {
    left = neverPossible(space, left, s, s + 1, stop);
    if (left === undefined || left.length === 0) return left;
  }
  return left;
}

/** The sorted states of each bottom component, concatenated; component b starts at `starts[b]`. */
export function bottomMembers({ of, bottom, bottoms, sizes }: Components): {
  starts: Float64Array;
  members: Uint32Array;
} {
  const starts = new Float64Array(bottoms + 1);
  const at = new Uint32Array(bottom.length);
  let length = 0;
  for (let c = 0, b = 0; c < bottom.length; c++) {
    if (bottom[c] === 0) continue;
    at[c] = length;
    length += sizes[c]!;
    starts[++b] = length;
  }
  const members = new Uint32Array(length);
  for (let s = 0; s < of.length; s++) {
    const c = of[s]!;
    if (bottom[c] === 0) continue;
    members[at[c]!++] = s;
  }
  return { starts, members };
}

/** Enabling tests between two calls of `stop`. */
const TESTS = 1 << 24;

/** Those of `transitions` that are enabled in none of the states from … to − 1 that satisfy `within`. Undefined if `stop` ended it. */
export function neverPossible(
  space: StateSpace,
  transitions: readonly number[],
  from: number,
  to: number,
  stop: () => boolean,
  within?: (state: number) => boolean,
): number[] | undefined {
  let left = [...transitions];
  for (let at = from; at < to && left.length > 0; ) {
    if (stop()) return undefined;
    const end = Math.min(to, at + Math.max(1, Math.floor(TESTS / (left.length + space.net.places.length))));
    left = space.neverEnabled(left, at, end, within);
    at = end;
  }
  return left;
}
