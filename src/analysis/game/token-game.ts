import { didYouMean, fail, quote } from '../../base/problem.ts';
import { Streams, type StreamsState } from '../../base/random/streams.ts';
import { colourBounds } from '../../net/colour.ts';
import { isDistribution } from '../../net/distribution.ts';
import type { Net, Place } from '../../net/net.ts';
import { valueText } from '../properties/colours.ts';
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
import { type Customer, type GameService, gameServices, SAME } from './services.ts';
import { GameTokens } from './tokens.ts';

/** Silent steps (completions, and time that passes) between two choices; more are an endless instant. */
const MAX_SILENT = 1_000_000;

/** An enabled binding: a choice of the player. */
export interface EnabledBinding {
  /** As in `send(x=1, y=2)`; `send` without variables. */
  readonly label: string;
  readonly transition: string;
  /** Values of all variables, by name. */
  readonly binding: Readonly<Record<string, number>>;
}

/** Tokens of one place: those that arcs see, and those in service. */
export interface PlaceMarking {
  readonly place: string;
  readonly count: number;
  readonly tokens: readonly {
    readonly values: readonly number[];
    readonly text: string;
    readonly time: number;
    readonly inService: boolean;
  }[];
}

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
interface Saved {
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
  readonly last: string | undefined;
}

/** A choice: a candidate that starts at once, or one whose clock has run out. */
type Choice = { readonly candidate: Candidate; readonly key: string; readonly runOut?: RunOut };

/**
 * The token game of a net, played by hand: an interpreter of docs/semantics.md that needs neither generated code nor WebAssembly, so
 * that it runs in a page under a strict policy. The player makes the choices of S10; completions, and time where nothing can
 * start, need no choice and happen by themselves. Playing never changes the net.
 *
 * A step takes O(transitions × bindings); a state kept for a step back O(tokens).
 */
export class TokenGame {
  readonly #rules: GameRules;
  readonly #tokens: GameTokens;
  readonly #clocks = new GameClocks();
  readonly #services: ReadonlyMap<number, GameService>;
  readonly #candidates: Candidates;
  readonly #streams: Streams;
  readonly #past: Saved[] = [];
  readonly #kept = new Map<string, Saved>();
  #busy: readonly Busy[] = [];
  #waiting: ReadonlyMap<string, Enabled> = new Map();
  #races: ReadonlyMap<string, Racing> = new Map();
  #step = 0;
  #starts = 0;
  #now = 0;
  #last: string | undefined;

