import { exploration } from '../../analysis/space/explore.ts';
import type { ExploreOptions, StateGraph, StateSpace } from '../../analysis/space/state-space.ts';
import { given } from '../../base/given.ts';
import type { Race, Unmatched } from '../../report/program-verification.ts';
import type { Marking, Playable, WildMatch } from './subject.ts';
import { untimedNet } from './untimed-net.ts';

/** Races that are told. */
const MOST_RACES = 20;
/** States between two looks at the clock and the limits. */
const SLICE = 1 << 12;
/** Bytes that edges may take. */
const MOST_EDGES = 4e9;

export interface SpaceLimits extends Pick<ExploreOptions, 'memory' | 'seconds' | 'workers' | 'cancelled'> {
  readonly maxStates: number;
  readonly progress?: (space: StateSpace) => void;
}

/** How a program with choices can end. */
export interface Outcomes {
  readonly space: StateSpace;
  /** All of it was seen. */
  readonly complete: boolean;
  /** The deadlock that takes fewest steps, and what of the way there could have gone otherwise. */
  readonly deadlock?: { readonly marking: Marking; readonly steps: number; readonly choices: readonly string[] };
  /** The first end at which messages or receives are left. */
  readonly left?: { readonly unmatched: readonly Unmatched[] };
  readonly races: readonly Race[];
  /** Whether the end can always be reached; null where not all was seen. */
  readonly endReachable: boolean | null;
  readonly fired: (transition: string) => boolean;
}

/**
 * Explores what can happen in a program, breadth first, in a net in which all that is bound to happen comes at once
 * (docs/design.md, "One run decides"): deadlocks, ends and races are those of all orders, and the way to a deadlock is as short.
 *
 * @complexity the states of the reduced net × what can happen in each
 */
export function outcomes(play: Playable, ranks: number, limits: SpaceLimits): Outcomes {
  const net = untimedNet(play.net, (t) => play.canHasten(t));
  const running = exploration(net, given(limits, ['maxStates', 'memory', 'seconds', 'workers', 'cancelled']));
  const { space } = running;
  while (running.advance(SLICE)) limits.progress?.(space);
  const graph = space.graph(MOST_EDGES);
  const ended = net.places.findIndex((p) => p.name === 'ended');
  const gone = space.tokens([ended], 0, space.states);
  const degree = space.outDegree(0, space.expanded);
  const dead: number[] = [];
  degree.forEach((n, state) => {
    if (n === 0) dead.push(state);
  });
  for (const state of dead) play.check(markingOf(space, state));
  const stuck = dead.find((state) => gone[state]! < ranks);
  const names = net.transitions.map((t) => t.name);
  let left: Outcomes['left'];
  for (const state of dead) {
    if (gone[state]! < ranks) continue;
    const unmatched = play.unmatched(markingOf(space, state));
    if (unmatched.length === 0) continue;
    left = { unmatched };
    break;
  }
  return {
    space,
    complete: space.complete,
    ...(stuck === undefined
      ? {}
      : {
          deadlock: {
            marking: markingOf(space, stuck),
            steps: distance(space, stuck),
            choices: wayTo(play, space, graph, names, stuck),
          },
        }),
    ...(left === undefined ? {} : { left }),
    races: racesOf(play, space, names),
    endReachable:
      space.complete && graph !== undefined
        ? reaches(
            graph,
            dead.filter((s) => gone[s] === ranks),
          )
        : null,
    fired: (name) => space.enabled([names.indexOf(name)], 0, space.expanded).includes(1),
  };
}

/** The tokens of a state by the names of places. */
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

function distance({ levels }: StateSpace, state: number): number {
  return levels.findLastIndex((first) => first <= state);
}

/** What could have gone otherwise on a shortest way to a state. O(edges). */
function wayTo(
  play: Playable,
  space: StateSpace,
  graph: StateGraph | undefined,
  names: readonly string[],
  goal: number,
): string[] {
  if (graph === undefined) return [];
  const parent = new Int32Array(space.states).fill(-1);
  for (let s = 0; s < graph.states; s++)
    for (let e = graph.start[s]!; e < graph.start[s + 1]!; e++) {
      const to = graph.target(e);
      if (to > 0 && parent[to] === -1) parent[to] = s;
    }
  const way: string[] = [];
  for (let s = goal; s > 0; s = parent[s]!) {
    const step = space.firings(parent[s]!).find((f) => f.target === s)!;
    const told = play.told({ transition: names[step.node]!, binding: step.binding });
    if (told !== undefined) way.push(told);
  }
  return way.reverse();
}

/** Receives that can take one of two messages, of which each is the next of its sender. O(states in which some match is possible). */
function racesOf(play: Playable, space: StateSpace, names: readonly string[]): Race[] {
  const wild = names.indexOf(play.wildMatch);
  if (wild < 0) return [];
  const enabled = space.enabled([wild], 0, space.expanded);
  const found = new Map<string, Race>();
  const known = new Set<string>();
  for (let state = enabled.indexOf(1); state >= 0 && found.size < MOST_RACES; state = enabled.indexOf(1, state + 1)) {
    const byReceive = new Map<string, Map<string, WildMatch>>();
    for (const { node, binding } of space.firings(state)) {
      if (node !== wild) continue;
      const match = play.match({ transition: names[wild]!, binding });
      byReceive.set(match.receive, (byReceive.get(match.receive) ?? new Map()).set(match.message, match));
    }
    for (const [key, matches] of byReceive) {
      if (matches.size < 2 || known.has(key)) continue;
      known.add(key);
      const words = [...matches.values()].map((match) => match.words());
      const { receive } = words[0]!;
      const messages = [...new Set(words.map(({ message }) => message))].sort();
      if (!found.has(receive)) found.set(receive, { receive, messages });
    }
  }
  return [...found.values()];
}

/** Whether from every state one of these can be reached. O(edges). */
function reaches(graph: StateGraph, goals: readonly number[]): boolean {
  const start = new Int32Array(graph.states + 1);
  for (let e = 0; e < graph.edges; e++) start[graph.target(e) + 1]!++;
  for (let s = 0; s < graph.states; s++) start[s + 1]! += start[s]!;
  const from = new Int32Array(graph.edges);
  const next = start.slice();
  for (let s = 0; s < graph.states; s++)
    for (let e = graph.start[s]!; e < graph.start[s + 1]!; e++) from[next[graph.target(e)]!++] = s;
  const seen = new Uint8Array(graph.states);
  const stack = [...goals];
  for (const goal of goals) seen[goal] = 1;
  for (let s = stack.pop(); s !== undefined; s = stack.pop())
    for (let k = start[s]!; k < start[s + 1]!; k++)
      if (seen[from[k]!] === 0) {
        seen[from[k]!] = 1;
        stack.push(from[k]!);
      }
  return !seen.includes(0);
}
