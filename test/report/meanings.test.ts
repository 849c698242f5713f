import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { meaningOf, meaningsOf, type Schema } from '../../src/report/meanings.ts';

const schema = {
  properties: {
    figures: {
      description: 'All figures.',
      properties: {
        runTime: { $ref: '#/$defs/Figure', description: 'The run time.' },
        other: { $ref: '#/$defs/Figure' },
      },
    },
    rows: { type: 'array', description: 'All rows.', items: { anyOf: [{ $ref: '#/$defs/Row' }, { type: 'null' }] } },
    marking: { description: 'Tokens by place.', additionalProperties: { type: 'number' } },
  },
  $defs: {
    Figure: {
      description: 'A number with its unit.',
      properties: {
        value: { description: 'The value.' },
        lower: { description: 'Lower end.' },
        unit: { description: 'Unit.' },
      },
    },
    Row: {
      properties: {
        name: { description: 'Name of the row.' },
        count: { type: 'number' },
        spread: { description: 'Spread over the processes.', properties: { min: { description: 'Minimum.' }, on: {} } },
        'a/b': { description: 'Escaped.' },
        children: { description: 'Rows inside.', items: { $ref: '#/$defs/Row' } },
      },
    },
  },
};

describe('the description of a member', () => {
  const meanings = meaningsOf(schema as Schema);

  it.each([
    ['/figures/runTime', 'The run time.'],
    // Parts of a figure are described by the figure.
    ['/figures/runTime/value', 'The run time.'],
    ['/figures/runTime/lower', 'The run time.'],
    ['/figures/runTime/unit', 'Unit.'],
    ['/figures/other/value', 'A number with its unit.'],
    ['/rows/3/name', 'Name of the row.'],
    ['/rows/name', 'Name of the row.'],
    ['/rows/3/a~1b', 'Escaped.'],
    // The description of a list is not that of a member of its rows.
    ['/rows/3/count', undefined],
    ['/rows/3/spread/min', 'Spread over the processes.'],
    ['/rows/3/spread/on', 'Spread over the processes.'],
    ['/rows/0/children/1/children/2/name', 'Name of the row.'],
    ['/marking/a place', 'Tokens by place.'],
    ['/nowhere', undefined],
    ['/rows/3/nowhere', undefined],
    ['', undefined],
  ])('with the pointer %s is %s', (pointer, text) => {
    expect(meaningOf(meanings, pointer)).toBe(text);
  });

  it.each(readdirSync('schema').filter((file) => !/^(machine|collectives|net|run-line|none)/.test(file)))(
    'is that of the schema for every member of a document: %s',
    (file) => {
      const own = JSON.parse(readFileSync(`schema/${file}`, 'utf8')) as {
        readonly properties: Readonly<Record<string, { readonly description?: string }>>;
      };
      const of = meaningsOf(own as Schema);
      const known = Object.entries(own.properties).filter(([, { description }]) => description !== undefined);
      expect(known.length).toBeGreaterThan(4);
      for (const [key, { description }] of known) expect(meaningOf(of, `/${key}`), key).toBe(description);
    },
  );
});
