import { didYouMean, fail, InputError, quote } from '../../base/problem.ts';
import { netToJson } from '../../net/json/json.ts';
import type { Net } from '../../net/net.ts';
import { coloursOf, valueText } from '../properties/colours.ts';
import type { Formula } from '../properties/property.ts';
import { labelOf, type PlaceMarking } from './game-labels.ts';
import { GameRun, type Saved } from './game-run.ts';
import { gameText, type Move, readGameText, refuse, shortHash } from './game-text.ts';
import type { GameRule } from './rules.ts';
import { holdsIn, parseCondition, type SeenMarking } from './seen-marking.ts';

/** States that are kept for steps back; before that, the oldest are forgotten. */
const MAX_PAST = 10_000;

/** Seconds after which the moves of a text are not made any further: a page does not react meanwhile. */
const MAX_SECONDS = 10;

const DIGITS = /^-?\d+$/;

/** An enabled binding: a choice of the player. */
export interface EnabledBinding {
  /** As in `send(x=1, y=2)`; `send` without variables. */
  readonly label: string;
  readonly transition: string;
  /** Values of all variables, by name. */
  readonly binding: Readonly<Record<string, number>>;
}

/** A firing in progress, which has taken its tokens and brings others at its end, or a race whose clock runs. */
export interface UnderWay extends EnabledBinding {
  readonly isClock: boolean;
  /** Simulated time in seconds at which the firing or the clock ends, as long as the speed of the clock does not change. */
  readonly end: number;
}

/** Tokens of one place with the instants of their arrivals. */
export interface TimedMarking extends PlaceMarking {
  readonly tokens: readonly (PlaceMarking['tokens'][number] & { readonly time: number })[];
}

