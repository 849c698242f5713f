import { describe, expect, test } from 'vitest';
import { netToSvg } from '../../src/net/drawing/svg.ts';
import { resolvedIncidence } from '../../src/net/incidence/incidence-resolved.ts';
import { netFromJson, netToJson } from '../../src/net/json/json.ts';
import { type CombineRules, merge } from '../../src/net/merge/merge.ts';
import { qualify } from '../../src/net/merge/qualify.ts';
import { readPnml } from '../../src/net/pnml/pnml-read.ts';
import { writePnml } from '../../src/net/pnml/pnml-write.ts';
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
      'NET040 qualify: options: keep: "p" where a list of texts is expected',
    ],
    [
      'qualify, data',
      () => qualify(net, 'm', { data: loose('yes') }),
      'NET040 qualify: options: data: "yes" where a truth value is expected',
    ],
    [
      'merge, misspelt',
      () => merge([net], loose({ nmae: 'x' })),
      'NET058 merge: options: there is no "nmae". Did you mean "name"? Known: name, combine.',
    ],
    [
      'merge, the name',
      () => merge([net], { name: loose(5) }),
      'NET040 merge: options: name: 5 where a text is expected',
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
      'NET040 unfold: options: limit: NaN where a number from 0 on is expected',
    ],
    [
      'unfold, a text',
      () => unfold(net, { limit: loose('5') }),
      'NET040 unfold: options: limit: "5" where a number from 0 on is expected',
    ],
    [
      'resolvedIncidence',
      () => resolvedIncidence(net, loose({ limt: 5 })),
      'NET058 unfold: options: there is no "limt". Did you mean "limit"? Known: limit, reachableOnly.',
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
      'NET040 netToSvg: options: limit: "5" where a number from 0 on is expected',
    ],
    [
      'netFromJson',
      () => netFromJson(json, 'net.json', loose({ zz: 1 })),
      'NET058 netFromJson: limits: there is no "zz". Known: maxCharacters, maxEntries, maxTokens.',
    ],
    [
      'netFromJson, no number',
      () => netFromJson(json, 'net.json', { maxTokens: Number.NaN }),
      'NET040 netFromJson: limits: maxTokens: NaN where a number from 0 on is expected',
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
