import { Streams } from '../../src/base/random/streams.ts';
import { isDistribution } from '../../src/net/distribution.ts';
import type { Net, Place, Transition } from '../../src/net/net.ts';
import { type Candidate, Candidates, takenOf } from './candidates.ts';
import { Clocks, type Racing } from './clocks.ts';
import { type Binding, RunError } from './evaluate.ts';
import { Happened } from './happened.ts';
import { Marking } from './marking.ts';
import { compareText, Model, type Rule } from './model.ts';
import { choose, type Enabled, seniority } from './order.ts';
import type { Clockwork, Customer, Service } from './service.ts';
import { demandOf, SAME, Sharing } from './sharing.ts';
import { Station } from './station.ts';

/** An event of a run: an atomic firing, or the start or end of a holding firing. */
export interface Event {
  readonly time: number;
  readonly what: 'fire' | 'start' | 'end';
  readonly transition: string;
  /** All variables, including free ones. */
  readonly binding: Binding;
}

export interface Run {
  readonly time: number;
  readonly steps: number;
  readonly firings: Record<string, number>;
  /** Tokens per place, oldest first; tokens in service after the others. */
  readonly marking: Record<string, number[][]>;
  /** Arrival time of each token of `marking`, by place. */
  readonly arrivals: Record<string, number[]>;
  readonly trace: Event[];
}

/** A run of the reference, with counts of notable events. */
export interface ReferenceRun extends Run {
  readonly happened: Record<string, number>;
}

export interface ReferenceOptions {
  /** Seed of the random numbers; default `foretoken`. */
  readonly seed?: string;
  /** Maximum number of steps. */
  readonly maxSteps?: number;
  /** Maximum number of steps at one instant (S13), default 10⁶. */
  readonly maxInstantSteps?: number;
  /** Records events; default true. */
  readonly trace?: boolean;
  /** End of the run in seconds, inclusive; a run without further events ends earlier. */
  readonly until?: number;
  /** Makes the choice of S10: the position of a candidate of the highest priority, in order; −1 ends the run. */
  readonly pick?: (candidates: readonly Candidate[], now: Now) => number;
}

/** The state before a choice of S10. */
export interface Now extends Pick<Run, 'time' | 'marking' | 'arrivals'> {
  /** Firings in progress, and clocks that have not run out. */
  readonly underWay: readonly {
    readonly transition: string;
    readonly binding: Binding;
    readonly end: number;
    readonly isClock: boolean;
  }[];
}

/**
 * The token game, a direct implementation of docs/semantics.md: plain objects, one piece of code per rule, no indexes, no
 * shortcuts. Deliberately simple, with exponential run time. Shares only random streams and distribution sampling with the
 * product (S15).
 *
 * @throws RunError with the code of the rule that a net breaks while it runs
 */
export function referenceRun(net: Net, options: ReferenceOptions = {}): ReferenceRun {
  return new NetRun(net, options).run();
}

/** A firing in progress (S9). */
interface Firing {
  readonly rule: Rule;
  readonly binding: Binding;
  readonly end: number;
  readonly started: number;
  /** Tokens that it will produce in places with a capacity (S8a). */
  readonly reserved: ReadonlyMap<Place, number>;
}

class NetRun implements Clockwork {
  readonly #options: ReferenceOptions;
  readonly #happened: Happened = new Happened();
  readonly #model: Model;
  readonly #marking: Marking;
  readonly #services = new Map<string, Service>();
  readonly #busy: Firing[] = [];
  readonly #candidates: Candidates;
  readonly #clocks: Clocks;
  readonly #streams: Streams;
  readonly #firings: Record<string, number>;
  readonly #trace: Event[] = [];
  /** Immediate and holding candidates, and races, each with the step since which it has been enabled. */
  #waiting = new Map<string, Enabled>();
  #races = new Map<string, Racing>();
  #step = 0;
  #starts = 0;
  #ended = false;
  now = 0;

