import { largestSums } from './bounds.ts';
import { COMPONENT_BYTES, type Components, components } from './components.ts';
import { type Degrees, degrees, type FinalMarking } from './degrees.ts';
import type { StateGraph, StateSpace } from './state-space.ts';
import {
  type ComponentSize,
  componentSizes,
  type DepthProfile,
  depthProfile,
  distances,
  levelOf,
} from './statistics.ts';
import { type Verdicts, verdicts } from './verdicts.ts';

/** How a space is looked through. */
export interface FindingsOptions {
  /** Groups of places, as indices, whose largest sums are wanted. */
  readonly groups?: readonly (readonly number[])[];
  /** What is final: dead states of this marking are no deadlocks. */
  readonly final?: FinalMarking;
  /** Bytes that the graph and its components may take; default: no limit. */
  readonly memory?: number;
  /**
   * The same space as one thread numbers its states, where several have explored: dead states are named by it. Asked for
   * only where there are some.
   */
  readonly named?: () => StateSpace;
  /** Asked now and then; true ends what can be left undecided. */
  readonly stop?: () => boolean;
}

/** What is known of a space; what is left out could not be found out. */
export interface Findings {
  readonly verdicts: Verdicts;
  readonly degrees: Degrees | undefined;
  readonly components: Components | undefined;
  readonly sizes: readonly ComponentSize[] | undefined;
  readonly bounds: readonly number[] | undefined;
  readonly depths: DepthProfile | undefined;
  /** The space in whose numbers states are told. */
  readonly names: StateSpace;
  /** The first dead states, those that are not final first, and how far they are from the initial state. */
  readonly dead: readonly DeadState[];
  readonly graph: StateGraph | undefined;
}

export interface DeadState {
  readonly state: number;
  readonly distance: number | undefined;
  readonly final: boolean;
}

/** Looks through a space: components where all edges are known and fit into memory, verdicts, sums, statistics. */
export function findings(space: StateSpace, options: FindingsOptions = {}): Findings {
  const { groups = [], final, memory = Number.POSITIVE_INFINITY, stop = () => false } = options;
  const left = memory - COMPONENT_BYTES * space.states;
  const graph = space.complete && !stop() && left > 0 ? space.graph(left) : undefined;
  const { names, found } = named(space, degrees(space, graph, final, stop), options);
  const parts = graph === undefined || stop() ? undefined : components(graph);
  const missing = space.complete
    ? graph === undefined && !stop()
      ? noRoom(space)
      : 'it was interrupted'
    : truncated(space);
  const distance = space.order === 'depth' && graph !== undefined && !stop() ? distances(graph) : undefined;
  return {
    verdicts: verdicts(space, { degrees: found, components: parts, missing, stop }),
    degrees: found,
    components: parts,
    sizes: parts === undefined ? undefined : componentSizes(parts),
    bounds: largestSums(space, groups, stop),
    depths: depthProfile(space, distance),
    dead: deadStates(names, found, distance),
    names,
    graph,
  };
}

/** Dead states by the numbers that they have whatever the number of threads. */
function named(
  space: StateSpace,
  found: Degrees | undefined,
  { named: names, final, stop = () => false }: FindingsOptions,
): { readonly names: StateSpace; readonly found: Degrees | undefined } {
  if (names === undefined || found === undefined || found.dead === 0) return { names: space, found };
  const alone = names();
  const { firstDead, firstStuck } = degrees(alone, undefined, final, stop) ?? found;
  return { names: alone, found: { ...found, firstDead, firstStuck } };
}

function noRoom({ edges }: StateSpace): string {
  return `the graph of ${edges} edges does not fit into the memory that is left`;
}

function truncated({ truncation }: StateSpace): string {
  return `not all states were seen (${truncation})`;
}

function deadStates(space: StateSpace, found: Degrees | undefined, distance: Int32Array | undefined): DeadState[] {
  if (found === undefined) return [];
  const distanceOf = (s: number): number | undefined =>
    space.order === 'breadth' ? levelOf(space.levels, s) : distance?.[s];
  const stuck = new Set(found.firstStuck);
  const others = found.firstDead.filter((s) => !stuck.has(s));
  return [...stuck, ...others]
    .slice(0, found.firstDead.length)
    .map((state) => ({ state, distance: distanceOf(state), final: !stuck.has(state) }));
}
