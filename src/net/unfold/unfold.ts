import type { Demand } from '../../base/options.ts';
import { fail, InputError, type Problem } from '../../base/problem.ts';
import { columnsOf } from '../colour.ts';
import { type Expression, operands } from '../expression.ts';
import { scalarNet } from '../expressions.ts';
import { assertGiven } from '../members.ts';
import type { MarkedPlace, Net, Place, Transition } from '../net.ts';
import { sortedByName, TextTerms } from '../text/text-terms.ts';
import { withAssumedDelays, withoutAssumedDelays } from '../untimed.ts';
import { assertNet } from '../validation/validate-shape.ts';
import { TransitionUnfolding } from './unfold-firing.ts';
import { placeProblems, placesOf, type UnfoldedPlace, unfoldedPlace } from './unfold-place.ts';
import { possibleIn } from './unfold-possible.ts';

/** Options of {@link unfold}. */
export interface UnfoldOptions {
  /** Maximum number of places and transitions together. Default 10⁶. */
  readonly limit?: number;
  /**
   * Omit unreachable parts (default): places of colours that cannot occur, and bindings with such tokens. Reachability
   * is over-approximated from the initial marking: token counts, inhibitors, capacities and time are ignored. False:
   * one place for every colour of the colour sets.
   */
  readonly reachableOnly?: boolean;
}

/** Default of {@link UnfoldOptions.limit}. */
export const UNFOLD_LIMIT = 1e6;

/** Types of the options. */
export const UNFOLD_OPTIONS: Readonly<Record<keyof UnfoldOptions, Demand>> = {
  limit: 'a number >= 0',
  reachableOnly: 'a boolean',
};

/** Maximum arcs, as a multiple of the node limit; inhibitors and resets may match very many places. */
const ARCS_PER_NODE = 10;

/**
 * Unfolds a valid net to a place/transition net: one place for every possible colour of a place, `place[red,3]`, and
 * one transition for every binding whose guard holds and whose tokens are possible,
 * `transition[i=1,x=red]`. A column omitted from a pattern also distinguishes bindings: `transition[place.column=2]`.
 * Values are in column order; variables in name order, followed by omitted columns. Places without columns keep their
 * names. A duplicate name gets a `'` appended.
 *
 * **Preserved exactly.** Untimed runs correspond one to one: markings, enabled bindings, their degrees and effects.
 * Each binding keeps its priority, weight, delay or distribution, and timing; each token keeps its service. Hence timed
 * runs have the same distribution if conflicting candidates of one instant differ in priority or are drawn by weight.
 * Without such conflicts and without distributions, the timed run is the same.
 * _Not preserved:_ the order of candidates of one instant with equal priority and no weight (S10 uses ages and names,
 * and the names are new), and the random numbers drawn (S15: streams belong to names).
 *
 * **Expressed differently.** A capacity over several colours becomes the capacity of a place `place[*]`, which counts
 * the tokens of all colours: the same room at the same time (S8a), including reservations. An inhibitor or reset arc
 * becomes one arc for each possible colour that it matches. An inhibitor with a threshold above 1 over several colours
 * tests a place `place[*]` or `place[red,*]` that counts their tokens. A fifo or priority queue whose groups have one
 * colour each becomes a bag.
 *
 * **Dropped.** Labels: merge modules first. The process declaration: its place has become several. Final markings with
 * tokens in places of several colours. With `reachableOnly`, everything unreachable, including places that are never
 * marked and transitions that wait for them.
 *
 * **Rejected,** by name: an unbounded colour set (UNF001), more than `limit` nodes (UNF002) or too many arcs (UNF010),
 * a search that takes too long (UNF003), an order among colours (UNF004), a service shared by colours (UNF005), a reset
 * of some of the colours that share a capacity or a counter (UNF006), an inhibitor that counts several tokens over
 * several colours of a place with a service (UNF007), a single-server race with several bindings (UNF008), a binding
 * with an expression that has no value (UNF009); the last applies if its tokens are possible in the sense of
 * `reachableOnly`, even if token counts or an inhibitor would keep it from being enabled.
 *
 * O(tokens and bindings tried + size of the result): bindings are found arc by arc through indexes and pruned by each
 * conjunct of the guard as soon as its variables are bound.
 *
 * @throws InputError with all rejections; NET037 if the value is not a net; NET040, NET058 for invalid options
 */
export function unfold(net: Net, options: UnfoldOptions = {}): Net {
  return unfoldWithOrigins(net, options).net;
}

/** An unfolded net, and the nodes of the given net that its nodes come from, by index. */
export interface Unfolded {
  readonly net: Net;
  /** By place; -1 for a place that only counts tokens of others. */
  readonly places: readonly number[];
  readonly transitions: readonly number[];
}

