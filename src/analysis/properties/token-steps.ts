import { colourBounds } from '../../net/colour.ts';
import { EvaluationFailure, evaluator, surroundingsOf } from '../../net/evaluate.ts';
import { type Expression, variablesOf } from '../../net/expression.ts';
import type { InputArc, Net, Place, Transition } from '../../net/net.ts';
import type { Step } from '../space/state-space.ts';
import { coloursOf } from './colours.ts';
import { openColumns } from './steps.ts';

/** A marking of the token game. Places that a step does not change are shared between the markings. */
export interface RunMarking {
  readonly places: SharedArray<Held>;
  /** Number of firings in progress, by transition and binding. */
  readonly busy: ReadonlyMap<string, number>;
  /** Tokens that firings in progress will bring to each place with a capacity. */
  readonly reserved: ReadonlyMap<number, number>;
}

/** Tokens that a transition brings to a place. */
interface Brought {
  readonly place: number;
  readonly run: Run;
}

class Impossible extends Error {}

/** Rules S3 to S9 for one step with a given binding: a plain implementation independent of the engines and explorers. */
export class TokenSteps {
  readonly #net: Net;
  readonly #around;

  constructor(net: Net) {
    this.#net = net;
    this.#around = surroundingsOf(net);
  }

  initial(): RunMarking {
    const { places } = this.#net;
    const brought = places.flatMap((p, place) => p.initial.map((run): Brought => ({ place, run })));
    const none: Held = { seen: [], served: [] };
    const empty = { places: SharedArray.of(places.map(() => none)), busy: new Map(), reserved: new Map() };
    return this.#bring(empty, brought);
  }

