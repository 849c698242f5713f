import { describe, expect, test } from 'vitest';
import { placeBounds } from '../../src/analysis/coverability/place-bounds.ts';
import { safeNet } from '../../src/analysis/safe/safe-net.ts';
import { simulate } from '../../src/analysis/simulate.ts';
import { netToDot } from '../../src/net/drawing/dot.ts';
import { netGraph } from '../../src/net/drawing/graph.ts';
import { netToSvg } from '../../src/net/drawing/svg.ts';
import { incidence } from '../../src/net/incidence/incidence.ts';
import { incidenceToCsv } from '../../src/net/incidence/incidence-csv.ts';
import { resolvedIncidence } from '../../src/net/incidence/incidence-resolved.ts';
import { netFromJson, netToJson } from '../../src/net/json/json.ts';
import { close, hide } from '../../src/net/merge/close.ts';
import { type CombineRules, merge } from '../../src/net/merge/merge.ts';
import { qualify, rename } from '../../src/net/merge/rename.ts';
import type { Net } from '../../src/net/net.ts';
import { readPnml } from '../../src/net/pnml/pnml-read.ts';
import { writePnml } from '../../src/net/pnml/pnml-write.ts';
import { netToText } from '../../src/net/text/text.ts';
import { unfold } from '../../src/net/unfold/unfold.ts';
import { netOf, num, put, take } from '../reference/nets.ts';
import { problemsOf } from './problems.ts';

/** Invalid arguments that untyped callers may pass to functions on nets. */

const net = netOf({
  places: { p: { tokens: 2 }, q: {} },
  transitions: { t: { inputs: [take('p')], outputs: [put('q')], delay: num(1) } },
});
// biome-ignore lint/suspicious/noExplicitAny: passes values that the types reject
const untyped = (x: unknown): any => x;

/** The thrown error, or the rejection of the promise, as one line. */
async function said(run: () => unknown): Promise<string | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    return problemsOf(() => {
      throw error;
    }).join('\n');
  }
}

type Cases = readonly (readonly [string, () => unknown, string])[];

