import { type Dimension, type LowerBound, quantityPattern } from './units.ts';

/*
 * What a document is made of, as data. Its type, its JSON Schema and its reader follow from it, so that each part is described once:
 *
 *   object('the link', { latency: required(amount('time', 'zero', 'Latency.'), '1us') })
 */

/** A JSON Schema (draft 2020-12), or a part of one. */
export type Schema = { readonly [keyword: string]: unknown };

/** A form of values that are read as `T`. */
export type Form<T = unknown> = Plain & {
  /** Type only; absent at run time. */
  readonly read?: T;
};

type Plain = Amount | Count | Fraction | Text | Word | Words | List | ObjectForm | Kinds;

/** A quantity: a number in SI units, or a string with a unit. */
interface Amount {
  readonly kind: 'amount';
  readonly dimension: Dimension;
  readonly from: LowerBound;
  readonly description: string;
}

/** An integer from 1 to `max`. */
interface Count {
  readonly kind: 'count';
  readonly max: number;
  readonly description: string;
}

/** A number without a unit, from 0 to `max`. */
interface Fraction {
  readonly kind: 'fraction';
  readonly max: number;
  readonly description: string;
}

/** A string, optionally with a pattern; `words` describes the pattern in messages. */
interface Text {
  readonly kind: 'text';
  readonly description: string;
  readonly rule?: { readonly pattern: string; readonly words: string };
}

/** The constant value of `kind` in an object of this kind. */
interface Word {
  readonly kind: 'word';
  readonly word: string;
}

/** One of several words. */
interface Words {
  readonly kind: 'words';
  readonly words: readonly string[];
  readonly description: string;
}

/** A list of `min` to `max` items of one form. */
interface List {
  readonly kind: 'list';
  readonly items: Form;
  readonly min: number;
  readonly max: number;
  readonly description: string;
}

/** An object with these members and no others. `what` names the object in messages, for example `the machine`. */
export interface ObjectForm {
  readonly kind: 'object';
  readonly what: string;
  readonly members: Members;
  readonly description?: string;
  /** Rules of the schema that members alone cannot express. */
  readonly rules?: Schema;
}

/** An object whose member `kind` selects one of several forms, or one of `words` as a short form of `{ kind: word }`. */
interface Kinds {
  readonly kind: 'kinds';
  readonly what: string;
  readonly forms: Readonly<Record<string, Form>>;
  readonly words: readonly string[];
  readonly description: string;
}

/** A member of an object. */
export interface Member<T = unknown, R extends boolean = boolean> {
  readonly form: Form<T>;
  readonly required: R;
  /** A value, for messages about a missing member. */
  readonly example: string | undefined;
}

export type Members = Readonly<Record<string, Member>>;

type Needed<M extends Members> = { [K in keyof M]: M[K] extends Member<unknown, true> ? K : never }[keyof M];
type ValueOf<M> = M extends Member<infer T> ? T : never;
/** The type of the value read for an object with these members. */
export type ObjectOf<M extends Members> = { readonly [K in keyof M & Needed<M>]: ValueOf<M[K]> } & {
  readonly [K in Exclude<keyof M, Needed<M>>]?: ValueOf<M[K]>;
};

/** The type of the value read. */
export type FormOf<F> = F extends Form<infer T> ? T : never;

export function required<T>(form: Form<T>, example?: string): Member<T, true> {
  return { form, required: true, example };
}

export function optional<T>(form: Form<T>, example?: string): Member<T, false> {
  return { form, required: false, example };
}

export function amount(dimension: Dimension, from: LowerBound, description: string): Form<number> {
  return { kind: 'amount', dimension, from, description };
}

export function count(max: number, description: string): Form<number> {
  return { kind: 'count', max, description };
}

export function fraction(max: number, description: string): Form<number> {
  return { kind: 'fraction', max, description };
}

export function text(description: string, rule?: NonNullable<Text['rule']>): Form<string> {
  return { kind: 'text', description, ...(rule === undefined ? {} : { rule }) };
}

export function word<W extends string>(only: W): Form<W> {
  return { kind: 'word', word: only };
}

export function oneOf<const W extends string>(words: readonly W[], description: string): Form<W> {
  return { kind: 'words', words, description };
}

export function list<T>(items: Form<T>, min: number, max: number, description: string): Form<readonly T[]> {
  return { kind: 'list', items, min, max, description };
}

export function object<M extends Members>(
  what: string,
  members: M,
  options: Pick<ObjectForm, 'description' | 'rules'> = {},
): Form<ObjectOf<M>> & ObjectForm {
  return { kind: 'object', what, members, ...options };
}

export function kinds<F extends Kinds['forms']>(
  what: string,
  forms: F,
  words: readonly string[],
  description: string,
): Form<FormOf<F[keyof F]>> {
  return { kind: 'kinds', what, forms, words, description };
}

/** JSON Schema of all values of a form, as far as the schema language can express it. */
export function schemaOf(form: Form): Schema {
  const description = 'description' in form ? form.description : undefined;
  const said = description === undefined ? {} : { description };
  switch (form.kind) {
    case 'amount': {
      const range = form.from === 'zero' ? { minimum: 0 } : { exclusiveMinimum: 0 };
      const withUnit = { type: 'string', pattern: quantityPattern(form.dimension) };
      return { ...said, anyOf: [{ type: 'number', ...range }, withUnit] };
    }
    case 'count':
      return { ...said, type: 'integer', minimum: 1, maximum: form.max };
    case 'fraction':
      return { ...said, type: 'number', minimum: 0, maximum: form.max };
    case 'text':
      return { ...said, type: 'string', ...(form.rule === undefined ? {} : { pattern: form.rule.pattern }) };
    case 'word':
      return { const: form.word };
    case 'words':
      return { ...said, enum: form.words };
    case 'list':
      return { ...said, type: 'array', items: schemaOf(form.items), minItems: form.min, maxItems: form.max };
    case 'object': {
      const members = Object.entries(form.members);
      const needed = members.filter(([, member]) => member.required).map(([name]) => name);
      return {
        ...said,
        type: 'object',
        properties: Object.fromEntries(members.map(([name, member]) => [name, schemaOf(member.form)])),
        ...(needed.length === 0 ? {} : { required: needed }),
        additionalProperties: false,
        ...form.rules,
      };
    }
    case 'kinds':
      return {
        ...said,
        oneOf: [...form.words.map((only) => ({ const: only })), ...Object.values(form.forms).map(schemaOf)],
      };
  }
}
