import type { Net } from '../../net/net.ts';
import type { Semiflows, SparseVector } from '../flows/elimination.ts';
import { decreasingWeights, transitionSemiflows } from '../flows/place-flows.ts';
import { BestProofs, type PlaceProof, placeProofs } from '../flows/place-proofs.ts';
import type { Petri } from '../petri/petri.ts';
import type { LinearSolver } from './linear-program.ts';
import { type NetClasses, netClasses } from './net-classes.ts';
import { petriOf } from './plain-petri.ts';
import type { Finding } from './quick-proofs.ts';
import { type SiphonProperty, siphonProperty } from './siphon-property.ts';
import { boundedPlaces, boundOfSum } from './state-equation.ts';

/** Limits of {@link structureOf}. */
export interface StructureLimits {
  /** Work limit of each search for semiflows, in entries visited. */
  readonly effort?: number;
  /** Maximum number of siphons, and of traps, listed. */
  readonly sets?: number;
  /** Polled during all searches; once it returns true, the result contains the findings up to then. */
  readonly stop?: () => boolean;
  /**
   * Leaves out bindings with an expression without value and orders of places; deadlock freedom and liveness are then unknown.
   * Default: they are refused (UNF009, UNF004).
   */
  readonly relaxed?: boolean;
}

/** Properties of all reachable markings derived from the structure alone. Place and transition numbers are those of `petri`. */
export interface Structure {
  readonly petri: Petri;
  /** Undefined if the net has inhibitor, capacity or reset arcs. */
  readonly classes: NetClasses | undefined;
  readonly placeSemiflows: Semiflows;
  readonly transitionSemiflows: Semiflows;
  /** Some place weights whose sum never increases; computed if the semiflows do not cover all places. */
  readonly weights: readonly SparseVector[];
  readonly siphons: SiphonProperty;
  /** By place; undefined if nothing is proved. */
  readonly proofs: readonly (PlaceProof | undefined)[];
  /** Transitions that can never fire. */
  readonly dead: readonly number[];
  readonly verdicts: StructureVerdicts;
}

/** Verdicts on the whole net; their `value` is undefined if unknown. */
export interface StructureVerdicts {
  /** No place ever holds two tokens of the same colour. */
  readonly safe: Finding;
  readonly bounded: Finding;
  /** Bounded for every initial marking. */
  readonly structurallyBounded: Finding;
  /** There are positive weights of all places whose sum is invariant. */
  readonly conservative: Finding;
  /** There are positive firing counts of all transitions that reproduce a marking. */
  readonly consistent: Finding;
  readonly deadlockFree: Finding;
  readonly live: Finding;
}

/**
 * The structural analysis of a net.
 *
 * @throws InputError UNF001–UNF004, UNF009 if the net cannot be unfolded to a place/transition net
 */
export function structureOf(net: Net, limits: StructureLimits = {}): Structure {
  const { effort, sets, stop = () => false, relaxed } = limits;
  const petri = petriOf(net, relaxed);
  const { proofs, dead, semiflows } = placeProofs(petri, effort, stop);
  const classes = netClasses(petri);
  const bounded = proofs.every((proof) => proof !== undefined);
  return concluded({
    petri,
    classes,
    placeSemiflows: semiflows,
    transitionSemiflows: transitionSemiflows(petri, effort, stop),
    weights:
      stop() || (semiflows.complete && isCovered(petri, semiflows.flows)) ? [] : decreasingWeights(petri, effort, stop),
    siphons: siphonProperty(petri, classes, bounded, { stop, ...(sets === undefined ? {} : { sets }) }),
    proofs,
    dead,
  });
}

/** Maximum number of matrix entries of a linear program: a simplex run on larger ones takes minutes and cannot be interrupted. */
export const MAX_PROGRAM_ENTRIES = 30_000;

/** Number of matrix entries of a net's linear programs. O(arcs). */
export const programEntries = ({ places, transitions }: Petri): number =>
  transitions.reduce((sum, t) => sum + t.change.length, places.length);

/** True if linear programs could improve a bound: some place has none, or one that may be too large. */
export function hasOpenBounds({ petri, proofs }: Structure): boolean {
  return openPlaces(petri, proofs).length > 0;
}

/**
 * Improves the bounds with linear programs and updates the verdicts.
 *
 * @param stop polled between programs; once it returns true, the rest of them is skipped
 */
export function withSolver(found: Structure, solver: LinearSolver, stop: () => boolean = () => false): Structure {
  return concluded({ ...found, ...tighten(found, solver, stop) });
}

/** A net with more behaviour may fire where the given one is dead. */
const MORE_BEHAVIOUR: Finding = {
  value: undefined,
  because: 'the analysed net has more behaviour than the given one: explore decides it',
};