describe('options', () => {
  const json = netToJson(net);
  const combined = (combine: unknown) => () => merge([net], { combine: untyped(combine) });
  const cases: Cases = [
    [
      'qualify, misspelt',
      () => qualify(net, 'm', untyped({ kep: ['p'] })),
      'NET058 qualify: options: unknown member "kep". Did you mean "keep"? Known: keep, data.',
    ],
    [
      'qualify, a text to keep',
      () => qualify(net, 'm', { keep: untyped('p') }),
      'NET040 qualify: options: keep: expected a list of strings, got "p"',
    ],
    [
      'qualify, data',
      () => qualify(net, 'm', { data: untyped('yes') }),
      'NET040 qualify: options: data: expected a boolean, got "yes"',
    ],
    [
      'merge, misspelt',
      () => merge([net], untyped({ nmae: 'x' })),
      'NET058 merge: options: unknown member "nmae". Did you mean "name"? Known: name, combine.',
    ],
    [
      'merge, the name',
      () => merge([net], { name: untyped(5) }),
      'NET040 merge: options: name: expected a string, got 5',
    ],
    [
      'merge, a list',
      () => merge([net], untyped([])),
      'NET040 merge: options: expected an object with name, combine, got a list',
    ],
    [
      'merge, a rule misspelt',
      combined({ deley: Math.max }),
      'NET058 merge: combine: unknown member "deley". Did you mean "delay"? Known: delay, weight, priority.',
    ],
    [
      'merge, a rule by name',
      combined({ delay: 'smallest' }),
      'NET040 merge: combine: delay: expected a function, got "smallest"',
    ],
    ['merge, no rules', combined(null), 'NET040 merge: options: combine: expected an object, got null'],
    [
      'merge, a rule that gives no expression',
      combined({ delay: (() => 5) as unknown as CombineRules['delay'] }),
      'NET077 rule for delay: returns 5: expected an expression of its operands',
    ],
    [
      'unfold, misspelt',
      () => unfold(net, untyped({ reachable: false })),
      'NET058 unfold: options: unknown member "reachable". Did you mean "reachableOnly"? Known: limit, reachableOnly.',
    ],
    [
      'unfold, no number',
      () => unfold(net, { limit: Number.NaN }),
      'NET040 unfold: options: limit: expected a number >= 0, got NaN',
    ],
    [
      'unfold, a text',
      () => unfold(net, { limit: untyped('5') }),
      'NET040 unfold: options: limit: expected a number >= 0, got "5"',
    ],
    [
      'resolvedIncidence',
      () => resolvedIncidence(net, untyped({ limt: 5 })),
      'NET058 unfold: options: unknown member "limt". Did you mean "limit"? Known: limit, reachableOnly.',
    ],
    [
      'safeNet',
      () => safeNet(net, untyped({ maxMarking: 5 })),
      'NET058 safeNet: options: unknown member "maxMarking". Did you mean "maxMarkings"? Known: limit, maxMarkings, withoutColours.',
    ],
    [
      'placeBounds',
      () => placeBounds(net, { cancelled: untyped(true) }),
      'NET040 placeBounds: options: cancelled: expected a function, got true',
    ],
    [
      'writePnml',
      () => writePnml(net, untyped({ limt: 5 })),
      'NET058 writePnml: options: unknown member "limt". Did you mean "limit"? Known: limit, reachableOnly.',
    ],
    [
      'readPnml',
      () => readPnml('', 'x.pnml', untyped({ byte: 5 })),
      'NET058 readPnml: limits: unknown member "byte". Did you mean "bytes"? Known: bytes, depth, problems.',
    ],
    [
      'netToSvg',
      () => netToSvg(net, untyped({ wdith: 5 })),
      'NET058 netToSvg: options: unknown member "wdith". Known: limit.',
    ],
    [
      'netToSvg, a text',
      () => netToSvg(net, { limit: untyped('5') }),
      'NET040 netToSvg: options: limit: expected a number >= 0, got "5"',
    ],
    [
      'netFromJson',
      () => netFromJson(json, 'net.json', untyped({ zz: 1 })),
      'NET058 netFromJson: limits: unknown member "zz". Known: maxCharacters, maxEntries, maxTokens.',
    ],
    [
      'netFromJson, no number',
      () => netFromJson(json, 'net.json', { maxTokens: Number.NaN }),
      'NET040 netFromJson: limits: maxTokens: expected a number >= 0, got NaN',
    ],
  ];
  test.each(cases)('of %s', async (_, run, problem) => {
    expect(await said(run)).toBe(problem);
  });

  test('that are undefined are not given', async () => {
    expect(qualify(net, 'm', untyped({ keep: undefined, data: undefined })).name).toBe('m');
    expect(merge([net], untyped({ name: undefined, combine: { delay: undefined } })).name).toBe(net.name);
    expect(unfold(net, untyped({ limit: undefined })).places).toHaveLength(2);
    expect(await netToSvg(net, { limit: Number.POSITIVE_INFINITY })).toContain('<svg');
  });
});

