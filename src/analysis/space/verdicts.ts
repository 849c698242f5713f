import { quote } from '../../base/problem.ts';
import { columnsOf } from '../../net/colour.ts';
import type { Components } from './components.ts';
import type { Degrees } from './degrees.ts';
import { neverPossible } from './possible.ts';
import { stablePlace } from './stable-places.ts';
import type { StateSpace } from './state-space.ts';

/** Yes, no, or null where it is not known, and why: what was found, or what is missing. */
export interface Verdict {
  readonly value: boolean | null;
  readonly because: string;
}

/**
 * What holds of all reachable markings, as the Model Checking Contest means it, for coloured nets at the coloured level.
 *
 * - `deadlock`: in some marking nothing can happen (of a program: and it is not final)
 * - `oneSafe`: no place ever holds more than one token, all colours together
 * - `quasiLive`: every transition is possible in some marking
 * - `live`: from every marking, every transition can become possible again
 * - `stableMarking`: some place always holds as many tokens as at first
 * - `reversible`: from every marking the initial one can be reached again
 */
export interface Verdicts {
  readonly deadlock: Verdict;
  readonly oneSafe: Verdict;
  readonly quasiLive: Verdict;
  readonly live: Verdict;
  readonly stableMarking: Verdict;
  readonly reversible: Verdict;
}

/** What is known of a space besides itself; what is left out is not known, for the reason given. */
export interface Known {
  readonly degrees: Degrees | undefined;
  readonly components: Components | undefined;
  /** Why there are no components. */
  readonly missing: string;
  /** Asked now and then; true ends the search for what is not decided yet. */
  readonly stop: () => boolean;
}

const STOPPED = 'it was interrupted';
const MOST_NAMES = 5;

/**
 * Decides what can be decided: of a truncated space what one marking shows, and otherwise nothing.
 * O(states × (places + transitions)) at worst; each verdict ends as soon as it is sure.
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

/** What a search that found nothing says: the opposite if all was seen. */
function exhausted(space: StateSpace, verdict: Verdict): Verdict {
  return space.complete ? verdict : unknown(`not in the ${space.states} states that were found`);
}

function deadlockVerdict(space: StateSpace, { degrees }: Known): Verdict {
  if (degrees === undefined) return unknown(STOPPED);
  if (degrees.stuck > 0) return yes(`nothing can happen in state ${degrees.firstStuck[0]}`);
  return exhausted(space, no(degrees.dead > 0 ? 'every dead state is final' : 'in every state something can happen'));
}

function oneSafeVerdict(space: StateSpace, { stop }: Known): Verdict {
  const { net, states } = space;
  if (space.maxTokensInPlace > 1) return no(`a place holds ${space.maxTokensInPlace} equal tokens`);
  const colours = new Map(net.colours.map((c) => [c.name, c]));
  for (const [p, place] of net.places.entries()) {
    // Of a place without colours, all tokens are equal.
    if (columnsOf(place.fields, colours).length === 0) continue;
    for (let at = 0, size = 64; at < states; size = Math.min(1 << 16, 2 * size)) {
      if (stop()) return unknown(STOPPED);
      const end = Math.min(states, at + size);
      const counts = space.tokens([p], at, end);
      const hit = counts.findIndex((count) => count > 1);
      if (hit >= 0) return no(`${quote(place.name)} holds ${counts[hit]} tokens in state ${at + hit}`);
      at = end;
    }
  }
  return exhausted(space, yes('no place ever holds more than one token'));
}

function quasiLiveVerdict(space: StateSpace, { stop }: Known): Verdict {
  const { net } = space;
  const never = neverPossible(space, [...net.transitions.keys()], 0, space.states, stop);
  if (never === undefined) return unknown(STOPPED);
  if (never.length === 0) return yes('every transition is possible somewhere');
  const names = never.slice(0, MOST_NAMES).map((t) => quote(net.transitions[t]!.name));
  const more = never.length > names.length ? ` and ${never.length - names.length} more` : '';
  const never1 = `${names.join(', ')}${more} never possible`;
  return space.complete ? no(never1) : unknown(`${never1} in the ${space.states} states that were found`);
}

function liveVerdict(space: StateSpace, { degrees, components, missing, stop }: Known, quasiLive: Verdict): Verdict {
  const { net } = space;
  if (net.transitions.length === 0) return yes('there is no transition');
  if (degrees !== undefined && degrees.dead > 0) return no(`nothing can happen in state ${degrees.firstDead[0]}`);
  if (quasiLive.value === false) return no(quasiLive.because);
  if (components === undefined) return unknown(missing);
  const { starts, members } = bottomMembers(components);
  for (let b = 0; b + 1 < starts.length; b++) {
    const lost = neverIn(space, components, members.subarray(starts[b]!, starts[b + 1]!), stop);
    if (lost === undefined) return unknown(STOPPED);
    if (lost.length > 0)
      return no(`${quote(net.transitions[lost[0]!]!.name)} is never possible again from state ${members[starts[b]!]}`);
  }
  return yes('every transition is possible in every bottom component');
}

/** The transitions that are possible in none of these states, which are those of one component, in order. */
function neverIn(
  space: StateSpace,
  { of }: Components,
  members: Uint32Array,
  stop: () => boolean,
): number[] | undefined {
  let left: number[] | undefined = [...space.net.transitions.keys()];
  const [first, last] = [members[0]!, members.at(-1)!];
  if (last - first < 8 * members.length)
    return neverPossible(space, left, first, last + 1, stop, (s) => of[s] === of[first]);
  for (const s of members) {
    left = neverPossible(space, left, s, s + 1, stop);
    if (left === undefined || left.length === 0) return left;
  }
  return left;
}

/** The states of the bottom components: those of the first one, of the second one …, in order. */
function bottomMembers({ of, bottom, bottoms, sizes }: Components): { starts: Float64Array; members: Uint32Array } {
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

function stableVerdict(space: StateSpace, { stop }: Known): Verdict {
  const { place, decided } = stablePlace(space, stop);
  if (place !== undefined) return yes(`${quote(space.net.places[place]!.name)} always holds as many tokens`);
  if (decided) return no('the number of tokens changes in every place');
  return unknown(space.complete ? STOPPED : `some place is the same in the ${space.states} states that were found`);
}

function reversibleVerdict({ states }: StateSpace, { degrees, components, missing }: Known): Verdict {
  if (degrees !== undefined && degrees.dead > 0 && states > 1)
    return no(`nothing can happen in state ${degrees.firstDead.find((s) => s !== 0)}`);
  if (components === undefined) return unknown(missing);
  if (components.count === 1) return yes('all states are one component');
  return no(`there are ${components.count} components`);
}