const bindingOf = ({ rule, slots }: { readonly rule: GameRule; readonly slots: Float64Array }): EnabledBinding => ({
  label: labelOf(rule, (_, slot) => slots[slot]),
  transition: rule.transition.name,
  binding: Object.fromEntries([...rule.folded.slotOf].map(([name, slot]) => [name, slots[slot]!])),
});

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
  readonly #kept = new Map<string, { readonly state: Saved; readonly last: string | undefined }>();
  readonly #seed: string;
  /** Moves that lead to the present state; those that are taken back are left out, unless a marking was kept since. */
  readonly #moves: Move[] = [];
  #changes = 0;
  #netHash: string | undefined;
  #last: string | undefined;

  /** @throws InputError RUN… where the initial marking breaks a rule */
  constructor(net: Net, { seed = 'foretoken' }: { readonly seed?: string } = {}) {
    this.#seed = seed;
    this.#run = new GameRun(net, seed);
  }

  /**
   * A game that continues where the {@link text} of another one was taken.
   *
   * @throws InputError GAME006 a text of another net or seed, that is damaged, or whose moves lead elsewhere or take more than 10 s
   */
  static continued(net: Net, text: string, options: { readonly seed?: string } = {}): TokenGame {
    const { net: hash, moves, state } = readGameText(text);
    const game = new TokenGame(net, options);
    if (hash !== game.#hash) refuse('was played on another net, on another version of this net, or with another seed');
    const begin = performance.now();
    for (const [k, move] of moves.entries()) {
      try {
        if (!game.#make(move)) refuse('is not possible');
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        refuse(`is not possible on this net at move ${k + 1} of ${moves.length}`);
      }
      if (performance.now() - begin > 1000 * MAX_SECONDS)
        refuse(`takes more than ${MAX_SECONDS} s: ${k + 1} of ${moves.length} moves were made`);
    }
    if (state !== game.#stateHash) refuse('leads to another marking than the one that was shown');
    return game;
  }

  /**
   * The game as a text from which {@link continued} continues it, short enough for an address: its moves, not its marking. Empty before
   * the first move; undefined if the game is too long.
   */
  get text(): string | undefined {
    return this.#moves.length === 0 ? '' : gameText({ net: this.#hash, moves: this.#moves, state: this.#stateHash });
  }

  /** Hash of net and seed. */
  get #hash(): string {
    this.#netHash ??= shortHash(`${this.#seed}\n${netToJson(this.#run.rules.net)}`);
    return this.#netHash;
  }

  /** Hash of counts, colours, steps and time; engines differ in the last bits of a logarithm, so that of the time six digits count. */
  get #stateHash(): string {
    const marking = this.marking().map(({ tokens }) => tokens.map(({ values }) => values.join(',')).join(';'));
    return shortHash([this.time.toPrecision(6), this.steps, ...marking].join('\n'));
  }

  /** Makes a move of a text; false if there is nothing that it could do. */
  #make(move: Move): boolean {
    switch (move.kind) {
      case 'fire':
        this.fire(move.at);
        return true;
      case 'random':
        return this.fireRandom();
      case 'back':
        return this.back();
      case 'keep':
        this.keep(move.name);
        return true;
      case 'return':
        this.return(move.name);
        return true;
      case 'set':
        this.setTokens(
          this.places[move.place] ?? '',
          typeof move.tokens === 'number' ? Array.from({ length: move.tokens }, () => []) : move.tokens,
        );
        return true;
    }
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

  /** Number of firings and other changes so far, without those that were taken back. */
  get changes(): number {
    return this.#changes;
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
    return this.#run.choices().map(({ candidate }) => bindingOf(candidate));
  }

  /** Firings in progress and running clocks, the next to end first. */
  underWay(): UnderWay[] {
    return this.#run.underWay().map(({ isClock, end, ...of }) => ({ ...bindingOf(of), isClock, end }));
  }

  /**
   * A condition on markings, for {@link run}: a formula without path operators, as in `#queue > 3`.
   *
   * @throws InputError PROP… with the position in the text
   */
  condition(text: string): (game: TokenGame) => boolean {
    const formula = parseCondition(text, this.#run.rules.net);
    return (game) => game.holds(formula);
  }

  /** True if a formula without path operators holds in the present marking; tokens in service count. */
  holds(formula: Formula): boolean {
    return holdsIn(this.#run.rules.net, formula, this.#seen());
  }

  /** The present marking as formulas see it. Transitions are enabled that can start now. */
  #seen(): SeenMarking {
    const { net } = this.#run.rules;
    const colours = coloursOf(net);
    const tokensOf = (name: string): readonly (readonly number[])[] => {
      const place = colours.places.get(name)!;
      const served = this.#run.services.get(place)?.customers ?? [];
      return [...this.#run.tokens.all(place), ...served].map(({ values }) => values);
    };
    const choices = this.#run.choices();
    return {
      count: (place, colour) => {
        const all = tokensOf(place);
        const wanted = colour === undefined ? undefined : colours.values(place, colour);
        return colour === undefined
          ? all.length
          : all.filter((values) => values.every((value, k) => value === wanted?.[k])).length;
      },
      largest: (place) => {
        const counts = new Map<string, number>();
        for (const values of tokensOf(place)) counts.set(values.join(), (counts.get(values.join()) ?? 0) + 1);
        return Math.max(0, ...counts.values());
      },
      enabled: new Set(choices.map(({ candidate }) => candidate.rule.transition.name)),
      initially: (place) => net.places[colours.places.get(place)!]!.initial.reduce((sum, { count }) => sum + count, 0),
    };
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
    this.#change({ kind: 'fire', at }, () => {
      this.#run.start(choice);
      this.#last = labels[at];
    });
  }

  /** Fires a binding drawn by the weights of S10, which are 1 where none are declared; false if none is enabled. */
  fireRandom(): boolean {
    const choices = this.#run.choices();
    if (choices.length === 0) return false;
    this.#change({ kind: 'random' }, () => {
      const weights = choices.map(({ candidate }) => this.#run.candidates.weight(candidate));
      const bar = this.#run.streams.stream('choice', '').next() * weights.reduce((sum, weight) => sum + weight, 0);
      let sum = 0;
      const drawn = weights.findIndex((weight) => {
        sum += weight;
        return sum > bar;
      });
      const at = drawn < 0 ? choices.length - 1 : drawn;
      const { label } = this.enabled()[at]!;
      this.#run.start(choices[at]!);
      this.#last = label;
    });
    return true;
  }

  /**
   * Takes back the last firing with its random numbers, or the last change of tokens; false if no state before it is kept.
   */
  back(): boolean {
    const before = this.#past.pop();
    if (before === undefined) return false;
    this.#run.restore(before.state);
    this.#last = before.last;
    this.#changes--;
    const move = this.#moves.at(-1)?.kind;
    if (move === 'keep' || move === 'back') this.#moves.push({ kind: 'back' });
    else this.#moves.pop();
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
    this.#kept.set(name, { state: this.#run.saved(), last: this.#last });
    this.#moves.push({ kind: 'keep', name });
  }

  /** Names of kept states. */
  get kept(): string[] {
    return [...this.#kept.keys()];
  }

  /** Returns to a kept state; that can be taken back. @throws InputError GAME002 for an unknown name */
  return(name: string): void {
    const kept = this.#kept.get(name);
    if (kept === undefined)
      fail('GAME002', `no marking is kept as ${quote(name)}. Kept: ${this.kept.map(quote).join(', ') || 'none'}`);
    this.#change({ kind: 'return', name }, () => {
      this.#run.restore(kept.state);
      this.#last = kept.last;
    });
  }

  /**
   * Replaces the tokens of a place by hand; that can be taken back.
   *
   * @param tokens values of the columns of each token: numbers, or names of an enumeration
   * @throws InputError GAME003 an unknown place, or values outside its colour set; nothing is changed then
   */
  setTokens(place: string, tokens: readonly (readonly (number | string)[])[]): void {
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
    const colours = coloursOf(this.#run.rules.net);
    const set = tokens.map((values) => {
      if (values.length !== columns.length)
        fail('GAME003', `place ${quote(place)}: expected ${columns.length} values for a token, got ${values.length}`);
      const written = values.map((value) => (typeof value === 'string' && DIGITS.test(value) ? Number(value) : value));
      // An enumeration may have names of digits.
      const found = colours.values(place, values) ?? colours.values(place, written);
      return found ?? fail('GAME003', colours.problem(place, written)!);
    });
    const kept = columns.length === 0 || set.length === 0 ? set.length : set;
    this.#change({ kind: 'set', place: number, tokens: kept }, () => this.#run.replaceTokens(number, set));
  }

  /** Makes a change that can be taken back; one that fails changes nothing. */
  #change(move: Move, change: () => void): void {
    const before = { state: this.#run.saved(), last: this.#last };
    try {
      change();
    } catch (error) {
      this.#run.restore(before.state);
      this.#last = before.last;
      throw error;
    }
    this.#changes++;
    this.#moves.push(move);
    this.#past.push(before);
    if (this.#past.length > MAX_PAST) this.#past.shift();
  }
}
