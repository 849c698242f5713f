import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { explore as exploreNet } from '../../../src/analysis/space/explore.ts';
import {
  convert,
  explore,
  netFromJson,
  predict,
  profile,
  readPnpro,
  steady,
  structure,
  verify,
  whatif,
} from '../../../src/index.ts';
import { gspnFile, skipped } from '../../references.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-pnpro-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const written = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

/** M/M/1/2: arrivals at rate 1, one server at rate 2. */
const QUEUE = `<project name="q" version="121"><gspn name="queue"><nodes>
<place name="free" marking="2"/><place name="waiting"/><constant name="mu" consttype="REAL" value="2.0"/>
<transition name="arrive" type="EXP" nservers="1"/><transition name="serve" type="EXP" delay="mu" nservers="1"/></nodes>
<edges><arc kind="INPUT" tail="free" head="arrive"/><arc kind="OUTPUT" tail="arrive" head="waiting"/>
<arc kind="INPUT" tail="waiting" head="serve"/><arc kind="OUTPUT" tail="serve" head="free"/></edges></gspn></project>`;

describe.each(['queue.PNPRO', 'queue.pnpro'])('%s is read by every function that takes nets', (name) => {
  const file = written(name, QUEUE);

  test('explore, verify, structure, steady', async () => {
    expect(explore(file)).toMatchObject({ complete: true, figures: { states: { value: 3 } } });
    expect(verify(file, ['deadlock-free', 'AG(tokens(waiting) <= 2)']).properties.map((p) => p.verdict)).toEqual([
      true,
      true,
    ]);
    expect((await structure(file)).verdicts).toMatchObject({ bounded: { value: true } });
    // Shares 4/7, 2/7, 1/7.
    const { places, inputs } = steady(file);
    expect(places.find((p) => p.name === 'waiting')!.mean).toBeCloseTo(4 / 7, 12);
    expect(inputs.net!.path).toMatch(name);
  });

  test('predict, whatif, convert', async () => {
    expect(predict(file, { until: 50 }).firings['serve']).toBeGreaterThan(0);
    const study = await whatif(file, { vary: { 'delay.serve': [1, 2] }, until: 10, workers: 1 });
    expect(study.complete).toBe(true);
    const json = join(folder, `${name}.json`);
    await convert(file, json);
    expect(netFromJson(readFileSync(json, 'utf8'), json)).toEqual(readPnpro(QUEUE).net);
  });
});

test('problems found after reading have the line of the node', () => {
  const text = QUEUE.replace('type="EXP" delay="mu" nservers="1"', 'type="DET" delay="2"');
  expect(() => steady(written('det.PNPRO', text), { method: 'ctmc' })).toThrow(/det\.PNPRO:3:\d+: .*transition serve/);
});

test('the file of another function is named by its content', () => {
  expect(() => profile(written('other.PNPRO', QUEUE))).toThrow('PROF006 is a net');
  expect(() => explore(join(folder, 'queue.gspn'))).toThrow(
    /is a GreatSPN net, which cannot be read: give the project/,
  );
});

const philosophers = gspnFile('philosophers-4.PNPRO');
const has = existsSync(philosophers);

describe.skipIf(!has)(`four philosophers as GreatSPN ships them${has ? '' : ` (${skipped})`}`, () => {
  test('its states, and the long run', () => {
    expect(explore(philosophers)).toMatchObject({
      complete: true,
      figures: { states: { value: 34 }, edges: { value: 88 } },
      verdicts: { deadlock: true },
      warnings: [],
    });
    const { places } = steady(philosophers);
    // The run ends in the deadlock, where all wait.
    for (const { name, mean } of places) expect([name, mean]).toEqual([name, /^wait/.test(name) ? 1 : 0]);
  });

  test('the mean time to the deadlock is 550/101 s', () => {
    const { net, warnings } = readPnpro(readFileSync(philosophers));
    expect(warnings).toEqual([]);
    expect(net.transitions.every(({ delay }) => JSON.stringify(delay).includes('"value":1}'))).toBe(true);
    const space = exploreNet(net);
    const next = Array.from({ length: space.states }, (_, s) => space.firings(s).map((f) => f.target));
    // Every place has at most one token, so every step has rate 1: time = 1 / n + the mean time of the n successors.
    const unknowns = next.flatMap((targets, s) => (targets.length === 0 ? [] : [s]));
    const rows = unknowns.map((s) => {
      const row = Array<bigint>(unknowns.length + 1).fill(0n);
      row[unknowns.indexOf(s)]! += BigInt(next[s]!.length);
      for (const target of next[s]!) if (next[target]!.length > 0) row[unknowns.indexOf(target)]! -= 1n;
      row[unknowns.length] = 1n;
      return row;
    });
    // Elimination in whole numbers (Bareiss): every division is exact.
    let before = 1n;
    for (let k = 0; k < rows.length; k++) {
      const pivot = rows.findIndex((row, i) => i >= k && row[k] !== 0n);
      [rows[k], rows[pivot]] = [rows[pivot]!, rows[k]!];
      const own = rows[k]!;
      rows.forEach((row, i) => {
        if (i !== k) rows[i] = row.map((v, j) => (v * own[k]! - own[j]! * row[k]!) / before);
      });
      before = own[k]!;
    }
    const start = unknowns.indexOf(0);
    const [time, weight] = [rows[start]!.at(-1)!, rows[start]![start]!];
    expect(time * 101n).toBe(weight * 550n);
  });

  test('the ending may be in small letters', () => {
    const copy = join(folder, 'philosophers.pnpro');
    copyFileSync(philosophers, copy);
    expect(explore(copy).figures.states.value).toBe(34);
  });
});