  /** The possible successor markings (several if arcs leave open which tokens they take), or why the step is impossible. */
  after(marking: RunMarking, step: Step): RunMarking[] | string {
    try {
      switch (step.kind) {
        case 'serve':
          return [this.#serve(marking, step)];
        case 'end':
          return [this.#end(marking, step)];
        default:
          return this.#start(marking, step);
      }
    } catch (e) {
      if (e instanceof Impossible || e instanceof EvaluationFailure) return e.message;
      throw e;
    }
  }

  #serve(marking: RunMarking, { node, binding }: Step): RunMarking {
    const place = this.#net.places[node]!;
    const held = marking.places.get(node);
    const values = coloursOf(this.#net)
      .columns(place.name)
      .map((c) => binding[c.name]!);
    const at = held.served.findIndex((r) => sameValues(r.values, values));
    if (at < 0) throw new Impossible('no such token is in service');
    // A single server keeps the order (E6); any other service may complete in any order.
    if (place.service?.kind === 'fcfs' && place.service.servers === 1 && at > 0)
      throw new Impossible('another token is served first');
    const next = {
      seen: added(held.seen, { values, count: 1 }, place.order),
      served: taken(held.served, at, 1),
    };
    return { ...marking, places: marking.places.with(node, next) };
  }

  #start(marking: RunMarking, step: Step): RunMarking[] {
    const t = this.#net.transitions[step.node]!;
    const lasts = t.delay !== undefined && t.timing !== 'race';
    if (lasts !== (step.kind === 'start'))
      throw new Impossible(lasts ? 'it has a delay: use start and end' : 'it has no delay: use fire');
    const value = this.#values(step);
    const ways = this.#takings(t, marking, value, step.binding);
    if (ways.length === 0) throw new Impossible('the tokens that it takes or reads are missing');
    if (t.guard !== undefined && value(t.guard) === 0) throw new Impossible('its guard does not hold');
    for (const arc of t.inputs) {
      if (arc.kind !== 'inhibit') continue;
      const seen = marking.places.get(this.#place(arc.place)).seen;
      const there = seen.reduce((sum, r) => sum + (this.#matches(arc, r, value) ? r.count : 0), 0);
      if (there >= arc.count) throw new Impossible(`tokens in ${arc.place} inhibit it`);
    }
    const counts = this.#reservation(t, marking, value);
    const brought = lasts ? [] : this.#brought(t, value);
    return ways.map((places) => {
      const left = this.#reset(t, places, value);
      if (!lasts) return this.#bring({ ...marking, places: left }, brought);
      const key = busyKey(step);
      const busy = new Map(marking.busy).set(key, (marking.busy.get(key) ?? 0) + 1);
      const reserved = new Map(marking.reserved);
      for (const [place, n] of counts) reserved.set(place, (reserved.get(place) ?? 0) + n);
      return { places: left, busy, reserved };
    });
  }

  #end(marking: RunMarking, step: Step): RunMarking {
    const key = busyKey(step);
    const count = marking.busy.get(key) ?? 0;
    if (count === 0) throw new Impossible('no such firing is in progress');
    const t = this.#net.transitions[step.node]!;
    const value = this.#values(step);
    const busy = new Map(marking.busy);
    if (count === 1) busy.delete(key);
    else busy.set(key, count - 1);
    const reserved = new Map(marking.reserved);
    for (const [place, n] of this.#broughtToLimited(t, value)) reserved.set(place, reserved.get(place)! - n);
    return this.#bring({ places: marking.places, busy, reserved }, this.#brought(t, value));
  }

  /** The places after the tokens are taken, one result per choice of tokens. */
  #takings(
    t: Transition,
    marking: RunMarking,
    value: (e: Expression) => number,
    binding: Step['binding'],
  ): SharedArray<Held>[] {
    interface Choice {
      readonly arc: InputArc;
      readonly place: number;
      readonly values: readonly number[];
    }
    const open = openColumns(this.#net, t);
    let choices: Choice[][] = [[]];
    for (const arc of t.inputs) {
      if (arc.kind !== 'take' && arc.kind !== 'read') continue;
      const place = this.#place(arc.place);
      const columns = coloursOf(this.#net).columns(arc.place);
      const given = open.filter((o) => o.arc === arc && binding[o.name] !== undefined);
      const heads = this.#heads(place, marking.places.get(place)).filter(
        ({ values }) =>
          this.#matches(arc, { values, count: 1 }, value) &&
          given.every((o) => values[columns.findIndex((c) => c.name === o.column.name)] === binding[o.name]),
      );
      choices = choices.flatMap((c) => heads.map(({ values }) => [...c, { arc, place, values }])).slice(0, 1000);
    }
    return choices.flatMap((chosen) => {
      const takes = new Map<string, { place: number; values: readonly number[]; count: number }>();
      for (const { arc, place, values } of chosen) {
        const run = this.#heads(place, marking.places.get(place)).find((r) => sameValues(r.values, values))!;
        if (run.count < arc.count) return [];
        if (arc.kind === 'read') continue;
        const key = `${place}:${values}`;
        const count = (takes.get(key)?.count ?? 0) + arc.count;
        if (run.count < count) return [];
        takes.set(key, { place, values, count });
      }
      let { places } = marking;
      for (const { place, values, count } of takes.values())
        places = places.with(place, this.#without(place, places.get(place), values, count));
      return [places];
    });
  }

  /**
   * The tokens visible to arcs that take or read (S3): the first token of each group and the number of equal tokens that
   * follow it within the group. Runs separated only by tokens of other groups are added up.
   */
  #heads(place: number, { seen }: Held): Run[] {
    const p = this.#net.places[place]!;
    if (p.order === 'bag') return [...seen];
    return [...this.#groups(p, seen).values()].map((group) => {
      const { values } = group[0]!;
      const other = group.findIndex((r) => !sameValues(r.values, values));
      return { values, count: group.slice(0, other < 0 ? group.length : other).reduce((sum, r) => sum + r.count, 0) };
    });
  }

  /** Runs grouped by key, each group in the order in which tokens leave. */
  #groups(p: Place, seen: readonly Run[]): Map<string, Run[]> {
    const columns = coloursOf(this.#net).columns(p.name);
    const groups = new Map<string, Run[]>();
    for (const run of seen) {
      const key = columns.flatMap((c, k) => (p.key.includes(c.name) ? [run.values[k]] : [])).join();
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [run]);
      else group.push(run);
    }
    if (p.order === 'priority' && p.priority !== undefined) {
      const { priority } = p;
      const order = (run: Run): number =>
        this.#evaluate(priority, Object.fromEntries(columns.map((c, k) => [c.name, run.values[k]!])));
      for (const group of groups.values()) group.sort((a, b) => order(b) - order(a));
    }
    return groups;
  }

  #without(place: number, held: Held, values: readonly number[], count: number): Held {
    const p = this.#net.places[place]!;
    let { seen } = held;
    for (let left = count; left > 0; ) {
      const order = p.order === 'bag' ? seen : [...this.#groups(p, seen).values()].map((group) => group[0]!);
      const run = order.find((r) => sameValues(r.values, values))!;
      const n = Math.min(left, run.count);
      seen = taken(seen, seen.indexOf(run), n);
      left -= n;
    }
    return { ...held, seen };
  }

  #reset(t: Transition, places: SharedArray<Held>, value: (e: Expression) => number): SharedArray<Held> {
    let left = places;
    for (const arc of t.inputs) {
      if (arc.kind !== 'reset') continue;
      const place = this.#place(arc.place);
      const held = left.get(place);
      const seen = held.seen.filter((r) => !this.#matches(arc, r, value));
      if (seen.length < held.seen.length) left = left.with(place, { ...held, seen });
    }
    return left;
  }

  /** Tokens to be brought to places with a capacity; throws if one of them has no room (S8a). */
  #reservation(t: Transition, marking: RunMarking, value: (e: Expression) => number): Map<number, number> {
    const counts = this.#broughtToLimited(t, value);
    for (const [place, brings] of counts) {
      const { name, capacity } = this.#net.places[place]!;
      const takes = t.inputs.reduce((sum, a) => sum + (a.kind === 'take' && a.place === name ? a.count : 0), 0);
      const there = countOf(marking.places.get(place)) + (marking.reserved.get(place) ?? 0);
      if (brings > 0 && there - takes + brings > capacity!) throw new Impossible(`${name} is full`);
    }
    return counts;
  }

  #broughtToLimited(t: Transition, value: (e: Expression) => number): Map<number, number> {
    const counts = new Map<number, number>();
    for (const arc of t.outputs) {
      const place = this.#place(arc.place);
      if (this.#net.places[place]!.capacity !== undefined)
        counts.set(place, (counts.get(place) ?? 0) + value(arc.count));
    }
    return counts;
  }

  #brought(t: Transition, value: (e: Expression) => number): Brought[] {
    return t.outputs.flatMap((arc): Brought[] => {
      const place = this.#place(arc.place);
      const count = value(arc.count);
      if (!Number.isInteger(count) || count < 0) throw new Impossible(`it would add ${count} tokens to ${arc.place}`);
      if (count === 0) return [];
      const values = coloursOf(this.#net)
        .columns(arc.place)
        .map((c) => {
          const v = value(arc.values[c.name]!);
          const { low, high } = colourBounds(c.colour);
          if (!Number.isInteger(v) || v < low || v > high)
            throw new Impossible(`${v} is not a value of ${c.name} in ${arc.place}`);
          return v;
        });
      return [{ place, run: { values, count } }];
    });
  }

  /** Adds tokens; those of one step arrive in the order of their colours (S11). */
  #bring(marking: RunMarking, brought: readonly Brought[]): RunMarking {
    let { places } = marking;
    const sorted = brought.toSorted((a, b) => comparison(a.run.values, b.run.values));
    for (const { place, run } of sorted) {
      if (run.count === 0) continue;
      const { service, order } = this.#net.places[place]!;
      const held = places.get(place);
      places = places.with(
        place,
        service === undefined
          ? { ...held, seen: added(held.seen, run, order) }
          : { ...held, served: added(held.served, run, 'fifo') },
      );
    }
    return { ...marking, places };
  }

