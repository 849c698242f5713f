import { fail, quote } from '../../base/problem.ts';
import { type Column, columnsOf } from '../../net/colour.ts';
import { assertGiven } from '../../net/members.ts';
import type { InputArc, Net, OutputArc, Place, Transition } from '../../net/net.ts';
import { assertNet } from '../../net/validation/validate-shape.ts';
import { provedBounds } from '../flows/place-proofs.ts';
import { flatten, flattenLimit } from '../petri/flatten.ts';
import type { Petri, PetriPlace, PetriTransition } from '../petri/petri.ts';
import { valueText } from '../properties/colours.ts';
import { namedStep } from '../properties/steps.ts';
import { explore } from '../space/explore.ts';
import { KeptTimes, refuseServices, takesTime } from './kept-times.ts';
import { type QueuedPetri, type QueuedTransition, queueContents } from './queue-contents.ts';
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
 * **Times** are preserved ({@link KeptTimes}). A net that takes time and is proved safe is returned unchanged: no place ever
 * holds two tokens of one colour, unless `withoutColours` is given. Otherwise firings in progress have places of their own, so that markings correspond one to
 * one only between instants. As in `unfold`, neither the order of candidates of one instant nor the drawn numbers are kept.
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
  refuseFailing(given, maxMarkings, size);
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
function refuseFailing({ net, relaxed }: Petri, maxMarkings: number, size: number): void {
  if (relaxed?.omitted === undefined) return;
  if (!explore(net, { maxStates: maxMarkings }).complete) flatten(net, size);
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
  readonly #petri: QueuedPetri;
  readonly #bounds: readonly number[];
  readonly #names: string[][];
  readonly #places: { place: number; tokens: number }[] = [];
  readonly #times: KeptTimes | undefined;
  /** The stages of the firings that can be in progress at once, by busy place. */
  readonly #slots = new Map<number, { readonly idle: string; readonly ready: string; readonly done: string }[]>();

  constructor(petri: QueuedPetri, bounds: readonly number[], timed: boolean) {
    this.#petri = petri;
    this.#bounds = bounds;
    this.#times = timed ? new KeptTimes(petri) : undefined;
    const unique = uniqueNames();
    this.#names = petri.places.map((p, k) => {
      const name = p.content?.name ?? placeName(petri, p);
      // A content is a place of its own; its absence is another content.
      if (p.content !== undefined) return ['', unique(name)];
      return Array.from({ length: bounds[k]! + 1 }, (_, n) => unique(`${name}=${n}`));
    });
    if (timed)
      petri.places.forEach((p, k) => {
        if (p.kind !== 'busy') return;
        const stage = (what: string, n: number): string => unique(`${placeName(petri, p)}.${what}${n}`);
        this.#slots.set(
          k,
          Array.from({ length: bounds[k]! }, (_, n) => ({
            idle: stage('idle', n),
            ready: stage('ready', n),
            done: stage('done', n),
          })),
        );
      });
  }

  run(): Pick<SafeNet, 'net' | 'places' | 'transitions'> {
    const { net, places: given, transitions: all } = this.#petri;
    const places = given.flatMap(({ initial, kind, node }, k) =>
      this.#names[k]!.flatMap((name, tokens): Place[] => {
        if (name === '') return [];
        this.#places.push({ place: k, tokens });
        const { owner, modules } =
          kind === 'busy' ? { ...net.transitions[node]!, owner: undefined } : net.places[node]!;
        return [
          {
            name,
            fields: [],
            order: 'bag',
            key: [],
            initial: tokens === initial ? [{ values: [], count: 1 }] : [],
            ...(owner === undefined ? {} : { owner }),
            ...(modules === undefined ? {} : { modules }),
          },
        ];
      }),
    );
    for (const [place, slots] of this.#slots)
      for (const { idle, ready, done } of slots)
        for (const name of [idle, ready, done]) {
          this.#places.push({ place, tokens: 1 });
          places.push({ name, fields: [], order: 'bag', key: [], initial: name === idle ? ONE_TOKEN : [] });
        }
    const unique = uniqueNames();
    const levels = this.#times === undefined ? levelsOf(this.#petri) : [];
    const origin: number[] = [];
    const transitions = all.flatMap((t, k) => {
      const combinations = this.#combinations(t);
      const made =
        this.#times === undefined
          ? combinations.map((counts) => this.#transition(t, counts, priorityOf(levels[k]), unique))
          : this.#timed(this.#times, t, combinations, unique);
      for (const _ of made) origin.push(k);
      return made;
    });
    const safe: Net = { name: net.name, colours: [], tables: [], places, transitions };
    return { net: safe, places: this.#places, transitions: origin };
  }

  /** All combinations of counts in which a transition is enabled: [place, count before, count after]. */
  #combinations(t: PetriTransition): Counts[] {
    const change = new Map(t.change);
    const reset = new Set(t.resets);
    let found: Counts[] = [[]];
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

  /** The transitions of a step in a net that takes time. */
  #timed(times: KeptTimes, t: QueuedTransition, combinations: readonly Counts[], unique: Unique): Transition[] {
    const make = (counts: Counts, timing: Partial<Transition>): Transition =>
      this.#transition(t, counts, timing, unique);
    if (t.kind === 'fire') {
      const isRace = this.#petri.net.transitions[t.node]!.timing === 'race';
      return combinations.map((counts) => {
        const before = new Map(counts.map(([p, n]) => [p, n]));
        const degree = Math.min(...t.needs.map(([p, n]) => Math.floor(before.get(p)! / n)));
        return make(
          counts,
          isRace
            ? times.race(t, combinations.length * (t.version === undefined ? 1 : 2), t.needs.length === 0 ? 1 : degree)
            : times.start(t),
        );
      });
    }
    const busy = t.change.find(([p]) => this.#petri.places[p]!.kind === 'busy')![0];
    const slots = this.#slots.get(busy)!;
    return slots.flatMap((slot, n) => {
      if (t.kind === 'start')
        // The first idle slot is used, so that equal firings have one encoding.
        return combinations.map((counts) => {
          const made = make(counts, times.start(t));
          const others = slots.slice(0, n).map(({ idle }) => arc('inhibit', idle));
          return {
            ...made,
            inputs: [...made.inputs, arc('take', slot.idle), ...others],
            outputs: [...made.outputs, put(slot.ready)],
          };
        });
      const ends = combinations.map((counts) => {
        const made = make(counts, { priority: times.end });
        return {
          ...made,
          inputs: [...made.inputs, arc('take', slot.done)],
          outputs: [...made.outputs, put(slot.idle)],
        };
      });
      const name = unique(`${stepName(this.#petri, { ...t, kind: 'fire' })}.delay${n}`);
      const lasts = { name, inputs: [arc('take', slot.ready)], outputs: [put(slot.done)], delay: times.delay(t) };
      // The delay does not depend on the content of a queue.
      return (t.version ?? 0) > 0 ? ends : [{ ...lasts, priority: times.end }, ...ends];
    });
  }

  /** The arc of a place; none for a content of a queue that is absent. */
  #named<T>(place: number, tokens: number, arcOf: (name: string) => T): T[] {
    const name = this.#names[place]![tokens]!;
    return name === '' ? [] : [arcOf(name)];
  }

  #transition(t: PetriTransition, counts: Counts, timing: Partial<Transition>, unique: Unique): Transition {
    const given = t.kind === 'serve' ? undefined : this.#petri.net.transitions[t.node]!;
    const at = counts.flatMap(([p, before]) => this.#named(p, before, (name) => name));
    const name = unique(`${stepName(this.#petri, t)}${at.length === 0 ? '' : `{${at.join(',')}}`}`);
    const { label, modules, kind } = given ?? {};
    return {
      name,
      ...(kind === undefined ? {} : { kind }),
      inputs: counts.flatMap(([p, before]) => this.#named(p, before, (name) => arc('take', name))),
      outputs: counts.flatMap(([p, , after]) => this.#named(p, after, put)),
      ...timing,
      ...(label === undefined || t.kind === 'end' || Object.keys(label.exports).length > 0 ? {} : { label }),
      ...(modules === undefined ? {} : { modules }),
    };
  }
}

/** The token counts of a transition's places: [place, before, after]. */
type Counts = readonly (readonly [number, number, number])[];
type Unique = (name: string) => string;

const ONE_TOKEN = [{ values: [], count: 1 }];

const arc = (kind: InputArc['kind'], place: string): InputArc => ({ kind, place, pattern: {}, count: 1 });
const put = (place: string): OutputArc => ({ place, values: {}, count: { op: 'const', value: 1 } });
const priorityOf = (priority: number | undefined): { readonly priority?: number } =>
  priority === undefined ? {} : { priority };

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

/**
 * The priority of each transition of the safe net: the position of its level in ascending order. Undefined for all if there is
 * only one level.
 */
function levelsOf({ transitions }: Petri): (number | undefined)[] {
  const levels = [...new Set(transitions.flatMap((t) => (t.level === undefined ? [] : [t.level])))].sort(
    (a, b) => a - b,
  );
  if (levels.length <= 1) return transitions.map(() => undefined);
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
