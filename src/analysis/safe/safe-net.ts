import { fail } from '../../base/problem.ts';
import { type Column, columnsOf } from '../../net/colour.ts';
import { assertGiven } from '../../net/members.ts';
import type { InputArc, Net, OutputArc, Place, Transition } from '../../net/net.ts';
import { assertNet } from '../../net/validation/validate-shape.ts';
import { valueText } from '../properties/colours.ts';
import { namedStep } from '../properties/steps.ts';
import { flatten } from '../space/flatten.ts';
import type { Petri, PetriPlace, PetriTransition } from '../space/petri.ts';
import { reachableBounds } from './reachable-bounds.ts';

/** Default limit of the places and transitions of a safe net. */
export const SAFE_LIMIT = 100_000;

/** A net in which no place ever holds more than one token, and its relation to the given net. */
export interface SafeNet {
  /** The safe net. */
  readonly net: Net;
  /** The given net, unfolded; `places` and `transitions` refer to its numbering. */
  readonly petri: Petri;
  /** For each place of `net`: the place of `petri` and the number of its tokens that a mark represents. */
  readonly places: readonly { readonly place: number; readonly tokens: number }[];
  /** For each transition of `net`: the transition of `petri` it came from. */
  readonly transitions: readonly number[];
  /** Bound of each place of `petri`. */
  readonly bounds: readonly number[];
  /** Remarks on the result, as sentences. */
  readonly notes: readonly string[];
}

/** Limits of {@link safeNet}. */
export interface SafeOptions {
  /** Maximum number of places and transitions together; default 10⁵. */
  readonly limit?: number;
  /** Maximum number of markings explored to find the bounds of places; default 200 000. */
  readonly maxMarkings?: number;
}

/**
 * Converts a bounded net into an equivalent safe net (the method, step 1). A place with bound b becomes the places
 * p=0 … p=b, exactly one of which is marked, so the net has Σ (b + 1) places. A transition becomes one transition for every
 * combination of token counts of the places that it tests or changes. Only the places of one transition are combined;
 * markings of the net are not enumerated.
 *
 * **Preserved**: the interleaving behaviour. Markings correspond one to one, and each transition and binding is enabled in
 * corresponding markings with the same effect; priorities and labels are kept. **Not preserved**: time (a firing with a delay
 * becomes a start and an end), and concurrent steps: two transitions that take from one place now exclude each other.
 *
 * O(combinations × arcs), plus the exploration for the bounds.
 *
 * @throws InputError SAFE001 if a place has no bound, SAFE002 if the net would exceed `limit`, SAFE003 for priorities together
 *   with delays or services, UNF… for nets that cannot be unfolded; NET037 if `net` is not a net; NET040, NET058 for invalid
 *   options
 */
export function safeNet(net: Net, options: SafeOptions = {}): SafeNet {
  assertNet(net);
  assertGiven('safeNet', 'options', options, { limit: 'a number >= 0', maxMarkings: 'a number >= 0' });
  const petri = flatten(net);
  const { bounds, exact } = reachableBounds(petri, options.maxMarkings);
  const limit = options.limit ?? SAFE_LIMIT;
  checkSize(petri, bounds, limit);
  const made = new Encoding(petri, bounds).run();
  return { ...made, petri, bounds, notes: notesOf(net, exact) };
}

