import { assertGiven, assertIs } from '../members.ts';
import type { Net } from '../net.ts';
import { assertNet } from '../validation/validate-shape.ts';
import { mergeColours, mergeFunctions, mergeProcesses, mergeTables } from './merge-data.ts';
import { byName, Findings, nodesOf, type Part, partsOf, united } from './merge-part.ts';
import { mergePlaces } from './merge-places.ts';
import { type CombineRules, combineRules } from './merge-rules.ts';
import { mergeTransitions } from './merge-transitions.ts';
import { columnColours } from './merge-variables.ts';

export type { CombineRules } from './merge-rules.ts';

export interface MergeOptions {
  /** Of the merged net; default: the names of the nets, sorted and joined by `+`. */
  readonly name?: string;
  /** Other rules for the delays, weights and priorities of partners. */
  readonly combine?: Partial<CombineRules>;
}

/**
 * The synchronised merge of nets (S16), after the parallel composition of CSP (Hoare, _Communicating Sequential
 * Processes_, 1985, §2.3): associative and commutative up to the names of private variables and the order of declaration,
 * with the empty net as unit.
 *
 * - Places of one name fuse. They agree in fields, order, key, priority and service, and in kind and owner as far as stated;
 *   one of them may have initial tokens; the smallest capacity holds.
 * - Transitions of different nets with one label combine, one from each net that bears it, in all combinations; those of
 *   one net are alternatives. What has no partner stays as it is; {@link close} asks for partners. Other transitions need
 *   different names: see `qualify`.
 * - A combined transition has the names of its partners, sorted and joined by `+`, and the arcs and the guards of all, in
 *   the order of these names. Variables are private, and renamed to `transition.variable` where they clash; those that the
 *   labels export under one name are one variable, which is free only if no input of any partner binds it. Deterministic
 *   delays: the longest; a distribution stands alone; timings must agree. Priority: the highest. Weights multiply. Kind and
 *   process: agreed, or stated by some. The label stays, so that a further net can take part.
 * - Colour sets, tables and functions of one name must be equal; what nets say of processes must agree.
 *
 * Every node remembers the modules it comes from: the name of its net, where it does not know better.
 *
 * O(size of the nets and of the combined transitions).
 *
 * @throws InputError with every problem found: NET002, NET060 … NET073, NET077, NET079; NET037 for what is
 * no net; NET040, NET058 for options that are none
 */
export function merge(nets: readonly Net[], options: MergeOptions = {}): Net {
  assertIs('merge', 'nets', nets, 'a list', 'merge([a, b])');
  for (const [k, net] of nets.entries()) assertNet(net, `net ${k + 1}`);
  assertGiven('merge', 'options', options, { name: 'a text', combine: 'an object' });
  const rules = combineRules(options.combine ?? {});
  const findings = new Findings();
  const gathered = <T extends { readonly name: string }>(
    kind: string,
    of: (net: Net, k: number) => Part<T>[],
  ): Part<T>[] =>
    nets.flatMap((net, k) => {
      const parts = of(net, k);
      for (const [name, group] of byName(parts))
        if (group.length > 1)
          findings.say('NET002', `${kind} ${name}`, `this name is given twice in ${group[1]!.home}`);
      return parts;
    });
  const colours = gathered('colour set', (net, k) => partsOf(net, k, net.colours));
  const tables = gathered('table', (net, k) => partsOf(net, k, net.tables));
  const functions = gathered('function', (net, k) => partsOf(net, k, net.functions ?? []));
  const places = gathered('place', (net, k) => nodesOf(net, k, net.places));
  const transitions = gathered('transition', (net, k) => nodesOf(net, k, net.transitions));
  const processes = nets.flatMap((net, k) => partsOf(net, k, net.processes === undefined ? [] : [net.processes]));
  // What stands twice in one net would be taken for one of two nets.
  findings.throwIfAny();

  const merged = {
    colours: mergeColours(colours, findings),
    tables: mergeTables(tables, findings),
    places: mergePlaces(places, findings),
    processes: mergeProcesses(processes, findings),
    functions: mergeFunctions(functions, findings),
  };
  const columns = columnColours(merged.colours, merged.places);
  const net: Net = {
    name: options.name ?? united(nets.flatMap((n) => (n.name === '' ? [] : n.name.split('+')))).join('+'),
    colours: merged.colours,
    tables: merged.tables,
    places: merged.places,
    transitions: mergeTransitions(transitions, columns, rules, findings),
    ...(merged.processes === undefined ? {} : { processes: merged.processes }),
    ...(merged.functions.length === 0 ? {} : { functions: merged.functions }),
  };
  findings.throwIfAny();
  return net;
}
