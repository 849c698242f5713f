import type { Distribution } from '../../../src/net/distribution.ts';
import type { Binary, Expression } from '../../../src/net/expression.ts';
import type { Delay } from '../../../src/net/net.ts';
import { LENGTH, valuesOf } from './data.ts';
import type { Tape } from './tape.ts';
import type { Traits } from './traits.ts';

/** A variable of a binding, or a column of a token. */
export interface Variable {
  readonly name: string;
  /** A scalar colour set. */
  readonly colour: string;
  readonly free?: boolean;
}

export const num = (value: number): Expression => ({ op: 'const', value });
export const variable = (name: string): Expression => ({ op: 'var', name });
export const binary = (op: Binary, a: Expression, b: Expression): Expression => ({ op, a, b });
const natural = (e: Expression): Expression => binary('max', e, num(0));
const within = (e: Expression, n: number): Expression => binary('mod', natural(e), num(n));

/** Random expressions over variables; the list may grow while it is in use. */
export class Terms {
  readonly #tape: Tape;
  readonly #traits: Traits;
  readonly #variables: readonly Variable[];

  constructor(tape: Tape, traits: Traits, variables: readonly Variable[]) {
    this.#tape = tape;
    this.#traits = traits;
    this.#variables = variables;
  }

  /** An integer, mostly small; with the failures RUN003 and RUN009 sometimes without a value. */
  whole(): Expression {
    const base = this.#plain();
    if (this.#fails('RUN003')) return { op: 'at', table: 'steps', index: base };
    if (this.#fails('RUN009')) return { op: 'floor', a: { op: 'call', function: 'broken', args: [base] } };
    if (this.#traits.calls && this.#tape.chance(25)) return { op: 'floor', a: this.#call(base) };
    switch (this.#tape.next(10)) {
      case 1:
        return binary('add', base, num(1));
      case 2:
        return binary('mul', base, num(-1));
      case 3:
        return { op: 'if', test: binary('gt', base, num(0)), a: num(0), b: base };
      case 4:
        return this.#entry('steps', base);
      case 5:
        return binary('sub', this.#plain(), base);
      case 6:
        return binary('min', base, this.#plain());
      case 7:
        return { op: 'floor', a: binary('div', base, num(2)) };
      default:
        return base;
    }
  }

  /** An integer, not necessarily positive, whose value validation cannot determine. */
  #unchecked(): Expression {
    return binary('sub', this.whole(), num(0));
  }

  truth(): Expression {
    const known = this.#variables.filter((v) => v.colour === 'Bool');
    switch (this.#tape.next(7)) {
      case 1:
        return binary('eq', this.whole(), num(this.#tape.next(2)));
      case 2:
        return binary('ne', this.whole(), num(this.#tape.next(2)));
      case 3:
        return { op: 'not', a: binary('eq', this.whole(), num(2)) };
      case 4:
        return binary('or', binary('lt', this.whole(), num(1)), binary('ge', this.whole(), num(1)));
      case 5:
        return known.length > 0 ? variable(this.#tape.pick(known).name) : binary('ge', this.whole(), num(0));
      default:
        return binary('le', this.whole(), num(1));
    }
  }

  /** A guard; sometimes its left parts protect a look-up in the right part (S7). */
  guard(): Expression {
    if (this.#traits.failure === 'RUN003') return binary('and', this.truth(), this.truth());
    switch (this.#tape.next(4)) {
      case 1:
        return binary('and', this.truth(), this.truth());
      case 2: {
        const x = this.#plain();
        const inside = binary('and', binary('ge', x, num(0)), binary('lt', x, num(LENGTH)));
        return binary('and', inside, binary('ne', { op: 'at', table: 'steps', index: x }, num(2)));
      }
      default:
        return this.truth();
    }
  }

  /** A value of a scalar colour set; with the failure RUN002 sometimes out of range. */
  into(colour: string): Expression {
    const known = this.#variables.filter((v) => v.colour === colour);
    const bounded = colour === 'Two' || colour === 'Three';
    if (bounded && this.#fails('RUN002')) return binary('add', this.whole(), num(1));
    if (known.length > 0 && this.#tape.next(2) === 0) return variable(this.#tape.pick(known).name);
    switch (colour) {
      case 'Sort':
        return { op: 'const', value: this.#tape.next(3), colour };
      case 'Bool':
        return this.#tape.chance(50) ? this.truth() : num(this.#tape.next(2));
      case 'Int':
        return binary('mod', this.whole(), num(7));
      default:
        return colour === 'Two' ? within(this.whole(), 2) : binary('mod', this.whole(), num(2));
    }
  }

  constant(colour: string): Expression {
    const value = this.#tape.pick(valuesOf(colour));
    return colour === 'Sort' ? { op: 'const', value, colour } : num(value);
  }

  /** Number of tokens that an arc produces, mostly one. */
  count(): Expression {
    if (this.#fails('RUN005')) return this.#tape.chance(50) ? binary('sub', this.whole(), num(1)) : num(-1);
    switch (this.#tape.next(8)) {
      case 1:
        return within(this.whole(), 2);
      case 2:
        return this.truth();
      case 3:
        return num(2);
      default:
        return num(1);
    }
  }

  /** Seconds ≥ 0, mostly multiples of 0.5 to cause ties. */
  delay(): Delay {
    if (this.#fails('RUN004'))
      return this.#tape.chance(50)
        ? binary('sub', this.whole(), num(1))
        : { dist: 'exponential', rate: this.#unchecked() };
    if (this.#traits.distributions && this.#tape.chance(60)) return this.distribution();
    if (this.#traits.calls && this.#tape.chance(25)) return binary('mul', num(0.5), this.#call(this.#plain(), true));
    // Sums of these are equal up to rounding; only nets without shared rates distinguish them (S12).
    if (this.#traits.sharing && this.#tape.chance(50)) return num(this.#tape.pick([0.1, 0.2, 0.3, 0.6]));
    switch (this.#tape.next(6)) {
      case 1:
        return num(0);
      case 2:
        return num(0.5);
      case 3:
        return this.#entry('times', this.whole());
      case 4:
        return binary('mul', { op: 'step', table: 'factor', index: this.whole() }, num(0.25));
      case 5:
        return num(2);
      default:
        return num(1);
    }
  }

  weight(): Expression {
    if (this.#fails('RUN008')) return this.#unchecked();
    switch (this.#tape.next(5)) {
      case 1:
        return num(0.25);
      case 2:
        return num(3);
      case 3:
        return this.positive();
      case 4:
        return binary('add', natural(this.#plain()), num(1));
      default:
        return num(1);
    }
  }

  /** A number ≥ 0, sometimes 0; with the failure RUN017 sometimes negative or without a value. */
  speed(): Expression {
    if (this.#fails('RUN017')) return this.#tape.chance(50) ? this.#unchecked() : binary('div', this.whole(), num(0));
    switch (this.#tape.next(5)) {
      case 1:
        return natural(binary('sub', this.#plain(), num(1)));
      case 2:
        return binary('div', natural(this.whole()), num(3));
      case 3:
        return binary('div', num(1), binary('add', natural(this.#plain()), num(1)));
      case 4:
        return this.positive();
      default:
        return natural(this.#plain());
    }
  }

  /** An integer; with the failure RUN015 sometimes without a value. */
  process(): Expression {
    return this.#fails('RUN015') ? binary('mod', this.whole(), num(0)) : this.whole();
  }

  positive(): Expression {
    switch (this.#tape.next(4)) {
      case 1:
        return num(0.5);
      case 2:
        return num(2);
      case 3:
        return binary('add', natural(this.whole()), num(1));
      default:
        return num(1);
    }
  }

  distribution(): Distribution {
    const t = this.#tape;
    switch (t.next(12)) {
      case 1:
        return { dist: 'erlang', shape: num(1 + t.next(3)), rate: this.positive() };
      case 2: {
        const branch = (): { probability: Expression; rate: Expression } => ({
          probability: this.positive(),
          rate: this.positive(),
        });
        return { dist: 'hyper-exponential', branches: Array.from({ length: 1 + t.next(3) }, branch) };
      }
      case 3: {
        const phases = 1 + t.next(3);
        return {
          dist: 'cox',
          phases: Array.from({ length: phases }, (_, k) => ({
            rate: this.positive(),
            onward: num(k === phases - 1 ? 0 : 0.5),
          })),
        };
      }
      case 4:
        return { dist: 'uniform', low: num(t.next(2)), high: binary('add', this.positive(), num(1)) };
      case 5:
        return { dist: 'triangular', low: num(0), mode: num(t.next(3) / 2), high: num(1) };
      case 6:
        return { dist: 'normal', mean: this.positive(), deviation: num(t.next(3) / 2) };
      case 7:
        return { dist: 'lognormal', mean: num(0), deviation: num(t.next(3) / 4) };
      case 8:
        return { dist: 'weibull', shape: num(0.5 + t.next(3) / 2), scale: this.positive() };
      case 9:
        return { dist: 'gamma', shape: num(0.5 + t.next(3) / 2), scale: this.positive() };
      case 10: {
        const values = [0, 0.5, 1].slice(t.next(3));
        return { dist: 'discrete', values: values.map((value) => ({ value, weight: 1 + t.next(3) })) };
      }
      case 11:
        return { dist: 'empirical', samples: [0, 0.5, 0.5, 2].slice(t.next(3)) };
      default:
        return { dist: 'exponential', rate: this.positive() };
    }
  }

  /** A numeric variable, or a small constant. */
  #plain(): Expression {
    const numbers = this.#variables.filter((v) => v.colour !== 'Bool' && v.colour !== 'Sort');
    return numbers.length > 0 && this.#tape.next(4) < 3
      ? variable(this.#tape.pick(numbers).name)
      : num(this.#tape.next(3));
  }

  /** A table entry at a valid index. */
  #entry(table: string, x: Expression): Expression {
    return { op: 'at', table, index: within(x, LENGTH) };
  }

  /** A call of a function of the host language. */
  #call(x: Expression, mixed = false): Expression {
    return mixed
      ? { op: 'call', function: 'mix', args: [x, this.#plain()] }
      : { op: 'call', function: 'square', args: [x] };
  }

  #fails(code: Traits['failure']): boolean {
    return this.#traits.failure === code && this.#tape.chance(60);
  }
}
