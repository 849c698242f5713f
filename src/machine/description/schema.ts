import type { Code } from '../../base/codes.ts';
import { didYouMean, quote, shown } from '../../base/problem.ts';
import { type Dimension, type LowerBound, quantity, quantityPattern } from '../../base/units.ts';
import type { Schema } from '../../net/json/json-schema.ts';

/** Path to a part of a document: names of members and indexes of items. */
export type Path = readonly (string | number)[];

/** Reports a problem of a part of a document; `at` is `key` if the problem is the part's key, not its value. */
export type Report = (code: Code, message: string, path: Path, at?: 'key' | 'value') => void;

/** A checked form of a part of a document: a JSON Schema, and a reader. */
export interface Shape<T> {
  /** JSON Schema of all values that `read` accepts, as far as the schema language can express it. */
  readonly schema: Schema;
  /** The value, or undefined if a problem was reported. */
  read(value: unknown, path: Path, report: Report): T | undefined;
}

/** A quantity: a number in SI units, or a string with a unit. */
export function amount(dimension: Dimension, lowerBound: LowerBound, description: string): Shape<number> {
  const number = lowerBound === 'zero' ? { minimum: 0 } : { exclusiveMinimum: 0 };
  return {
    schema: {
      description,
      anyOf: [
        { type: 'number', ...number },
        { type: 'string', pattern: quantityPattern(dimension) },
      ],
    },
    read(value, path, report) {
      const found = quantity(dimension, value, lowerBound);
      if (typeof found === 'number') return found;
      report(found.code, found.message, path);
      return undefined;
    },
  };
}

/** An integer from 1 to `max`. */
export function count(max: number, description: string): Shape<number> {
  return {
    schema: { description, type: 'integer', minimum: 1, maximum: max },
    read(value, path, report) {
      if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max) return value;
      const isNumber = typeof value === 'number';
      report(isNumber ? 'MACH008' : 'MACH007', `expected an integer from 1 to ${max}, got ${shown(value)}`, path);
      return undefined;
    },
  };
}

/** A number without a unit, from 0 to `max`. */
export function fraction(max: number, description: string): Shape<number> {
  return {
    schema: { description, type: 'number', minimum: 0, maximum: max },
    read(value, path, report) {
      const isNumber = typeof value === 'number' && !Number.isNaN(value);
      // Adding 0 turns −0 into 0.
      if (isNumber && value >= 0 && value <= max) return value + 0;
      report(isNumber ? 'MACH008' : 'MACH007', `expected a number from 0 to ${max}, got ${shown(value)}`, path);
      return undefined;
    },
  };
}

/** A string, optionally with a pattern; `words` describes the pattern in messages. */
export function text(description: string, rule?: { readonly pattern: string; readonly words: string }): Shape<string> {
  const pattern = rule === undefined ? undefined : new RegExp(rule.pattern);
  return {
    schema: { description, type: 'string', ...(rule === undefined ? {} : { pattern: rule.pattern }) },
    read(value, path, report) {
      if (typeof value !== 'string') {
        report('MACH007', `expected a string, got ${shown(value)}`, path);
        return undefined;
      }
      if (pattern === undefined || pattern.test(value)) return value;
      report('MACH009', `expected ${rule!.words}; got ${quote(value)}`, path);
      return undefined;
    },
  };
}

/** A list of `min` to `max` items of one shape. */
export function list<T>(items: Shape<T>, min: number, max: number, description: string): Shape<readonly T[]> {
  return {
    schema: { description, type: 'array', items: items.schema, minItems: min, maxItems: max },
    read(value, path, report) {
      if (!Array.isArray(value)) {
        report('MACH007', `expected a list, got ${shown(value)}`, path);
        return undefined;
      }
      if (value.length < min || value.length > max) {
        report('MACH008', `expected a list of ${min} to ${max} items, got ${value.length}`, path);
        return undefined;
      }
      const read = value.map((item, k) => items.read(item, [...path, k], report));
      return read.includes(undefined) ? undefined : (read as T[]);
    },
  };
}

/** A member of an object. */
export interface Member<T, R extends boolean = boolean> {
  readonly shape: Shape<T>;
  readonly required: R;
}

export function required<T>(shape: Shape<T>): Member<T, true> {
  return { shape, required: true };
}

export function optional<T>(shape: Shape<T>): Member<T, false> {
  return { shape, required: false };
}

type Members = Readonly<Record<string, Member<unknown>>>;
type ValueOf<M> = M extends Member<infer T> ? T : never;
/** The type of the value read for an object with these members. */
export type ObjectOf<M extends Members> = {
  readonly [K in keyof M as M[K] extends Member<unknown, true> ? K : never]: ValueOf<M[K]>;
} & { readonly [K in keyof M as M[K] extends Member<unknown, true> ? never : K]?: ValueOf<M[K]> };