describe('what is not a net', () => {
  const functions: Readonly<Record<string, (given: Net) => unknown>> = {
    close,
    hide: (given) => hide(given, []),
    incidence,
    incidenceToCsv,
    merge: (given) => merge([given]),
    netGraph,
    netToDot,
    netToJson,
    netToSvg,
    netToText,
    qualify: (given) => qualify(given, 'm'),
    rename: (given) => rename(given, {}),
    resolvedIncidence,
    safeNet,
    simulate,
    unfold,
    writePnml,
  };
  const nets: readonly (readonly [unknown, string])[] = [
    [null, 'expected an object, got null'],
    [undefined, 'expected an object, got undefined'],
    [5, 'expected an object, got 5'],
    ['net', 'expected an object, got "net"'],
    [[], 'expected an object, got a list'],
    [{}, 'missing member "name"'],
    [{ ...net, places: undefined }, 'missing member "places"'],
    [{ ...net, transitions: {} }, 'transitions: expected a list, got an object'],
    [{ ...net, name: 5 }, 'name: expected a string, got 5'],
  ];
  test.each(Object.entries(functions))('%s refuses what is not a net', async (name, run) => {
    for (const [given, problem] of nets)
      expect(await said(() => run(given as Net))).toBe(`NET037 net${name === 'merge' ? ' 1' : ''}: ${problem}`);
    await run(net);
  });

  const cases: Cases = [
    [
      'merge, nets one by one',
      () => merge(untyped(net), untyped(net)),
      'NET040 merge: nets: expected a list, as in merge([a, b]), got an object',
    ],
    [
      'merge, one net',
      () => merge(untyped(net)),
      'NET040 merge: nets: expected a list, as in merge([a, b]), got an object',
    ],
    ['merge, a hole', () => merge([net, untyped(null)]), 'NET037 net 2: expected an object, got null'],
    [
      'hide, a label',
      () => hide(net, untyped('sync')),
      `NET040 hide: labels: expected a list of strings, as in hide(net, ['sync']), got "sync"`,
    ],
    [
      'hide, nothing',
      () => hide(net, untyped(undefined)),
      `NET040 hide: labels: expected a list of strings, as in hide(net, ['sync']), got undefined`,
    ],
    [
      'rename, nothing',
      () => rename(net, untyped(null)),
      "NET040 rename: new names: expected an object, as in rename(net, { places: { old: 'new' } }), got null",
    ],
    [
      'rename, no places',
      () => rename(net, { places: untyped(null) }),
      "NET040 rename: places: expected an object, as in rename(net, { places: { old: 'new' } }), got null",
    ],
    [
      'rename, a number',
      () => rename(net, { places: { p: untyped(5) } }),
      'NET040 place p: new name: expected a string, got 5',
    ],
    [
      'qualify, no module',
      () => qualify(net, untyped(undefined)),
      'NET040 qualify: module: expected a string, got undefined',
    ],
    ['netFromJson, a number', () => netFromJson(untyped(5)), 'NET104 netFromJson: expected a string, got 5'],
    ['netFromJson, nothing', () => netFromJson(untyped(null), 'n.json'), 'n.json: NET104 expected a string, got null'],
    [
      'netFromJson, an object',
      () => netFromJson(untyped(JSON.parse(netToJson(net)))),
      'NET104 netFromJson: expected a string, got an object: use JSON.stringify for parsed JSON',
    ],
    [
      'netFromJson, bytes',
      () => netFromJson(untyped(Buffer.from(netToJson(net)))),
      "NET104 netFromJson: expected a string, got bytes: use readFileSync(file, 'utf8') for a string",
    ],
    [
      'netFromJson, limits as the file',
      () => netFromJson(netToJson(net), untyped({ maxTokens: 5 })),
      'NET040 netFromJson: file: expected a string, got an object',
    ],
    [
      'readPnml, a number',
      () => readPnml(untyped(5)),
      'net.pnml:1:1: PNML001 expected a document as a string, bytes, or pieces of either, got 5',
    ],
    [
      'readPnml, nothing',
      () => readPnml(untyped(null)),
      'net.pnml:1:1: PNML001 expected a document as a string, bytes, or pieces of either, got null',
    ],
    [
      'readPnml, a net',
      () => readPnml(untyped(net)),
      'net.pnml:1:1: PNML001 expected a document as a string, bytes, or pieces of either, got an object',
    ],
    [
      'readPnml, pieces',
      () => readPnml(untyped([5])),
      'net.pnml:1:1: PNML001 expected a string or bytes as each piece, got 5',
    ],
  ];
  test.each(cases)('an argument is refused: %s', async (_, run, problem) => {
    expect(await said(run)).toBe(problem);
  });
});
