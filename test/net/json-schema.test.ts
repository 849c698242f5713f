import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { schemaText } from '../../scripts/schemas/schema-text.ts';
import { netToJson } from '../../src/net/json/json.ts';
import { netSchema } from '../../src/net/json/json-schema.ts';
import { effort } from '../effort.ts';
import { everyFeature } from './every-feature.ts';
import { documentOf, JSON_PROBLEMS } from './json-problems.ts';
import { smallNet } from './small-net.ts';
import { writableNet } from './writable-net.ts';

const validate = new Ajv2020({ strict: true }).compile(netSchema);
const says = (json: string): unknown => (validate(JSON.parse(json)) ? null : validate.errors);

test('the file in the package is the schema of the code', async () => {
  await expect(`${schemaText(netSchema)}\n`).toMatchFileSnapshot('../../schema/net.schema.json');
});

test('written documents are valid', () => {
  expect(says(netToJson(smallNet()))).toBeNull();
  expect(says(netToJson(everyFeature()))).toBeNull();
  fc.assert(
    fc.property(writableNet, (net) => {
      expect(says(netToJson(net))).toBeNull();
    }),
    { numRuns: effort(300) },
  );
});

describe('shapes that the reader rejects are rejected', () => {
  test.each(JSON_PROBLEMS.filter((p) => p.shape))('the schema refuses a wrong shape: $title', ({ lines }) => {
    expect(validate(JSON.parse(documentOf(lines)))).toBe(false);
  });
});

test('properties that need the whole net are not checked', () => {
  for (const { lines } of JSON_PROBLEMS.filter((p) => !p.shape)) expect(says(documentOf(lines))).toBeNull();
});
