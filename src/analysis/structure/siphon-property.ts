import type { Petri } from '../petri/petri.ts';
import type { NetClasses } from './net-classes.ts';
import { type Finding, type QuickProofs, quickProofs } from './quick-proofs.ts';
import {
  arcsOf,
  type ClosedLimits,
  type ClosedSets,
  type Closure,
  largestClosed,
  listed,
  minimalClosed,
  minimalConnected,
  siphonsOf,
  trapsOf,
  withIsolated,
} from './siphons.ts';

/** Siphons and traps of a net and the properties that follow from them. */
export interface SiphonProperty {
  readonly siphons: ClosedSets;
  readonly traps: ClosedSets;
  /** By siphon: the largest trap inside it, if that trap is marked initially. */
  readonly markedTraps: readonly (readonly number[] | undefined)[];
  /**
   * Commoner's condition: every minimal siphon with an arc contains an initially marked trap. Places without arcs do not
   * matter, since no transition needs them. Undefined if not all siphons were examined.
   */
  readonly holds: boolean | undefined;
  readonly deadlockFree: Finding;
  readonly live: Finding;
}

/**
 * Minimal siphons and traps and their consequences. If every transition needs at most one token of each input place, the
 * empty places of a dead marking form a siphon; hence the net is deadlock-free if every siphon contains a marked trap
 * (Commoner 1972). An ordinary extended free-choice net is live if and only if this holds; if it is also bounded and strongly
 * connected, it is deadlock-free only if it is live (Desel & Esparza, _Free Choice Petri Nets_, 1995, theorems 4.21 and 4.31).
 *
 * @param bounded true if all places are bounded
 * @param known the proofs that need no siphons, if they were tried before
 */
export function siphonProperty(
  petri: Petri,
  classes: NetClasses | undefined,
  bounded: boolean,
  limits: ClosedLimits = {},
  known: QuickProofs | undefined = undefined,
): SiphonProperty {
  const arcs = arcsOf(petri);
  const quick = known ?? quickProofs(petri, arcs, limits.stop);
  const [inSiphons, inTraps] = [siphonsOf(arcs), trapsOf(arcs)];
  const awaited = minimalConnected(inSiphons, limits);
  // Costs less than finding the siphons: one closure each.
  const trapIn = new Map(awaited.sets.map((set) => [set, markedTrap(petri, inTraps, set)]));
  const controlled = awaited.sets.every((set) => trapIn.get(set) !== undefined);
  const holds = !controlled ? false : awaited.complete ? true : undefined;
  const siphons = withIsolated(awaited, inSiphons, limits.sets);
  const traps = minimalClosed(inTraps, limits);
  const markedTraps = siphons.sets.map((set) =>
    trapIn.has(set) ? trapIn.get(set) : set.some((p) => petri.places[p]!.initial > 0) ? set : undefined,
  );
  return {
    siphons,
    traps,
    markedTraps,
    holds,
    deadlockFree: quick.deadlockFree ?? deadlockFree(petri, classes, holds, bounded),
    live: quick.live ?? live(petri, classes, holds),
  };
}

/** The largest trap inside a siphon, if one of its places is marked initially. */
function markedTrap({ places }: Petri, inTraps: Closure, siphon: readonly number[]): readonly number[] | undefined {
  const within = new Uint8Array(places.length);
  for (const p of siphon) within[p] = 1;
  const trap = listed(largestClosed(inTraps, within));
  return trap.some((p) => places[p]!.initial > 0) ? trap : undefined;
}

const UNCONTROLLED = 'some siphon contains no marked trap';
const MANY = 'the number of siphons exceeds the limit';

function deadlockFree(
  { transitions }: Petri,
  classes: NetClasses | undefined,
  holds: boolean | undefined,
  bounded: boolean,
): Finding {
  const unknown = (because: string): Finding => ({ value: undefined, because });
  if (transitions.length === 0) return { value: false, because: 'the net has no transitions' };
  if (transitions.some((t) => t.limits.length > 0)) return unknown('transitions have inhibitors or capacities');
  if (holds === undefined) return unknown(MANY);
  if (holds && transitions.every((t) => t.needs.every(([, n]) => n === 1)))
    return { value: true, because: 'every siphon contains a marked trap' };
  if (holds) return unknown('transitions require several tokens of a place');
  const ranked = new Set(transitions.map((t) => t.level)).size > 1;
  if (isFreeChoice(classes) && classes?.strongly_connected === true && bounded && !ranked)
    return { value: false, because: `${UNCONTROLLED}, in a bounded, strongly connected free-choice net` };
  return unknown(UNCONTROLLED);
}

function live({ net, transitions }: Petri, classes: NetClasses | undefined, holds: boolean | undefined): Finding {
  if (!isFreeChoice(classes)) return { value: undefined, because: 'the net is not free-choice' };
  if (new Set(transitions.map((t) => t.level)).size > 1)
    return { value: undefined, because: 'transitions have different priorities' };
  if (holds === undefined) return { value: undefined, because: MANY };
  // Liveness concerns transitions of the net, each of which must have exactly one binding here.
  if (transitions.length !== net.transitions.length)
    return { value: undefined, because: 'transitions have several bindings, or none' };
  if (holds) return { value: true, because: 'every siphon of the free-choice net contains a marked trap' };
  return { value: false, because: `${UNCONTROLLED}, in a free-choice net` };
}

const isFreeChoice = (classes: NetClasses | undefined): boolean =>
  classes?.ordinary === true && classes.extended_free_choice;
