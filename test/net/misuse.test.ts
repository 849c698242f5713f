import { describe, expect, test } from 'vitest';
import { placeBounds } from '../../src/analysis/coverability/place-bounds.ts';
import { safeNet } from '../../src/analysis/safe/safe-net.ts';
import { simulate } from '../../src/analysis/simulate.ts';
import { netGraph } from '../../src/net/drawing/graph.ts';
import { netToSvg } from '../../src/net/drawing/svg.ts';
import { incidence } from '../../src/net/incidence/incidence.ts';
import { incidenceToCsv } from '../../src/net/incidence/incidence-csv.ts';
import { resolvedIncidence } from '../../src/net/incidence/incidence-resolved.ts';
import { netFromJson, netToJson } from '../../src/net/json/json.ts';
import { close, hide } from '../../src/net/merge/close.ts';
import { type CombineRules, merge } from '../../src/net/merge/merge.ts';
import { qualify } from '../../src/net/merge/qualify.ts';
import { rename } from '../../src/net/merge/rename.ts';
import type { Net } from '../../src/net/net.ts';
import { readPnml } from '../../src/net/pnml/pnml-read.ts';
import { writePnml } from '../../src/net/pnml/pnml-write.ts';
import { netToDot } from '../../src/net/text/dot.ts';
import { netToText } from '../../src/net/text/text.ts';
import { unfold } from '../../src/net/unfold/unfold.ts';
import { netOf, num, put, take } from '../reference/nets.ts';
import { problemsOf } from './problems.ts';

/** What plain JavaScript hands to the functions on nets. */

const net = netOf({
  places: { p: { tokens: 2 }, q: {} },
  transitions: { t: { inputs: [take('p')], outputs: [put('q')], delay: num(1) } },
});
// biome-ignore lint/suspicious/noExplicitAny: what the types refuse
const loose = (x: unknown): any => x;

/** What is thrown, or what a promise is rejected with, as one line. */
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
  const combined = (combine: unknown) => () => merge([net], { combine: loose(combine) });
  const cases: Cases = [
    [
      'qualify, misspelt',
      () => qualify(net, 'm', loose({ kep: ['p'] })),
      'NET058 qualify: options: there is no "kep". Did you mean "keep"? Known: keep, data.',
    ],
    [
      'qualify, a text to keep',
      () => qualify(net, 'm', { keep: loose('p') }),
      'NET040 qualify: options: keep: "p" where a list of strings is expected',
    ],
    [
      'qualify, data',
      () => qualify(net, 'm', { data: loose('yes') }),
      'NET040 qualify: options: data: "yes" where a boolean is expected',
    ],
    [
      'merge, misspelt',
      () => merge([net], loose({ nmae: 'x' })),
      'NET058 merge: options: there is no "nmae". Did you mean "name"? Known: name, combine.',
    ],
    [
      'merge, the name',
      () => merge([net], { name: loose(5) }),
      'NET040 merge: options: name: 5 where a string is expected',
    ],
    [
      'merge, a list',
      () => merge([net], loose([])),
      'NET040 merge: options: a list where an object with name, combine is expected',
    ],
    [
      'merge, a rule misspelt',
      combined({ deley: Math.max }),
      'NET058 merge: combine: there is no "deley". Did you mean "delay"? Known: delay, weight, priority.',
    ],
    [
      'merge, a rule by name',
      combined({ delay: 'smallest' }),
      'NET040 merge: combine: delay: "smallest" where a function is expected',
    ],
    ['merge, no rules', combined(null), 'NET040 merge: options: combine: null where an object is expected'],
    [
      'merge, a rule that gives no expression',
      combined({ delay: (() => 5) as unknown as CombineRules['delay'] }),
      'NET077 rule for delay: gives 5: an expression of its operands is expected',
    ],
    [
      'unfold, misspelt',
      () => unfold(net, loose({ reachable: false })),
      'NET058 unfold: options: there is no "reachable". Known: limit, reachableOnly.',
    ],
    [
      'unfold, no number',
      () => unfold(net, { limit: Number.NaN }),
      'NET040 unfold: options: limit: NaN where a number >= 0 is expected',
    ],
    [
      'unfold, a text',
      () => unfold(net, { limit: loose('5') }),
      'NET040 unfold: options: limit: "5" where a number >= 0 is expected',
    ],
    [
      'resolvedIncidence',
      () => resolvedIncidence(net, loose({ limt: 5 })),
      'NET058 unfold: options: there is no "limt". Did you mean "limit"? Known: limit, reachableOnly.',
    ],
    [
      'safeNet',
      () => safeNet(net, loose({ maxMarking: 5 })),
      'NET058 safeNet: options: there is no "maxMarking". Did you mean "maxMarkings"? Known: limit, maxMarkings.',
    ],
    [
      'placeBounds',
      () => placeBounds(net, { cancelled: loose(true) }),
      'NET040 placeBounds: options: cancelled: true where a function is expected',
    ],
    [
      'writePnml',
      () => writePnml(net, loose({ limt: 5 })),
      'NET058 writePnml: options: there is no "limt". Did you mean "limit"? Known: limit, reachableOnly.',
    ],
    [
      'readPnml',
      () => readPnml('', 'x.pnml', loose({ byte: 5 })),
      'NET058 readPnml: limits: there is no "byte". Did you mean "bytes"? Known: bytes, depth, problems.',
    ],
    [
      'netToSvg',
      () => netToSvg(net, loose({ wdith: 5 })),
      'NET058 netToSvg: options: there is no "wdith". Known: limit.',
    ],
    [
      'netToSvg, a text',
      () => netToSvg(net, { limit: loose('5') }),
      'NET040 netToSvg: options: limit: "5" where a number >= 0 is expected',
    ],
    [
      'netFromJson',
      () => netFromJson(json, 'net.json', loose({ zz: 1 })),
      'NET058 netFromJson: limits: there is no "zz". Known: maxCharacters, maxEntries, maxTokens.',
    ],
    [
      'netFromJson, no number',
      () => netFromJson(json, 'net.json', { maxTokens: Number.NaN }),
      'NET040 netFromJson: limits: maxTokens: NaN where a number >= 0 is expected',
    ],
  ];
  test.each(cases)('of %s', async (_, run, problem) => {
    expect(await said(run)).toBe(problem);
  });

  test('that are undefined are not given', async () => {
    expect(qualify(net, 'm', loose({ keep: undefined, data: undefined })).name).toBe('m');
    expect(merge([net], loose({ name: undefined, combine: { delay: undefined } })).name).toBe(net.name);
    expect(unfold(net, loose({ limit: undefined })).places).toHaveLength(2);
    expect(await netToSvg(net, { limit: Number.POSITIVE_INFINITY })).toContain('<svg');
  });
});

