import { listing } from '../../base/listing.ts';
import { quote } from '../../base/problem.ts';
import { columnsOf } from '../../net/colour.ts';
import type { Transition } from '../../net/net.ts';
import type { Components } from '../petri/components.ts';
import type { Degrees } from './degrees.ts';
import { bottomMembers, impossibleIn, inStatesFound, neverPossible } from './liveness.ts';
import type { StateSpace } from './state-space.ts';

/** True, false, or null for unknown, with the finding or the missing information as the reason. */
export interface Verdict {
  readonly value: boolean | null;
  readonly because: string;
}

/**
 * Properties of all reachable markings as defined by the Model Checking Contest; for coloured nets at the coloured level.
 *
 * - `deadlock`: some marking is dead (for programs: and not final)
 * - `oneSafe`: no place ever holds more than one token, all colours together
 * - `quasiLive`: every transition is enabled in some marking
 * - `live`: from every marking, every transition can become enabled again
 * - `stableMarking`: the number of tokens of some place is constant
 * - `reversible`: the initial marking is reachable from every marking
 */
export interface Verdicts {
  readonly deadlock: Verdict;
  readonly oneSafe: Verdict;
  readonly quasiLive: Verdict;
  readonly live: Verdict;
  readonly stableMarking: Verdict;
  readonly reversible: Verdict;
}

/** Analyses of a space that verdicts depend on; `undefined` means unknown. */
export interface Known {
  readonly degrees: Degrees | undefined;
  readonly components: Components | undefined;
  /** Why components are missing. */
  readonly missing: string;
  /** Polled regularly; returning true leaves the remaining verdicts unknown. */
  readonly stop: () => boolean;
  /** Why `stop` returned true, as a clause for messages. */
  readonly stopped?: () => string;
}

const interrupted = (): string => 'it was interrupted';
const MAX_NAMES = 5;

/**
 * Decides each property if possible. In a truncated space, only properties that a single marking proves or refutes are decided.
 * At worst O(states × (places + transitions)); each verdict ends as soon as it is certain.
 */
export function verdicts(space: StateSpace, known: Known): Verdicts {
  const quasiLive = quasiLiveVerdict(space, known);
  return {
    deadlock: deadlockVerdict(space, known),
    oneSafe: oneSafeVerdict(space, known),
    quasiLive,
    live: liveVerdict(space, known, quasiLive),
    stableMarking: stableVerdict(space, known),
    reversible: reversibleVerdict(space, known),
  };
}

const yes = (because: string): Verdict => ({ value: true, because });
const no = (because: string): Verdict => ({ value: false, because });
const unknown = (because: string): Verdict => ({ value: null, because });

/** Result of a search without a hit: `verdict` if the space is complete, otherwise unknown. */
function exhausted(space: StateSpace, verdict: Verdict): Verdict {
  return space.complete ? verdict : unknown(`not ${inStatesFound(space)}`);
}

function deadlockVerdict(space: StateSpace, { degrees, stopped = interrupted }: Known): Verdict {
  if (degrees === undefined) return unknown(stopped());
  if (degrees.stuck > 0) return yes(`no step is possible in state ${degrees.firstStuck[0]}`);
  return exhausted(space, no(degrees.dead > 0 ? 'every dead state is final' : 'in every state a step is possible'));
}

function oneSafeVerdict(space: StateSpace, { stop, stopped = interrupted }: Known): Verdict {
  const { net, states } = space;
  if (space.maxTokensInPlace > 1) return no(`a place holds ${space.maxTokensInPlace} equal tokens`);
  const colours = new Map(net.colours.map((c) => [c.name, c]));
  for (const [p, place] of net.places.entries()) {
    // All tokens of a place without colours are equal, so the test above covers it.
    if (columnsOf(place.fields, colours).length === 0) continue;
    for (let at = 0, size = 64; at < states; size = Math.min(1 << 16, 2 * size)) {
      if (stop()) return unknown(stopped());
      const end = Math.min(states, at + size);
      const counts = space.tokens([p], at, end);
      const hit = counts.findIndex((count) => count > 1);
      if (hit >= 0) return no(`${quote(place.name)} holds ${counts[hit]} tokens in state ${at + hit}`);
      at = end;
    }
  }
  return exhausted(space, yes('no place ever holds more than one token'));
}

