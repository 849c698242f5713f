import { fail, quote } from '../../base/problem.ts';
import { assertGiven } from '../../net/members.ts';
import type { Net } from '../../net/net.ts';
import { assertNet } from '../../net/validation/validate-shape.ts';
import { provedBounds } from '../flows/place-proofs.ts';
import { flatten, flattenLimit } from '../petri/flatten.ts';
import type { Petri } from '../petri/petri.ts';
import { explore } from '../space/explore.ts';
import { choices, Encoding, stepName } from './encoding.ts';
import { refuseServices, takesTime } from './kept-times.ts';
import { type QueuedPetri, queueContents } from './queue-contents.ts';
import { exploredBounds, MAX_MARKINGS, reachableBounds } from './reachable-bounds.ts';

/** Default limit of the places and transitions of a safe net. */
export const SAFE_LIMIT = 100_000;

/** A net in which no place ever holds more than one token, and its relation to the given net. */
export interface SafeNet {
  /** The safe net. */
  readonly net: Net;
  /** The given net, unfolded, with a place for each content of a queue of several colours; `places` and `transitions` refer to it. */
  readonly petri: QueuedPetri;
  /**
   * For each place of `net`: the place of `petri` and the number of its tokens that a mark represents; for the stages of one
   * firing in progress, which follow the others, 1.
   */
  readonly places: readonly { readonly place: number; readonly tokens: number }[];
  /** For each transition of `net`: the transition of `petri` it came from; for the delay of a firing, its end. */
  readonly transitions: readonly number[];
  /** Bound of each place of `petri`. */
  readonly bounds: readonly number[];
  /**
   * True if the net takes time and is safe already, and `withoutColours` is not given: `net` is the given net, and `places` and
   * `transitions` are empty.
   */
  readonly unchanged: boolean;
  /** Remarks on the result, as sentences. */
  readonly notes: readonly string[];
}

/** Limits of {@link safeNet}. */
export interface SafeOptions {
  /** Maximum number of places and transitions together; default 10⁵. */
  readonly limit?: number;
  /** Maximum number of markings explored to find the bounds of places; default 200 000. */
  readonly maxMarkings?: number;
  /** Makes a net without colours of one that takes time and is safe already, too: its queues become their contents. Default false. */
  readonly withoutColours?: boolean;
}

/**
 * Converts a bounded net into an equivalent safe net (the method, step 1). A place with bound b becomes the places
 * p=0 … p=b, exactly one of which is marked, so the net has Σ (b + 1) places. A transition becomes one transition for every
 * combination of token counts of the places that it tests or changes. Only the places of one transition are combined;
 * markings of the net are not enumerated.
 *
 * A queue of several colours becomes one place for each of its reachable contents ({@link queueContents}).
 *
 * **Preserved**: the interleaving behaviour. Markings correspond one to one, and each transition and binding is enabled in
 * corresponding markings with the same effect; priorities and labels are kept. **Not preserved**: concurrent steps: two
 * transitions that take from one place now exclude each other.
 *
 * **Times** are preserved (`KeptTimes`). A net that takes time and is proved safe is returned unchanged: no place ever
 * holds two tokens of one colour, unless `withoutColours` is given. Otherwise firings in progress have separate places, so that
 * markings correspond one to one only between instants. As in `unfold`, neither the order of candidates of one instant nor the
 * drawn numbers are kept.
 *
 * O(combinations × arcs), plus the exploration for the bounds.
 *
 * @throws InputError SAFE001 if a place has no bound, SAFE002 if the net would exceed `limit`, SAFE004 for times that
 *   it cannot keep, UNF… for nets that cannot be unfolded; NET037 if `net` is not a net; NET040, NET058 for invalid
 *   options
 */
