import { InputError } from '../../../base/problem.ts';
import { variablesOf } from '../../../net/expression.ts';
import type { Delay, Net } from '../../../net/net.ts';
import { flatten } from '../../petri/flatten.ts';
import type { Petri, PetriTransition } from '../../petri/petri.ts';
import { automorphisms, type Permutation } from '../../reduction/symmetry/automorphisms.ts';
import { colouredGraph } from '../../reduction/symmetry/coloured-graph.ts';
import { isSymmetry } from '../../reduction/symmetry/symmetries.ts';
import { firingKey, type MarkingView, type StateSpace, type Step } from '../../space/state-space.ts';

/** Maximum number of images of states that are computed, times the places of the net without colours. */
const MAX_WORK = 1e9;
/** Maximum number of states times places whose tokens are kept: about 1 GB. */
const MAX_NUMBERS = 5e7;

/**
 * By state: the first one of its orbit under permutations of the colours that change neither the net nor a rate. Undefined if none is
 * found, or `stop` ended the work.
 *
 * @param markings by state: its number in the space
 */
export function orbits(space: StateSpace, markings: Int32Array, stop: () => boolean): Int32Array | undefined {
  const petri = unfolded(space.net);
  if (petri === undefined || markings.length * petri.places.length > MAX_NUMBERS) return undefined;
  const found = generators(petri, stop);
  const most = Math.floor(MAX_WORK / (markings.length * petri.places.length));
  // A subset generates a smaller group: its orbits are smaller, and the quotient by them is exact, too.
  const used = found.slice(0, most);
  if (used.length === 0) return undefined;
  const read = reader(petri);
  const tokens = Array.from(markings, (m) => read(space.marking(m)));
  const numbers = new Map(tokens.map((own, s) => [own.join(), s]));
  const first = Int32Array.from(markings.keys());
  const root = (s: number): number => {
    let r = s;
    while (first[r] !== r) r = first[r]!;
    first[s] = r;
    return r;
  };
  const image = new Int32Array(petri.places.length);
  for (const places of used) {
    if (stop()) return undefined;
    for (const [s, own] of tokens.entries()) {
      for (let p = 0; p < image.length; p++) image[places[p]!] = own[p]!;
      const other = numbers.get(image.join());
      if (other === undefined) return undefined;
      const [a, b] = [root(s), root(other)];
      if (a < b) first[b] = a;
      else first[a] = b;
    }
  }
  return first.map((_, s) => root(s));
}

function unfolded(net: Net): Petri | undefined {
  // A count of some colours distinguishes them from others.
  if (net.transitions.some((t) => (t.counts ?? []).some((c) => Object.keys(c.pattern).length > 0))) return undefined;
  try {
    return flatten(net);
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

/**
 * Permutations of the places that preserve all steps and their rates. Each place stays a place of the same place of the net, and each step
 * one of the same transition.
 */
function generators(petri: Petri, stop: () => boolean): Permutation[] {
  const { places, transitions } = petri;
  const graph = colouredGraph(petri, undefined);
  const roles = [
    ...places.map(({ kind, node }) => `${kind} ${node}`),
    ...transitions.map((t) => `${t.kind} ${t.node} ${ratedBy(petri.net, t)}`),
  ];
  const colours = graph.colours.map((colour, k) => `${colour} ${roles[k] ?? ''}`);
  const keeps = (p: Permutation): boolean => roles.every((role, k) => role === roles[p[k]!]);
  const parts = (p: Permutation) => ({
    places: p.slice(0, places.length),
    transitions: p.slice(places.length, places.length + transitions.length).map((v) => v - places.length),
  });
  const layers = automorphisms(
    { ...graph, colours },
    { accept: (p) => keeps(p) && isSymmetry(petri, undefined, parts(p)), cancelled: stop },
  );
  return layers
    .flatMap(({ transversal }) => [...transversal.values()].map((p) => parts(p).places))
    .filter((p) => p.some((to, from) => to !== from));
}

/** The binding of a step whose rate or weight depends on its values; empty for other steps. */
function ratedBy({ places, transitions }: Net, { kind, node, binding }: PetriTransition): string {
  if (kind === 'serve') {
    const service = places[node]!.service!;
    const isSame = service.kind !== 'max-min' && service.kind !== 'priority' && isConstant(service.time);
    return isSame ? '' : JSON.stringify(binding);
  }
  const { delay, weight, speed, counts = [] } = transitions[node]!;
  const counted = new Set(counts.map(({ name }) => name));
  const terms = [weight, speed].filter((e) => e !== undefined);
  const isSame =
    (delay === undefined || isConstant(delay)) &&
    terms.every((e) => [...variablesOf(e)].every((name) => counted.has(name)));
  return isSame ? '' : JSON.stringify(binding);
}

function isConstant(delay: Delay): boolean {
  return 'dist' in delay && delay.dist === 'exponential' && variablesOf(delay.rate).size === 0;
}

/** Reads the tokens of a marking, by place of the net without colours. */
function reader({ places, transitions }: Petri): (view: MarkingView) => Int32Array {
  const numbers = new Map<string, number>();
  places.forEach(({ kind, node, values }, p) => {
    if (kind !== 'busy') numbers.set(`${kind} ${node} ${values.join()}`, p);
  });
  const keyOf = (node: number, binding: Step['binding']): string => `busy ${firingKey(node, binding)}`;
  for (const { kind, node, binding, change } of transitions)
    if (kind === 'start')
      for (const [p] of change) if (places[p]!.kind === 'busy') numbers.set(keyOf(node, binding), p);
  return (view) => {
    const tokens = new Int32Array(places.length);
    const add = (key: string, count: number): void => {
      const p = numbers.get(key);
      if (p === undefined) throw new Error(`no place of the net without colours for ${key}`);
      tokens[p]! += count;
    };
    for (const { place, tokens: own } of view.places)
      for (const { values, count, where } of own) add(`${where} ${place} ${values.join()}`, count);
    for (const { transition, binding, count } of view.busy) add(keyOf(transition, binding), count);
    return tokens;
  };
}