/** Examples of members that must be given, for messages. */
const EXAMPLES: ReadonlyMap<string, string> = new Map([
  ['nodes', '4'],
  ['coresPerNode', '16'],
  ['speed', '4Gf'],
  ['link', '{ latency: 1us, bandwidth: 10GB/s }'],
  ['eagerBelow', '64KiB'],
  ['latency', '1us'],
  ['bandwidth', '10GB/s'],
  ['send', '300ns'],
  ['receive', '300ns'],
  ['cv', '0.1'],
  ['spread', '0.1'],
]);

/** The end of a message about a missing member: an example. */
export function exampleOf(name: string): string {
  const example = EXAMPLES.get(name);
  return example === undefined ? '' : `, for instance ${name}: ${example}`;
}

/** An object with these members and no others. `what` names the object in messages, for example `the machine`. */
export function object<M extends Members>(
  what: string,
  members: M,
  options: { readonly description?: string; readonly rules?: Schema } = {},
): Shape<ObjectOf<M>> {
  const { description, rules = {} } = options;
  const names = Object.keys(members);
  const needed = names.filter((name) => members[name]!.required);
  return {
    schema: {
      ...(description === undefined ? {} : { description }),
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, members[name]!.shape.schema])),
      ...(needed.length === 0 ? {} : { required: needed }),
      additionalProperties: false,
      ...rules,
    },
    read(value, path, report) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        report('MACH007', `expected an object with ${names.join(', ')}; got ${shown(value)}`, path);
        return undefined;
      }
      let sound = true;
      const wrong: Report = (...problem) => {
        sound = false;
        report(...problem);
      };
      const read: Record<string, unknown> = {};
      for (const [name, given] of Object.entries(value)) {
        if (given === undefined) continue;
        const at = [...path, name];
        if (Object.hasOwn(members, name)) read[name] = members[name]!.shape.read(given, at, wrong);
        else wrong('MACH005', `${what} has no ${quote(name)}.${didYouMean(name, names)}`, at, 'key');
      }
      for (const name of needed)
        if (!Object.hasOwn(value, name) || (value as Record<string, unknown>)[name] === undefined)
          wrong('MACH006', `${what} lacks ${quote(name)}${exampleOf(name)}`, path);
      return sound ? (read as ObjectOf<M>) : undefined;
    },
  };
}

/** One of several words. */
export function oneOf<W extends string>(words: readonly W[], description: string): Shape<W> {
  return {
    schema: { description, enum: words },
    read(value, path, report) {
      const found = words.find((word) => word === value);
      if (found !== undefined) return found;
      if (typeof value === 'string')
        report('MACH009', `expected ${words.join(' or ')}, got ${quote(value)}.${didYouMean(value, words)}`, path);
      else report('MACH007', `expected ${words.join(' or ')}, got ${shown(value)}`, path);
      return undefined;
    },
  };
}

/** An object whose member `kind` selects one of several shapes, or one of `words` as a short form of `{ kind: word }`. */
export function kinds<T>(
  what: string,
  shapes: Readonly<Record<string, Shape<T>>>,
  words: readonly string[],
  description: string,
): Shape<T> {
  const known = Object.keys(shapes);
  return {
    schema: { description, oneOf: [...words.map((word) => ({ const: word })), ...known.map((k) => shapes[k]!.schema)] },
    read(value, path, report) {
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
      const word = isObject ? (value as { readonly kind?: unknown }).kind : value;
      if (typeof word !== 'string') {
        if (isObject && word === undefined) report('MACH006', `${what} lacks "kind": ${known.join(', ')}`, path);
        else
          report(
            'MACH007',
            `expected one of ${known.join(', ')}; got ${shown(word)}`,
            isObject ? [...path, 'kind'] : path,
          );
        return undefined;
      }
      const at = isObject ? [...path, 'kind'] : path;
      const shape = Object.hasOwn(shapes, word) ? shapes[word] : undefined;
      if (shape === undefined) report('MACH009', `${what} cannot be ${quote(word)}.${didYouMean(word, known)}`, at);
      else if (!isObject && !words.includes(word))
        report('MACH009', `${quote(word)} requires parameters: write { kind: ${word}, … }`, at);
      return shape?.read(isObject ? value : { kind: word }, path, report);
    },
  };
}

/** The constant value of `kind` in an object of this kind. */
export function word<W extends string>(only: W): Shape<W> {
  return { schema: { const: only }, read: () => only };
}
