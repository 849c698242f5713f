import { describe, expect, test } from 'vitest';
import { type NetJsonLimits, netFromJson } from '../../src/net/json/json.ts';
import { documentOf, JSON_PROBLEMS } from './json-problems.ts';
import { problemsOf } from './problems.ts';

function read(lines: Readonly<Record<number, string>>, limits: NetJsonLimits = {}): string[] {
  return problemsOf(() => netFromJson(documentOf(lines), 'net.json', limits));
}

const text = (s: string): string[] => problemsOf(() => netFromJson(s, 'net.json'));

test('the net that is modified below is valid', () => {
  expect(read({})).toEqual([]);
});

describe('NET101: invalid JSON, with line and column', () => {
  const cases: [string, string, string][] = [
    ['nothing', '', '1:1: NET101 invalid JSON: expected a value, got the end of the text'],
    ['white space', ' \n\t ', '2:3: NET101 invalid JSON: expected a value, got the end of the text'],
    ['something else', 'net small', '1:1: NET101 invalid JSON: expected a value, got "n"'],
    ['a binary file', '\u0000\u0001', '1:1: NET101 invalid JSON: expected a value, got "\\u0000"'],
    [
      'a name without quotes',
      '{\n  name: 1 }',
      '2:3: NET101 invalid JSON: expected the name of a member in double quotes, got "n"',
    ],
    ['no colon', '{ "x" 1 }', '1:7: NET101 invalid JSON: expected ":", got "1"'],
    ['a comma too many', '{ "x": [1,\n 2,\n ] }', '3:2: NET101 invalid JSON: expected a value, got "]"'],
    ['a comma too few', '{ "x": [1 2] }', '1:11: NET101 invalid JSON: expected "," or "]", got "2"'],
    [
      'a comma at the end',
      '{ "x": 1, }',
      '1:11: NET101 invalid JSON: expected the name of a member in double quotes, got "}"',
    ],
    ['an open object', '{ "x": 1', '1:9: NET101 invalid JSON: expected "," or "}", got the end of the text'],
    [
      'an open text',
      '{ "x": "abc',
      '1:12: NET101 invalid JSON: expected the closing quote of a string, got the end of the text',
    ],
    [
      'a text over two lines',
      '{ "x": "ab\nc" }',
      '1:11: NET101 invalid JSON: expected the closing quote of a string, got "\\n"',
    ],
    ['an unknown escape', '{ "x": "\\q" }', '1:8: NET101 invalid JSON: invalid escape in the string "\\\\q"'],
    ['half an escape', '{ "x": "\\u12"}', '1:8: NET101 invalid JSON: invalid escape in the string "\\\\u12"'],
    [
      'an escape at the end',
      '{ "x": "\\',
      '1:10: NET101 invalid JSON: expected the closing quote of a string, got the end of the text',
    ],
    ['a lone minus', '{ "x": - }', '1:9: NET101 invalid JSON: expected a digit, got " "'],
    ['a leading zero', '{ "x": 012 }', '1:9: NET101 invalid JSON: expected no digit after a leading zero, got "1"'],
    ['a fraction without digits', '{ "x": 1. }', '1:10: NET101 invalid JSON: expected a digit, got " "'],
    ['an exponent without digits', '{ "x": 1e+ }', '1:11: NET101 invalid JSON: expected a digit, got " "'],
    ['a number that begins with a dot', '{ "x": .5 }', '1:8: NET101 invalid JSON: expected a value, got "."'],
    ['NaN', '{ "x": NaN }', '1:8: NET101 invalid JSON: expected a value, got "N"'],
    ['half a word', '{ "x": tru }', '1:8: NET101 invalid JSON: expected a value, got "t"'],
    ['a comment', '{ // net\n }', '1:3: NET101 invalid JSON: expected the name of a member in double quotes, got "/"'],
    ['more after the end', '{}\n{}', '2:1: NET101 invalid JSON: expected the end of the text, got "{"'],
  ];
  test.each(cases)('invalid JSON is refused with line and column: %s', (_, source, expected) => {
    expect(text(source).at(-1)).toBe(`net.json:${expected}`);
  });

  test('without a file the place is line and column', () => {
    expect(problemsOf(() => netFromJson('[1,'))).toEqual([expect.stringMatching(/^1:1: NET102 /)]);
    expect(problemsOf(() => netFromJson('{\n 1'))).toEqual([expect.stringMatching(/^2:2: NET101 /)]);
  });

  test('a byte order mark is ignored', () => {
    expect(text(`\ufeff${documentOf().replaceAll('\n', '\r\n')}`)).toEqual([]);
    expect(text('\ufeffx')).toEqual(['net.json:1:1: NET101 invalid JSON: expected a value, got "x"']);
  });
});

