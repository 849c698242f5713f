import { fail } from '../../base/problem.ts';
import { type Column, columnsOf } from '../../net/colour.ts';
import { scalarNet } from '../../net/expressions.ts';
import type { Net, Place, Service } from '../../net/net.ts';
import { assertFinite } from '../../net/unfold/unfold.ts';
import { aloneInGroups } from '../../net/unfold/unfold-colours.ts';
import { type Possible, possibleIn } from '../../net/unfold/unfold-possible.ts';
import { Bindings, byPlace, type Parts } from './flatten-bindings.ts';
import { flattenPlain } from './flatten-plain.ts';
import { type AtMost, type Petri, type PetriPlace, type PetriTransition, RACE_LEVEL, type Weighted } from './petri.ts';

/** Maximum number of nodes to which a net with colours may unfold. */
const MAX_UNFOLDED = 50_000;
/** A place or transition without colours has at most this number of nodes: start, end and busy place of a timed transition. */
const NODES_EACH = 3;

/** Maximum number of nodes of the unfolded form: nets without colours are never refused for their own size. */
export const flattenLimit = ({ places, transitions }: Net): number =>
  Math.max(MAX_UNFOLDED, NODES_EACH * (places.length + transitions.length));

/**
 * Unfolds a net to a place/transition net: one place per possible colour, one transition per binding whose tokens are
 * possible. Timed firings are split into start and end (E3); tokens in service get separate places (E6). O(size of the
 * result).
 *
 * @param relaxed leaves out bindings with an expression without value and orders of places, instead of UNF009 and UNF004
 * @throws InputError UNF001–UNF004, UNF009 if the result is too large or the net cannot be unfolded, e.g. an ordered place with
 * several colours, or an expression without value for a possible binding
 */
export function flatten(net: Net, limit: number = flattenLimit(net), relaxed = false): Petri {
  return flattenPlain(net) ?? flattenGeneral(net, limit, relaxed);
}

/** {@link flatten} for nets of any kind. */
export function flattenGeneral(net: Net, limit: number = flattenLimit(net), relaxed = false): Petri {
  const flat = scalarNet(net);
  assertFinite(flat);
  return new Flattening(net, flat, possibleIn(flat, limit, true, relaxed), relaxed).run();
}

/** True if the server completes tokens in queue order; with any other service, tokens complete in any order. */
export function servesInOrder(service: Service | undefined): boolean {
  return service?.kind === 'fcfs' && service.servers === 1;
}

class Flattening {
  readonly #given: Net;
  readonly #net: Net;
  readonly #possible: Possible;
  readonly #places: PetriPlace[] = [];
  readonly #transitions: PetriTransition[] = [];
  readonly #parts = new Map<string, Parts>();
  readonly #columns: Column[][];
  /** By place with a capacity: the timed firings, and the tokens each will produce. */
  readonly #reserved = new Map<string, Weighted[]>();
  /** By place: the sum over all its colours, for inhibitors without a pattern. */
  readonly #whole = new Map<string, readonly Weighted[]>();

  /** Places whose order is left out; undefined: they are refused. */
  readonly #unordered: string[] | undefined;

  constructor(net: Net, flat: Net, possible: Possible, relaxed: boolean) {
    this.#unordered = relaxed ? [] : undefined;
    this.#given = net;
    this.#net = flat;
    this.#possible = possible;
    const sets = new Map(net.colours.map((c) => [c.name, c]));
    this.#columns = net.places.map((p) => columnsOf(p.fields, sets));
  }

