import type { Kinds, List, MemberOf, ObjectForm, Schema, Word, Words } from '../base/form.ts';
import type { Expression } from './expression.ts';

/*
 * The structure of a net, as data. Reader and writer of the JSON form, its JSON Schema and the check of the shape of nets from
 * plain JavaScript follow from it; `net-form.ts` describes the parts.
 */

/** A form of a part of a net. */
export type NetForm = Leaf | Word | Words | List<NetForm> | ObjectForm<NetForm> | Kinds<NetForm> | ByName;

/** A part that is not made of others. */
interface Leaf {
  /**
   * - `servers`: a word or a number
   * - `expression`, and `located`: one whose position problems name
   * - `delay`: an expression or a distribution
   * - `integers`, `reals`: a column of a table
   * - `samples`: data of a distribution
   * - `tokens`: an initial marking, in JSON with enumerated and boolean values as such
   * - `marking`: numbers of tokens by place
   */
  readonly kind:
    | 'text'
    | 'boolean'
    | 'integer'
    | 'number'
    | 'servers'
    | 'expression'
    | 'located'
    | 'delay'
    | 'integers'
    | 'reals'
    | 'samples'
    | 'tokens'
    | 'marking';
  readonly schema: Schema;
  /** True for a column that may be paged. */
  readonly paged?: true;
}

/** An object with arbitrary names. */
interface ByName {
  readonly kind: 'by name';
  readonly values: NetForm;
}

/** A member of an object in JSON. In memory, one with a default is always there. */
export interface NetMember extends MemberOf<NetForm> {
  /** Makes the value of an omitted member. */
  readonly preset?: () => unknown;
  /** True if its value is written on several lines. */
  readonly lines?: true;
  /** True for the value that is omitted. */
  readonly omitted?: (value: never) => boolean;
}

export type NetObject = ObjectForm<NetForm> & { readonly members: NetMembers };
export type NetMembers = Readonly<Record<string, NetMember>>;

export const leaf = (kind: Leaf['kind'], schema: Schema): Leaf => ({ kind, schema });

const ref = (name: string): Schema => ({ $ref: `#/$defs/${name}` });
export const numbersOf = (entry: Schema): Schema => ({
  type: 'array',
  items: { anyOf: [entry, { type: 'array', prefixItems: [COUNT.schema, entry], items: false, minItems: 2 }] },
});

const WHOLE: Schema = { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
export const TEXT: Leaf = leaf('text', { type: 'string' });
export const NAME: Leaf = leaf('text', { type: 'string', minLength: 1 });
export const BOOLEAN: Leaf = leaf('boolean', { type: 'boolean' });
export const INTEGER: Leaf = leaf('integer', WHOLE);
export const COUNT: Leaf = leaf('integer', { ...WHOLE, minimum: 1 });
export const COUNT_OR_NONE: Leaf = leaf('integer', { ...WHOLE, minimum: 0 });
export const NOT_NEGATIVE: Leaf = leaf('number', { type: 'number', minimum: 0 });
export const NUMBER: Leaf = leaf('number', { type: 'number' });
export const POSITIVE: Leaf = leaf('number', { type: 'number', exclusiveMinimum: 0 });
export const EXPRESSION: Leaf = leaf('expression', ref('expression'));
export const LOCATED: Leaf = leaf('located', ref('expression'));
export const DELAY: Leaf = leaf('delay', ref('delay'));
export const INTEGERS: Leaf = leaf('integers', ref('integers'));
export const REALS: Leaf = leaf('reals', ref('numbers'));

export const need = (form: NetForm): NetMember => ({ form, required: true });
export const may = (form: NetForm, schema: Schema = {}): NetMember => ({ form, required: false, schema });

/** A number of servers: a word, or an integer from 1 on. */
export const serversOr = (of: readonly string[]): Leaf => leaf('servers', { anyOf: [{ enum: of }, COUNT.schema] });

/** A member that is omitted if it has this value. */
export const usually = (value: string | number | boolean, form: NetForm, schema: Schema = {}): NetMember => ({
  ...may(form, schema),
  preset: () => value,
  omitted: (given) => given === value,
});
/** A member that is omitted if it is an empty list. */
export const some = (form: NetForm, schema: Schema = {}): NetMember => ({
  ...may(form, schema),
  preset: () => [],
  omitted: (given: readonly unknown[]) => given.length === 0,
});
/** A member by name that is omitted if it is empty. */
export const someByName = (values: NetForm): NetMember => ({
  ...may({ kind: 'by name', values }),
  preset: () => ({}),
  omitted: (given: object) => Object.keys(given).length === 0,
});
/** A number of tokens that is omitted if it is 1. */
export const oneUnlessGiven: NetMember = {
  ...may(EXPRESSION),
  preset: (): Expression => ({ op: 'const', value: 1 }),
  omitted: (e: Expression) => e.op === 'const' && e.value === 1 && e.colour === undefined,
};

/** The same member, written on several lines. */
export const inLines = (member: NetMember): NetMember => ({ ...member, lines: true });

export const words = (of: readonly string[]): Words => ({ kind: 'words', words: of });
export const list = (items: NetForm, min = 0): List<NetForm> => ({
  kind: 'list',
  items,
  min,
  max: Number.POSITIVE_INFINITY,
});
export const object = (members: NetMembers): NetObject => ({ kind: 'object', what: '', members });

/** Objects of several kinds with some members in common, and their own. */
export function kinds<K extends string>(
  tag: string,
  own: Readonly<Record<K, NetMembers>>,
  common: NetMembers = {},
): Kinds<NetForm> & { readonly forms: Readonly<Record<K, NetObject>> } {
  const forms = Object.entries<NetMembers>(own).map(([word, members]) => [
    word,
    object({ ...common, [tag]: need({ kind: 'word', word }), ...members }),
  ]);
  return { kind: 'kinds', what: '', tag, forms: Object.fromEntries(forms), words: [] };
}

/** True for a member that every part in memory has: it is required, or has a default. */
export const isAlways = ({ required, preset }: NetMember): boolean => required || preset !== undefined;

/** The members in the order of parts in memory: kind, name, columns of a table, and the optional ones last. */
export function inMemory(members: NetMembers): [name: string, member: NetMember][] {
  const order = ([name, member]: [string, NetMember]): number => {
    const { kind } = member.form;
    if (kind === 'word') return 0;
    if (name === 'name') return 1;
    if (kind === 'integers' || kind === 'reals') return 2;
    return isAlways(member) ? 3 : 4;
  };
  return Object.entries(members).sort((a, b) => order(a) - order(b));
}
