import type { Petri } from '../petri/petri.ts';
import { freeChoice } from './free-choice/free-choice.ts';
import { enablingTrap, isLiveMarkedGraph } from './linear-proofs.ts';
import type { Arcs } from './siphons.ts';

/** A verdict, undefined if unknown, and its reason in one line. */
export interface Finding {
  readonly value: boolean | undefined;
  readonly because: string;
}

/** Verdicts of {@link quickProofs}; undefined if not decided. */
export interface QuickProofs {
  readonly deadlockFree: Finding | undefined;
  readonly live: Finding | undefined;
}

const MARKED_GRAPH = 'every cycle of the marked graph has a token';

/**
 * Freedom of deadlocks and liveness by proofs that large nets can afford, because they do not list siphons: live marked graphs,
 * marked traps that enable transitions, and reductions of free-choice nets. Nearly linear, except for irreducible parts of free-choice nets.
 *
 * @param stop polled during reductions; once it returns true, the rest is not decided
 */
export function quickProofs(petri: Petri, arcs: Arcs, stop: () => boolean = () => false): QuickProofs {
  if (isLiveMarkedGraph(petri, arcs)) {
    const finding = { value: true, because: MARKED_GRAPH };
    return { deadlockFree: finding, live: isEachBound(petri) ? finding : undefined };
  }
  const isFree = deadlockFreeByTrap(petri, arcs);
  const found = stop() ? undefined : freeChoice(petri, arcs, { stop });
  if (found === undefined) return { deadlockFree: isFree, live: undefined };
  const { deadlockFree, live, because } = found;
  const hasPriorities = new Set(petri.transitions.map((t) => t.level)).size > 1;
  // A proof of liveness holds for each binding; its refutation may concern one binding only.
  const isLive = live === true ? isEachBound(petri) : live === false && isBoundOnce(petri);
  return {
    deadlockFree:
      isFree ??
      (deadlockFree === true || (deadlockFree === false && !hasPriorities)
        ? { value: deadlockFree, because }
        : undefined),
    live: isLive && !hasPriorities ? { value: live, because } : undefined,
  };
}

function deadlockFreeByTrap(petri: Petri, arcs: Arcs): Finding | undefined {
  const idle = petri.transitions.find((t) => t.needs.length === 0 && t.limits.length === 0);
  if (idle !== undefined)
    return { value: true, because: `transition ${petri.net.transitions[idle.node]!.name} is always enabled` };
  const trap = enablingTrap(petri, arcs);
  if (trap === undefined) return undefined;
  const places = trap.length === 1 ? '1 place' : `${trap.length} places`;
  return { value: true, because: `each place of a marked trap of ${places} enables a transition alone` };
}

/** True if every transition of the net has a binding here; those without one can never fire. */
function isEachBound({ net, transitions }: Petri): boolean {
  const bound = new Set(transitions.flatMap((t) => (t.kind === 'fire' || t.kind === 'start' ? [t.node] : [])));
  return bound.size === net.transitions.length;
}

const isBoundOnce = (petri: Petri): boolean =>
  isEachBound(petri) && petri.transitions.length === petri.net.transitions.length;