function concluded(found: Omit<Structure, 'verdicts'>): Structure {
  const { petri, proofs, placeSemiflows, siphons } = found;
  return {
    ...found,
    verdicts: {
      safe: safe(petri, proofs),
      bounded: boundedness(proofs),
      structurallyBounded: structurallyBounded(petri, [...placeSemiflows.flows, ...found.weights]),
      conservative: covered(petri.places.length, placeSemiflows, 'place'),
      consistent: covered(petri.transitions.length, found.transitionSemiflows, 'transition'),
      deadlockFree: petri.relaxed === undefined ? siphons.deadlockFree : MORE_BEHAVIOUR,
      live: petri.relaxed === undefined ? siphons.live : MORE_BEHAVIOUR,
    },
  };
}

function safe({ places }: Petri, proofs: readonly (PlaceProof | undefined)[]): Finding {
  if (places.some((p) => p.kind !== 'busy' && p.initial > 1))
    return { value: false, because: 'some place initially holds several tokens' };
  // Firings in progress are not tokens of a place.
  const open = places.filter((p, k) => p.kind !== 'busy' && (proofs[k]?.bound ?? Number.POSITIVE_INFINITY) > 1).length;
  if (open === 0) return { value: true, because: 'every place has a proved bound of one token' };
  return { value: undefined, because: `not proved for ${open} of ${places.length} places` };
}

function boundedness(proofs: readonly (PlaceProof | undefined)[]): Finding {
  const open = proofs.filter((proof) => proof === undefined).length;
  return open === 0
    ? { value: true, because: 'every place has a proved bound' }
    : { value: undefined, because: `not proved for ${open} of ${proofs.length} places` };
}

function structurallyBounded(petri: Petri, all: readonly SparseVector[]): Finding {
  const open = petri.places.length - new Set(all.flatMap((weights) => [...weights.keys()])).size;
  if (open === 0) return { value: true, because: 'a sum with positive weights of all places never grows' };
  return { value: undefined, because: `no such weights were found for ${open} of ${petri.places.length} places` };
}

function isCovered({ places }: Petri, flows: readonly SparseVector[]): boolean {
  return new Set(flows.flatMap((flow) => [...flow.keys()])).size === places.length;
}

function covered(count: number, { flows, complete }: Semiflows, what: 'place' | 'transition'): Finding {
  const open = count - new Set(flows.flatMap((flow) => [...flow.keys()])).size;
  if (open === 0) return { value: true, because: `every ${what} is in a semiflow` };
  const some = `${open} of ${count} ${what}s`;
  return complete
    ? { value: false, because: `no semiflow has ${some}` }
    : { value: undefined, because: `no semiflow was found for ${some}; the search was incomplete` };
}

/** Limit of the matrix entries in all linear programs of one net. */
const MAX_ENTRIES = 4_000_000;

type Proofs = readonly (PlaceProof | undefined)[];

const isOpen = ({ places }: Petri, proofs: Proofs, p: number): boolean =>
  (proofs[p]?.bound ?? Number.POSITIVE_INFINITY) > Math.max(1, places[p]!.initial);

/**
 * The places whose bound may improve: no bound, or a bound above 1 and above the initial tokens. Places without a bound come
 * first. A bound of 1 could only improve to 0 and is skipped.
 */
function openPlaces(petri: Petri, proofs: Proofs): number[] {
  const open = petri.places.flatMap((_, p) => (isOpen(petri, proofs, p) ? [p] : []));
  return [...open.filter((p) => proofs[p] === undefined), ...open.filter((p) => proofs[p] !== undefined)];
}

/** Number of places without a bound from which one program first tells which of them have one: it takes as long as a few programs. */
const MANY_UNPROVED = 8;

/** Improves bounds by the state equation: for every open place the smallest bound that weights can prove. */
function tighten(
  { petri, proofs, weights }: Omit<Structure, 'verdicts'>,
  solver: LinearSolver,
  stop: () => boolean,
): { readonly proofs: Proofs; readonly dead: readonly number[]; readonly weights: readonly SparseVector[] } {
  const best = new BestProofs(petri, proofs);
  const size = programEntries(petri);
  let open = openPlaces(petri, proofs);
  let left = MAX_ENTRIES;
  let more: readonly SparseVector[] = [];
  if (open.filter((p) => proofs[p] === undefined).length >= MANY_UNPROVED && !stop()) {
    left -= size;
    const found = boundedPlaces(petri, solver);
    if (found?.weights !== undefined) {
      best.offerWeights(found.weights, false, 'linear program');
      more = [found.weights];
    }
    if (found !== undefined) open = open.filter((p) => proofs[p] !== undefined || found.hasWeights(p));
  }
  for (const p of open) {
    // Weights of another place may have proved the bound.
    if (!isOpen(petri, best.proofs, p)) continue;
    left -= size;
    if (left < 0 || stop()) break;
    const found = boundOfSum(petri, new Map([[p, 1]]), solver);
    if (found !== undefined) best.offerWeights(found.weights, false, 'linear program');
  }
  return { proofs: best.proofs, dead: best.never(), weights: [...weights, ...more] };
}
