import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { graphDot } from '../../../src/analysis/space/drawing/graph-dot.ts';
import { csvCell } from '../../../src/base/csv.ts';
import { formatProblem, InputError, limitedText } from '../../../src/base/problem.ts';
import { convert } from '../../../src/commands/convert/convert.ts';
import { readNetFile } from '../../../src/commands/inputs/net-file.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { verify } from '../../../src/commands/verify/net/verify.ts';
import { effort } from '../../effort.ts';

/** Names that are dangerous in spreadsheets, browsers or terminals, passed through every writer and error message. */
const dir = mkdtempSync(join(tmpdir(), 'foretoken-names-'));
afterAll(() => rmSync(dir, { recursive: true }));

const EVIL = [
  '=1+1',
  '+1+1',
  '-2+3',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
  '＝1',
  "=cmd|'/c calc'!A1",
  '\u001b[31mred',
  '\u001b]0;title\u0007',
  'a\nb',
  ' \t',
  '\u202egnp',
  '\u2028',
  '</text><script>',
  '"; x',
  '\\N\\l',
  '&#27;',
  'x'.repeat(300),
  '\u{1f600}'.repeat(150),
  '\u0085',
  ',',
  '"',
];
const name = fc.oneof(fc.constantFrom(...EVIL), fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }));
const names = fc.uniqueArray(name, { minLength: 1, maxLength: 6 });

/** A ring of places and transitions with the given names. */
function ring(given: readonly string[]): string {
  const places = given.map((name, k) => ({ name, fields: [], initial: k === 0 ? [[]] : [] }));
  const transitions = given.map((name, k) => ({
    name,
    inputs: [{ kind: 'take', place: name, pattern: {} }],
    outputs: [{ place: given[(k + 1) % given.length], values: {} }],
    delay: 1,
  }));
  return JSON.stringify({
    format: 'foretoken-net',
    version: 1,
    name: given[0],
    colours: [],
    tables: [],
    places,
    transitions,
  });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: matches the characters that must not be written
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

/** The cells of a CSV string. */
function cellsOf(text: string): string[] {
  return [...text.matchAll(/(?:^|,|\n)(?:"((?:[^"]|"")*)"|([^",\n]*))/g)].map((m) =>
    (m[1] ?? m[2]!).replaceAll('""', '"'),
  );
}

describe('every format of a net', () => {
  test('contains no control characters and can be read back if the format is readable', () => {
    fc.assert(
      fc.property(names, (given) => {
        const input = join(dir, 'net.json');
        writeFileSync(input, ring(given));
        for (const ending of ['dot', 'csv', 'txt', 'svg', 'json', 'pnml']) {
          const output = join(dir, `out.${ending}`);
          convert(input, output, {});
          const text = readFileSync(output, 'utf8');
          // JSON and PNML are data formats and preserve all characters.
          if (ending !== 'json' && ending !== 'pnml') expect(text, ending).not.toMatch(CONTROL);
          if (ending === 'csv')
            for (const cell of cellsOf(text)) expect(cell).toMatch(/^(?![=+@\t\r＝＋－＠])(?!-(?!\d+$))/u);
          if (ending === 'json' || ending === 'pnml') expect(readNetFile(output).net.places.length).toBe(given.length);
        }
      }),
      { numRuns: effort(60) },
    );
  });

  test('a state graph contains no control characters', () => {
    fc.assert(
      fc.property(names, (given) => {
        const state = { state: 0, lines: given, about: given, initial: true, dead: false, final: false, bottom: false };
        const content = { title: given[0]!, states: [state], edges: [{ from: 0, to: 0, lines: given }] };
        expect(graphDot(content as never)).not.toMatch(CONTROL);
      }),
    );
  });
});

