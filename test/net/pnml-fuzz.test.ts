import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { InputError } from '../../src/base/problem.ts';
import { readPnml } from '../../src/net/pnml/pnml-read.ts';
import { writePnml } from '../../src/net/pnml/pnml-write.ts';
import { validate } from '../../src/net/validation/validate.ts';
import { atFullEffort, effort } from '../effort.ts';
import { contestFile, contestNets } from '../references.ts';
import { philosophers } from './contest-nets.ts';
import { symmetricNet } from './symmetric-net.ts';

/** Number of inputs per kind of mutation. */
const RUNS = effort(120);
/** Limit of the CPU time per input in milliseconds; elapsed time would include pauses of the computer. */
const LONGEST = 10_000;

const outcomes = { read: 0, refused: 0 };
afterAll(() => {
  if (RUNS > 1000) console.log(`PNML: ${outcomes.read + outcomes.refused} inputs`, outcomes);
});

/** Checks that any input is read as a valid net or rejected by an InputError whose problems all have locations. */
function survives(input: string | Uint8Array): void {
  const start = process.cpuUsage();
  try {
    const { net } = readPnml(input, 'fuzz.pnml');
    outcomes.read++;
    expect(validate(net)).toEqual([]);
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    outcomes.refused++;
    expect(e.problems.length).toBeGreaterThan(0);
    for (const p of e.problems) {
      expect(p.code).toMatch(/^(PNML|NET)\d{3}$/);
      expect(p.place).toMatchObject({ file: 'fuzz.pnml', line: expect.any(Number), column: expect.any(Number) });
      expect(p.place!.line).toBeGreaterThan(0);
      expect(p.place!.column).toBeGreaterThan(0);
    }
  }
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(LONGEST);
}

/** Small reference files, and files written by the product. */
const files: readonly string[] = [
  ...contestNets()
    .map(({ file }) => readFileSync(contestFile(file), 'utf8'))
    .filter((text) => text.length < 25_000),
  writePnml(philosophers(2)).text,
];
const sources: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constantFrom(...files), weight: 4 },
  { arbitrary: symmetricNet.filter((n) => n.bindings < 1e4).map((n) => n.xml), weight: 1 },
);
const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const at = <T>(items: readonly T[], where: number): T => items[Math.floor(where * items.length)]!;

/** Start and end of every element of a document, including its content. */
function elementsOf(text: string): { readonly from: number; readonly to: number }[] {
  const open: number[] = [];
  const out: { from: number; to: number }[] = [];
  for (const m of text.matchAll(/<(\/?)[A-Za-z][^<>]*?(\/?)>/g)) {
    if (m[1] === '/') out.push({ from: open.pop() ?? 0, to: m.index + m[0].length });
    else if (m[2] === '/') out.push({ from: m.index, to: m.index + m[0].length });
    else open.push(m.index);
  }
  return out;
}

/** Positions of attribute values, or of the text between tags. */
function piecesOf(text: string, pattern: RegExp): { readonly from: number; readonly to: number }[] {
  return [...text.matchAll(pattern)].map((m) => ({ from: m.index + 1, to: m.index + m[0].length - 1 }));
}

describe('changed documents are valid nets, or rejected with a place', () => {
  const options = { numRuns: RUNS };

  test('bytes', () => {
    const flips = fc.array(fc.record({ where: share, byte: fc.nat(255) }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(sources, flips, (text, changes) => {
        const bytes = Buffer.from(text);
        for (const { where, byte } of changes) bytes[Math.floor(where * bytes.length)] = byte;
        survives(bytes);
      }),
      options,
    );
  });

  test('truncated, or with a part removed', () => {
    fc.assert(
      fc.property(sources, share, share, fc.boolean(), (text, a, b, end) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)].map((x) => Math.floor(x * text.length)) as [number, number];
        survives(end ? text.slice(0, to) : text.slice(0, from) + text.slice(Math.min(to, from + 300)));
      }),
      options,
    );
  });

  test('elements omitted, duplicated, exchanged, nested', () => {
    const kind = fc.constantFrom('out', 'double', 'exchange', 'into');
    fc.assert(
      fc.property(
        sources,
        fc.array(fc.tuple(kind, share, share), { minLength: 1, maxLength: 3 }),
        (source, changes) => {
          let text = source;
          for (const [what, a, b] of changes) {
            const elements = elementsOf(text);
            if (elements.length === 0) break;
            const [x, y] = [at(elements, a), at(elements, b)];
            const piece = text.slice(x.from, x.to);
            if (piece.length > 3000) continue;
            if (what === 'out') text = text.slice(0, x.from) + text.slice(x.to);
            else if (what === 'double') text = text.slice(0, x.to) + text.slice(x.from);
            else if (what === 'into') {
              const inside = text.indexOf('>', y.from) + 1;
              text = text.slice(0, inside) + piece + text.slice(inside);
            } else if (y.from >= x.to || y.to <= x.from) text = text.slice(0, y.from) + piece + text.slice(y.to);
          }
          survives(text);
        },
      ),
      options,
    );
  });

  test('attributes and texts exchanged, or replaced', () => {
    const odd = fc.constantFrom(
      '',
      '-1',
      '0',
      '99999999999999999999',
      '1e3',
      '2147483648',
      'NaN',
      'constructor',
      '__proto__',
      '&lt;',
      ' ',
    );
    const value = fc.tuple(fc.boolean(), share, share, fc.option(odd));
    fc.assert(
      fc.property(sources, fc.array(value, { minLength: 1, maxLength: 3 }), (source, changes) => {
        let text = source;
        for (const [attribute, a, b, other] of changes) {
          const pieces = piecesOf(text, attribute ? /"[^"<>]*"/g : />[^<>\s][^<>]*</g);
          if (pieces.length === 0) continue;
          const [x, y] = [at(pieces, a), at(pieces, b)];
          text = text.slice(0, x.from) + (other ?? text.slice(y.from, y.to)) + text.slice(x.to);
        }
        survives(text);
      }),
      options,
    );
  });

  test('tags of other names', () => {
    fc.assert(
      fc.property(sources, share, share, (text, a, b) => {
        const names = [...text.matchAll(/<([A-Za-z]+)/g)].map((m) => m[1]!);
        const [from, to] = [at(names, a), at(names, b)];
        // One element, including its end tag if it has one.
        const element = at(
          elementsOf(text).filter((e) => text.startsWith(`<${from}`, e.from)),
          b,
        );
        fc.pre(element !== undefined);
        const inside = text.slice(element.from + 1 + from.length, element.to);
        const end = `</${from}>`;
        const changed = inside.endsWith(end) ? `${inside.slice(0, -end.length)}</${to}>` : inside;
        survives(`${text.slice(0, element.from)}<${to}${changed}${text.slice(element.to)}`);
      }),
      options,
    );
  });

  test('some are still nets, and some are not', () => {
    expect(outcomes.read).toBeGreaterThan(atFullEffort(RUNS / 2));
    expect(outcomes.refused).toBeGreaterThan(atFullEffort(RUNS));
  });
});
