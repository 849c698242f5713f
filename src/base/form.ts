import { isDeepStrictEqual } from 'node:util';
import { type Dimension, type LowerBound, quantityPattern } from './units.ts';

/*
 * The structure of a document, as data. Its JSON Schema, its readers, writers and checks follow from it, so that each part is described once:
 *
 *   object('the link', { latency: required(amount('time', 'zero', 'Latency.'), '1us') })
 */

/** A JSON Schema (draft 2020-12), or a part of one. */
export type Schema = { readonly [keyword: string]: unknown };

/** Forms that are made of other forms, or of words: common to all documents. `F` are the forms of one kind of document. */
export type Structure<F> = Word | Words | List<F> | ObjectForm<F> | Kinds<F>;

/** One word only: the value of the tag in an object of one kind. */
export interface Word {
  readonly kind: 'word';
  readonly word: string;
}

/** One of several words. */
export interface Words {
  readonly kind: 'words';
  readonly words: readonly string[];
  readonly description?: string;
}

/** A list of `min` to `max` items of one form. */
export interface List<F> {
  readonly kind: 'list';
  readonly items: F;
  readonly min: number;
  readonly max: number;
  readonly description?: string;
}

/** A member of an object. */
export interface MemberOf<F> {
  readonly form: F;
  readonly required: boolean;
  /** More of its schema. */
  readonly schema?: Schema;
  /** A value, for messages about a missing member. */
  readonly example?: string | undefined;
}

/** An object with these members and no others. */
export interface ObjectForm<F> {
  readonly kind: 'object';
  /** In messages: `the machine`. */
  readonly what: string;
  readonly members: Readonly<Record<string, MemberOf<F>>>;
  readonly description?: string;
  /** Rules of the schema that members alone cannot express. */
  readonly rules?: Schema;
  /** Words of other tools for members, for messages about unknown ones: `{ hosts: 'nodes' }`. */
  readonly otherWords?: Readonly<Record<string, string>>;
}

/** An object whose member `tag` selects one of several forms, or one of `words` as a short form of `{ tag: word }`. */
export interface Kinds<F> {
  readonly kind: 'kinds';
  /** In messages: `the network`. */
  readonly what: string;
  readonly tag: string;
  readonly forms: Readonly<Record<string, ObjectForm<F>>>;
  readonly words: readonly string[];
  readonly description?: string;
}

/** JSON Schema of a structure, given that of its parts. */
export function structureSchema<F>(form: Structure<F>, schemaOf: (form: F) => Schema): Schema {
  if (form.kind === 'word') return { const: form.word };
  const said = form.description === undefined ? {} : { description: form.description };
  switch (form.kind) {
    case 'words':
      return { ...said, enum: form.words };
    case 'list': {
      const { min, max } = form;
      const lengths = {
        ...(min > 0 ? { minItems: min } : {}),
        ...(max < Number.POSITIVE_INFINITY ? { maxItems: max } : {}),
      };
      return { ...said, type: 'array', items: schemaOf(form.items), ...lengths };
    }
    case 'object': {
      const members = Object.entries(form.members);
      const needed = members.filter(([, { required }]) => required).map(([name]) => name);
      return {
        ...said,
        type: 'object',
        properties: Object.fromEntries(
          members.map(([name, { form, schema }]) => [name, { ...schemaOf(form), ...schema }]),
        ),
        ...(needed.length === 0 ? {} : { required: needed }),
        additionalProperties: false,
        ...form.rules,
      };
    }
    case 'kinds': {
      const objects = Object.values(form.forms).map((one) => structureSchema(one, schemaOf));
      return { ...said, oneOf: [...form.words.map((word) => ({ const: word })), ...objects] };
    }
  }
}

/** A form of values that are read as `T`. */
export type Form<T = unknown> = (
  | Amount
  | Count
  | Fraction
  | Text
  | Word
  | Words
  | List<Form>
  | ObjectForm<Form>
  | Kinds<Form>
) & {
  /** Type only; absent at run time. */
  readonly read?: T;
};

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