  /** @throws InputError RUN… where the initial marking breaks a rule */
  constructor(net: Net, { seed = 'foretoken' }: { readonly seed?: string } = {}) {
    this.#rules = new GameRules(net);
    this.#tokens = new GameTokens(this.#rules);
    this.#services = gameServices(this.#rules);
    this.#streams = new Streams(seed);
    this.#candidates = new Candidates(this.#rules, this.#tokens, (place) => this.#held(place));
    const { places } = this.#rules.net;
    this.#put(
      places.flatMap(({ initial }, place) =>
        initial.map(({ values, count }) => ({ place, values: values.map((value) => value + 0), count })),
      ),
    );
    this.#examine();
    this.#settle();
  }

  /** Simulated time in seconds. */
  get time(): number {
    return this.#now;
  }

  /** Number of starts and ends so far. */
  get steps(): number {
    return this.#step;
  }

  /** The last binding that was fired; undefined before the first. */
  get last(): string | undefined {
    return this.#last;
  }

  /** Number of columns of the tokens of a place; 0 for uncoloured tokens and unknown places. */
  columnsOf(place: string): number {
    const number = this.#rules.net.places.findIndex(({ name }) => name === place);
    return this.#rules.columns[number]?.length ?? 0;
  }

  /** Number of steps that can be taken back. */
  get depth(): number {
    return this.#past.length;
  }

  /** The tokens of every place, in the order of the net. */
  marking(): PlaceMarking[] {
    return this.#rules.net.places.map(({ name }, place) => {
      const text = (values: readonly number[]): string =>
        values.map((value, k) => valueText(this.#rules.columns[place]![k], value)).join(', ');
      const seen = this.#tokens
        .all(place)
        .map(({ values, time }) => ({ values, text: text(values), time, inService: false }));
      const served = (this.#services.get(place)?.customers ?? []).map(({ values }) => ({
        values,
        text: text(values),
        time: this.#now,
        inService: true,
      }));
      return { place: name, count: seen.length + served.length, tokens: [...seen, ...served] };
    });
  }

  /** Bindings that can start now, in the order of S10; empty if the net is dead. */
  enabled(): EnabledBinding[] {
    return this.#choices().map(({ candidate: { rule, slots } }) => {
      const names = rule.folded.slotOf;
      const words = [...names].map(([name, slot]) => `${name}=${valueText(rule.folded.slots[slot], slots[slot]!)}`);
      return {
        label: words.length === 0 ? rule.transition.name : `${rule.transition.name}(${words.join(', ')})`,
        transition: rule.transition.name,
        binding: Object.fromEntries([...names].map(([name, slot]) => [name, slots[slot]!])),
      };
    });
  }

  /**
   * Fires an enabled binding: its position in {@link enabled}, or its label.
   *
   * @throws InputError GAME001 a binding that is not enabled, RUN… where the firing breaks a rule; nothing is changed then
   */
  fire(which: number | string): void {
    const choices = this.#choices();
    const labels = this.enabled().map(({ label }) => label);
    const at = typeof which === 'number' ? which : labels.indexOf(which);
    const choice = choices[at];
    if (choice === undefined)
      fail(
        'GAME001',
        `${typeof which === 'number' ? `binding ${which}` : quote(which)} is not enabled: ${labels.length} bindings are.${typeof which === 'number' ? '' : didYouMean(which, labels)}`,
      );
    const before = this.#saved();
    this.#past.push(before);
    try {
      this.#start(choice);
      this.#last = labels[at];
      this.#settle();
    } catch (error) {
      this.#past.pop();
      this.#restore(before);
      throw error;
    }
  }

  /** Fires a binding drawn by the weights of S10, which are 1 where none are declared; false if none is enabled. */
  fireRandom(): boolean {
    const choices = this.#choices();
    if (choices.length === 0) return false;
    const weights = choices.map(({ candidate }) => this.#candidates.weight(candidate));
    const bar = this.#streams.stream('choice', '').next() * weights.reduce((sum, weight) => sum + weight, 0);
    let sum = 0;
    const drawn = weights.findIndex((weight) => {
      sum += weight;
      return sum > bar;
    });
    this.fire(drawn < 0 ? choices.length - 1 : drawn);
    return true;
  }

  /** Takes the last firing, or the last change of tokens, back; false if there is none. */
  back(): boolean {
    const before = this.#past.pop();
    if (before === undefined) return false;
    this.#restore(before);
    return true;
  }

  /**
   * Fires random bindings.
   *
   * @param until the game stops before its time exceeds this one
   * @param stop called after each firing; true stops
   * @returns the number of firings
   */
  run({
    steps = Number.POSITIVE_INFINITY,
    until = Number.POSITIVE_INFINITY,
    stop,
  }: {
    readonly steps?: number;
    readonly until?: number;
    readonly stop?: (game: TokenGame) => boolean;
  }): number {
    let fired = 0;
    while (fired < steps && this.fireRandom()) {
      if (this.#now > until) {
        this.back();
        break;
      }
      fired++;
      if (stop?.(this) === true) break;
    }
    return fired;
  }

  /** Keeps the present state under a name. */
  keep(name: string): void {
    this.#kept.set(name, this.#saved());
  }

  /** Names of kept states. */
  get kept(): string[] {
    return [...this.#kept.keys()];
  }

  /** Returns to a kept state; that can be taken back. @throws InputError GAME002 for an unknown name */
  return(name: string): void {
    const state = this.#kept.get(name);
    if (state === undefined)
      fail('GAME002', `no marking is kept as ${quote(name)}. Kept: ${this.kept.map(quote).join(', ') || 'none'}`);
    this.#past.push(this.#saved());
    this.#restore(state);
  }

  /**
   * Replaces the tokens of a place by hand; that can be taken back.
   *
   * @param tokens values of the columns of each token
   * @throws InputError GAME003 an unknown place, or values outside its colour set; nothing is changed then
   */
  setTokens(place: string, tokens: readonly (readonly number[])[]): void {
    const { places } = this.#rules.net;
    const number = places.findIndex(({ name }) => name === place);
    if (number < 0)
      fail(
        'GAME003',
        `no place ${quote(place)}.${didYouMean(
          place,
          places.map(({ name }) => name),
        )}`,
      );
    const columns = this.#rules.columns[number]!;
    for (const values of tokens) {
      if (values.length !== columns.length)
        fail('GAME003', `place ${quote(place)}: expected ${columns.length} values for a token, got ${values.length}`);
      values.forEach((value, k) => {
        const { low, high } = colourBounds(columns[k]!.colour);
        if (!(Number.isInteger(value) && value >= low && value <= high))
          fail('GAME003', `place ${quote(place)}, ${columns[k]!.name}: expected ${low} to ${high}, got ${value}`);
      });
    }
    const before = this.#saved();
    this.#past.push(before);
    try {
      this.#tokens.remove(number, () => true);
      const service = this.#services.get(number);
      if (service !== undefined) service.customers = [];
      this.#step++;
      this.#put(tokens.map((values) => ({ place: number, values: [...values], count: 1 })));
      this.#examine();
      this.#settle();
    } catch (error) {
      this.#past.pop();
      this.#restore(before);
      throw error;
    }
  }

  /** Candidates that can start: those without a clock precede those whose clock has run out, then the highest priority (S10). */
  #choices(): Choice[] {
    const waiting = [...this.#waiting].map(([key, enabled]) => ({ key, ...enabled })).sort(seniority);
    const all: Choice[] =
      waiting.length > 0
        ? waiting
        : this.#clocks.ranOut(this.#races, this.#limit).map((runOut) => ({ ...runOut, runOut }));
    const priority = ({ candidate }: Choice): number => candidate.rule.transition.priority ?? 0;
    const highest = all.reduce((most, choice) => Math.max(most, priority(choice)), Number.NEGATIVE_INFINITY);
    return all.filter((choice) => priority(choice) === highest);
  }

  get #limit(): number {
    return this.#rules.shares ? this.#now * (1 + SAME) : this.#now;
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
          this.#put(this.#rules.brought(busy.rule, busy.slots));
        });
    const clock = this.#serviceClock;
    for (const service of this.#services.values()) {
      const customer = service.due(clock);
      if (customer !== undefined)
        offer(customer.started!, () => {
          service.leave(customer, clock);
          this.#tokens.arrive(service.number, customer.values, this.#now);
        });
    }
    if (first === undefined) return false;
    this.#step++;
    first.complete();
    this.#examine();
    return true;
  }

  #advance(): boolean {
    let next = this.#clocks.next();
    for (const { end } of this.#busy) next = Math.min(next, end);
    for (const service of this.#services.values()) next = Math.min(next, service.next(this.#now));
    if (next === Number.POSITIVE_INFINITY) return false;
    for (const service of this.#services.values()) service.pass(this.#now, next);
    this.#now = next;
    return true;
  }

  #start({ candidate, key, runOut }: Choice): void {
    const { rule, slots, brings } = candidate;
    if (runOut !== undefined || rule.delay === undefined) {
      const brought = this.#rules.brought(rule, slots);
      this.#begin(candidate);
      this.#put(brought);
    } else {
      const seconds = this.#delay(candidate);
      this.#begin(candidate);
      this.#busy = [...this.#busy, { rule, slots, end: this.#now + seconds, started: this.#starts++, brings }];
    }
    if (runOut === undefined) this.#waiting = without(this.#waiting, key);
    else {
      this.#clocks.use(runOut);
      this.#races = without(this.#races, key);
    }
    this.#examine();
  }

  /** Takes tokens, then resets places. */
  #begin({ rule, tokens, slots }: Candidate): void {
    this.#step++;
    for (const [token, { place, count }] of takenBy(rule, tokens)) this.#tokens.take(place, token, count);
    for (const { place, tests } of rule.resets) this.#tokens.remove(place, (token) => fits(tests, token, slots));
  }

  #delay({ rule, slots }: Candidate): number {
    const { name, delay } = rule.transition;
    let draw = (): number => this.#streams.stream('delay', name).next();
    if (rule.process !== undefined && isDistribution(delay!)) {
      const process = rule.process(slots);
      if (!(Number.isInteger(process) && Math.abs(process) <= 2 ** 53))
        fail('RUN015', `draws for process ${process}: expected an integer <= 2^53`, { part: `transition ${name}` });
      const own = this.#streams.ofProcesses('delay', name);
      own.begin(process);
      draw = own.draw;
    }
    return checkedSeconds(rule.delay!(slots, draw), this.#now, 'delay', `transition ${name}`);
  }

  /** Finds the candidates of the new marking; those that were enabled before keep their seniority. */
  #examine(): void {
    const waiting = new Map<string, Enabled>();
    const races = new Map<string, Racing>();
    for (const candidate of this.#candidates.all()) {
      if (candidate.rule.isRace) {
        const speed = this.#candidates.speed(candidate);
        if (speed === 0) continue;
        const key = colourKey(candidate);
        races.set(key, { candidate, speed, since: this.#races.get(key)?.since ?? this.#step });
      } else {
        const key = tokenKey(candidate);
        waiting.set(key, { candidate, since: this.#waiting.get(key)?.since ?? this.#step });
      }
    }
    this.#waiting = waiting;
    this.#races = races;
    this.#clocks.renew(
      this.#now,
      races,
      (candidate) => this.#candidates.degree(candidate),
      (candidate) => this.#delay(candidate),
    );
  }

  /** Tokens of one step arrive in the order of the names of their places, then of their values (S11). */
  #put(
    brought: readonly { readonly place: number; readonly values: readonly number[]; readonly count: number }[],
  ): void {
    const position = this.#rules.position;
    const inOrder = [...brought].sort((a, b) => {
      if (a.place !== b.place) return position[a.place]! - position[b.place]!;
      const k = a.values.findIndex((value, column) => value !== b.values[column]);
      return k < 0 ? 0 : a.values[k]! - b.values[k]!;
    });
    const clock = this.#serviceClock;
    for (const { place, values, count } of inOrder)
      for (let n = 0; n < count; n++) {
        const service = this.#services.get(place);
        if (service === undefined) this.#tokens.arrive(place, values, this.#now);
        else service.enter(values, clock);
      }
  }

  get #serviceClock() {
    return {
      now: this.#now,
      limit: this.#limit,
      nextStart: () => this.#starts++,
      draw:
        ({ name }: Place) =>
        () =>
          this.#streams.stream('service', name).next(),
    };
  }

  #held(place: number): number {
    const reserved = this.#busy.reduce((sum, { brings }) => sum + (brings.get(place) ?? 0), 0);
    return this.#tokens.count(place) + (this.#services.get(place)?.customers.length ?? 0) + reserved;
  }

  #saved(): Saved {
    return {
      tokens: this.#tokens.saved(),
      clocks: this.#clocks.saved(),
      customers: new Map([...this.#services].map(([place, { customers }]) => [place, customers])),
      busy: this.#busy,
      waiting: this.#waiting,
      races: this.#races,
      streams: this.#streams.state(),
      now: this.#now,
      step: this.#step,
      starts: this.#starts,
      last: this.#last,
    };
  }

  #restore(saved: Saved): void {
    this.#tokens.restore(saved.tokens);
    this.#clocks.restore(saved.clocks);
    for (const [place, customers] of saved.customers) this.#services.get(place)!.customers = customers;
    this.#busy = saved.busy;
    this.#waiting = saved.waiting;
    this.#races = saved.races;
    this.#streams.restore(saved.streams);
    this.#now = saved.now;
    this.#step = saved.step;
    this.#starts = saved.starts;
    this.#last = saved.last;
  }
}

function without<T>(map: ReadonlyMap<string, T>, key: string): ReadonlyMap<string, T> {
  const copy = new Map(map);
  copy.delete(key);
  return copy;
}
