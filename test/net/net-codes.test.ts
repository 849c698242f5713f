import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { codesOf } from '../../scripts/errors.ts';
import type { Expression } from '../../src/net/expression.ts';
import { netFromJson, netToJson } from '../../src/net/json/json.ts';
import { withFunction } from './every-feature.ts';
import { documentOf, JSON_PROBLEMS } from './json-problems.ts';
import { NET_PROBLEMS } from './net-problems.ts';
import { problemsOf } from './problems.ts';
import { smallNet } from './small-net.ts';

/** Codes in the sources of a folder, without the list itself. */
function codesIn(folder: string): string[] {
  const files = readdirSync(folder).filter((f) => !f.endsWith('-codes.ts'));
  expect(files.length).toBeGreaterThan(5);
  const codes = files.flatMap((f) => [...readFileSync(`${folder}/${f}`, 'utf8').matchAll(/'(NET\d{3})'/g)]);
  return [...new Set(codes.map((m) => m[1]!))].sort();
}

const codes = (list: readonly { readonly code: string }[]): string[] => list.map((c) => c.code);

test('every code of validation is listed, in order', () => {
  expect(codesIn('src/net/validation')).toEqual(codes(codesOf('net')));
});

test('every code of the JSON form is listed, in order', () => {
  // NET007 is listed elsewhere: invalid entries of a paged table are detected only when the net is written.
  expect(codesIn('src/net/json').filter((c) => c !== 'NET007')).toEqual(codes(codesOf('netJson')));
});

describe('every code has a case that provokes it', () => {
  const provoked = new Set(NET_PROBLEMS.flatMap(([, , problems]) => problems));
  test.each(codesOf('net'))('$code has a case that provokes its example', ({ code, example }) => {
    expect(example.startsWith(`${code} `)).toBe(true);
    expect(provoked).toContain(example);
  });

  const nested = (depth: number): Expression =>
    depth === 0 ? { op: 'const', value: 1 } : { op: 'neg', a: nested(depth - 1) };
  const net = smallNet();
  const work = net.transitions[0]!;
  const more: Readonly<Record<string, () => unknown>> = {
    NET100: () =>
      netFromJson(documentOf({ 11: '"initial": [{ "count": 9e15, "values": [0, "red", true] }] }' }), 'net.json'),
    NET101: () => netFromJson('{ "x": [1 2] }', 'net.json'),
    NET102: () => netFromJson('{ "format": "foretoken-net", "version": 2 }', 'net.json'),
    NET103: () => netToJson({ ...net, transitions: [{ ...work, delay: nested(300) }] }),
    NET111: () => netToJson(withFunction()),
    NET112: () =>
      netFromJson(
        documentOf({ 2: '"format": "foretoken-net", "version": 1, "name": "small", "untimed": true,' }),
        'net.json',
      ),
  };
  const found = JSON_PROBLEMS.flatMap((p) => p.problems);
  test.each(codesOf('netJson'))('$code has a case that provokes its example', ({ code, example }) => {
    expect(example).toContain(`${code} `);
    expect([...found, ...problemsOf(more[code] ?? (() => {}))]).toContain(example);
  });

  test('NET007 also where a net is written', () => {
    const values = { length: 1, shift: 7, pages: [], load: () => Float64Array.of(Number.NaN) };
    const bad = { ...net, tables: [...net.tables, { kind: 'real' as const, name: 'bad', values }] };
    expect(problemsOf(() => netToJson(bad))).toEqual(['NET007 table bad: page 0 has an entry that is not a number']);
  });
});