describe('what is no net', () => {
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
    [null, 'null stands where an object is expected'],
    [undefined, 'undefined stands where an object is expected'],
    [5, '5 stands where an object is expected'],
    ['net', '"net" stands where an object is expected'],
    [[], 'a list stands where an object is expected'],
    [{}, 'the member "name" is missing'],
    [{ ...net, places: undefined }, 'the member "places" is missing'],
    [{ ...net, transitions: {} }, 'transitions: an object stands where a list is expected'],
    [{ ...net, name: 5 }, 'name: 5 stands where a text is expected'],
  ];
  test.each(Object.entries(functions))('%s', async (name, run) => {
    for (const [given, problem] of nets)
      expect(await said(() => run(given as Net))).toBe(`NET037 net${name === 'merge' ? ' 1' : ''}: ${problem}`);
    await run(net);
  });

  const cases: Cases = [
    [
      'merge, nets one by one',
      () => merge(loose(net), loose(net)),
      'NET040 merge: nets: an object where a list is expected, as in merge([a, b])',
    ],
    [
      'merge, one net',
      () => merge(loose(net)),
      'NET040 merge: nets: an object where a list is expected, as in merge([a, b])',
    ],
    ['merge, a hole', () => merge([net, loose(null)]), 'NET037 net 2: null stands where an object is expected'],
    [
      'hide, a label',
      () => hide(net, loose('sync')),
      `NET040 hide: labels: "sync" where a list of strings is expected, as in hide(net, ['sync'])`,
    ],
    [
      'hide, nothing',
      () => hide(net, loose(undefined)),
      `NET040 hide: labels: undefined where a list of strings is expected, as in hide(net, ['sync'])`,
    ],
    [
      'rename, nothing',
      () => rename(net, loose(null)),
      "NET040 rename: new names: null where an object is expected, as in rename(net, { places: { old: 'new' } })",
    ],
    [
      'rename, no places',
      () => rename(net, { places: loose(null) }),
      "NET040 rename: places: null where an object is expected, as in rename(net, { places: { old: 'new' } })",
    ],
    [
      'rename, a number',
      () => rename(net, { places: { p: loose(5) } }),
      'NET040 place p: new name: 5 where a string is expected',
    ],
    [
      'qualify, no module',
      () => qualify(net, loose(undefined)),
      'NET040 qualify: module: undefined where a string is expected',
    ],
    ['netFromJson, a number', () => netFromJson(loose(5)), 'NET104 netFromJson: a text is expected, not 5'],
    ['netFromJson, nothing', () => netFromJson(loose(null), 'n.json'), 'n.json: NET104 a text is expected, not null'],
    [
      'netFromJson, an object',
      () => netFromJson(loose(JSON.parse(netToJson(net)))),
      'NET104 netFromJson: a text is expected, not an object: JSON.stringify makes one of what is parsed already',
    ],
    [
      'netFromJson, bytes',
      () => netFromJson(loose(Buffer.from(netToJson(net)))),
      "NET104 netFromJson: a text is expected, not bytes: readFileSync(file, 'utf8') gives a text",
    ],
    [
      'netFromJson, limits as the file',
      () => netFromJson(netToJson(net), loose({ maxTokens: 5 })),
      'NET040 netFromJson: file: an object where a string is expected',
    ],
    [
      'readPnml, a number',
      () => readPnml(loose(5)),
      'net.pnml:1:1: PNML001 5 is no document: a text, its bytes, or either in pieces is expected',
    ],
    [
      'readPnml, nothing',
      () => readPnml(loose(null)),
      'net.pnml:1:1: PNML001 null is no document: a text, its bytes, or either in pieces is expected',
    ],
    [
      'readPnml, a net',
      () => readPnml(loose(net)),
      'net.pnml:1:1: PNML001 an object is no document: a text, its bytes, or either in pieces is expected',
    ],
    [
      'readPnml, pieces',
      () => readPnml(loose([5])),
      'net.pnml:1:1: PNML001 a piece of it is 5: a text or bytes are expected',
    ],
  ];
  test.each(cases)('%s', async (_, run, problem) => {
    expect(await said(run)).toBe(problem);
  });
});
