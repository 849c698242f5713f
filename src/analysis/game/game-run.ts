import { fail } from '../../base/problem.ts';
import { Streams, type StreamsState } from '../../base/random/streams.ts';
import { isDistribution } from '../../net/distribution.ts';
import type { Net, Place } from '../../net/net.ts';
import {
  type Candidate,
  Candidates,
  colourKey,
  type Enabled,
  fits,
  seniority,
  takenBy,
  tokenKey,
} from './candidates.ts';
import { GameClocks, type Racing, type RunOut } from './clocks.ts';
import { checkedSeconds, type GameRule, GameRules } from './rules.ts';
import { type Customer, type GameService, SAME, StationOfGame } from './services.ts';
import { SharedService } from './shared-service.ts';
import { GameTokens } from './tokens.ts';

/** Silent steps (completions, and time that passes) between two choices; more are an endless instant. */
const MAX_SILENT = 1_000_000;

/** A firing in progress (S9). */
interface Busy {
  readonly rule: GameRule;
  readonly slots: Float64Array;
  readonly end: number;
  readonly started: number;
  /** Tokens that it will bring to places with a capacity. */
  readonly brings: ReadonlyMap<number, number>;
}

/** Everything that a step changes. */
export interface Saved {
  readonly tokens: ReturnType<GameTokens['saved']>;
  readonly clocks: ReturnType<GameClocks['saved']>;
  readonly customers: ReadonlyMap<number, readonly Customer[]>;
  readonly busy: readonly Busy[];
  readonly waiting: ReadonlyMap<string, Enabled>;
  readonly races: ReadonlyMap<string, Racing>;
  readonly streams: StreamsState;
  readonly now: number;
  readonly step: number;
  readonly starts: number;
}

/** A choice: a candidate that starts at once, or one whose clock has run out. */
export type Choice = { readonly candidate: Candidate; readonly key: string; readonly runOut?: RunOut };

/**
 * A run of a net whose choices others make: tokens, firings in progress, clocks and services by the rules of docs/semantics.md. Completions,
 * and time where nothing can start, need no choice. Every state can be kept and restored.
 */
export class GameRun {
  readonly rules: GameRules;
  readonly tokens: GameTokens;
  readonly services: ReadonlyMap<number, GameService>;
  readonly candidates: Candidates;
  readonly streams: Streams;
  readonly #clocks: GameClocks = new GameClocks();
  #busy: readonly Busy[] = [];
  #waiting: ReadonlyMap<string, Enabled> = new Map();
  #races: ReadonlyMap<string, Racing> = new Map();
  #starts = 0;
  /** Number of starts and ends so far. */
  step = 0;
  /** Simulated time in seconds. */
  now = 0;

  /** @throws InputError RUN… where the initial marking breaks a rule */
  constructor(net: Net, seed: string) {
    this.rules = new GameRules(net);
    this.tokens = new GameTokens(this.rules);
    this.services = gameServices(this.rules);
    this.streams = new Streams(seed);
    this.candidates = new Candidates(this.rules, this.tokens, (place) => this.#held(place));
    this.#put(
      this.rules.net.places.flatMap(({ initial }, place) =>
        initial.map(({ values, count }) => ({ place, values: values.map((value) => value + 0), count })),
      ),
    );
    this.#examine();
    this.#settle();
  }

  /** Replaces the tokens of a place, those in service included. */
  replaceTokens(place: number, tokens: readonly (readonly number[])[]): void {
    this.tokens.remove(place, () => true);
    const service = this.services.get(place);
    if (service !== undefined) service.customers = [];
    this.step++;
    this.#put(tokens.map((values) => ({ place, values: [...values], count: 1 })));
    this.#examine();
    this.#settle();
  }