function quasiLiveVerdict(space: StateSpace, { stop, stopped = interrupted }: Known): Verdict {
  const { net } = space;
  const never = neverPossible(space, [...net.transitions.keys()], 0, space.states, stop);
  if (never === undefined) return unknown(stopped());
  if (never.length === 0) return yes('every transition is possible somewhere');
  const names = never.slice(0, MAX_NAMES).map((t) => quote(net.transitions[t]!.name));
  const impossible = `${listing(names, { count: never.length })} never possible`;
  return space.complete ? no(impossible) : unknown(`${impossible} ${inStatesFound(space)}`);
}

function liveVerdict(
  space: StateSpace,
  { degrees, components, missing, stop, stopped = interrupted }: Known,
  quasiLive: Verdict,
): Verdict {
  const { net } = space;
  if (net.transitions.length === 0) return yes('the net has no transitions');
  if (degrees !== undefined && degrees.dead > 0) return no(`no step is possible in state ${degrees.firstDead[0]}`);
  if (quasiLive.value === false) return no(quasiLive.because);
  if (components === undefined) return unknown(missing);
  const { starts, members } = bottomMembers(components);
  const all = [...net.transitions.keys()];
  for (let b = 0; b + 1 < starts.length; b++) {
    const lost = impossibleIn(space, components, members.subarray(starts[b]!, starts[b + 1]!), stop, all);
    if (lost === undefined) return unknown(stopped());
    if (lost.length > 0)
      return no(`${quote(net.transitions[lost[0]!]!.name)} is never possible again from state ${members[starts[b]!]}`);
  }
  return yes('every transition is possible in every bottom component');
}

function stableVerdict(space: StateSpace, { stop, stopped = interrupted }: Known): Verdict {
  const { place, decided } = stablePlace(space, stop);
  if (place !== undefined) return yes(`${quote(space.net.places[place]!.name)} always has the same number of tokens`);
  if (decided) return no('the number of tokens changes in every place');
  return unknown(space.complete ? stopped() : `some place has the same number of tokens ${inStatesFound(space)}`);
}

function reversibleVerdict({ states }: StateSpace, { degrees, components, missing }: Known): Verdict {
  if (degrees !== undefined && degrees.dead > 0 && states > 1)
    return no(`no step is possible in state ${degrees.firstDead.find((s) => s !== 0)}`);
  if (components === undefined) return unknown(missing);
  if (components.count === 1) return yes('all states form one component');
  return no(`there are ${components.count} components`);
}

/** Minimum and maximum number of states per query: starts small and doubles while nothing is found. */
const FEW = 64;
const MANY = 1 << 16;
/** A place with a constant number of tokens, if there is one; `decided` is false if the search was inconclusive. */
interface StablePlace {
  readonly place: number | undefined;
  readonly decided: boolean;
}

/**
 * Finds a place with the same number of tokens in every reachable marking: from arc weights if possible, otherwise place by
 * place over the states. O(states × places), far less if places change early.
 */
function stablePlace(space: StateSpace, stop: () => boolean): StablePlace {
  const { net, states, complete } = space;
  const changed = new Set(net.transitions.flatMap(changedPlaces));
  const byArcs = net.places.findIndex((p) => !changed.has(p.name));
  if (byArcs >= 0) return { place: byArcs, decided: true };
  for (let p = 0; p < net.places.length; p++) {
    const initial = space.tokens([p], 0, 1)[0]!;
    let changes = false;
    for (let at = 0, size = FEW; at < states && !changes; size = Math.min(MANY, 2 * size)) {
      if (stop()) return { place: undefined, decided: false };
      const end = Math.min(states, at + size);
      changes = space.tokens([p], at, end).some((count) => count !== initial);
      at = end;
    }
    if (!changes) return complete ? { place: p, decided: true } : { place: undefined, decided: false };
  }
  return { place: undefined, decided: true };
}

/** Places whose number of tokens may change when a transition fires, starts or ends. O(arcs). */
export function changedPlaces(t: Transition): string[] {
  const inOneStep = t.delay === undefined || t.timing === 'race';
  const change = new Map<string, number>();
  const changed = new Set<string>();
  const add = (place: string, count: number): void => {
    if (!inOneStep && count !== 0) changed.add(place);
    change.set(place, (change.get(place) ?? 0) + count);
  };
  for (const a of t.inputs) {
    if (a.kind === 'reset') changed.add(a.place);
    else if (a.kind === 'take') add(a.place, -a.count);
  }
  for (const { place, count } of t.outputs) {
    if (count.op === 'const') add(place, count.value);
    else changed.add(place);
  }
  for (const [place, count] of change) if (count !== 0) changed.add(place);
  return [...changed];
}
