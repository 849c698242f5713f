import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { nonFinitePath } from '../../../src/base/finite-figures.ts';
import { InputError } from '../../../src/base/problem.ts';
import { diagnose } from '../../../src/commands/diagnose/diagnose.ts';
import { profileRun } from '../../../src/commands/profile/profile.ts';
import { renderProfile } from '../../../src/commands/profile/profile-view.ts';
import { type Column, isDouble, TABLE_NAMES, TABLES } from '../../../src/trace/run/run-schema.ts';

const folder = mkdtempSync(join(tmpdir(), 'ranges-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string): string => join(folder, name);

const HEAD = {
  format: 'foretoken-run',
  version: 1,
  program: 'p',
  origin: 'recorded',
  product: 'tracer 1',
  processes: 2,
  nodes: [
    { name: 'a', sockets: 1 },
    { name: 'b', sockets: 1 },
  ],
  nodeOf: [0, 1],
  socketOf: [0, 0],
};
/** A row of each table with every cell. */
const ROWS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  states: {
    process: 0,
    start: 0,
    end: 3,
    state: 'computing',
    call: 'c',
    interval: 'i#1',
    kind: 'parallel',
    collective: 'allreduce',
    execution: 1,
    phase: 'wait',
    sequence: 0,
    bytes: 8,
    peer: 1,
    iterations: 5,
    copies: 2,
  },
  messages: {
    source: 0,
    destination: 1,
    sent: 1,
    received: 2,
    bytes: 8,
    tag: 1,
    communicator: 0,
    call: 'c',
    instant: 'call',
  },
  calls: {
    process: 0,
    start: 0,
    end: 3,
    call: 'c',
    sequence: 0,
    system: 0,
    blocked: 1,
    wrapped: 'w',
    peer: 1,
    tag: 0,
    communicator: 0,
    type: 't',
    count: 1,
    matchedPeer: 1,
    matchedTag: 0,
  },
  intervals: { process: 0, interval: 'i#1', start: 0, end: 3, kind: 'parallel' },
  collectives: { operation: 'o', execution: 1, start: 0, end: 3, processes: 2, phase: 'wait', communicator: 0 },
  overlaps: { process: 0, operation: 'o', execution: 1, start: 0, end: 1 },
  resources: { resource: 'r', class: 'host', unit: 'flop', amount: 1, capacity: 1 },
  nodes: { node: 'b', joined: 0, left: 3 },
};
const OTHER = { table: 'states', process: 1, start: 0, end: 3, state: 'computing' };
const END = { end: { complete: true, time: 3, notes: [] } };

/** Outcome of a record in JSON lines: the codes of its problems, or its document. */
function outcome(rows: readonly object[], end: object = END): string {
  writeFileSync(file('r.jsonl'), [HEAD, OTHER, ...rows, end].map((line) => JSON.stringify(line)).join('\n'));
  try {
    const document = profileRun(file('r.jsonl'));
    expect(nonFinitePath(document)).toBeUndefined();
    expect(renderProfile(document, { width: 100, colour: false, unicode: true })).not.toMatch(/NaN|nfinit/);
    return 'sound';
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    expect(e.problems[0]!.place?.file).toBe(file('r.jsonl'));
    return e.problems[0]!.code;
  }
}

const rowsWith = (table: string, row: object): object[] =>
  table === 'states'
    ? [{ table, ...row }]
    : [
        { table: 'states', ...ROWS['states'] },
        { table, ...row },
      ];

describe('every field of every record is checked where it is read', () => {
  test('the row of each table is sound, and has all columns', () => {
    for (const table of TABLE_NAMES) {
      expect(Object.keys(ROWS[table]!).sort()).toEqual(TABLES[table].map(({ name }) => name).sort());
      expect(outcome(rowsWith(table, ROWS[table]!))).toBe('sound');
    }
  });

  const numbers = TABLE_NAMES.flatMap((table) =>
    (TABLES[table] as readonly Column[])
      .filter(({ type }) => typeof type === 'string' && type !== 'name' && type !== 'path')
      .map((column) => [table, column] as const),
  );
  const wrong = (table: string, { name, type }: Column): number[] => [
    ...(type === 'integer' ? [] : type === 'seconds' && name !== 'system' && name !== 'blocked' ? [] : [-1]),
    ...(table === 'resources' ? [] : [1e308, 1e17]),
    ...(type === 'seconds' ? [-1e308, -1e11, 1.7e18, 1.7e15, 1.7e12] : []),
    ...(isDouble(type) ? [] : [2 ** 31, 0.5]),
    ...(name === 'copies' ? [0, 3, 100] : []),
    ...(name === 'joined' || name === 'left' ? [-5, 3.5] : []),
  ];
  test.each(numbers.map(([table, column]) => [`${table}.${column.name}`, table, column] as const))(
    'wrong values of %s are refused',
    (_, table, column) => {
      for (const value of wrong(table, column)) {
        const found = outcome(rowsWith(table, { ...ROWS[table], [column.name]: value }));
        expect([value, found]).toEqual([value, expect.stringMatching(/^REC0(05|06|07|09|11)$/)]);
      }
    },
  );

  test('the end of the run', () => {
    for (const time of [-1, 1e308, 1e11, 2])
      expect([
        time,
        outcome(rowsWith('states', ROWS['states']!), { end: { complete: true, time, notes: [] } }),
      ]).toEqual([time, expect.stringMatching(/^REC00[56]$/)]);
  });

  const csv = (text: string): string => {
    writeFileSync(file('s.csv'), text);
    try {
      profileRun(file('s.csv'));
      return 'sound';
    } catch (e) {
      if (!(e instanceof InputError)) throw e;
      return `${e.problems[0]!.place?.line} ${e.problems[0]!.code} ${e.problems[0]!.message}`;
    }
  };
  test.each([
    ['process,start,end,state\n0,0,1e308,computing\n', /^2 REC005 end: expected seconds from -1e10 to 1e10/],
    ['process,start,end,state\n0,0,1e400,computing\n', /^2 REC005 end: expected a decimal number/],
    [
      'process,start,end,state\n0,1700000000000000000,1700000000500000000,computing\n',
      /^2 REC005 start: .* nanoseconds, divide them by 1000000000/,
    ],
    [
      'process,start,end,state,bytes\n0,0,1,communicating,1e308\n',
      /^2 REC005 bytes: expected a number up to 2\^53 - 1/,
    ],
    [
      'process,start,end,state,copies\n0,0,1,computing,100\n1,0,1,computing,2\n',
      /^2 REC005 copies: .* from 1 to 2, got 100/,
    ],
  ])('CSV: %j', (text, expected) => {
    expect(csv(text)).toMatch(expected);
  });

  test('states of workers', () => {
    writeFileSync(file('w.csv'), 'worker,time,state\n0,1700000000000000000,EXEC\n0,1700000000500000000,END\n');
    expect(() => diagnose(file('w.csv'))).toThrow(/w\.csv:2: REC005 time: .*nanoseconds/);
    writeFileSync(file('w.csv'), 'worker,time,state\n0,-1e308,EXEC\n0,1e308,END\n');
    expect(() => diagnose(file('w.csv'))).toThrow('REC005');
    writeFileSync(file('w.csv'), 'worker,time,state\n0,0,EXEC\n0,500000000,END\n');
    expect(diagnose(file('w.csv')).warnings).toMatchObject([{ code: 'REC012' }]);
  });
});

test('a recorded run of months has a warning', () => {
  writeFileSync(file('s.csv'), 'process,start,end,state\n0,0,500000000,computing\n');
  expect(profileRun(file('s.csv')).warnings).toMatchObject([{ code: 'REC012' }]);
  writeFileSync(file('s.csv'), 'process,start,end,state\n0,1700000000,1700003600,computing\n');
  expect(profileRun(file('s.csv')).warnings).toEqual([]);
});

test('every function that makes a document checks its figures', () => {
  const files = readdirSync('src/commands', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('src/commands', name));
  const made = files.filter((path) =>
    /^ *format: 'foretoken',$|\{ format: 'foretoken', /m.test(readFileSync(path, 'utf8')),
  );
  expect(made.length).toBeGreaterThan(10);
  const unguarded = made.filter((path) => !/finiteDocument\(/.test(readFileSync(path, 'utf8')));
  // The head of predictions, whose figures finite-prediction.ts checks, and files of witnesses, which have no figures.
  expect(unguarded.map((path) => path.replaceAll('\\', '/'))).toEqual([
    // A document without figures.
    'src/commands/command-line/result-output.ts',
    'src/commands/predict/document.ts',
    'src/commands/verify/net/verify-witness-files.ts',
  ]);
});
