import { type Schema, structureSchema } from '../../base/form.ts';
import { BINARY, UNARY } from '../expression.ts';
import {
  BOOLEAN,
  COUNT_OR_NONE,
  EXPRESSION,
  leaf,
  NAME,
  type NetForm,
  need,
  numbersOf,
  object,
  TEXT,
} from '../form.ts';
import { COLOUR, DISTRIBUTION, FIELD, NET, PLACE, SERVICE, TABLE, TRANSITION } from '../net-form.ts';

const anyOf = (...choices: readonly Schema[]): Schema => ({ anyOf: choices });
const list = (items: Schema): Schema => ({ type: 'array', items });
const oneOf = (words: readonly string[]): Schema => ({ enum: words });
const tuple = (...items: readonly Schema[]): Schema => ({
  type: 'array',
  prefixItems: items,
  items: false,
  minItems: items.length,
});

const NUMBER: Schema = { $ref: '#/$defs/number' };

/** Parts that are defined once. */
const DEFINED: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [COLOUR, 'colour'],
  [FIELD, 'field'],
  [TABLE, 'table'],
  [PLACE, 'place'],
  [SERVICE, 'service'],
  [TRANSITION, 'transition'],
  [DISTRIBUTION, 'distribution'],
]);

const schemaOf = (form: NetForm): Schema => {
  const name = DEFINED.get(form);
  return name === undefined ? definitionOf(form) : { $ref: `#/$defs/${name}` };
};

function definitionOf(form: NetForm): Schema {
  if ('schema' in form) return form.schema;
  if (form.kind === 'by name') return { type: 'object', additionalProperties: schemaOf(form.values) };
  return structureSchema(form, schemaOf);
}

const expression = anyOf(
  { type: 'number' },
  { type: 'string', description: 'The name of a variable.' },
  tuple(oneOf(UNARY), EXPRESSION.schema),
  tuple(oneOf(BINARY), EXPRESSION.schema, EXPRESSION.schema),
  tuple({ const: 'if' }, EXPRESSION.schema, EXPRESSION.schema, EXPRESSION.schema),
  tuple(oneOf(['at', 'step']), NAME.schema, EXPRESSION.schema),
  tuple({ const: 'value' }, NAME.schema, TEXT.schema),
  tuple({ const: 'const' }, NUMBER),
);

const value = anyOf({ type: 'number' }, BOOLEAN.schema, TEXT.schema);
const INT_32: Schema = { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };

/**
 * The JSON form of a net as a JSON Schema, for editors and other programs: `schema/net.schema.json`. Everything that
 * the reader accepts is valid. The converse does not hold: the schema does not check that names exist, colours fit, or
 * expressions are within the nesting limit.
 */
export const netSchema: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'A timed coloured Petri net',
  ...definitionOf(NET),
  $defs: {
    colour: definitionOf(COLOUR),
    field: definitionOf(FIELD),
    number: {
      description: 'A number that may be infinite.',
      ...anyOf({ type: 'number' }, oneOf(['Infinity', '-Infinity'])),
    },
    numbers: { description: 'Numbers; [n, v] means n times v.', ...numbersOf(NUMBER) },
    integers: { description: '32-bit integers; [n, v] means n times v.', ...numbersOf(INT_32) },
    table: definitionOf(TABLE),
    place: definitionOf(PLACE),
    tokens: {
      description: 'The column values of one token, or of several equal tokens.',
      ...anyOf(
        list(value),
        definitionOf(object({ count: need(COUNT_OR_NONE), values: need(leaf('tokens', list(value))) })),
      ),
    },
    service: definitionOf(SERVICE),
    transition: definitionOf(TRANSITION),
    expression: { description: 'A number, a variable, or an operator with its operands.', ...expression },
    delay: {
      description: 'Seconds, or a distribution of them.',
      ...anyOf(EXPRESSION.schema, schemaOf(DISTRIBUTION)),
    },
    distribution: definitionOf(DISTRIBUTION),
  },
};
