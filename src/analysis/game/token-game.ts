import { didYouMean, fail, quote } from '../../base/problem.ts';
import { colourBounds } from '../../net/colour.ts';
import type { Net } from '../../net/net.ts';
import { valueText } from '../properties/colours.ts';
import { labelOf, type PlaceMarking } from './game-labels.ts';
import { GameRun, type Saved } from './game-run.ts';

/** States that are kept for steps back; before that, the oldest are forgotten. */
const MAX_PAST = 10_000;

/** An enabled binding: a choice of the player. */
export interface EnabledBinding {
  /** As in `send(x=1, y=2)`; `send` without variables. */
  readonly label: string;
  readonly transition: string;
  /** Values of all variables, by name. */
  readonly binding: Readonly<Record<string, number>>;
}

/** Tokens of one place with the instants of their arrivals. */
export interface TimedMarking extends PlaceMarking {
  readonly tokens: readonly (PlaceMarking['tokens'][number] & { readonly time: number })[];
}

/**
 * The token game of a net, played by hand: an interpreter of docs/semantics.md that needs neither generated code nor WebAssembly, so
 * that it runs in a page under a strict policy. The player makes the choices of S10; completions, and time where nothing can
 * start, need no choice and happen by themselves. Playing never changes the net.
 *
 * A step takes O(transitions × bindings); a state kept for a step back O(tokens).
 */
export class TokenGame {
  readonly #run: GameRun;
  /** States before the latest changes, the last at the end. */
  readonly #past: { readonly state: Saved; readonly last: string | undefined }[] = [];
  readonly #kept = new Map<string, Saved>();
  #last: string | undefined;

  /** @throws InputError RUN… where the initial marking breaks a rule */
  constructor(net: Net, { seed = 'foretoken' }: { readonly seed?: string } = {}) {
    this.#run = new GameRun(net, seed);
  }

  /** Simulated time in seconds. */
  get time(): number {
    return this.#run.now;
  }

  /** Number of starts and ends so far. */
  get steps(): number {
    return this.#run.step;
  }

  /** The last binding that was fired; undefined before the first. */
  get last(): string | undefined {
    return this.#last;
  }

  /** Names of the places, in the order of the net. */
  get places(): string[] {
    return this.#run.rules.net.places.map(({ name }) => name);
  }

  /** Number of columns of the tokens of a place; 0 for uncoloured tokens and unknown places. */
  columnsOf(place: string): number {
    const number = this.#run.rules.net.places.findIndex(({ name }) => name === place);
    return this.#run.rules.columns[number]?.length ?? 0;
  }

  /** Number of steps that can be taken back. */
  get depth(): number {
    return this.#past.length;
  }

  /** The tokens of every place, in the order of the net. */
  marking(): TimedMarking[] {
    return this.#run.rules.net.places.map(({ name }, place) => {
      const text = (values: readonly number[]): string =>
        values.map((value, k) => valueText(this.#run.rules.columns[place]![k], value)).join(', ');
      const seen = this.#run.tokens
        .all(place)
        .map(({ values, time }) => ({ values, text: text(values), time, inService: false }));
      const served = (this.#run.services.get(place)?.customers ?? []).map(({ values }) => ({
        values,
        text: text(values),
        time: this.#run.now,
        inService: true,
      }));
      return { place: name, count: seen.length + served.length, tokens: [...seen, ...served] };
    });
  }

  /** Bindings that can start now, in the order of S10; empty if the net is dead. */
  enabled(): EnabledBinding[] {
    return this.#run.choices().map(({ candidate: { rule, slots } }) => {
      const names = rule.folded.slotOf;
      return {
        label: labelOf(rule, (_, slot) => slots[slot]),
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
    const choices = this.#run.choices();
    const labels = this.enabled().map(({ label }) => label);
    const at = typeof which === 'number' ? which : labels.indexOf(which);
    const choice = choices[at];
    if (choice === undefined)
      fail(
        'GAME001',
        `${typeof which === 'number' ? `binding ${which}` : quote(which)} is not enabled: ${labels.length} bindings are.${typeof which === 'number' ? '' : didYouMean(which, labels)}`,
      );
    this.#change(() => {
      this.#run.start(choice);
      this.#last = labels[at];
    });
  }

  /** Fires a binding drawn by the weights of S10, which are 1 where none are declared; false if none is enabled. */
  fireRandom(): boolean {
    const choices = this.#run.choices();
    if (choices.length === 0) return false;
    const weights = choices.map(({ candidate }) => this.#run.candidates.weight(candidate));
    const bar = this.#run.streams.stream('choice', '').next() * weights.reduce((sum, weight) => sum + weight, 0);
    let sum = 0;
    const drawn = weights.findIndex((weight) => {
      sum += weight;
      return sum > bar;
    });
    this.fire(drawn < 0 ? choices.length - 1 : drawn);
    return true;
  }

  /** Takes back the last firing, or the last change of tokens; false if no state before it is kept. */
  back(): boolean {
    const before = this.#past.pop();
    if (before === undefined) return false;
    this.#run.restore(before.state);
    this.#last = before.last;
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
      if (this.#run.now > until) {
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
    this.#kept.set(name, this.#run.saved());
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
    this.#change(() => this.#run.restore(state));
  }

  /**
   * Replaces the tokens of a place by hand; that can be taken back.
   *
   * @param tokens values of the columns of each token
   * @throws InputError GAME003 an unknown place, or values outside its colour set; nothing is changed then
   */
  setTokens(place: string, tokens: readonly (readonly number[])[]): void {
    const { places } = this.#run.rules.net;
    const number = places.findIndex(({ name }) => name === place);
    if (number < 0)
      fail(
        'GAME003',
        `no place ${quote(place)}.${didYouMean(
          place,
          places.map(({ name }) => name),
        )}`,
      );
    const columns = this.#run.rules.columns[number]!;
    for (const values of tokens) {
      if (values.length !== columns.length)
        fail('GAME003', `place ${quote(place)}: expected ${columns.length} values for a token, got ${values.length}`);
      values.forEach((value, k) => {
        const { low, high } = colourBounds(columns[k]!.colour);
        if (!(Number.isInteger(value) && value >= low && value <= high))
          fail('GAME003', `place ${quote(place)}, ${columns[k]!.name}: expected ${low} to ${high}, got ${value}`);
      });
    }
    this.#change(() => this.#run.replaceTokens(number, tokens));
  }

  /** Makes a change that can be taken back; one that fails changes nothing. */
  #change(change: () => void): void {
    const before = { state: this.#run.saved(), last: this.#last };
    try {
      change();
    } catch (error) {
      this.#run.restore(before.state);
      this.#last = before.last;
      throw error;
    }
    this.#past.push(before);
    if (this.#past.length > MAX_PAST) this.#past.shift();
  }
}
