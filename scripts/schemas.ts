import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createGenerator, type Schema, type SchemaGenerator } from 'ts-json-schema-generator';
import { RESULT_SCHEMAS } from '../src/commands/schema/result-documents.ts';
import { type Column, type ColumnType, TABLES } from '../src/trace/run/run-schema.ts';
import { schemaText } from './schemas/schema-text.ts';

/* `npm run docs:schema` writes the schemas of result documents and of run records. It needs no build. */

const root = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

/** JSON Schemas of all result documents and of the lines of run records, by file name without `.schema.json`. About 5 s. */
export function generatedSchemas(): ReadonlyMap<string, Schema> {
  // The package has a TypeScript of its own: version 7, which the project uses, has no interface for programs.
  const generator = createGenerator({
    path: root('src/commands/schema/result-documents.ts'),
    tsconfig: root('tsconfig.json'),
    type: '*',
    skipTypeCheck: true,
    additionalProperties: false,
    expose: 'export',
    topRef: false,
    jsDoc: 'extended',
    sortProps: false,
    strictTuples: true,
  });
  const results = Object.entries(RESULT_SCHEMAS).map(
    ([name, { type, title }]) => [name, document(title, schemaOf(generator, type))] as const,
  );
  return new Map([...results, ['run-line', runLine(generator)]]);
}

/** Schema of an exported type, with the definitions it refers to. */
function schemaOf(generator: SchemaGenerator, type: string): Schema {
  const { $schema: _, ...schema } = generator.createSchema(type);
  return converted(schema) as Schema;
}

function document(title: string, { description, ...schema }: Schema): Schema {
  return { $schema: DRAFT, title, ...(description === undefined ? {} : { description }), ...schema };
}

/** Codes of problems are not listed: their number grows with every version. */
const CODE = {
  type: 'string',
  pattern: '^[A-Z]{2,5}[0-9]{3}$',
  description: 'Code of a problem; docs/errors.md explains each.',
};

/** Patterns of the keys of index signatures, which the generator omits, by the type of their values. */
const KEYS: Readonly<Record<string, string>> = {
  '#/definitions/ParameterSetting': '^model\\.',
  '#/definitions/RewardSetting': '^reward\\.',
};

/** Draft 7 to draft 2020-12, with the references of doc comments as names, and open keys as patterns. */
function converted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(converted);
  if (typeof value === 'string') return value.replace(/^#\/definitions\//, '#/$defs/');
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
    if (key === 'description' && typeof member === 'string') return [[key, plain(member)]];
    if (key === 'definitions') return [['$defs', converted('Code' in member ? { ...member, Code: CODE } : member)]];
    const kinds = key === 'additionalProperties' ? ((member as Schema).anyOf ?? [member as Schema]) : [];
    const patterns = kinds.map((kind) => KEYS[(kind as Schema).$ref ?? '']);
    if (patterns.length === 0 || patterns.includes(undefined)) return [[key, converted(member)]];
    return [
      ['patternProperties', Object.fromEntries(kinds.map((kind, k) => [patterns[k]!, converted(kind)]))],
      [key, false],
    ];
  });
  return Object.fromEntries(members.filter(([key, member]) => key !== '$defs' || Object.keys(member ?? {}).length > 0));
}

const plain = (comment: string): string =>
  comment.replace(/\{@link ([^}]*)\}/g, '`$1`').replace(/\s*\n\s*(?!- )/g, ' ');

/** A line of a run record in JSON lines: its head, a row of a table, or its end. */
function runLine(generator: SchemaGenerator): Schema {
  const { properties, required, $defs, ...head } = schemaOf(generator, 'RunHead');
  const { description: _, ...end } = schemaOf(generator, 'RunEnd');
  const rows = Object.entries(TABLES).map(([table, columns]) => ({
    type: 'object',
    description: `A row of the table ${table}.`,
    properties: { table: { const: table }, ...Object.fromEntries(columns.map(cell)) },
    required: ['table', ...columns.filter(({ optional }) => optional !== true).map(({ name }) => name)],
    additionalProperties: false,
  }));
  return {
    $schema: DRAFT,
    title: 'A line of a run record (.jsonl): the first is its head, the last its end',
    // References begin at the root.
    ...($defs === undefined ? {} : { $defs }),
    anyOf: [
      {
        ...head,
        properties: { format: { const: 'foretoken-run' }, version: { const: 1 }, ...properties },
        required: ['format', 'version', ...(required ?? [])],
      },
      ...(rows as Schema[]),
      {
        type: 'object',
        description: 'The end of the record: everything known after its last row.',
        properties: { end },
        required: ['end'],
        additionalProperties: false,
      },
    ],
  };
}

const cell = ({ name, type }: Column): [string, object] => [name, cellSchema(type)];

function cellSchema(type: ColumnType): object {
  if (typeof type === 'object') return { type: 'string', enum: type };
  switch (type) {
    case 'process':
    case 'count':
      return { type: 'integer', minimum: 0 };
    case 'integer':
      return { type: 'integer', minimum: -(2 ** 31) + 1, maximum: 2 ** 31 - 1 };
    case 'seconds':
      return { type: 'number', description: 'Seconds.' };
    case 'amount':
      return { type: 'number', minimum: 0 };
    case 'name':
      return { type: 'string' };
    case 'path':
      return { type: 'string', description: 'Path of an interval: `solve/iteration[1]#3`.' };
  }
}

/** Text of the file `schema/NAME.schema.json`. */
export const schemaFile = (schema: Schema): string => `${schemaText(schema)}\n`;

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [name, schema] of generatedSchemas())
    writeFileSync(root(`schema/${name}.schema.json`), schemaFile(schema));
