import { didYouMean, fail, quote } from '../../../base/problem.ts';
import type { Net, PlaceKind } from '../../../net/net.ts';
import type { NodeShapes, PlaceShape } from '../../../net/shapes/node-shapes.ts';

/** Arcs of a node: the number of tokens, by the node at the other end. */
export type ArcsOf = ReadonlyMap<string, number>;

/** Pre and Post of a place/transition net, by rows and by columns. Arcs that only test are not included. */
export interface PlainMatrix {
  /** By place: the transitions that take from it. */
  readonly takes: ReadonlyMap<string, ArcsOf>;
  /** By place: the transitions that add to it. */
  readonly puts: ReadonlyMap<string, ArcsOf>;
  /** By transition: the places it takes from. */
  readonly inputs: ReadonlyMap<string, ArcsOf>;
  /** By transition: the places it adds to. */
  readonly outputs: ReadonlyMap<string, ArcsOf>;
  /** Initial tokens, by place. */
  readonly initial: ReadonlyMap<string, number>;
}

/**
 * The matrix of a net without colours. O(arcs).
 *
 * @throws InputError STR003 if a place has colours, or a number of tokens is an expression
 */
export function plainMatrix(net: Net): PlainMatrix {
  const rows = (): Map<string, Map<string, number>> => new Map(net.places.map((p) => [p.name, new Map()]));
  const columns = (): Map<string, Map<string, number>> => new Map(net.transitions.map((t) => [t.name, new Map()]));
  const [takes, puts, inputs, outputs] = [rows(), rows(), columns(), columns()];
  const add = (arcs: Map<string, number>, key: string, n: number): void => {
    if (n !== 0) arcs.set(key, (arcs.get(key) ?? 0) + n);
  };
  for (const { name, fields } of net.places)
    if (fields.length > 0)
      fail('STR003', 'shapes require a net without colours: use unfold(net)', { part: `place ${name}` });
  for (const t of net.transitions) {
    for (const { kind, place, count } of t.inputs) {
      if (kind !== 'take') continue;
      add(takes.get(place)!, t.name, count);
      add(inputs.get(t.name)!, place, count);
    }
    for (const { place, count } of t.outputs) {
      if (count.op !== 'const')
        fail('STR003', `the number of tokens that it adds to ${quote(place)} is an expression`, {
          part: `transition ${t.name}`,
        });
      add(puts.get(place)!, t.name, count.value);
      add(outputs.get(t.name)!, place, count.value);
    }
  }
  const initial = new Map(net.places.map((p) => [p.name, p.initial.reduce((sum, { count }) => sum + count, 0)]));
  return { takes, puts, inputs, outputs, initial };
}

/**
 * The shape of every place: the given one, or the one that follows from its kind in the net.
 *
 * @throws InputError STR003 for a name that the net does not have
 */
export function placeShapes(
  net: Net,
  { places = {}, transitions = {}, turns = [] }: NodeShapes,
): Map<string, PlaceShape> {
  const known = new Map(net.places.map((p) => [p.name, p]));
  const firing = new Set(net.transitions.map((t) => t.name));
  const unknown = (what: string, name: string, names: Iterable<string>): never =>
    fail('STR003', `unknown ${what} ${quote(name)}.${didYouMean(name, names)}`, { part: 'shapes' });
  for (const name of Object.keys(places)) if (!known.has(name)) unknown('place', name, known.keys());
  for (const name of [...Object.keys(transitions), ...turns.flatMap((g) => g.transitions)])
    if (!firing.has(name)) unknown('transition', name, firing);
  return new Map(
    net.places.map((p) => [p.name, Object.hasOwn(places, p.name) ? places[p.name]! : shapeOfKind(p.kind)]),
  );
}

/** The shape of a kind of place. `synchronisation` gets no arity from its kind and is treated as an operation. */
function shapeOfKind(kind: PlaceKind | undefined): PlaceShape {
  return { kind: kind === undefined || kind === 'synchronisation' ? 'operation' : kind };
}
