import { didYouMean, fail, InputError, quote } from '../../base/problem.ts';
import type { ScalarSet } from '../colour.ts';
import type { Expression } from '../expression.ts';
import { isTerm, shown, type Value } from '../term.ts';
import { guardingAmbient } from './ambient.ts';
import { beginEvaluation, endEvaluation, offence, refuseInFunction } from './evaluation.ts';

/** What a function reads under a name: a term, the set its value is in (undefined: any number), how messages call it. */
export interface Variable {
  readonly name: string;
  readonly term: Expression;
  readonly set: ScalarSet | undefined;
}

/** The names by which a function reads: positions of variables, in objects and lists. */
export type Shape = number | null | readonly Shape[] | { readonly [name: string]: Shape };

/** The value of a colour set's number, as users know it. */
export function plainValue(set: ScalarSet | undefined, number: number): Value {
  if (set?.kind === 'bool') return number !== 0;
  return set?.kind === 'enum' ? set.values[number]! : number;
}

/**
 * A function of the host language, evaluated as the pure function that it has to be: it sees only what its argument shows,
 * each read is known, and the sources of randomness and time throw meanwhile.
 */
export class HostFunction {
  readonly part: string;
  readonly variables: readonly Variable[];
  readonly #f: (s: never) => unknown;
  readonly #argument: unknown;
  #read: ((k: number) => number) | undefined;
  #evaluation = 0;
  /** The variables that this evaluation has read, in order: the first `#count`. */
  readonly #order: number[] = [];
  #count = 0;
  /** The number of each variable, and by which evaluation it was read. */
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

  /** Runs `body`, in which {@link value} may be called. */
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
   * What the function returns. `read` gives the number of a variable, and is asked once for each that is read, in order.
   *
   * @throws InputError NET050 … NET052, NET055 … NET057 where the function throws or does more than compute
   */
  answer(read: (k: number) => number): unknown {
    this.#read = read;
    this.#count = 0;
    this.#evaluation++;
    let answer: unknown;
    try {
      answer = this.#f(this.#argument as never);
    } catch (e) {
      if (offence() === undefined)
        fail('NET056', `throws ${e instanceof Error ? e.message : shown(e)}${this.where()}`, { part: this.part });
    } finally {
      this.#read = undefined;
    }
    // Nobody waits for it, so that its failure must not end the process.
    if (isPromise(answer)) answer.then(undefined, () => undefined);
    const done = offence();
    if (done !== undefined) throw new InputError([done]);
    if (isPromise(answer))
      fail('NET055', 'returns a promise: an expression has its value at once', { part: this.part });
    return answer;
  }

  /**
   * As {@link answer}, which must be a value.
   *
   * @throws InputError NET053 where it is not
   */
  value(read: (k: number) => number): Value {
    const answer = this.answer(read);
    if (typeof answer === 'boolean' || typeof answer === 'string') return answer;
    if (typeof answer === 'number' && !Number.isNaN(answer)) return answer + 0;
    const hint = isTerm(answer) ? ': compute with plain values inside a function' : '';
    fail('NET053', `returns ${shown(answer)}${this.where()}: a number, a truth value or a text is expected${hint}`, {
      part: this.part,
    });
  }

  /** ` where i = 3, order = "work"`: what the last evaluation has read. */
  where(): string {
    const read = this.#order.slice(0, this.#count).map((k) => {
      const { name, set } = this.variables[k]!;
      return `${name} = ${shown(plainValue(set, this.#numbers[k]!))}`;
    });
    return read.length === 0 ? '' : ` where ${read.join(', ')}`;
  }

  #value(k: number): Value {
    if (this.#read === undefined)
      fail('NET057', 'what it was given is read after it has returned', { part: this.part });
    if (this.#readIn[k] !== this.#evaluation) {
      this.#numbers[k] = this.#read(k);
      this.#readIn[k] = this.#evaluation;
      this.#order[this.#count++] = k;
    }
    return plainValue(this.variables[k]!.set, this.#numbers[k]!);
  }

  /** What the function is given: every read of a value is a call of {@link #value}. */
  #view(shape: Exclude<Shape, number>, path: string): unknown {
    if (shape === null) return null;
    // Found here without the getters of the target, which are for those who ask for descriptors.
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
      refuseInFunction('NET057', `changes ${quote(name)}: what it is given can only be read`);
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
            `reads ${quote(`${path}${key}`)}, which is not given to it.${didYouMean(key, known)}`,
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
