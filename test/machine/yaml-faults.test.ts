import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Composer, Parser } from 'yaml';
import { formatProblem, InputError } from '../../src/base/problem.ts';
import { faultText, KNOWN_FAULTS } from '../../src/machine/description/yaml-faults.ts';
import { readYamlFile } from '../../src/machine/description/yaml-file.ts';
import { temporary } from './fixtures.ts';

/** Codes that the reader words itself, with the line or the key at hand. */
const ELSEWHERE: readonly string[] = ['DUPLICATE_KEY', 'TAG_RESOLVE_FAILED'];
/** Words of the grammar, which the parser uses and a writer of machine files need not know. */
const GRAMMAR =
  /\b(?:flow|block|scalar|token|implicit|explicit|collection|mapping|sequence|indicator|node|directives-end|stream|seq|compact)\b|not well-formed/i;

const TEXTS: readonly string[] = [
  'a: [1, 2',
  'a: {b: 1',
  'a: {b: 1\nc: 2\n',
  'a: [1\nc: 2\n',
  'a: "x',
  "a: 'x",
  'a: "x\\q"',
  'a: "\\u12"',
  'a: *x',
  'a: * \n',
  'a: &x 1',
  'a: & 1',
  'a: &x &y 1',
  'a: !x 1',
  'a: !x !y 1',
  'a: !!map [1]',
  'a: &x *y',
  '%FOO 1\n---\na: 1',
  '%YAML\n---\na: 1',
  '%YAML 3.0\na: 1',
  'a: @x',
  'a: `x`',
  'a: %x',
  'a: ,x',
  'a: ]',
  'a: }',
  'a: [1,,2]',
  'a: [,1]',
  'a: [1 2]',
  'a: {b c: d, e f}',
  'a: {b:"1"}',
  'a: {"b":1"c":2}',
  'a: "x" y',
  'a: 1\na: 2',
  'a: {b: 1, b: 2}',
  'a:\n\tb: 1',
  'a:\n  b: 1\n\tc: 1',
  'a:\n  b: 1\n c: 2',
  'a: 1\n  b: 2',
  '- 1\nb: 2',
  'a:\n  - 1\n  2',
  'a: - 1',
  'a: [\n- 1\n]',
  'a: {\n- 1\n}',
  'a: | x\n  y',
  'a: |\n    x\n  y\n',
  'a: >\n   \n  x',
  '? [a]\n: 1',
  '[a, b]: 1',
  '{a: 1}: 2',
  '1: 2',
  `${'k'.repeat(1100)}: 1`,
  'a: b: c',
  'a: "x"#c',
  'a: [1]#c',
  'a: 1\n...\nb',
  '--- a: 1',
  'a: &x\n- &y 1',
  'a: 1\n---\nb: 2',
  'a: !',
  'a: "x\ny: 1',
  'a: [a\n b: c]',
  'a: {? x}',
  'a\n: 1',
  '"a\n b": 1',
  'a: {"x\ny": 1}',
  '[\na\n: 1]',
  'a: !!int x',
  'a: |2\n x',
  'a: -1 - 2\n - 3',
  '\ta: 1',
  'a:\n -\t- 1',
  '"a" "b": 1',
  'a: <<x',
  '<<: 1',
  'a: 1 #\n  b',
  'a: 1 }',
  ': 1',
  '- - 1\n - 2',
  'a: [b: |\n x]',
  'a: [[[[',
  'a: {"b"\n:1}',
  'a: {"b" "c"}',
  '&x a: 1',
  '!x a: 1',
  '- &x\n a: 1\n&y b: 2',
  'a: [&x *y]',
  '&x - 1',
  'a: &x - 1',
  '--- |\n a\n---',
  '%TAG ! a\n',
  '*x : 1',
  'a: *x:\n',
  'a: &x: 1',
  'a: !<x 1',
  'a: !foo!x 1',
  'a: [#c\n1]',
];

/** The problems of a text, without the name of its file. */
function problems(text: string): string[] {
  const file = temporary(text, 'machine.yaml');
  try {
    readYamlFile(file, 'a machine');
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.problems.map((problem) => formatProblem(problem).replace(`${file}:`, ''));
  }
  return [];
}

/** The codes and messages of the parser. */
const found = TEXTS.flatMap((text) => {
  const composer = new Composer({ version: '1.2', schema: 'core', stringKeys: true, prettyErrors: false });
  const documents = [...composer.compose(new Parser().parse(text), true, text.length)];
  return documents.flatMap(({ errors, warnings }) => [...errors, ...warnings]);
});

describe('faults of YAML', () => {
  it.each(TEXTS)('%j is reported in plain words, with its line', (text) => {
    for (const problem of problems(text)) {
      expect(problem).toMatch(/^\d+:\d+: MACH0(?:0[234]|13) /);
      expect(problem).not.toMatch(GRAMMAR);
    }
  });

  it('have words for every code of the parser', () => {
    const types = readFileSync('node_modules/yaml/dist/errors.d.ts', 'utf8');
    const codes = [.../type ErrorCode =([^;]*);/.exec(types)![1]!.matchAll(/'(\w+)'/g)].map(([, code]) => code!);
    expect(codes.length).toBeGreaterThan(15);
    expect(codes.filter((code) => !KNOWN_FAULTS.includes(code) && !ELSEWHERE.includes(code))).toEqual([]);
    // The texts bring about all that the parser can be brought to.
    const never = [
      'BLOCK_IN_FLOW',
      'MULTIPLE_DOCS',
      'IMPOSSIBLE',
      'RESOURCE_EXHAUSTION',
      'BAD_COLLECTION_TYPE',
      'BAD_PROP_ORDER',
    ];
    const seen = new Set<string>(found.map(({ code }) => code));
    expect(codes.filter((code) => !seen.has(code) && !never.includes(code))).toEqual([]);
    for (const code of codes) expect(faultText(code, 'Unknown flow token').message).not.toMatch(GRAMMAR);
  });

  it.each([
    [
      'a: [1, 2',
      '1:9: MACH002 the bracket [ is not closed before this place: expected ], and all lines in between indented',
    ],
    ["a: 'x", "1:6: MACH002 a string that begins with ' is not closed: expected another '"],
    ['a: "x\\q"', '1:6: MACH002 \\q is not an escape in double quotes: write \\\\ for a backslash'],
    ['a: @x', '1:4: MACH002 a value cannot begin with @: write it in quotes'],
    ['a: - 1', '1:4: MACH002 a list with - begins on a new line, below its key'],
    ['a: *x', '1:4: MACH003 aliases (*name) are not supported: write the value'],
    ['a: ]', '1:4: MACH002 a closing bracket without an opening one: remove it'],
  ])('the YAML %j is refused with its place', (text, first) => expect(problems(text)[0]).toBe(first));
});
