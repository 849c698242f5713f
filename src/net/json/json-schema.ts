import type { Form, Parameter } from '../distributions/form.ts';
import { LAWS } from '../distributions/laws.ts';
import { BINARY, UNARY } from '../expression.ts';
import {
  ARC_KINDS,
  CLOCKS,
  COLOUR_MEMBERS,
  DISTRIBUTION_MEMBERS,
  kindsOf,
  ORDERS,
  PLACE_KINDS,
  SERVICE_MEMBERS,
  TABLE_MEMBERS,
  TABLE_OPTIONS,
  TIMINGS,
  TRANSITION_KINDS,
} from '../kinds.ts';
import { FORMAT, VERSION } from './json-format.ts';

/** A JSON Schema (draft 2020-12), or a part of one. */
export type Schema = { readonly [keyword: string]: unknown };

const STRING: Schema = { type: 'string' };
const NAME: Schema = { type: 'string', minLength: 1 };
const BOOLEAN: Schema = { type: 'boolean' };
const INTEGER: Schema = { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
const COUNT: Schema = { ...INTEGER, minimum: 1 };
const COUNT_OR_NONE: Schema = { ...INTEGER, minimum: 0 };
const INT_32: Schema = { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };
const NOT_NEGATIVE: Schema = { type: 'number', minimum: 0 };

const ref = (name: string): Schema => ({ $ref: `#/$defs/${name}` });
const anyOf = (...choices: readonly Schema[]): Schema => ({ anyOf: choices });
const oneOf = (words: readonly string[]): Schema => ({ enum: words });
const list = (items: Schema): Schema => ({ type: 'array', items });
const some = (items: Schema): Schema => ({ type: 'array', items, minItems: 1 });
const byName = (values: Schema): Schema => ({ type: 'object', additionalProperties: values });
const tuple = (...items: readonly Schema[]): Schema => ({
  type: 'array',
  prefixItems: items,
  items: false,
  minItems: items.length,
});
const object = (properties: Readonly<Record<string, Schema>>, required: readonly string[]): Schema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

/** One object schema for each kind, with the members of that kind and the members common to all. */
function kinds<K extends string>(
  tag: string,
  members: Readonly<Record<K, readonly string[]>>,
  shapes: Readonly<Record<string, Schema>>,
  all: Readonly<Record<string, Schema>> = {},
  optional?: Readonly<Record<K, readonly string[]>>,
): Schema {
  const choices = kindsOf(members).map((kind) => {
    const own = [...members[kind], ...(optional?.[kind] ?? [])].map(
      (name) => [name, shapes[`${kind} ${name}`] ?? shapes[name]!] as const,
    );
    return object({ ...all, [tag]: { const: kind }, ...Object.fromEntries(own) }, [
      ...Object.keys(all),
      tag,
      ...members[kind],
    ]);
  });
  return { oneOf: choices };
}

const NUMBER = ref('number');
const EXPRESSION = ref('expression');
const FIELDS = list(ref('field'));
const REALS = ref('numbers');
const INTEGERS = ref('integers');

/** A list of numbers in which `[n, v]` means n times v. */
function numbers(entry: Schema): Schema {
  return list(anyOf(entry, tuple(COUNT, entry)));
}

const place = object(
  {
    name: NAME,
    kind: oneOf(PLACE_KINDS),
    fields: FIELDS,
    order: { ...oneOf(ORDERS), default: 'bag' },
    key: { ...list(NAME), description: 'Columns: tokens with equal values in them form a queue.' },
    priority: EXPRESSION,
    service: ref('service'),
    capacity: COUNT_OR_NONE,
    initial: list(ref('tokens')),
    owner: NAME,
    modules: list(NAME),
  },
  ['name', 'fields'],
);

const transition = object(
  {
    name: NAME,
    kind: oneOf(TRANSITION_KINDS),
    process: EXPRESSION,
    inputs: list(
      object({ kind: oneOf(ARC_KINDS), place: NAME, pattern: byName(EXPRESSION), count: { ...COUNT, default: 1 } }, [
        'kind',
        'place',
      ]),
    ),
    free: { ...FIELDS, description: 'Variables that range over their colour sets.' },
    guard: EXPRESSION,
    priority: { ...INTEGER, default: 0 },
    weight: EXPRESSION,
    delay: ref('delay'),
    timing: { ...oneOf(TIMINGS), default: 'holding' },
    servers: { ...oneOf(CLOCKS), description: 'For the timing "race".' },
    outputs: list(object({ place: NAME, values: byName(EXPRESSION), count: EXPRESSION }, ['place'])),
    label: object({ name: NAME, exports: byName(STRING) }, ['name']),
    modules: list(NAME),
  },
  ['name', 'inputs', 'outputs'],
);

const service = kinds('kind', SERVICE_MEMBERS, {
  links: list(
    object({ name: STRING, capacity: { type: 'number', exclusiveMinimum: 0 }, fatpipe: BOOLEAN, level: BOOLEAN }, [
      'name',
      'capacity',
    ]),
  ),
  amount: EXPRESSION,
  weight: EXPRESSION,
  bound: EXPRESSION,
  routes: NAME,
  route: EXPRESSION,
  servers: COUNT,
  time: ref('delay'),
  priority: EXPRESSION,
  preemptive: BOOLEAN,
});

const parameter = ({ known }: Parameter): Schema => (known ? NOT_NEGATIVE : EXPRESSION);

function memberSchema(form: Form[string]): Schema {
  if (form.kind === 'parameter') return parameter(form);
  if (form.kind === 'samples') return { ...numbers(NOT_NEGATIVE), minItems: 1 };
  const members = Object.entries(form.members).map(([name, p]) => [name, parameter(p)]);
  return some(object(Object.fromEntries(members), Object.keys(form.members)));
}

const distribution = kinds(
  'dist',
  DISTRIBUTION_MEMBERS,
  Object.fromEntries(
    Object.values(LAWS).flatMap(({ form }) =>
      Object.entries<Form[string]>(form).map(([name, member]) => [name, memberSchema(member)]),
    ),
  ),
);

const expression = anyOf(
  { type: 'number' },
  { type: 'string', description: 'The name of a variable.' },
  tuple(oneOf(UNARY), EXPRESSION),
  tuple(oneOf(BINARY), EXPRESSION, EXPRESSION),
  tuple({ const: 'if' }, EXPRESSION, EXPRESSION, EXPRESSION),
  tuple(oneOf(['at', 'step']), NAME, EXPRESSION),
  tuple({ const: 'value' }, NAME, STRING),
  tuple({ const: 'const' }, NUMBER),
);

const value = anyOf({ type: 'number' }, BOOLEAN, STRING);

/**
 * The JSON form of a net as a JSON Schema, for editors and other programs: `schema/net.schema.json`. Everything that
 * the reader accepts is valid. The converse does not hold: the schema does not check that names exist, colours fit, or
 * expressions are within the nesting limit.
 */
export const netSchema: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'A timed coloured Petri net',
  ...object(
    {
      format: { const: FORMAT },
      version: { const: VERSION },
      name: STRING,
      colours: list(ref('colour')),
      tables: list(ref('table')),
      places: list(ref('place')),
      transitions: list(ref('transition')),
      processes: object({ colour: NAME, ended: NAME }, ['colour', 'ended']),
      finalMarkings: {
        ...list(byName(COUNT_OR_NONE)),
        description: 'Markings in which a run may end: token counts of all colours by place; other places are empty.',
      },
      untimed: {
        type: 'boolean',
        description:
          'True for a net without delays that has a transition without input; a simulation assumes equal delays.',
      },
    },
    ['format', 'version', 'name', 'colours', 'tables', 'places', 'transitions'],
  ),
  $defs: {
    colour: kinds(
      'kind',
      COLOUR_MEMBERS,
      { low: INTEGER, high: INTEGER, values: some(STRING), parts: list(NAME), fields: FIELDS },
      { name: NAME },
    ),
    field: object({ name: NAME, colour: NAME }, ['name', 'colour']),
    number: {
      description: 'A number that may be infinite.',
      ...anyOf({ type: 'number' }, oneOf(['Infinity', '-Infinity'])),
    },
    numbers: { description: 'Numbers; [n, v] means n times v.', ...numbers(NUMBER) },
    integers: { description: '32-bit integers; [n, v] means n times v.', ...numbers(INT_32) },
    table: kinds(
      'kind',
      TABLE_MEMBERS,
      {
        low: INTEGER,
        high: INTEGER,
        values: REALS,
        'int values': INTEGERS,
        from: REALS,
        start: INTEGERS,
        link: INTEGERS,
        coefficient: REALS,
        colour: NAME,
      },
      { name: NAME },
      TABLE_OPTIONS,
    ),
    place,
    tokens: {
      description: 'The column values of one token, or of several equal tokens.',
      ...anyOf(list(value), object({ count: COUNT_OR_NONE, values: list(value) }, ['count', 'values'])),
    },
    service,
    transition,
    expression: { description: 'A number, a variable, or an operator with its operands.', ...expression },
    delay: { description: 'Seconds, or a distribution of them.', ...anyOf(EXPRESSION, ref('distribution')) },
    distribution,
  },
};