  #matches(arc: InputArc, run: Run, value: (e: Expression) => number): boolean {
    return coloursOf(this.#net)
      .columns(arc.place)
      .every((c, k) => {
        const term = arc.pattern[c.name];
        return term === undefined || value(term) === run.values[k];
      });
  }

  #values({ binding }: Step): (e: Expression) => number {
    return (e) => this.#evaluate(e, binding);
  }

  #evaluate(e: Expression, binding: Readonly<Record<string, number>>): number {
    const names = Object.keys(binding);
    const missing = (name: string): never => {
      throw new Impossible(`its binding lacks ${name}`);
    };
    const slots = new Map(names.map((name, k) => [name, k]));
    for (const name of variablesOf(e)) if (!slots.has(name)) missing(name);
    return evaluator(e, slots, this.#around)(names.map((name) => binding[name]!));
  }

  #place(name: string): number {
    return coloursOf(this.#net).places.get(name)!;
  }
}

function busyKey({ node, binding }: Step): string {
  return JSON.stringify([node, ...Object.entries(binding).sort(([a], [b]) => (a < b ? -1 : 1))]);
}

function comparison(a: readonly number[], b: readonly number[]): number {
  const k = a.findIndex((v, i) => v !== b[i]);
  return k < 0 ? 0 : a[k]! - b[k]!;
}

