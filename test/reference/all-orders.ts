import { isDistribution } from '../../src/net/distribution.ts';
import type { Net, Place } from '../../src/net/net.ts';
import { type Candidate, Candidates, takenOf } from './candidates.ts';
import type { Binding } from './evaluate.ts';
import { byColour } from './explorer.ts';
import { Happened } from './happened.ts';
import { Marking } from './marking.ts';
import { Model } from './model.ts';

/** A token or firing that leaves at a time; `end` is undefined while a token waits for the server. */
interface Timed {
  readonly values: readonly number[];
  readonly end: number | undefined;
}

interface Firing {
  readonly candidate: Candidate;
  readonly end: number;
}

interface State {
  readonly now: number;
  /** By place, oldest first. */
  readonly tokens: readonly (readonly (readonly number[])[])[];
  readonly service: readonly (readonly Timed[])[];
  readonly busy: readonly Firing[];
}

/** The run times of all orders; undefined if there are too many of them. */
export interface AllOrders {
  readonly shortest: number;
  readonly longest: number;
  /** The run times that occur. */
  readonly all: ReadonlySet<number>;
}

/**
 * Plays every order of a net without endless runs, one after the other, in absolute times and without merging of states: all
 * due completions in any order, then any start of the highest priority, otherwise time passes (S10). For constant delays,
 * infinite servers and single servers in turn.
 */
export function allOrders(net: Net, most: number): AllOrders | undefined {
  return new Orders(net, most).play();
}

class Orders {
  readonly #model: Model;
  readonly #net: Net;
  readonly #happened: Happened = new Happened();
  readonly #most: number;
  readonly #times = new Set<number>();
  #steps = 0;

  constructor(net: Net, most: number) {
    this.#model = new Model(net);
    this.#net = this.#model.net;
    this.#most = most;
  }

  play(): AllOrders | undefined {
    const empty = this.#net.places.map(() => []);
    const initial = this.#net.places.flatMap((place) =>
      place.initial.flatMap(({ values, count }) => Array.from({ length: count }, () => ({ place, values }))),
    );
    this.#goOn(this.#put({ now: 0, tokens: empty, service: empty, busy: [] }, initial));
    if (this.#steps > this.#most) return undefined;
    return { shortest: Math.min(...this.#times), longest: Math.max(...this.#times), all: this.#times };
  }

  #goOn(s: State): void {
    if (++this.#steps > this.#most) return;
    const due = this.#completions(s);
    if (due.length > 0) {
      for (const after of due) this.#goOn(after());
      return;
    }
    const starts = this.#starts(s);
    if (starts.length > 0) {
      for (const candidate of starts) this.#goOn(this.#started(s, candidate));
      return;
    }
    const ends = [...s.busy, ...s.service.flat()].flatMap(({ end }) => (end === undefined ? [] : [end]));
    if (ends.length > 0) {
      this.#goOn({ ...s, now: Math.min(...ends) });
      return;
    }
    this.#times.add(s.now);
  }

  #completions(s: State): (() => State)[] {
    const firings = s.busy.flatMap((firing, k) =>
      firing.end > s.now
        ? []
        : [() => this.#put({ ...s, busy: s.busy.toSpliced(k, 1) }, this.#produced(firing.candidate))],
    );
    const services = s.service.flatMap((customers, p) =>
      customers.flatMap(({ values, end }, k) => {
        if (end === undefined || end > s.now) return [];
        const left = this.#served(this.#net.places[p]!, customers.toSpliced(k, 1), s.now);
        const tokens = s.tokens.with(p, [...s.tokens[p]!, values]);
        return [() => ({ ...s, service: s.service.with(p, left), tokens })];
      }),
    );
    return [...firings, ...services];
  }

  #starts(s: State): Candidate[] {
    const all = new Candidates(this.#model, this.#marking(s), this.#happened, (place) => this.#held(s, place)).all();
    const priority = ({ transition }: Candidate): number => transition.priority ?? 0;
    const highest = Math.max(...all.map(priority));
    return all.filter((c) => priority(c) === highest);
  }

  #started(s: State, candidate: Candidate): State {
    const { rule, tokens, transition, binding } = candidate;
    const marking = this.#marking(s);
    for (const [token, { place, count }] of takenOf(rule, tokens)) {
      const p = this.#model.place(place);
      marking.take(p, marking.all(p).find((t) => t.age === token.age)!, count);
    }
    for (const arc of rule.resetting) {
      const place = this.#model.place(arc.place);
      for (const t of marking.all(place).filter((x) => this.#model.matches(arc, x.values, binding)))
        marking.remove(place, t);
    }
    const left = { ...s, tokens: this.#net.places.map((p) => marking.all(p).map((t) => t.values)) };
    const { delay } = transition;
    if (delay === undefined) return this.#put(left, this.#produced(candidate));
    if (isDistribution(delay)) throw new Error('a random delay');
    return { ...left, busy: [...s.busy, { candidate, end: s.now + this.#model.value(delay, binding) }] };
  }

  #produced({ rule, binding }: Candidate): { place: Place; values: readonly number[] }[] {
    return this.#model.produced(rule, binding);
  }

  #put(s: State, arriving: readonly { place: Place; values: readonly number[] }[]): State {
    const [tokens, service] = [[...s.tokens], [...s.service]];
    for (const [p, place] of this.#net.places.entries()) {
      const come = arriving.filter((t) => t.place.name === place.name).map((t) => t.values);
      come.sort(byColour);
      if (place.service === undefined) tokens[p] = [...tokens[p]!, ...come];
      else {
        const waiting = come.map((values) => ({ values, end: undefined }));
        service[p] = this.#served(place, [...service[p]!, ...waiting], s.now);
      }
    }
    return { ...s, tokens, service };
  }

  /** Begins the service of those whose turn it is. */
  #served(place: Place, customers: readonly Timed[], now: number): Timed[] {
    const { service } = place;
    if (service?.kind !== 'is' && !(service?.kind === 'fcfs' && service.servers === 1)) throw new Error('the service');
    const { time } = service;
    if (isDistribution(time)) throw new Error('a random service time');
    const end = (values: readonly number[]): number =>
      now + this.#model.value(time, this.#model.columns(place, values) as Binding);
    return customers.map((c, k) =>
      c.end === undefined && (service.kind === 'is' || k === 0) ? { ...c, end: end(c.values) } : c,
    );
  }

  #marking(s: State): Marking {
    const marking = new Marking(this.#model, this.#happened);
    for (const [p, place] of this.#net.places.entries())
      for (const values of s.tokens[p]!) marking.arrive(place, values, 0);
    return marking;
  }

  #held(s: State, place: Place): number {
    const p = this.#net.places.findIndex((x) => x.name === place.name);
    const reserved = s.busy.flatMap(({ candidate }) =>
      [...candidate.brings].filter(([own]) => own.name === place.name).map(([, count]) => count),
    );
    return s.tokens[p]!.length + s.service[p]!.length + reserved.reduce((sum, n) => sum + n, 0);
  }
}