export function safeNet(net: Net, options: SafeOptions = {}): SafeNet {
  assertNet(net);
  assertGiven('safeNet', 'options', options, {
    limit: 'a number >= 0',
    maxMarkings: 'a number >= 0',
    withoutColours: 'a boolean',
  });
  const size = Math.max(flattenLimit(net), options.limit ?? SAFE_LIMIT);
  const given = flatten(net, size, true);
  const maxMarkings = options.maxMarkings ?? MAX_MARKINGS;
  refuseFailing(given, maxMarkings);
  const timed = takesTime(net);
  if (timed && options.withoutColours === true) refuseServices(given);
  else if (timed) {
    // Without the order of queues there are more markings, so that the bounds hold.
    const proof = provedSafe(given, options.maxMarkings);
    if ('bounds' in proof)
      return { net, petri: given, places: [], transitions: [], ...proof, unchanged: true, notes: [UNCHANGED] };
    refuseServices(given, proof.because);
  }
  const petri = queueContents(given, maxMarkings);
  const { bounds, exact } = reachableBounds(petri, options.maxMarkings);
  const limit = options.limit ?? SAFE_LIMIT;
  checkSize(petri, bounds, limit);
  const made = new Encoding(petri, bounds, timed).run();
  return { ...made, petri, bounds, unchanged: false, notes: notesOf(net, exact, timed) };
}

/**
 * Refuses bindings with an expression without a value, unless all markings are known: then none of them is ever enabled.
 *
 * @throws InputError UNF009; RUN… if a run reaches one
 */
function refuseFailing({ net, relaxed }: Petri, maxMarkings: number): void {
  if (relaxed?.omitted === undefined || explore(net, { maxStates: maxMarkings }).complete) return;
  fail(
    'UNF009',
    `${relaxed.omitted.first}. Runs with more than ${maxMarkings} markings may reach it: expected fewer markings, as with fewer workers or smaller parameters, or a guard that excludes this binding`,
    { part: `net ${quote(net.name)}` },
  );
}

const UNCHANGED =
  'the net is safe already, and is written unchanged with its times: no place ever holds two tokens of one colour';

/** The bounds of a net in which no place holds two tokens of one colour; or why that is not proved. */
function provedSafe(
  petri: Petri,
  maxMarkings?: number,
): { readonly bounds: readonly number[] } | { readonly because: string } {
  const crowded = (bounds: readonly number[]): number =>
    petri.places.findIndex(({ kind }, p) => kind !== 'busy' && bounds[p]! > 1);
  const name = (p: number): string => `place ${quote(petri.net.places[petri.places[p]!.node]!.name)}`;
  const holds = (p: number, tokens: number): { readonly because: string } => ({
    because: `${name(p)} can hold ${tokens} tokens of one colour`,
  });
  const proved = provedBounds(petri);
  if (crowded(proved) < 0) return { bounds: proved };
  // A place with more tokens at the start is not safe; exploring all markings would not change that.
  const full = petri.places.findIndex(({ initial }) => initial > 1);
  if (full >= 0) return holds(full, petri.places[full]!.initial);
  const found = exploredBounds(petri, maxMarkings);
  if (found === undefined)
    return { because: `it is not proved that ${name(crowded(proved))} holds at most one token of each colour` };
  const p = crowded(found);
  return p < 0 ? { bounds: found } : holds(p, found[p]!);
}

function checkSize(petri: Petri, bounds: readonly number[], limit: number): void {
  const places = bounds.reduce((sum, b) => sum + b + 1, 0);
  let transitions = 0;
  let max = 0;
  let largest = '';
  for (const t of petri.transitions) {
    const count = choices(t, bounds).reduce((n, [, from, to]) => n * Math.max(0, to - from + 1), 1);
    transitions += count;
    if (count > max) {
      max = count;
      largest = stepName(petri, t);
    }
  }
  if (places + transitions <= limit) return;
  const size = transitions < 1e15 ? String(transitions) : transitions.toExponential(1);
  fail(
    'SAFE002',
    `becomes ${places} places and ${size} transitions ("${largest}" alone ${max < 1e15 ? max : max.toExponential(1)}): more than ${limit} together. Raise the limit, or give its places smaller bounds.`,
    { part: `net ${petri.net.name}` },
  );
}

function notesOf(net: Net, exact: boolean, timed: boolean): string[] {
  const exported = net.transitions.filter((t) => t.label !== undefined && Object.keys(t.label.exports).length > 0);
  return [
    timed
      ? 'the safe net preserves times, and the interleaving behaviour: markings, and the transitions between them. It does not preserve simultaneous steps'
      : 'the safe net preserves the interleaving behaviour: markings, and the transitions between them. It does not preserve simultaneous steps',
    ...(exact
      ? []
      : [
          'the bounds of places are proved by invariants and capacities, not exact: some places of the safe net may never be marked',
        ]),
    ...(exported.length === 0
      ? []
      : [`labels that export variables are omitted: ${exported.map((t) => t.label!.name).join(', ')}`]),
  ];
}