test('cells of CSV: formulas get a quote, numbers stay', () => {
  for (const number of [-1.5, '-1.5', '+2', '-1e-7', '+10%', '-.5']) expect(csvCell(number)).toBe(String(number));
  for (const formula of ['=1', '+a', '-2+3', '@x', '\t=1', '\r=1', '＝1']) expect(csvCell(formula)).toMatch(/^'/);
  expect(csvCell('\ta')).toBe("'\\u{9}a");
  expect(csvCell('a,"b"\n')).toBe('"a,""b""\\u{a}"');
});

describe('messages', () => {
  const long = 'n'.repeat(100_000);
  test.each([
    ['a quoted name', `place "${'a b'.repeat(9000)}" is unknown`],
    ['a name without quotes', `place ${long} is unknown`],
    ['many names', Array.from({ length: 500 }, (_, k) => `"${k}${'y'.repeat(190)}"`).join(', ')],
  ])('are limited: %s', (_, text) => {
    const limited = limitedText(text);
    expect(limited.length).toBeLessThanOrEqual(4001);
    for (const [string] of limited.matchAll(/"(?:[^"\\]|\\.)*"/g)) expect(string.length).toBeLessThanOrEqual(203);
  });

  test('short names are unchanged, and no surrogate pair is cut', () => {
    expect(limitedText('a "b" c')).toBe('a "b" c');
    expect(limitedText(`x${'\u{1f600}'.repeat(300)}`)).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
  });

  test('of every kind of error quote at most 200 characters of a name and name no other file', () => {
    const input = join(dir, 'long.json');
    const net = JSON.parse(ring([long, 'b']));
    const broken: readonly ((n: typeof net) => object)[] = [
      (n) => Object.assign(n.transitions[0].inputs[0], { place: `${long}?` }),
      (n) => Object.assign(n.places[1], { name: long }),
      (n) => Object.assign(n.transitions[1].outputs[0], { values: { [long]: 1 } }),
      (n) => Object.assign(n.transitions[0], { delay: -1 }),
      (n) => Object.assign(n.transitions[0], { guard: ['var', long] }),
      (n) => Object.assign(n.places[0], { fields: [{ name: long, colour: long }] }),
      (n) => Object.assign(n, { colours: [{ name: long, kind: long }] }),
      (n) => Object.assign(n, { [long]: 1 }),
    ];
    let refused = 0;
    for (const fault of broken) {
      const changed = structuredClone(net);
      fault(changed);
      writeFileSync(input, JSON.stringify(changed));
      for (const run of [() => predict(input, {}), () => convert(input, join(dir, 'x.pnml'), {})]) {
        try {
          run();
        } catch (error) {
          refused++;
          expect(error).toBeInstanceOf(InputError);
          for (const problem of (error as InputError).problems) {
            const text = formatProblem(problem);
            expect(text).not.toMatch(/n{202}/);
            expect(text.startsWith(input)).toBe(true);
          }
        }
      }
    }
    // A negative delay is an error only when the net is run.
    expect(refused).toBe(2 * broken.length - 1);
    writeFileSync(input, JSON.stringify(net));
    expect(() => verify(input, [`tokens(${long}x) <= 1`])).toThrow(/^(?!.*n{202})/);
  });
});

describe('a fault at run time names file and line of its transition', () => {
  const net = { ...JSON.parse(ring(['a', 'b'])) };
  net.transitions[0].delay = -1;

  test('in JSON', () => {
    const input = join(dir, 'delay.json');
    writeFileSync(input, JSON.stringify(net, null, 2));
    const line = JSON.stringify(net, null, 2).split('"transitions"')[0]!.split('\n').length + 2;
    expect(() => predict(input, {})).toThrow(`${input}:${line}:15: RUN004 transition a: a delay of -1 s`);
  });

  test('the place of an ambiguous name is the one in its list', () => {
    const input = join(dir, 'same.json');
    const same = { ...net, name: 'a', places: [...net.places], labels: undefined };
    writeFileSync(input, JSON.stringify({ ...same, transitions: same.transitions }, null, 1));
    const text = readFileSync(input, 'utf8');
    const at = text.indexOf('"a"', text.indexOf('"transitions"'));
    expect(() => predict(input, {})).toThrow(`:${text.slice(0, at).split('\n').length}:`);
  });
});

test('the net with hostile names converts to PNML, and messages name only the input file', () => {
  const given = ['\t=1', '\r=1', '=1', '\u001b', '\u0007', '?'];
  const input = join(dir, 'evil.json');
  writeFileSync(input, ring(given));
  const output = join(dir, 'evil.pnml');
  const { notes } = convert(input, output, {});
  expect(notes.join('\n')).not.toContain('net.pnml');
  expect(
    readNetFile(output)
      .net.places.map((p) => p.name)
      .sort(),
  ).toEqual([...given].sort());
});