/** As {@link unfold}. */
export function unfoldWithOrigins(net: Net, options: UnfoldOptions = {}): Unfolded {
  assertNet(net);
  assertGiven('unfold', 'options', options, UNFOLD_OPTIONS);
  const { limit = UNFOLD_LIMIT, reachableOnly = true } = options;
  const flat = scalarNet(net);
  assertFinite(flat);
  const possible = possibleIn(flat, limit, reachableOnly);
  const terms = new TextTerms(net);
  const uniquePlace = uniqueNames();
  const unfolded = new Map<string, UnfoldedPlace>(
    sortedByName(flat.places).map((p) => [p.name, unfoldedPlace(p, possible.colours.get(p.name)!, terms, uniquePlace)]),
  );
  const problems: Problem[] = [...unfolded.values()].flatMap(placeProblems);
  const made = possible.transitions.map((t) => new TransitionUnfolding(t, unfolded, terms, possible.around));
  for (const one of made) one.prepareCounters();
  const placeOrigins: number[] = [];
  const places = flat.places.flatMap((p, k): Place[] => {
    const own = unfolded.get(p.name)!;
    const all = placesOf(own, possible.around, problems);
    for (let i = 0; i < all.length; i++) placeOrigins.push(i < own.names.length ? k : -1);
    return all;
  });
  const transitions: Transition[] = [];
  const transitionOrigins: number[] = [];
  const uniqueTransition = uniqueNames();
  let arcs = 0;
  for (const [k, one] of made.entries()) {
    problems.push(...one.problems());
    if (problems.length > 0) continue;
    for (const t of one.transitions(uniqueTransition, problems)) {
      transitions.push(t);
      transitionOrigins.push(k);
      arcs += t.inputs.length + t.outputs.length;
      if (arcs > ARCS_PER_NODE * limit) tooManyArcs(net, t, limit);
    }
  }
  if (problems.length > 0) throw new InputError(problems);
  const used = new Set(places.flatMap((p) => (p.service?.kind === 'max-min' ? [p.service.routes] : [])));
  // Terms that count tokens stay terms.
  for (const { speed, weight } of transitions) for (const e of [speed, weight]) if (e !== undefined) addNames(e, used);
  const functions = net.functions?.filter((f) => used.has(f.name)) ?? [];
  const finalMarkings = finalMarkingsOf(net, unfolded);
  const unfoldedNet: Net = {
    name: net.name,
    colours: [],
    tables: net.tables.filter((t) => used.has(t.name)),
    places,
    transitions,
    ...(functions.length === 0 ? {} : { functions }),
    ...(finalMarkings === undefined ? {} : { finalMarkings }),
  };
  const origins = { places: placeOrigins, transitions: transitionOrigins };
  if (net.untimed !== true) return { net: unfoldedNet, ...origins };
  // The transitions that take no token can be gone, and with them the reason for assumed delays.
  return { net: withAssumedDelays(withoutAssumedDelays({ ...unfoldedNet, untimed: true })), ...origins };
}

/** Adds the names of the tables and functions of an expression. */
function addNames(e: Expression, to: Set<string>): void {
  if (e.op === 'at' || e.op === 'step') to.add(e.table);
  else if (e.op === 'call') to.add(e.function);
  for (const part of operands(e)) addNames(part, to);
}

/**
 * The final markings; undefined if one has tokens in a place of several colours, because it does not give their
 * colours.
 */
function finalMarkingsOf(net: Net, unfolded: ReadonlyMap<string, UnfoldedPlace>): Net['finalMarkings'] {
  const markings = net.finalMarkings?.map((marking) =>
    marking
      .filter(({ count }) => count > 0)
      .map(({ place, count }) => {
        const { names } = unfolded.get(place)!;
        return names.length === 1 ? { place: names[0]!, count } : undefined;
      }),
  );
  if (markings?.some((marking) => marking.includes(undefined)) !== false) return undefined;
  return markings as readonly (readonly MarkedPlace[])[];
}

function tooManyArcs(net: Net, t: Transition, limit: number): never {
  fail(
    'UNF010',
    `unfolds to more than ${ARCS_PER_NODE * limit} arcs (transition "${t.name}" has ${t.inputs.length + t.outputs.length}). Raise the limit of ${limit} nodes: the limit of arcs is ${ARCS_PER_NODE} times as high.`,
    { part: `net ${net.name}` },
  );
}

/** Returns a function that makes names unique: it appends `'` to those already used. */
export function uniqueNames(): (name: string) => string {
  const given = new Set<string>();
  return (name) => {
    let free = name;
    while (given.has(free)) free += "'";
    given.add(free);
    return free;
  };
}

/** @throws InputError UNF001 for every unbounded column and free variable */
export function assertFinite(net: Net): void {
  const colours = new Map(net.colours.map((c) => [c.name, c]));
  const problems: Problem[] = [];
  const look = (part: string, fields: Place['fields']): void => {
    for (const c of columnsOf(fields, colours))
      if (c.colour.kind === 'integer')
        problems.push({
          code: 'UNF001',
          message: `"${c.name}" is of colour "${c.colour.name}", the unbounded integers: only finite colour sets can be unfolded. Give it a range.`,
          place: { part },
        });
  };
  for (const p of net.places) look(`place ${p.name}`, p.fields);
  for (const t of net.transitions) look(`transition ${t.name}`, t.free ?? []);
  if (problems.length > 0) throw new InputError(problems);
}