  /** Candidates that can start: those without a clock precede those whose clock has run out, then the highest priority (S10). */
  choices(): Choice[] {
    const waiting = [...this.#waiting].map(([key, enabled]) => ({ key, ...enabled })).sort(seniority);
    const all: Choice[] =
      waiting.length > 0
        ? waiting
        : this.#clocks.ranOut(this.#races, this.#limit).map((runOut) => ({ ...runOut, runOut }));
    const priority = ({ candidate }: Choice): number => candidate.rule.transition.priority ?? 0;
    const highest = all.reduce((most, choice) => Math.max(most, priority(choice)), Number.NEGATIVE_INFINITY);
    return all.filter((choice) => priority(choice) === highest);
  }

  /** Firings in progress and running clocks, the next to end first; those that end together in the order of their starts. */
  underWay(): {
    readonly rule: GameRule;
    readonly slots: Float64Array;
    readonly end: number;
    readonly isClock: boolean;
  }[] {
    const firings = this.#busy.map(({ rule, slots, end }) => ({ rule, slots, end, isClock: false }));
    const clocks = this.#clocks
      .running(this.#limit)
      .map(({ candidate: { rule, slots }, end }) => ({ rule, slots, end, isClock: true }));
    return [...firings, ...clocks].sort((a, b) => a.end - b.end);
  }

  get #limit(): number {
    return this.rules.shares ? this.now * (1 + SAME) : this.now;
  }

  /** Completions that are due; then, while nothing can start, time passes. */
  #settle(): void {
    for (let silent = 0; ; silent++) {
      if (silent > MAX_SILENT) fail('RUN001', `more than ${MAX_SILENT} steps without a choice`);
      if (this.#completeOne()) continue;
      if (this.#waiting.size > 0 || this.#clocks.ranOut(this.#races, this.#limit).length > 0) return;
      if (!this.#advance()) return;
    }
  }

  /** The completion that is due and was started first; false if none is due. */
  #completeOne(): boolean {
    let first: { readonly started: number; readonly complete: () => void } | undefined;
    const offer = (started: number, complete: () => void): void => {
      if (first === undefined || started < first.started) first = { started, complete };
    };
    for (const busy of this.#busy)
      if (busy.end <= this.#limit)
        offer(busy.started, () => {
          this.#busy = this.#busy.filter((other) => other !== busy);
          this.#put(this.rules.brought(busy.rule, busy.slots));
        });
    const clock = this.#serviceClock;
    for (const service of this.services.values()) {
      const customer = service.due(clock);
      if (customer !== undefined)
        offer(customer.started!, () => {
          service.leave(customer, clock);
          this.tokens.arrive(service.number, customer.values, this.now);
        });
    }
    if (first === undefined) return false;
    this.step++;
    first.complete();
    this.#examine();
    return true;
  }

  #advance(): boolean {
    let next = this.#clocks.next();
    for (const { end } of this.#busy) next = Math.min(next, end);
    for (const service of this.services.values()) next = Math.min(next, service.next(this.now));
    if (next === Number.POSITIVE_INFINITY) return false;
    for (const service of this.services.values()) service.pass(this.now, next);
    this.now = next;
    return true;
  }

  start({ candidate, key, runOut }: Choice): void {
    const { rule, slots, brings } = candidate;
    if (runOut !== undefined || rule.delay === undefined) {
      const brought = this.rules.brought(rule, slots);
      this.#begin(candidate);
      this.#put(brought);
    } else {
      const seconds = this.#delay(candidate);
      this.#begin(candidate);
      this.#busy = [...this.#busy, { rule, slots, end: this.now + seconds, started: this.#starts++, brings }];
    }
    if (runOut === undefined) this.#waiting = without(this.#waiting, key);
    else {
      this.#clocks.use(runOut);
      this.#races = without(this.#races, key);
    }
    this.#examine();
    this.#settle();
  }

  /** Takes tokens, then resets places. */
  #begin({ rule, tokens, slots }: Candidate): void {
    this.step++;
    for (const [token, { place, count }] of takenBy(rule, tokens)) this.tokens.take(place, token, count);
    for (const { place, tests } of rule.resets) this.tokens.remove(place, (token) => fits(tests, token, slots));
  }

  #delay({ rule, slots }: Candidate): number {
    const { name, delay } = rule.transition;
    let draw = (): number => this.streams.stream('delay', name).next();
    if (rule.process !== undefined && isDistribution(delay!)) {
      const process = rule.process(slots);
      if (!(Number.isInteger(process) && Math.abs(process) <= 2 ** 53))
        fail('RUN015', `draws for process ${process}: expected an integer <= 2^53`, { part: `transition ${name}` });
      const own = this.streams.ofProcesses('delay', name);
      own.begin(process);
      draw = own.draw;
    }
    return checkedSeconds(rule.delay!(slots, draw), this.now, 'delay', `transition ${name}`);
  }

  /** Finds the candidates of the new marking; those that were enabled before keep their seniority. */
  #examine(): void {
    const waiting = new Map<string, Enabled>();
    const races = new Map<string, Racing>();
    for (const candidate of this.candidates.all()) {
      if (candidate.rule.isRace) {
        const speed = this.candidates.speed(candidate);
        if (speed === 0) continue;
        const key = colourKey(candidate);
        races.set(key, { candidate, speed, since: this.#races.get(key)?.since ?? this.step });
      } else {
        const key = tokenKey(candidate);
        waiting.set(key, { candidate, since: this.#waiting.get(key)?.since ?? this.step });
      }
    }
    this.#waiting = waiting;
    this.#races = races;
    this.#clocks.renew(
      this.now,
      races,
      (candidate) => this.candidates.degree(candidate),
      (candidate) => this.#delay(candidate),
    );
  }

  /** Tokens of one step arrive in the order of the names of their places, then of their values (S11). */
  #put(
    brought: readonly { readonly place: number; readonly values: readonly number[]; readonly count: number }[],
  ): void {
    const position = this.rules.position;
    const inOrder = [...brought].sort((a, b) => {
      if (a.place !== b.place) return position[a.place]! - position[b.place]!;
      const k = a.values.findIndex((value, column) => value !== b.values[column]);
      return k < 0 ? 0 : a.values[k]! - b.values[k]!;
    });
    const clock = this.#serviceClock;
    for (const { place, values, count } of inOrder)
      for (let n = 0; n < count; n++) {
        const service = this.services.get(place);
        if (service === undefined) this.tokens.arrive(place, values, this.now);
        else service.enter(values, clock);
      }
  }

  get #serviceClock() {
    return {
      now: this.now,
      limit: this.#limit,
      nextStart: () => this.#starts++,
      draw:
        ({ name }: Place) =>
        () =>
          this.streams.stream('service', name).next(),
    };
  }

  #held(place: number): number {
    const reserved = this.#busy.reduce((sum, { brings }) => sum + (brings.get(place) ?? 0), 0);
    return this.tokens.count(place) + (this.services.get(place)?.customers.length ?? 0) + reserved;
  }

  saved(): Saved {
    return {
      tokens: this.tokens.saved(),
      clocks: this.#clocks.saved(),
      customers: new Map([...this.services].map(([place, { customers }]) => [place, customers])),
      busy: this.#busy,
      waiting: this.#waiting,
      races: this.#races,
      streams: this.streams.state(),
      now: this.now,
      step: this.step,
      starts: this.#starts,
    };
  }

  restore(saved: Saved): void {
    this.tokens.restore(saved.tokens);
    this.#clocks.restore(saved.clocks);
    for (const [place, customers] of saved.customers) this.services.get(place)!.customers = customers;
    this.#busy = saved.busy;
    this.#waiting = saved.waiting;
    this.#races = saved.races;
    this.streams.restore(saved.streams);
    this.now = saved.now;
    this.step = saved.step;
    this.#starts = saved.starts;
  }
}

function without<T>(map: ReadonlyMap<string, T>, key: string): ReadonlyMap<string, T> {
  const copy = new Map(map);
  copy.delete(key);
  return copy;
}

/** The service of each place that has one. */
function gameServices(rules: GameRules): Map<number, GameService> {
  const services = new Map<number, GameService>();
  rules.net.places.forEach(({ service }, number) => {
    if (service === undefined) return;
    const isShared = service.kind === 'ps' || service.kind === 'max-min';
    services.set(number, isShared ? new SharedService(rules, number) : new StationOfGame(rules, number));
  });
  return services;
}