/** A member that is read as `T`. */
export interface Member<T = unknown, R extends boolean = boolean> extends MemberOf<Form<T>> {
  readonly required: R;
  /** Its value where it is omitted, which may follow from other members; absent: it has none then. */
  readonly preset?: (given: never) => T | undefined;
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

/** An optional member that has a value where it is omitted: the same for all objects, or computed from their other members. */
export function usually<T, G>(
  preset: (T & (string | number | object)) | ((given: G) => T | undefined),
  form: Form<T>,
  example?: string,
): Member<T, false> {
  return { ...optional(form, example), preset: typeof preset === 'function' ? (preset as never) : () => preset };
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
  options: Pick<ObjectForm<Form>, 'description' | 'rules' | 'otherWords'> = {},
): Omit<ObjectForm<Form>, 'members'> & { readonly members: M; readonly read?: ObjectOf<M> } {
  return { kind: 'object', what, members, ...options };
}

export function kinds<F extends Kinds<Form>['forms']>(
  what: string,
  forms: F,
  words: readonly string[],
  description: string,
): Form<FormOf<F[keyof F]>> {
  return { kind: 'kinds', what, tag: 'kind', forms, words, description };
}

/** JSON Schema of all values of a form, as far as the schema language can express it. */
export function schemaOf(form: Form): Schema {
  switch (form.kind) {
    case 'amount': {
      const range = form.from === 'zero' ? { minimum: 0 } : { exclusiveMinimum: 0 };
      const withUnit = { type: 'string', pattern: quantityPattern(form.dimension) };
      return { description: form.description, anyOf: [{ type: 'number', ...range }, withUnit] };
    }
    case 'count':
      return { description: form.description, type: 'integer', minimum: 1, maximum: form.max };
    case 'fraction':
      return { description: form.description, type: 'number', minimum: 0, maximum: form.max };
    case 'text': {
      const pattern = form.rule === undefined ? {} : { pattern: form.rule.pattern };
      return { description: form.description, type: 'string', ...pattern };
    }
    default:
      return structureSchema(form, schemaOf);
  }
}

/* The writer of documents, and the values of members that they omit. Both follow from the form, as the reader does. */

type Values = Readonly<Record<string, unknown>>;

/** A value with all omitted members that have one, at every depth; members without a value are removed. */
export function withPresets<T>(form: Form<T>, value: T): T;
export function withPresets(form: Form, value: unknown): unknown {
  switch (form.kind) {
    case 'list':
      return (value as readonly unknown[]).map((item) => withPresets(form.items, item));
    case 'object':
      return membersOf(form, value as Values, (given, preset, of) => {
        const one = given ?? preset;
        return one === undefined ? undefined : withPresets(of, one);
      });
    case 'kinds':
      return withPresets(form.forms[(value as Values)[form.tag] as string]! as Form, value);
    default:
      return value;
  }
}

/**
 * The shortest plain value that reads as this one: without members that are read as the same if omitted, and with words
 * instead of objects that have nothing but their tag.
 *
 * @param amount how a quantity is written
 */
export function writeForm(
  form: Form,
  value: unknown,
  amount: (dimension: Dimension, value: number) => unknown,
): unknown {
  switch (form.kind) {
    case 'amount':
      return amount(form.dimension, value as number);
    case 'list':
      return (value as readonly unknown[]).map((item) => writeForm(form.items, item, amount));
    case 'object':
      return membersOf(form, value as Values, (given, preset, of) =>
        given === undefined || isDeepStrictEqual(given, preset) ? undefined : writeForm(of, given, amount),
      );
    case 'kinds': {
      const tag = (value as Values)[form.tag] as string;
      const written = writeForm(form.forms[tag]! as Form, value, amount) as object;
      return form.words.includes(tag) && Object.keys(written).length === 1 ? tag : written;
    }
    default:
      return value;
  }
}

/** An object with a member for each that `of` makes something of, in the order of the form. */
function membersOf(
  form: ObjectForm<Form>,
  value: Values,
  of: (given: unknown, preset: unknown, form: Form) => unknown,
): Values {
  const members = Object.entries((form as { readonly members: Members }).members).map(
    ([name, { form, preset }]) => [name, of(value[name], preset?.(value as never), form)] as const,
  );
  return Object.fromEntries(members.filter(([, one]) => one !== undefined));
}
