import type { Demand } from '../../base/options.ts';
import { fail, InputError, type Problem } from '../../base/problem.ts';
import { assertGiven } from '../members.ts';
import type { Net, Place, Transition } from '../net.ts';
import { scalarNet } from '../scalar.ts';
import { sortedByName, TextTerms } from '../text/text-terms.ts';
import { assertNet } from '../validation/validate-shape.ts';
import { assertFinite } from './unfold-finite.ts';
import { TransitionUnfolding } from './unfold-firing.ts';
import { placeProblems, placesOf, type UnfoldedPlace, unfoldedPlace } from './unfold-place.ts';
import { possibleIn } from './unfold-possible.ts';

export interface UnfoldOptions {
  /** Most places and transitions together. Default 10⁶. */
  readonly limit?: number;
  /**
   * Leave out what no run can reach (default): places of colours that cannot come about, and bindings whose tokens
   * cannot. What can come about is found from the initial marking, without regard to numbers of tokens, inhibitors,
   * capacities and time, so never too little. False: a place for every colour of its colour sets.
   */
  readonly reachableOnly?: boolean;
}

export const UNFOLD_LIMIT = 1e6;

/** What options are. */
export const UNFOLD_OPTIONS: Readonly<Record<keyof UnfoldOptions, Demand>> = {
  limit: 'a number from 0 on',
  reachableOnly: 'a truth value',
};

/** Arcs that an unfolded net may have for every node of its limit: inhibitors and resets may match very many places. */
const ARCS_PER_NODE = 10;

/**
 * The place/transition net of a valid net (SEMANTICS 12): one place for every possible colour of a place,
 * `place[red,3]`, and one transition for every binding whose guard holds and whose tokens are possible,
 * `transition[i=1,x=red]`. A column that a pattern leaves out tells bindings apart too: `transition[place.column=2]`. Values are in the order of the
 * columns; variables in that of their names, columns left out behind them. Places without columns keep their names.
 * Should two nodes get one name, the later one gets a `'`.
 *
 * **What agrees exactly.** The untimed runs map one to one onto each other: markings, enabled bindings, their degrees
 * and effects. Each binding keeps its priority, weight, delay or distribution and timing, each token its service. So
 * the timed runs have the same distribution wherever candidates of one instant that are in conflict differ in priority,
 * or are drawn by weight; and a net without such conflicts, and without distributions, has the same timed run.
 * _Not kept:_ which of several candidates of one instant and equal priority goes first where no weight is given (S10
 * asks for ages and names, and the names are new), and which random numbers are drawn (S15: streams belong to names).
 *
 * **What is expressed otherwise.** A capacity over several colours is that of a place `place[*]`, which counts the
 * tokens of all colours: the same room at the same time (S8a), reservations included. Arcs that inhibit or reset become
 * one for every possible colour that they match. A fifo or priority queue whose groups hold one colour each is a bag.
 *
 * **What goes.** Labels: modules are merged before. The declaration of processes: their place has become several. With
 * `reachableOnly`, all that no run can reach, unfilled places and transitions that wait for them included.
 *
 * **What is refused,** by name: an unbounded colour set (UNF001), more than `limit` nodes (UNF002) or arcs (UNF010), a
 * search that goes on for too long (UNF003), an order among colours (UNF004), a service shared by colours (UNF005), a
 * reset of some of the colours that share a capacity (UNF006), an inhibitor that counts several tokens over several
 * colours (UNF007), a race with a single server for several bindings (UNF008), a binding with which an expression has
 * no value (UNF009): one whose tokens are possible in the sense of `reachableOnly`, even where their numbers or an
 * inhibitor would keep it from being enabled in any run.
 *
 * O(tokens and bindings tried + size of the result): bindings are found arc by arc through indexes, and pruned by each
 * part of the guard as soon as its variables are bound.
 *
 * @throws InputError with all refusals; NET037 for what is no net; NET040, NET058 for options that are none
 */
export function unfold(net: Net, options: UnfoldOptions = {}): Net {
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
  const places = flat.places.flatMap((p): Place[] => placesOf(unfolded.get(p.name)!, possible.around, problems));
  const transitions: Transition[] = [];
  const uniqueTransition = uniqueNames();
  let arcs = 0;
  for (const t of possible.transitions) {
    const one = new TransitionUnfolding(t, unfolded, terms, possible.around);
    problems.push(...one.problems());
    if (problems.length > 0) continue;
    for (const made of one.transitions(uniqueTransition, problems)) {
      transitions.push(made);
      arcs += made.inputs.length + made.outputs.length;
      if (arcs > ARCS_PER_NODE * limit) tooManyArcs(net, made, limit);
    }
  }
  if (problems.length > 0) throw new InputError(problems);
  const routes = new Set(places.flatMap((p) => (p.service?.kind === 'max-min' ? [p.service.routes] : [])));
  return { name: net.name, colours: [], tables: net.tables.filter((t) => routes.has(t.name)), places, transitions };
}

function tooManyArcs(net: Net, t: Transition, limit: number): never {
  fail(
    'UNF010',
    `unfolds to more than ${ARCS_PER_NODE * limit} arcs (transition "${t.name}" has ${t.inputs.length + t.outputs.length}). Raise the limit of nodes (${limit}), of which there may be ${ARCS_PER_NODE} times as many arcs.`,
    { part: `net ${net.name}` },
  );
}

/** Gives names that were not given before. */
function uniqueNames(): (name: string) => string {
  const given = new Set<string>();
  return (name) => {
    let free = name;
    while (given.has(free)) free += "'";
    given.add(free);
    return free;
  };
}
