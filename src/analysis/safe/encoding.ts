import { type Column, columnsOf } from '../../net/colour.ts';
import type { InputArc, Net, OutputArc, Place, Transition } from '../../net/net.ts';
import { uniqueNames } from '../../net/unfold/unfold.ts';
import type { Petri, PetriPlace, PetriTransition } from '../petri/petri.ts';
import { valueText } from '../properties/colours.ts';
import { namedStep } from '../properties/steps.ts';
import { KeptTimes } from './kept-times.ts';
import type { QueuedPetri, QueuedTransition } from './queue-contents.ts';

/** The token counts of a transition's places: [place, before, after]. */
type Counts = readonly (readonly [number, number, number])[];
type Unique = (name: string) => string;

const ONE_TOKEN = [{ values: [], count: 1 }];

const arc = (kind: InputArc['kind'], place: string): InputArc => ({ kind, place, pattern: {}, count: 1 });
const put = (place: string): OutputArc => ({ place, values: {}, count: { op: 'const', value: 1 } });
const priorityOf = (priority: number | undefined): { readonly priority?: number } =>
  priority === undefined ? {} : { priority };

/** A safe net. By place of the safe net: the given place and the count that it encodes; by transition: the given transition. */
interface Encoded {
  readonly net: Net;
  readonly places: readonly { readonly place: number; readonly tokens: number }[];
  readonly transitions: readonly number[];
}

/** For each place that a transition tests or changes: the range of its token counts before a firing. */
export function choices(t: PetriTransition, bounds: readonly number[]): [place: number, from: number, to: number][] {
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

/**
 * The transitions and places of a safe net: a place for each count of tokens of a given place, a transition for each combination of counts.
 * In a net that takes time, each firing that can be in progress at once has places for its stages: idle, ready, done.
 */
export class Encoding {
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
      // Each content of a queue is one place. Its absence needs no place: another content is present then.
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

  run(): Encoded {
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
export function stepName({ net }: Petri, { kind, node, binding }: PetriTransition): string {
  const named = namedStep(net, { kind, node, binding });
  const values = inBrackets(Object.entries(named.binding).map(([variable, value]) => `${variable}=${value}`));
  return `${named.node}${kind === 'fire' ? '' : `.${kind}`}${values}`;
}

function inBrackets(parts: readonly string[]): string {
  return parts.length === 0 ? '' : `[${parts.join(',')}]`;
}