  run(): Petri {
    for (const [node, p] of this.#net.places.entries()) this.#place(p, node);
    const bindings = this.#possible.transitions.map((t, node) => new Bindings(t, node, this.#possible, this.#parts));
    for (const b of bindings) this.#busy(b);
    for (const b of bindings) this.#steps(b);
    for (const [node, p] of this.#net.places.entries()) this.#serve(p, node);
    const { omitted } = this.#possible;
    const unordered = this.#unordered ?? [];
    const isRelaxed = omitted !== undefined || unordered.length > 0;
    const relaxed = { unordered, ...(omitted === undefined ? {} : { omitted }) };
    return {
      ...(isRelaxed ? { relaxed } : {}),
      net: this.#given,
      columns: this.#columns,
      places: this.#places,
      transitions: this.#transitions,
    };
  }

  #place(place: Place, node: number): void {
    const colours = this.#possible.colours.get(place.name)!;
    const order =
      place.order !== 'bag' && !aloneInGroups(place, colours)
        ? place.order
        : servesInOrder(place.service) && colours.count > 1
          ? 'queue of its server'
          : undefined;
    if (order !== undefined && this.#unordered === undefined) inOrder(place, order);
    if (order !== undefined) this.#unordered?.push(place.name);
    const initial = new Map<number, number>();
    for (const { values, count } of place.initial)
      if (count > 0) initial.set(colours.find(values)!, (initial.get(colours.find(values)!) ?? 0) + count);
    const first = this.#places.length;
    const all = (kind: 'place' | 'service', tokens: (colour: number) => number): void => {
      for (let c = 0; c < colours.count; c++)
        this.#places.push({ kind, node, values: colours.row(c), initial: tokens(c) });
    };
    const served = place.service === undefined;
    all('place', (c) => (served ? (initial.get(c) ?? 0) : 0));
    const service = served ? undefined : this.#places.length;
    if (!served) all('service', (c) => initial.get(c) ?? 0);
    this.#parts.set(place.name, { place, colours, first, service });
  }

  /** Adds the places of timed firings in progress, and the capacity they reserve (S8a). */
  #busy(b: Bindings): void {
    if (!b.lasts) return;
    b.firstBusy = this.#places.length;
    for (let k = 0; k < b.count; k++) {
      b.select(k);
      const number = this.#places.length;
      this.#places.push({ kind: 'busy', node: b.node, values: b.values(), initial: 0 });
      for (const [place, count] of b.brought()) {
        if (this.#parts.get(place)!.place.capacity === undefined) continue;
        const list = this.#reserved.get(place) ?? [];
        list.push([number, count]);
        this.#reserved.set(place, list);
      }
    }
  }

  #steps(b: Bindings): void {
    const { transition } = b;
    const level = transition.timing === 'race' ? RACE_LEVEL : (transition.priority ?? 0);
    for (let k = 0; k < b.count; k++) {
      b.select(k);
      const needs = b.needs();
      const limits = [...b.inhibitors((p) => this.#all(p)), ...this.#rooms(b)];
      if (limits.some((l) => l.most < 0)) continue;
      const common = { node: b.node, binding: b.named() };
      const resets = b.resets();
      const out = b.outputs();
      if (!b.lasts) {
        const change = combined(b.takes(), out, resets);
        this.#transitions.push({
          kind: 'fire',
          ...common,
          level,
          needs,
          limits,
          change,
          resets,
          ...this.#queued(b.takes(), out),
        });
        continue;
      }
      const busy = b.firstBusy + k;
      const start = combined(b.takes(), [[busy, 1]], resets);
      const end = combined([[busy, 1]], out, []);
      this.#transitions.push(
        { kind: 'start', ...common, level, needs, limits, change: start, resets, ...this.#queued(b.takes(), []) },
        {
          kind: 'end',
          ...common,
          level: undefined,
          needs: [[busy, 1]],
          limits: [],
          change: end,
          resets: [],
          ...this.#queued([], out),
        },
      );
    }
  }

  #queued(takes: readonly Weighted[], puts: readonly Weighted[]): Pick<PetriTransition, 'queued'> {
    if (this.#unordered === undefined || this.#unordered.length === 0) return {};
    const own = this.#unordered.map((name) => this.#parts.get(name)!);
    const isQueued = ([p, n]: Weighted): boolean =>
      n > 0 && own.some(({ first, colours }) => p >= first && p < first + colours.count);
    const queued = { takes: takes.filter(isQueued), puts: puts.filter(isQueued) };
    return queued.takes.length + queued.puts.length === 0 ? {} : { queued };
  }

  /** All tokens of a place that are visible to arcs. */
  #all(place: string): readonly Weighted[] {
    let all = this.#whole.get(place);
    if (all === undefined) {
      const { first, colours } = this.#parts.get(place)!;
      all = Array.from({ length: colours.count }, (_, c): Weighted => [first + c, 1]);
      this.#whole.set(place, all);
    }
    return all;
  }

  #rooms(b: Bindings): AtMost[] {
    return b.brought().flatMap(([name, brings]): AtMost[] => {
      const { place, service, colours } = this.#parts.get(name)!;
      if (place.capacity === undefined || brings === 0) return [];
      const inService =
        service === undefined ? [] : Array.from({ length: colours.count }, (_, c): Weighted => [service + c, 1]);
      const sum = [...this.#all(name), ...inService, ...(this.#reserved.get(name) ?? [])];
      return [{ sum, most: place.capacity + b.taken(name) - brings }];
    });
  }

  #serve({ name, service }: Place, node: number): void {
    if (service === undefined) return;
    const parts = this.#parts.get(name)!;
    const columns = this.#columns[node]!;
    for (let c = 0; c < parts.colours.count; c++) {
      const row = parts.colours.row(c);
      const [from, to] = [parts.service! + c, parts.first + c];
      this.#transitions.push({
        kind: 'serve',
        node,
        binding: Object.fromEntries(columns.map((column, k) => [column.name, row[k]!])),
        level: undefined,
        needs: [[from, 1]],
        limits: [],
        change: [
          [from, -1],
          [to, 1],
        ],
        resets: [],
      });
    }
  }
}

function inOrder(place: Place, order: string): never {
  fail('UNF004', `is a ${order} with several colours, whose order matters.`, {
    part: `place ${place.name}`,
  });
}

/** Net change: produced minus consumed tokens; for a reset place, the tokens produced after the reset. */
function combined(takes: readonly Weighted[], puts: readonly Weighted[], resets: readonly number[]): Weighted[] {
  const change = new Map<number, number>();
  const reset = new Set(resets);
  for (const [p, n] of takes) if (!reset.has(p)) change.set(p, (change.get(p) ?? 0) - n);
  for (const [p, n] of puts) change.set(p, (change.get(p) ?? 0) + n);
  return [...change].filter(([, n]) => n !== 0).sort(byPlace);
}
