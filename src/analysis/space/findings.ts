import { COMPONENT_BYTES, type Components, components } from '../petri/components.ts';
import { largestSums } from './bounds.ts';
import { type Degrees, degrees, type FinalMarkings } from './degrees.ts';
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

export interface FindingsOptions {
  /** Groups of place indices whose maximum sums are computed. */
  readonly groups?: readonly (readonly number[])[];
  /** Final markings; dead states with such a marking are not deadlocks. */
  readonly final?: FinalMarkings;
  /** Memory limit for the graph and its components, in bytes. Default: no limit. */
  readonly memory?: number;
  /**
   * The same space in single-threaded state numbering, if several threads explored it. Dead states are reported in this
   * numbering. Called only if dead states exist.
   */
  readonly named?: () => StateSpace;
  /** Polled regularly; returning true skips the remaining analyses. */
  readonly stop?: () => boolean;
  /** Why `stop` returned true, as a clause for messages. */
  readonly stopped?: () => string;
}

/** Results of analysing a space; `undefined` where a result could not be computed. */
export interface Findings {
  readonly verdicts: Verdicts;
  readonly degrees: Degrees | undefined;
  readonly components: Components | undefined;
  /** Why components are missing. */
  readonly missing: string;
  readonly sizes: readonly ComponentSize[] | undefined;
  /** Maximum sum of each group. */
  readonly bounds: readonly number[] | undefined;
  readonly depths: DepthProfile | undefined;
  /** The markings of the states in `dead`, by the numbers that the results use. */
  readonly names: Pick<StateSpace, 'marking'>;
  /** The first dead states with their distances from the initial state; non-final ones first. */
  readonly dead: readonly DeadState[];
  readonly graph: StateGraph | undefined;
}

/** A dead state, its distance from the initial state in steps if known, and if its marking is final. */
export interface DeadState {
  readonly state: number;
  readonly distance: number | undefined;
  readonly final: boolean;
}

/** Analyses a space: verdicts, maximum sums, statistics; components only if all edges are known and fit into memory. */
export function findings(space: StateSpace, options: FindingsOptions = {}): Findings {
  const { groups = [], final, memory = Number.POSITIVE_INFINITY, stop = () => false } = options;
  const { stopped = () => 'it was interrupted' } = options;
  const left = memory - COMPONENT_BYTES * space.states;
  const graph = space.complete && !stop() && left > 0 ? space.graph(left, stop) : undefined;
  const { names, found } = named(space, degrees(space, graph, final, stop), options);
  const parts = graph === undefined || stop() ? undefined : components(graph, stop);
  const missing = space.complete ? (graph === undefined && !stop() ? noRoom(space) : stopped()) : truncated(space);
  const distance = space.order === 'depth' && graph !== undefined && !stop() ? distances(graph) : undefined;
  return {
    verdicts: verdicts(space, { degrees: found, components: parts, missing, stop, stopped }),
    degrees: found,
    components: parts,
    missing,
    sizes: parts === undefined ? undefined : componentSizes(parts),
    bounds: largestSums(space, groups, stop),
    depths: depthProfile(space, distance),
    dead: deadStates(names, found, distance),
    names,
    graph,
  };
}

/** Dead states in the numbering that does not depend on the number of threads. */
function named(
  space: StateSpace,
  found: Degrees | undefined,
  { named: names, final, stop = () => false }: FindingsOptions,
): { readonly names: StateSpace; readonly found: Degrees | undefined } {
  if (names === undefined || found === undefined || found.dead === 0) return { names: space, found };
  const alone = names();
  // A limit may have ended the single-threaded exploration earlier.
  if (alone.states < space.states) return { names: space, found };
  const { firstDead, firstStuck } = degrees(alone, undefined, final, stop) ?? found;
  return { names: alone, found: { ...found, firstDead, firstStuck } };
}

function noRoom({ edges }: StateSpace): string {
  return `the graph of ${edges} edges does not fit into the remaining memory`;
}

function truncated({ truncation }: StateSpace): string {
  return `not all states were explored (${truncation})`;
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
