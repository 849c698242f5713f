import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { InputError } from '../../src/base/problem.ts';
import { compile } from '../../src/engine/compile.ts';
import { netToDot } from '../../src/net/drawing/dot.ts';
import { netFromJson, netToJson } from '../../src/net/json/json.ts';
import { netSchema } from '../../src/net/json/json-schema.ts';
import type { Net } from '../../src/net/net.ts';
import { netToText } from '../../src/net/text/text.ts';
import { atFullEffort, effort } from '../effort.ts';
import { everyFeature } from './every-feature.ts';
import { smallNet } from './small-net.ts';
import { writableNet } from './writable-net.ts';

const RUNS = effort(1500);
const LIMITS = { maxEntries: 10_000, maxTokens: 1000 };
/** Codes for unknown or missing members and wrong operators or operands. */
const SHAPE = ['NET105', 'NET106', 'NET109'];
const outcomes = { read: 0, refused: 0 };

const hasShape = new Ajv2020({ strict: true }).compile(netSchema);

/** Checks that any string is either read as a usable net or rejected by an InputError with locations. */
function survives(text: string, parsed = false): void {
  let net: Net;
  try {
    net = netFromJson(text, 'net.json', LIMITS);
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    outcomes.refused++;
    expect(e.problems.length).toBeGreaterThan(0);
    for (const p of e.problems) {
      expect(p.code).toMatch(/^NET\d{3}$/);
      expect(p.place).toMatchObject({ file: 'net.json', line: expect.any(Number), column: expect.any(Number) });
    }
    // The schema also detects errors of shape.
    if (parsed && e.problems.some((p) => SHAPE.includes(p.code))) expect(hasShape(JSON.parse(text))).toBe(false);
    return;
  }
  outcomes.read++;
  // JSON.parse does not accept a byte order mark.
  expect(hasShape(JSON.parse(text.replace(/^\ufeff/, ''))) || hasShape.errors).toBe(true);
  expect(netFromJson(netToJson(net))).toEqual(net);
  netToText(net);
  netToDot(net);
  compile(net);
}

const sources: fc.Arbitrary<string> = fc.oneof(
  fc.constant(netToJson(smallNet())),
  fc.constant(netToJson(everyFeature())),
  writableNet.map(netToJson),
);

test('characters changed, omitted, inserted, moved', () => {
  const pieces = fc.oneof(
    fc.constantFrom('"', '[', ']', '{', '}', ',', ':', '\\', '-', '0', '1e999', '\n', '\u0000', 'null', '[[', '""'),
    fc.string({ maxLength: 3 }),
  );
  const edit = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    remove: fc.nat({ max: 4 }),
    insert: pieces,
  });
  fc.assert(
    fc.property(sources, fc.array(edit, { minLength: 1, maxLength: 3 }), (source, edits) => {
      let text = source;
      for (const { at, remove, insert } of edits) {
        const k = Math.floor(at * text.length);
        text = text.slice(0, k) + insert + text.slice(k + remove);
      }
      survives(text);
    }),
    { numRuns: RUNS, seed: 20_240_601 },
  );
});

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** All containers of a document. */
function containers(
  json: Json,
  into: (Json[] | { [name: string]: Json })[] = [],
): (Json[] | { [name: string]: Json })[] {
  if (typeof json !== 'object' || json === null) return into;
  into.push(json);
  for (const part of Object.values(json)) containers(part, into);
  return into;
}

test('values changed, omitted, duplicated, exchanged', () => {
  const value: fc.Arbitrary<Json> = fc.constantFrom<Json[]>(
    null,
    true,
    0,
    -1,
    0.5,
    2 ** 31,
    2 ** 53,
    1e300,
    '',
    'Infinity',
    'take',
    'r',
    'Two',
    'steps',
    '__proto__',
    'toString',
    [],
    {},
    [[]],
    ['add', 1, 2],
    ['at', 'steps', 0],
    ['value', 'Sort', 'red'],
    'Pair',
    'race',
    'priority',
    { dist: 'exponential', rate: 2 },
    { dist: 'empirical', samples: [1, [2, 3]] },
    { kind: 'fcfs', servers: 2, time: 1 },
    [3, 1],
    { name: 'x' },
    JSON.parse('{"__proto__":1}'),
  );
  const change = fc.record({
    container: fc.nat(),
    member: fc.nat(),
    how: fc.constantFrom('replace', 'remove', 'double', 'rename', 'copy'),
    value,
    other: fc.nat(),
  });
  fc.assert(
    fc.property(sources, fc.array(change, { minLength: 1, maxLength: 3 }), (source, changes) => {
      const document = JSON.parse(source) as Json;
      for (const c of structuredClone(changes)) {
        const all = containers(document);
        const target = all[c.container % all.length]! as { [name: string]: Json };
        const names = Object.keys(target);
        const name = names[c.member % Math.max(1, names.length)] ?? '0';
        if (c.how === 'replace') target[name] = c.value;
        else if (c.how === 'copy') target[name] = structuredClone(all[c.other % all.length]!);
        else if (c.how === 'remove') {
          if (Array.isArray(target)) target.splice(Number(name), 1);
          else delete target[name];
        } else if (Array.isArray(target)) target.push(structuredClone(target[Number(name)] ?? null));
        else {
          const other =
            c.how === 'double' ? `${name}2` : typeof c.value === 'string' ? c.value : JSON.stringify(c.value);
          Object.defineProperty(target, other, {
            value: target[name] ?? null,
            enumerable: true,
            writable: true,
            configurable: true,
          });
        }
      }
      survives(JSON.stringify(document), true);
    }),
    { numRuns: RUNS, seed: 20_240_602 },
  );
});

test('arbitrary strings', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => survives(text)),
    { numRuns: effort(500) },
  );
  fc.assert(
    fc.property(fc.json(), (json) => survives(json)),
    { numRuns: effort(500) },
  );
});

test('many inputs are rejected, and many are nets', () => {
  expect(outcomes.refused).toBeGreaterThan(atFullEffort(RUNS));
  expect(outcomes.read).toBeGreaterThan(atFullEffort(RUNS / 50));
});
