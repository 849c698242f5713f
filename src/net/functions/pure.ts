import { didYouMean, fail, InputError, quote } from '../../base/problem.ts';
import { thrown } from '../../base/thrown.ts';
import type { ScalarSet } from '../colour.ts';
import type { Expression } from '../expression.ts';
import { isTerm, shown, type Value } from '../term.ts';
import { beginEvaluation, endEvaluation, guardingAmbient, offence, refuseInFunction } from './ambient.ts';

/** A named input of a function: its term, its colour set (undefined: any number), and its name in messages. */
export interface Variable {
  readonly name: string;
  readonly term: Expression;
  readonly set: ScalarSet | undefined;
}

/** The input names of a function; each leaf is the position of a variable. */
export type Shape = number | null | readonly Shape[] | { readonly [name: string]: Shape };

/** A number of a colour set as the plain value that users see. */
export function plainValue(set: ScalarSet | undefined, number: number): Value {
  if (set?.kind === 'bool') return number !== 0;
  return set?.kind === 'enum' ? set.values[number]! : number;
}

/**
 * A host-language function under observation. It sees only its argument, each read is recorded, and sources of
 * randomness and time throw meanwhile.
 */
export class HostFunction {
  readonly part: string;
  readonly variables: readonly Variable[];
  readonly #f: (s: never) => unknown;
  readonly #argument: unknown;
  #read: ((k: number) => number) | undefined;
  #evaluation = 0;
  /** The variables read in this evaluation, in order; only the first `#count` are valid. */
  readonly #order: number[] = [];
  #count = 0;
  /** The value of each variable, and the evaluation in which it was read. */
  readonly #numbers: number[];
  readonly #readIn: number[];

  constructor(part: string, variables: readonly Variable[], shape: Exclude<Shape, number>, f: (s: never) => unknown) {
    this.part = part;
    this.variables = variables;
    this.#f = f;
    this.#argument = this.#view(shape, '');
    this.#numbers = variables.map(() => 0);
    this.#readIn = variables.map(() => 0);
  }

  /** Runs `body`; {@link value} may be called only inside. */
  evaluating<T>(body: () => T): T {
    refuseInFunction('NET048', 'evaluates another function');
    return guardingAmbient(() => {
      beginEvaluation(this.part);
      try {
        return body();
      } finally {
        endEvaluation();
      }
    });
  }

  /**
   * The result of the function. `read` gives the number of a variable; it is called once for each variable read, in
   * order.
   *
   * @throws InputError NET050 … NET052, NET055 … NET057 if the function throws or has a side effect
   */
  answer(read: (k: number) => number): unknown {
    this.#read = read;
    this.#count = 0;
    this.#evaluation++;
    let answer: unknown;
    try {
      answer = this.#f(this.#argument as never);
    } catch (e) {
      if (offence() === undefined) fail('NET056', `throws ${thrown(e).message}${this.where()}`, { part: this.part });
    } finally {
      this.#read = undefined;
    }
    // The promise is not awaited; its rejection must not end the process.
    if (isPromise(answer)) answer.then(undefined, () => undefined);
    const done = offence();
    if (done !== undefined) throw new InputError([done]);
    if (isPromise(answer)) fail('NET055', 'returns a promise: an expression must be synchronous', { part: this.part });
    return answer;
  }

  /**
   * As {@link answer}, but the result must be a value.
   *
   * @throws InputError NET053 if it is not
   */
  value(read: (k: number) => number): Value {
    const answer = this.answer(read);
    if (typeof answer === 'boolean' || typeof answer === 'string') return answer;
    if (typeof answer === 'number' && !Number.isNaN(answer)) return answer + 0;
    const hint = isTerm(answer) ? '; compute with plain values inside a function' : '';
    fail('NET053', `returns ${shown(answer)}${this.where()}: expected a number, boolean or string${hint}`, {
      part: this.part,
    });
  }

  /** ` where i = 3, order = "work"`: the reads of the last evaluation, for messages. */
  where(): string {
    const read = this.#order.slice(0, this.#count).map((k) => {
      const { name, set } = this.variables[k]!;
      return `${name} = ${shown(plainValue(set, this.#numbers[k]!))}`;
    });
    return read.length === 0 ? '' : ` where ${read.join(', ')}`;
  }

  #value(k: number): Value {
    if (this.#read === undefined) fail('NET057', 'its argument is read after it has returned', { part: this.part });
    if (this.#readIn[k] !== this.#evaluation) {
      this.#numbers[k] = this.#read(k);
      this.#readIn[k] = this.#evaluation;
      this.#order[this.#count++] = k;
    }
    return plainValue(this.variables[k]!.set, this.#numbers[k]!);
  }

  /** The argument of the function: every read of a value calls {@link #value}. */
  #view(shape: Exclude<Shape, number>, path: string): unknown {
    if (shape === null) return null;
    // The proxy reads from this map; the getters of the target serve only property descriptors.
    const parts = new Map<unknown, number>();
    const target: object = Array.isArray(shape) ? [] : Object.create(null);
    for (const [name, part] of Object.entries(shape)) {
      if (typeof part === 'number') parts.set(name, part);
      const inner = typeof part === 'number' ? undefined : this.#view(part, `${path}${name}.`);
      const get = typeof part === 'number' ? (): Value => this.#value(part) : (): unknown => inner;
      Object.defineProperty(target, name, { get, enumerable: true });
    }
    const refuse = (key: string | symbol): never => {
      const name = `${path}${String(key)}`;
      refuseInFunction('NET057', `changes ${quote(name)}: its argument is read-only`);
      fail('NET057', `${quote(name)} is changed after the function has returned`, { part: this.part });
    };
    return new Proxy(Object.freeze(target), {
      get: (object, key) => {
        const part = parts.get(key);
        if (part !== undefined) return this.#value(part);
        if (typeof key === 'string' && !(key in object)) {
          const known = Object.keys(shape);
          refuseInFunction(
            'NET050',
            `reads ${quote(`${path}${key}`)}, which is not among its inputs.${didYouMean(key, known)}`,
          );
        }
        return Reflect.get(object, key);
      },
      set: (_, key) => refuse(key),
      deleteProperty: (_, key) => refuse(key),
      defineProperty: (_, key) => refuse(key),
    });
  }
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
