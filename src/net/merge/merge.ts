import { assertGiven, assertIs } from '../members.ts';
import type { MarkedPlace, Net } from '../net.ts';
import { areUntimed, withAssumedDelays, withoutAssumedDelays } from '../untimed.ts';
import { assertNet } from '../validation/validate-shape.ts';
import { mergeColours, mergeFunctions, mergeProcesses, mergeTables } from './merge-data.ts';
import { byName, Findings, nodesOf, type Part, partsOf, united } from './merge-part.ts';
import { mergePlaces } from './merge-places.ts';
import { type CombineRules, combineRules } from './merge-rules.ts';
import { mergeTransitions } from './merge-transitions.ts';
import { columnColours } from './merge-variables.ts';

export type { CombineRules } from './merge-rules.ts';

/** Options of {@link merge}. */
export interface MergeOptions {
  /** Name of the merged net; default: the names of the nets, sorted and joined by `+`. */
  readonly name?: string;
  /** Rules for the delays, weights and priorities of partners. */
  readonly combine?: Partial<CombineRules>;
}

/**
 * Synchronised merge of nets (S16), after the parallel composition of CSP (Hoare, _Communicating Sequential Processes_,
 * 1985, §2.3). Associative and commutative up to the names of private variables and declaration order; the empty net is
 * the unit.
 *
 * - Places of the same name fuse. Fields, order, key, priority and service must agree, and kind and owner if given. At
 *   most one may have initial tokens. The smallest capacity is used.
 * - Transitions of different nets with the same label combine, one from each net that has it, in all combinations;
 *   those of one net are alternatives. A transition without a partner is unchanged; {@link close} requires partners.
 *   Other transitions need distinct names: see `qualify`.
 * - A combined transition is named after its partners, sorted and joined by `+`, and has the arcs and guards of all, in
 *   that order. Variables are private and renamed to `transition.variable` if they clash. Variables exported under the
 *   same name are one variable, which is free only if no partner's input binds it. Deterministic delays: maximum; a
 *   distribution must be the only delay; timings must agree. Priority: maximum. Weights are multiplied. Kind and
 *   process must agree if given. The label is kept, so that further nets can take part.
 * - Colour sets, tables and functions of the same name must be equal; process declarations must agree.
 * - Untimed nets (with assumed delays, or without any) give an untimed net, with assumed delays if it has a source. With a timed net, assumed delays are delays.
 * - Final markings: one of each net in all combinations that agree on fused places; none if a net with places lists none.
 *
 * Every node records its modules, by default the name of its net.
 *
 * O(size of the nets and of the combined transitions).
 *
 * @throws InputError with every problem found: NET002, NET060 … NET073, NET077, NET079; NET037 if a value is not a net;
 * NET040, NET058 for invalid options
 */
export function merge(nets: readonly Net[], options: MergeOptions = {}): Net {
  assertIs('merge', 'nets', nets, 'a list', 'merge([a, b])');
  for (const [k, net] of nets.entries()) assertNet(net, `net ${k + 1}`);
  // Assumed delays are those of the whole net: a transition without one would have precedence.
  if (areUntimed(nets)) return withAssumedDelays(mergeNets(nets.map(withoutAssumedDelays), options));
  return mergeNets(nets, options);
}

/** @throws InputError as {@link merge} */
function mergeNets(nets: readonly Net[], options: MergeOptions): Net {
  assertGiven('merge', 'options', options, { name: 'a string', combine: 'an object' });
  const rules = combineRules(options.combine ?? {});
  const findings = new Findings();
  const gathered = <T extends { readonly name: string }>(
    kind: string,
    of: (net: Net, k: number) => Part<T>[],
  ): Part<T>[] =>
    nets.flatMap((net, k) => {
      const parts = of(net, k);
      for (const [name, group] of byName(parts))
        if (group.length > 1) findings.report('NET002', `${kind} ${name}`, `duplicate name in ${group[1]!.home}`);
      return parts;
    });
  const colours = gathered('colour set', (net, k) => partsOf(net, k, net.colours));
  const tables = gathered('table', (net, k) => partsOf(net, k, net.tables));
  const functions = gathered('function', (net, k) => partsOf(net, k, net.functions ?? []));
  const places = gathered('place', (net, k) => nodesOf(net, k, net.places));
  const transitions = gathered('transition', (net, k) => nodesOf(net, k, net.transitions));
  const processes = nets.flatMap((net, k) => partsOf(net, k, net.processes === undefined ? [] : [net.processes]));
  // A duplicate within one net would be mistaken for parts of two nets.
  findings.throwIfAny();

  const merged = {
    colours: mergeColours(colours, findings),
    tables: mergeTables(tables, findings),
    places: mergePlaces(places, findings),
    processes: mergeProcesses(processes, findings),
    functions: mergeFunctions(functions, findings),
  };
  const columns = columnColours(merged.colours, merged.places);
  const finalMarkings = mergeFinals(nets);
  const net: Net = {
    name: options.name ?? united(nets.flatMap((n) => (n.name === '' ? [] : n.name.split('+')))).join('+'),
    colours: merged.colours,
    tables: merged.tables,
    places: merged.places,
    transitions: mergeTransitions(transitions, columns, rules, findings),
    ...(merged.processes === undefined ? {} : { processes: merged.processes }),
    ...(finalMarkings === undefined ? {} : { finalMarkings }),
    ...(merged.functions.length === 0 ? {} : { functions: merged.functions }),
  };
  findings.throwIfAny();
  return net;
}

/** Maximum number of final markings of a merged net; beyond it the net has none. */
const MAX_FINALS = 1 << 12;

/** Tokens by place; other places of the net are empty. */
type Final = ReadonlyMap<string, number>;

/**
 * The final markings of merged nets: one of each net, in all combinations that agree on fused places, so that each net ends
 * in one of its final markings. Undefined if a net with places lists none, or if no combination agrees.
 *
 * @complexity O(places × combinations)
 */
function mergeFinals(nets: readonly Net[]): Net['finalMarkings'] {
  let finals: readonly Final[] = [new Map()];
  const known = new Set<string>();
  const own = nets.filter((net) => net.places.length > 0);
  for (const net of own) {
    const ends = (net.finalMarkings ?? []).map(tokensByPlace);
    if (finals.length * ends.length > MAX_FINALS) return undefined;
    const fused = net.places.filter(({ name }) => known.has(name)).map(({ name }) => name);
    finals = finals.flatMap((final) =>
      ends.filter((end) => agree(final, end, fused)).map((end) => new Map([...final, ...end])),
    );
    for (const { name } of net.places) known.add(name);
  }
  if (own.length === 0 || finals.length === 0) return undefined;
  return finals.map((final) => [...final].map(([place, count]) => ({ place, count })));
}

function tokensByPlace(marking: readonly MarkedPlace[]): Final {
  const tokens = new Map<string, number>();
  for (const { place, count } of marking) tokens.set(place, (tokens.get(place) ?? 0) + count);
  return tokens;
}

const agree = (a: Final, b: Final, places: readonly string[]): boolean =>
  places.every((name) => (a.get(name) ?? 0) === (b.get(name) ?? 0));