/** For each place that a transition tests or changes: the range of its token counts before a firing. */
function choices(t: PetriTransition, bounds: readonly number[]): [place: number, from: number, to: number][] {
  const min = new Map<number, number>(t.needs);
  for (const [p] of t.change) if (!min.has(p)) min.set(p, 0);
  for (const p of t.resets) if (!min.has(p)) min.set(p, 0);
  for (const { sum } of t.limits) for (const [p] of sum) if (!min.has(p)) min.set(p, 0);
  const reset = new Set(t.resets);
  const change = new Map(t.change);
  return [...min]
    .sort(([a], [b]) => a - b)
    .map(([p, from]) => {
      const by = change.get(p) ?? 0;
      const room = reset.has(p) ? bounds[p]! : bounds[p]! - Math.max(0, by);
      return [p, reset.has(p) && by > bounds[p]! ? room + 1 : from, room];
    });
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

class Encoding {
  readonly #petri: Petri;
  readonly #bounds: readonly number[];
  readonly #names: string[][];
  readonly #places: { place: number; tokens: number }[] = [];

  constructor(petri: Petri, bounds: readonly number[]) {
    this.#petri = petri;
    this.#bounds = bounds;
    const unique = uniqueNames();
    this.#names = petri.places.map((p, k) => {
      const name = placeName(petri, p);
      return Array.from({ length: bounds[k]! + 1 }, (_, n) => unique(`${name}=${n}`));
    });
  }

  run(): Pick<SafeNet, 'net' | 'places' | 'transitions'> {
    const { net, places: given, transitions: all } = this.#petri;
    const places = given.flatMap(({ initial, kind, node }, k) =>
      this.#names[k]!.map((name, tokens): Place => {
        this.#places.push({ place: k, tokens });
        const { owner, modules } =
          kind === 'busy' ? { ...net.transitions[node]!, owner: undefined } : net.places[node]!;
        return {
          name,
          fields: [],
          order: 'bag',
          key: [],
          initial: tokens === initial ? [{ values: [], count: 1 }] : [],
          ...(owner === undefined ? {} : { owner }),
          ...(modules === undefined ? {} : { modules }),
        };
      }),
    );
    const unique = uniqueNames();
    const levels = levelsOf(this.#petri);
    const origin: number[] = [];
    const transitions = all.flatMap((t, k) => {
      const made = this.#combinations(t).map((counts) => this.#transition(t, counts, levels[k], unique));
      for (const _ of made) origin.push(k);
      return made;
    });
    const safe: Net = { name: net.name, colours: [], tables: [], places, transitions };
    return { net: safe, places: this.#places, transitions: origin };
  }

  /** All combinations of counts in which a transition is enabled: [place, count before, count after]. */
  #combinations(t: PetriTransition): (readonly (readonly [number, number, number])[])[] {
    const change = new Map(t.change);
    const reset = new Set(t.resets);
    let found: (readonly (readonly [number, number, number])[])[] = [[]];
    for (const [p, from, to] of choices(t, this.#bounds)) {
      const by = change.get(p) ?? 0;
      found = found.flatMap((row) =>
        Array.from({ length: Math.max(0, to - from + 1) }, (_, k) => {
          const before = from + k;
          return [...row, [p, before, reset.has(p) ? by : before + by] as const];
        }),
      );
    }
    return found.filter((row) => {
      const counts = new Map(row.map(([p, before]) => [p, before]));
      return t.limits.every(({ sum, most }) => sum.reduce((n, [p, factor]) => n + factor * counts.get(p)!, 0) <= most);
    });
  }

  #transition(
    t: PetriTransition,
    counts: readonly (readonly [number, number, number])[],
    priority: number | undefined,
    unique: (name: string) => string,
  ): Transition {
    const given = t.kind === 'serve' ? undefined : this.#petri.net.transitions[t.node]!;
    const at = counts.map(([p, before]) => this.#names[p]![before]);
    const name = unique(`${stepName(this.#petri, t)}${at.length === 0 ? '' : `{${at.join(',')}}`}`);
    const { label, modules, kind } = given ?? {};
    return {
      name,
      ...(kind === undefined ? {} : { kind }),
      inputs: counts.map(
        ([p, before]): InputArc => ({
          kind: 'take',
          place: this.#names[p]![before]!,
          pattern: {},
          count: 1,
        }),
      ),
      outputs: counts.map(
        ([p, , after]): OutputArc => ({
          place: this.#names[p]![after]!,
          values: {},
          count: { op: 'const', value: 1 },
        }),
      ),
      ...(priority === undefined ? {} : { priority }),
      ...(label === undefined || t.kind === 'end' || Object.keys(label.exports).length > 0 ? {} : { label }),
      ...(modules === undefined ? {} : { modules }),
    };
  }
}

function notesOf(net: Net, exact: boolean): string[] {
  const exported = net.transitions.filter((t) => t.label !== undefined && Object.keys(t.label.exports).length > 0);
  return [
    'the safe net preserves the interleaving behaviour: markings, and the transitions between them. It preserves neither time nor simultaneous steps',
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

/**
 * The priority of each transition of the safe net: the position of its level in ascending order. Undefined for all if there is
 * only one level.
 *
 * @throws InputError SAFE003 if the net has several levels and also ends of firings or services, which priorities do not
 *   affect: priorities of an untimed net cannot express that
 */
function levelsOf({ net, transitions }: Petri): (number | undefined)[] {
  const levels = [...new Set(transitions.flatMap((t) => (t.level === undefined ? [] : [t.level])))].sort(
    (a, b) => a - b,
  );
  if (levels.length <= 1) return transitions.map(() => undefined);
  const beside = transitions.find((t) => t.level === undefined);
  if (beside !== undefined) {
    const { kind, node } = beside;
    fail(
      'SAFE003',
      `${kind === 'serve' ? 'has a service' : 'has a delay'}, in a net with different priorities: an untimed net cannot express that they do not block its end`,
      {
        part: kind === 'serve' ? `place ${net.places[node]!.name}` : `transition ${net.transitions[node]!.name}`,
      },
    );
  }
  return transitions.map((t) => levels.indexOf(t.level!));
}

/** Returns a function that makes names unique: it appends `'` to names already used. */
function uniqueNames(): (name: string) => string {
  const given = new Set<string>();
  return (name) => {
    let free = name;
    while (given.has(free)) free += "'";
    given.add(free);
    return free;
  };
}

/** `place[colour]`, `place[colour].service` or `transition.busy[binding]`; brackets only if they are not empty. */
function placeName({ net }: Petri, { kind, node, values }: PetriPlace): string {
  if (kind === 'busy') return `${net.transitions[node]!.name}.busy${inBrackets(values.map(String))}`;
  const sets = new Map(net.colours.map((c) => [c.name, c]));
  const place = net.places[node]!;
  const columns: readonly Column[] = columnsOf(place.fields, sets);
  const colour = inBrackets(values.map((v, k) => valueText(columns[k], v)));
  return `${place.name}${colour}${kind === 'service' ? '.service' : ''}`;
}

/** `transition[x=1]`; `.start` and `.end` for a transition with a delay; `place.serve` for a service. */
function stepName({ net }: Petri, { kind, node, binding }: PetriTransition): string {
  const named = namedStep(net, { kind, node, binding });
  const values = inBrackets(Object.entries(named.binding).map(([variable, value]) => `${variable}=${value}`));
  return `${named.node}${kind === 'fire' ? '' : `.${kind}`}${values}`;
}

function inBrackets(parts: readonly string[]): string {
  return parts.length === 0 ? '' : `[${parts.join(',')}]`;
}