describe('NET102: not a net', () => {
  const cases: [string, string, string][] = [
    ['a list', '[]', '1:1: NET102 not a net: expected an object, got a list'],
    [
      'another object',
      '{ "nodes": [] }',
      '1:1: NET102 not a net: expected the member "format" with the value "foretoken-net"',
    ],
    [
      'a prediction',
      '{ "format": "foretoken", "kind": "prediction" }',
      '1:13: NET102 expected the format "foretoken-net", got "foretoken", a result document: use rerun to repeat it',
    ],
    [
      'a later version',
      '{ "format": "foretoken-net", "version": 2, "arcs": [] }',
      '1:1: NET102 expected version 1, got 2',
    ],
  ];
  test.each(cases)('JSON that is not a net is refused: %s', (_, source, expected) => {
    expect(text(source)).toEqual([`net.json:${expected}`]);
  });
});

describe('limits', () => {
  test('NET100 characters', () => {
    expect(read({}, { maxCharacters: 100 })).toEqual([
      `net.json: NET100 the text has ${documentOf().length} characters: at most 100 are read`,
    ]);
  });

  test('NET100 entries, also in compressed form', () => {
    const huge = { 8: '"tables": [{ "name": "t", "kind": "real", "values": [1, [9e15, 0]] }],' };
    expect(read(huge)).toEqual([
      expect.stringMatching(/^net\.json:8:\d+: NET100 tables\[0\].values\[1\]\[1\]: the tables of this net have more/),
    ]);
    expect(read({}, { maxEntries: 4 })).toHaveLength(1);
    expect(read({}, { maxEntries: 5 })).toEqual([]);
  });

  test('NET100 tokens', () => {
    const many = { 11: '"initial": [{ "count": 9e15, "values": [0, "red", true] }] }' };
    expect(read(many)).toEqual([
      expect.stringMatching(
        /^net\.json:11:\d+: NET100 places\[0\].initial\[0\]: the initial marking has more than 4194304/,
      ),
    ]);
    expect(read({}, { maxTokens: 4 })).toEqual([]);
    expect(read({}, { maxTokens: 3 })).toHaveLength(1);
  });

  test('NET103 nesting of expressions and values, without stack overflow', () => {
    for (const depth of [201, 100_000]) {
      const deep = `${'["neg", '.repeat(depth)}1${']'.repeat(depth)}`;
      expect(read({ 19: `"delay": ${deep},` })).toEqual([
        expect.stringMatching(
          /^net\.json:19:1610: NET103 transitions\[0\]\.delay(\[1\]){9}…: an expression is nested deeper than 200$/,
        ),
      ]);
      for (const [open, close] of [
        ['[', ']'],
        ['{"x":', '}'],
      ] as const)
        expect(text(`{"x":${open.repeat(depth)}0${close.repeat(depth)}}`).at(-1)).toMatch(
          /^net\.json:1:\d+: NET103 .*: nested deeper than 200$/,
        );
    }
    expect(read({ 19: `"delay": ${'["neg", '.repeat(199)}1${']'.repeat(199)},` })).toEqual([]);
  });

  test('after a hundred problems reading stops', () => {
    const bad = Array.from({ length: 1000 }, () => '"x"').join();
    expect(read({ 8: `"tables": [{ "name": "t", "kind": "real", "values": [${bad}] }],` })).toHaveLength(100);
  });
});

describe('every problem has its code and line', () => {
  test.each(JSON_PROBLEMS)('a net in JSON is refused with its line: $title', ({ lines, problems }) => {
    expect(read(lines)).toEqual(problems);
  });
});

test('no prototype is polluted', () => {
  read({ 19: '"__proto__": { "polluted": 1 },', 17: '"inputs": [{ "__proto__": { "polluted": 1 } }],' });
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('all problems at once', () => {
  expect(read({ 18: '"guard": "s",', 19: '"delay": ["at", "u", "s"],', 20: '"outputs": [] }' })).toHaveLength(2);
});

test('a short document with wide colour sets needs little memory', () => {
  const wide = Array.from(
    { length: 40 },
    (_, k) => `{ "name": "W${k}", "kind": "product", "parts": [${k === 0 ? '"Slot"' : `"W${k - 1}", "W${k - 1}"`}] }`,
  );
  const fields = Array.from({ length: 5000 }, (_, k) => `{ "name": "f${k}", "colour": "W10" }`).join();
  const found = read({
    7: `, ${wide.join()} ],`,
    13: `"capacity": 1 }, { "name": "wide", "fields": [${fields}], "initial": [[1]] }`,
  });
  expect(found).toEqual([
    expect.stringMatching(/^net\.json:7:\d+: NET009 colour set W11: has 2048 columns/),
    'net.json:1:1: NET009 places: have more than 4194304 columns of composite colour sets in total',
  ]);
});
