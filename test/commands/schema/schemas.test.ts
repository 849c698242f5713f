import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Schema } from 'ts-json-schema-generator';
import { describe, expect, test } from 'vitest';
import { generatedSchemas, schemaFile } from '../../../scripts/schemas.ts';
import { RESULT_SCHEMAS, SCHEMA_NAMES } from '../../../src/commands/schema/result-documents.ts';

const schemas = generatedSchemas();
const ofPrediction = schemas.get('prediction')!;

describe('generated schemas', () => {
  test.each([...schemas.keys()])('%s: the file in the package is up to date', async (name) => {
    await expect(schemaFile(schemas.get(name)!)).toMatchFileSnapshot(`../../../schema/${name}.schema.json`);
  });

  test.each([...schemas])('%s is a strict schema of draft 2020-12', (_, schema) => {
    expect(() =>
      new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false }).compile(schema as object),
    ).not.toThrow();
  });

  test.each(Object.keys(RESULT_SCHEMAS))('%s is the kind that its schema demands', (kind) => {
    const { properties } = schemas.get(kind)!;
    expect(properties).toMatchObject({ format: { const: 'foretoken' }, version: { const: 1 }, kind: { const: kind } });
    expect(schemas.get(kind)!.additionalProperties).toBe(false);
  });

  test('comments of types are descriptions', () => {
    expect(ofPrediction.description).toMatch(/^The result of `foretoken predict`, version 1\./);
    expect(ofPrediction.properties!['seed']).toMatchObject({ description: 'Seed of all random numbers of the run.' });
    const documented = objectsOf(ofPrediction).flatMap(({ properties = {} }) => Object.values(properties));
    const described = documented.filter((s) => typeof s === 'object' && ('description' in s || '$ref' in s));
    expect(described.length / documented.length).toBeGreaterThan(0.85);
  });

  test('objects are closed, except records whose comment says which names are open', () => {
    const open = [...schemas].flatMap(([name, schema]) =>
      objectsOf(schema)
        .filter((s) => s.additionalProperties !== false)
        .map((s) => `${name}: ${s.description ?? Object.keys(s.properties ?? {})}`),
    );
    expect(open.filter((text) => !/ Open: .*(?:names|axes)/.test(text))).toEqual([]);
    expect(open.length).toBeGreaterThan(5);
  });

  test('settings are closed, with parameters and rewards by a pattern of their keys', () => {
    const { properties } = ofPrediction;
    const settings = new Ajv2020({ strict: false }).compile({
      ...(properties!['options'] as object),
      $defs: ofPrediction['$defs'],
    });
    expect(settings({ model: 'm', 'model.n': 4, until: null, bypass: 'no' })).toBe(true);
    for (const wrong of [{ modle: 'm' }, { until: 'x' }, { bypass: 'maybe' }, { 'model.n': [4] }])
      expect(settings(wrong), JSON.stringify(wrong)).toBe(false);
  });
});

test('the folder, the exports of the package and the names of the command are the same', () => {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as { exports: Record<string, unknown> };
  const files = SCHEMA_NAMES.map((name) => `${name}.schema.json`).sort();
  expect(readdirSync('schema').sort()).toEqual(files);
  const exported = Object.entries(exports).filter(([path]) => path.startsWith('./schema/'));
  expect(exported.map(([path, file]) => [path, file]).sort()).toEqual(
    files.map((file) => [`./schema/${file}`, `./schema/${file}`]),
  );
});

/** All schemas of objects inside a schema. */
function objectsOf(schema: unknown): Schema[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const inside = Object.values(schema).flatMap(objectsOf);
  return (schema as Schema).type === 'object' ? [schema as Schema, ...inside] : inside;
}