  constructor(net: Net, options: ReferenceOptions) {
    this.#options = options;
    this.#model = new Model(net);
    this.#streams = new Streams(options.seed ?? 'foretoken');
    this.#marking = new Marking(this.#model, this.#happened);
    this.#clocks = new Clocks(this.#happened);
    this.#candidates = new Candidates(this.#model, this.#marking, this.#happened, (p) => this.#held(p));
    const { places, transitions } = this.#model.net;
    for (const p of places) {
      const service = this.#serviceOf(p);
      if (service !== undefined) this.#services.set(p.name, service);
    }
    this.#firings = Object.fromEntries(transitions.map((t) => [t.name, 0]));
    this.#put(
      places.flatMap((place) =>
        place.initial.flatMap((t) =>
          Array.from({ length: t.count }, () => ({ place, values: t.values.map((v) => v + 0) })),
        ),
      ),
    );
    this.#examine();
  }

  get limit(): number {
    return this.#model.shares ? this.now * (1 + SAME) : this.now;
  }

  nextStart(): number {
    return this.#starts++;
  }

  run(): ReferenceRun {
    const { maxSteps = Number.POSITIVE_INFINITY, maxInstantSteps = 1e6 } = this.#options;
    let atInstant = 0;
    while (this.#step < maxSteps) {
      const before = this.now;
      const moved = this.#completeOne() || (this.#options.pick === undefined ? this.#startOne() : this.#startPicked());
      if (this.#ended || (!moved && !this.#advance())) break;
      atInstant = this.now === before ? atInstant + 1 : 0;
      if (atInstant > maxInstantSteps) throw new RunError('RUN001', 'endless cycle at one instant');
    }
    return {
      ...this.#view(),
      steps: this.#step,
      firings: this.#firings,
      trace: this.#trace,
      happened: this.#happened.counts,
    };
  }

  #view(): Pick<Run, 'time' | 'marking' | 'arrivals'> {
    const marking: Record<string, number[][]> = Object.create(null);
    const arrivals: Record<string, number[]> = Object.create(null);
    for (const p of this.#model.net.places) {
      const visible = this.#marking.all(p);
      marking[p.name] = [...visible, ...(this.#services.get(p.name)?.customers ?? [])].map((t) => [...t.values]);
      arrivals[p.name] = visible.map((t) => t.time);
    }
    return { time: this.now, marking, arrivals };
  }

  #underWay(): Now['underWay'] {
    return [
      ...this.#busy.map(({ rule, binding, end }) => ({
        transition: rule.transition.name,
        binding,
        end,
        isClock: false,
      })),
      ...this.#clocks
        .all()
        .filter(({ end }) => end > this.limit)
        .map(({ candidate: { transition, binding }, end }) => ({
          transition: transition.name,
          binding,
          end,
          isClock: true,
        })),
    ];
  }

  /** As {@link #startOne}, but the options choose among the candidates of the highest priority. */
  #startPicked(): boolean {
    const waiting = [...this.#waiting].map(([key, e]) => ({ key, ...e })).sort(seniority);
    const ranOut = this.#clocks.ranOut(this.#races, this.limit);
    const all: readonly { readonly key: string; readonly candidate: Candidate }[] =
      waiting.length > 0 ? waiting : ranOut;
    if (all.length === 0) return false;
    const priority = ({ candidate }: { candidate: Candidate }): number => candidate.transition.priority ?? 0;
    const highest = Math.max(...all.map(priority));
    const level = all.filter((e) => priority(e) === highest);
    const at = this.#options.pick!(
      level.map(({ candidate }) => candidate),
      { ...this.#view(), underWay: this.#underWay() },
    );
    this.#ended = at < 0;
    if (this.#ended) return false;
    const chosen = level[at]!;
    const clock = ranOut.find((r) => r === chosen);
    if (clock === undefined) {
      this.#start(chosen.candidate);
      this.#waiting.delete(chosen.key);
    } else {
      this.#fire(chosen.candidate);
      this.#clocks.use(clock);
      this.#races.delete(chosen.key);
    }
    this.#examine();
    return true;
  }

  /** Completions that are due come first, in the order of their starts (S10). */
  #completeOne(): boolean {
    const due: { started: number; complete: () => void }[] = [];
    for (const firing of this.#busy)
      if (firing.end <= this.limit) due.push({ started: firing.started, complete: () => this.#end(firing) });
    for (const service of this.#services.values()) {
      const customer = service.due(this);
      if (customer !== undefined)
        due.push({ started: customer.started!, complete: () => this.#served(service, customer) });
    }
    if (due.length > 1) this.#happened.note('tie of completions');
    const first = due.sort((a, b) => a.started - b.started)[0];
    if (first === undefined) return false;
    this.#step++;
    first.complete();
    this.#examine();
    return true;
  }

  #end(firing: Firing): void {
    this.#busy.splice(this.#busy.indexOf(firing), 1);
    this.#record('end', firing.rule.transition, firing.binding);
    this.#put(this.#model.produced(firing.rule, firing.binding));
  }

  #served(service: Service, customer: Customer): void {
    service.leave(customer, this);
    this.#marking.arrive(service.place, customer.values, this.now);
  }

  /** Then one start: immediate and holding candidates first, then races with expired clocks (S10). */
  #startOne(): boolean {
    const draw = (): number => this.#streams.stream('choice', '').next();
    const ofProcess = (process: number): number => {
      const own = this.#streams.ofProcesses('choice', '');
      own.begin(process);
      return own.draw();
    };
    const waiting = [...this.#waiting].map(([key, e]) => ({ key, ...e })).sort(seniority);
    if (waiting.length > 0) {
      const { key, candidate } = choose(
        waiting,
        (c) => this.#candidates.weight(c),
        this.#model,
        draw,
        ofProcess,
        this.#happened,
      );
      this.#start(candidate);
      // A firing ends its candidate; if tokens for another firing are left, it counts as newly enabled.
      this.#waiting.delete(key);
    } else {
      const ranOut = this.#clocks.ranOut(this.#races, this.limit);
      if (ranOut.length === 0) return false;
      if (ranOut.length > 1) this.#happened.note('tie of clocks');
      const chosen = choose(ranOut, (c) => this.#candidates.weight(c), this.#model, draw, ofProcess, this.#happened);
      this.#fire(chosen.candidate);
      this.#clocks.use(chosen);
      this.#races.delete(chosen.key);
    }
    this.#examine();
    return true;
  }

  #start(candidate: Candidate): void {
    const { rule, transition, binding } = candidate;
    if (transition.delay === undefined) {
      this.#fire(candidate);
      return;
    }
    const delay = this.#delay(candidate);
    this.#begin(candidate);
    this.#record('start', transition, binding);
    const end = this.now + delay;
    this.#busy.push({ rule, binding, end, started: this.nextStart(), reserved: candidate.brings });
    if ([...candidate.brings.values()].some((n) => n > 0)) this.#happened.note('capacity: reserved');
  }

  /** An atomic firing. */
  #fire(candidate: Candidate): void {
    const produced = this.#model.produced(candidate.rule, candidate.binding);
    this.#begin(candidate);
    this.#record('fire', candidate.transition, candidate.binding);
    this.#put(produced);
  }

  /** Takes tokens, then resets places (S8, S9). */
  #begin({ rule, tokens, binding }: Candidate): void {
    this.#step++;
    this.#firings[rule.transition.name]!++;
    for (const [token, { place, count }] of takenOf(rule, tokens))
      this.#marking.take(this.#model.place(place), token, count);
    for (const arc of rule.resetting) {
      const place = this.#model.place(arc.place);
      for (const t of this.#marking.all(place).filter((x) => this.#model.matches(arc, x.values, binding))) {
        this.#marking.remove(place, t);
        this.#happened.note('reset: token removed');
      }
    }
  }

  /** Delay, drawn or computed once per start; each process has its own random numbers (S15). */
  #delay({ transition, binding }: Candidate): number {
    const { delay, name, process } = transition;
    let draw = (): number => this.#streams.stream('delay', name).next();
    if (process !== undefined && isDistribution(delay!)) {
      const own = this.#streams.ofProcesses('delay', name);
      own.begin(this.#model.process(process, binding));
      draw = own.draw;
      this.#happened.note('draw of a process');
    }
    return this.#model.seconds(transition.delay!, binding, draw, this.now, transition.name);
  }

  /** Nothing is due and nothing can start: advances to the next completion or clock, at most to the end of the run. */
  #advance(): boolean {
    const next = Math.min(
      this.#clocks.next(),
      ...this.#busy.map((f) => f.end),
      ...[...this.#services.values()].map((s) => s.next(this.now)),
    );
    if (next === Number.POSITIVE_INFINITY) return false;
    const { until = Number.POSITIVE_INFINITY } = this.#options;
    if (next > until) {
      this.now = Math.max(this.now, until);
      return false;
    }
    for (const service of this.#services.values()) service.pass(this.now, next);
    this.now = next;
    return true;
  }

  /** Finds all candidates; those already enabled keep their seniority, others are enabled since this step. */
  #examine(): void {
    const before = { waiting: this.#waiting, races: this.#races };
    this.#waiting = new Map();
    this.#races = new Map();
    for (const candidate of this.#candidates.all()) {
      if (candidate.rule.race) this.#enableRace(candidate, before.races);
      else {
        const key = tokenKey(candidate);
        this.#waiting.set(key, { candidate, since: before.waiting.get(key)?.since ?? this.#step });
      }
    }
    this.#clocks.renew(
      this.now,
      this.#races,
      (c) => this.#candidates.degree(c),
      (c) => this.#delay(c),
    );
  }

  /** A race is not enabled where its speed is 0 (S9b). */
  #enableRace(candidate: Candidate, before: ReadonlyMap<string, Racing>): void {
    const speed = this.#candidates.speed(candidate);
    if (speed === 0) {
      this.#happened.note('race: speed 0');
      return;
    }
    const key = colourKey(candidate);
    const earlier = before.get(key);
    this.#races.set(key, { candidate, speed, since: earlier?.since ?? this.#step });
    if (earlier !== undefined && tokenKey(earlier.candidate) !== tokenKey(candidate))
      this.#happened.note('race: same colours, other tokens');
  }

  /** Tokens of one step arrive in the order of place name, then colour (S11). */
  #put(tokens: readonly { place: Place; values: readonly number[] }[]): void {
    const order = tokens.toSorted((a, b) => {
      if (a.place !== b.place) return compareText(a.place.name, b.place.name);
      const k = a.values.findIndex((v, i) => v !== b.values[i]);
      return k < 0 ? 0 : a.values[k]! - b.values[k]!;
    });
    for (const { place, values } of order) {
      const service = this.#services.get(place.name);
      if (service === undefined) this.#marking.arrive(place, values, this.now);
      else service.enter(values, this);
    }
  }

  /** Number of tokens that count against a place's capacity (S8a). */
  #held(place: Place): number {
    const reserved = this.#busy.reduce((sum, f) => sum + (f.reserved.get(place) ?? 0), 0);
    return this.#marking.all(place).length + (this.#services.get(place.name)?.customers.length ?? 0) + reserved;
  }

  #serviceOf(place: Place): Service | undefined {
    const s = place.service;
    const draw = (): number => this.#streams.stream('service', place.name).next();
    switch (s?.kind) {
      case undefined:
        return undefined;
      case 'max-min':
        return new Sharing(place, s.links, this.#model, (columns) => demandOf(s, this.#model, columns), s.follow);
      case 'ps': {
        const links = [{ name: place.name, capacity: s.servers, fatpipe: false }];
        const crosses = [{ link: 0, coefficient: 1 }];
        return new Sharing(place, links, this.#model, (columns, now) => ({
          amount: this.#model.seconds(s.time, columns, draw, now, place.name),
          weight: 1,
          bound: 1,
          crosses,
        }));
      }
      default:
        return new Station(place, s!, this.#model, draw, this.#happened);
    }
  }

  #record(what: Event['what'], transition: Transition, binding: Binding): void {
    if (this.#options.trace ?? true) this.#trace.push({ time: this.now, what, transition: transition.name, binding });
  }
}

/** Key by token identity: if equal tokens replace these, the candidate has ended (S10). */
function tokenKey({ transition, tokens, free }: Candidate): string {
  return JSON.stringify([transition.name, tokens.map((t) => t.age), free]);
}

/** Key by colour: equal tokens may replace these (S9a). */
function colourKey({ transition, tokens, free }: Candidate): string {
  return JSON.stringify([transition.name, tokens.map((t) => t.values), free]);
}
