import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { readFormulas } from '../../../src/analysis/properties/read-formulas.ts';
import { InputError } from '../../../src/base/problem.ts';
import { compare } from '../../../src/commands/compare/compare.ts';
import { diagnose } from '../../../src/commands/diagnose/diagnose.ts';
import { readNetFile } from '../../../src/commands/inputs/net-file.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { rerunOf } from '../../../src/commands/predict/predict-rerun.ts';
import { predictionJson } from '../../../src/commands/predict/prediction-json.ts';
import { profileRun } from '../../../src/commands/profile/profile.ts';
import { readResult } from '../../../src/commands/rerun/result-file.ts';
import { readMachineFile } from '../../../src/machine/description/machine-file.ts';
import { readHostfile } from '../../../src/machine/hostfile.ts';
import { readSimgridPlatform } from '../../../src/machine/simgrid/simgrid-xml.ts';
import { netToJson } from '../../../src/net/json/json-write.ts';
import { FULL_EFFORT } from '../../effort.ts';
import { everyFeature } from '../../net/every-feature.ts';
import { symmetricNet } from '../../net/symmetric-net.ts';

/*
 * Names that every JavaScript object inherits are names like any other: in any place of any input, `__proto__`,
 * `constructor` or `toString` is accepted or refused exactly as an unknown name without a meaning is.
 */

const folder = mkdtempSync(join(tmpdir(), 'foretoken-names-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const read = (path: string): string => readFileSync(path, 'utf8');

const FOREIGN = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'] as const;
/** Names without a meaning that are sorted alike: other letters at the end. */
const PLAIN: Readonly<Record<string, string>> = {
  constructor: 'constructos',
  toString: 'toStrinh',
  hasOwnProperty: 'hasOwnPropertz',
  valueOf: 'valueOg',
  __defineGetter__: '__defineGettes__',
};
const plain = (name: string): string => (name === '__proto__' ? '__protp__' : PLAIN[name]!);

const TRACE = '0 init\n0 compute 1e6\n0 send 1 0 1000\n0 finalize\n1 init\n1 recv 0 0 1000\n1 finalize\n';
const trace = file('two.ti', TRACE);
const cluster = 'examples/stencil/cluster.xml';
const result = file('base.json', predictionJson(predict(trace, { machine: cluster })));
const record = file('two.jsonl', '');
predict(trace, { machine: cluster, run: record });
const states = file('two.csv', '');
predict(trace, { machine: cluster, run: states });
const PNML = `<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g"><place id="p"><name><text>p</text></name><initialMarking><text>1</text></initialMarking><toolspecific tool="T" version="1"/></place><transition id="t"/><arc id="a" source="p" target="t"><inscription><text>1</text></inscription></arc></page></net></pnml>`;
const net = readNetFile(file('p.pnml', PNML)).net;
const FORMULAS = `<property-set xmlns="http://mcc.lip6.fr/"><property><id>A</id><description>d</description><formula><all-paths><globally><integer-le><tokens-count><place>p</place></tokens-count><integer-constant>1</integer-constant></integer-le></globally></all-paths></formula></property></property-set>`;
const workers = 'worker,time,state,region\n0,0,EXEC,a\n0,1,END,a\n1,0,WAIT,a\n1,1,END,a\n';
const chrome = JSON.stringify({
  traceEvents: [{ ph: 'X', name: 'task', ts: 0, dur: 5, pid: 1, tid: 1, args: { a: 1 } }],
});

/** Inputs of each kind: file name, text, and how it is read. */
const inputs: readonly (readonly [name: string, text: string, use: (path: string) => unknown])[] = [
  ['trace.ti', TRACE, (path) => predict(path, { machine: cluster })],
  ['list.txt', 'two.ti\n', (path) => predict(path, { machine: cluster })],
  ['machine.yaml', read('examples/block-lu/machine.yaml'), readMachineFile],
  [
    'machine.json',
    JSON.stringify({ nodes: 2, coresPerNode: 2, speed: '1Gf', link: { latency: '1us', bandwidth: '1GB/s' } }),
    readMachineFile,
  ],
  ['cluster.xml', read(cluster), readSimgridPlatform],
  ['hosts.txt', 'node-0.cluster\nnode-1.cluster 2\n', (path) => readHostfile(path, readSimgridPlatform(cluster), 2)],
  ['states.csv', read(states), (path) => profileRun(path)],
  ['run.jsonl', read(record), (path) => profileRun(path)],
  ['workers.csv', workers, (path) => diagnose(path)],
  ['chrome.json', chrome, (path) => diagnose(path, { states: { task: 'EXEC' } } as never)],
  ['net.pnml', PNML, (path) => readNetFile(path)],
  ['coloured.pnml', fc.sample(symmetricNet, { seed: 1, numRuns: 1 })[0]!.xml, (path) => readNetFile(path)],
  ['net.json', netToJson(everyFeature()), (path) => readNetFile(path)],
  ['formulas.xml', FORMULAS, (path) => readFormulas(path, net)],
  [
    'result.json',
    read(result),
    (path) => [
      compare({ input: path, document: readResult(path) }, { input: result, document: readResult(result) }),
      rerunOf(readResult(path), path),
    ],
  ],
];

/** Codes of the problems, or `read`. Another error than InputError fails the test. */
function outcome(use: (path: string) => unknown, path: string): string {
  try {
    use(path);
    return 'read';
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return [...new Set(error.problems.map(({ code }) => code))].sort().join(' ');
  }
}

const builtIns = [Object.prototype, Array.prototype, Function.prototype, String.prototype];
const members = (): unknown => builtIns.map((one) => [Object.getPrototypeOf(one), Object.getOwnPropertyNames(one)]);

describe('a name that objects inherit is read as any other', () => {
  it.each(inputs)('names that objects inherit are read as any other in %s', (name, text, use) => {
    const before = members();
    const words = [...text.matchAll(/[A-Za-z_][\w-]*/g)];
    const seen = new Map<string, number>();
    // The first places of every word; the others are read alike.
    const places = words.filter(({ 0: word }) => {
      seen.set(word, (seen.get(word) ?? 0) + 1);
      return seen.get(word)! <= (FULL_EFFORT ? 3 : 1);
    });
    expect(places.length).toBeGreaterThan(0);
    for (const { 0: word, index } of places)
      for (const foreign of FOREIGN) {
        const replaced = (by: string): string =>
          outcome(use, file(name, text.slice(0, index) + by + text.slice(index + word.length)));
        const [found, expected] = [replaced(foreign), replaced(plain(foreign))];
        // NET008: names of nets that are reserved.
        if (!found.includes('NET008')) expect([word, index, foreign, found]).toEqual([word, index, foreign, expected]);
        expect(members()).toEqual(before);
      }
  });
});