/** Consecutive equal tokens, in the order in which they leave. */
interface Run {
  readonly values: readonly number[];
  readonly count: number;
}

/** The tokens of a place: those visible to arcs, in order, and those in service, in order of arrival. */
interface Held {
  readonly seen: readonly Run[];
  readonly served: readonly Run[];
}

const sameValues = (a: readonly number[], b: readonly number[]): boolean => a.every((v, k) => v === b[k]);

/** Appends tokens; in a bag they are added to an equal run. */
export function added(runs: readonly Run[], run: Run, order: Place['order']): readonly Run[] {
  const at = order === 'bag' ? runs.findIndex((r) => sameValues(r.values, run.values)) : runs.length - 1;
  if (at < 0 || !sameValues(runs[at]!.values, run.values)) return [...runs, run];
  return runs.map((r, k) => (k === at ? { values: r.values, count: r.count + run.count } : r));
}

/** Removes `count` tokens from run `at`. */
function taken(runs: readonly Run[], at: number, count: number): readonly Run[] {
  const left = runs[at]!.count - count;
  return runs.flatMap((r, k) => (k !== at ? [r] : left === 0 ? [] : [{ values: r.values, count: left }]));
}

/** The number of tokens of each colour, keyed by the colour's values. */
export function totals({ seen, served }: Held): Map<string, Run> {
  const counts = new Map<string, Run>();
  for (const run of [...seen, ...served]) {
    const key = run.values.join();
    counts.set(key, { values: run.values, count: (counts.get(key)?.count ?? 0) + run.count });
  }
  return counts;
}

/** The number of tokens in a place, tokens in service included. */
function countOf({ seen, served }: Held): number {
  return [...seen, ...served].reduce((sum, r) => sum + r.count, 0);
}

/** Entries of one part. */
const PART = 256;

/** An immutable array. A changed copy shares all parts but one with its original: O(256 + length / 256). */
class SharedArray<T> {
  readonly #parts: readonly (readonly T[])[];

  constructor(parts: readonly (readonly T[])[]) {
    this.#parts = parts;
  }

  /** O(length). */
  static of<T>(values: readonly T[]): SharedArray<T> {
    const parts: T[][] = [];
    for (let k = 0; k < values.length; k += PART) parts.push(values.slice(k, k + PART));
    return new SharedArray(parts);
  }

  get(k: number): T {
    return this.#parts[Math.floor(k / PART)]![k % PART]!;
  }

  with(k: number, value: T): SharedArray<T> {
    const part = Math.floor(k / PART);
    return new SharedArray(this.#parts.with(part, this.#parts[part]!.with(k % PART, value)));
  }
}
