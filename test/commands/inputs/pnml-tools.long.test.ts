import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { convert } from '../../../src/commands/convert/convert.ts';
import { explore } from '../../../src/commands/explore/explore.ts';
import { readNetFile } from '../../../src/commands/inputs/net-file.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { verify } from '../../../src/commands/verify/net/verify.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { exponential, uniform } from '../../../src/net/builder/distributions.ts';
import { netFromJson, netToJson } from '../../../src/net/json/json.ts';
import { qualify } from '../../../src/net/merge/rename.ts';
import type { Net } from '../../../src/net/net.ts';
import { readPnml } from '../../../src/net/pnml/pnml-read.ts';
import { writePnml } from '../../../src/net/pnml/pnml-write.ts';
import { netToText } from '../../../src/net/text/text.ts';
import { unfold } from '../../../src/net/unfold/unfold.ts';
import { validate } from '../../../src/net/validation/validate.ts';
import { sound } from '../../../src/testing/sound.ts';
import { subjectOf } from '../../../src/testing/subject.ts';

const sample = (name: string): string => join(import.meta.dirname, '../../net/pnml-tools', name);
const folder = mkdtempSync(join(tmpdir(), 'foretoken-pnml-'));
const problems = (run: () => unknown): string => {
  try {
    run();
    return 'no problem';
  } catch (e) {
    return (e as Error).message;
  }
};

describe('documents of other tools', () => {
  test('pm4py: final marking, stochastic and data parts', () => {
    const { net, warnings } = readNetFile(sample('pm4py.pnml'));
    expect(net.places.map((p) => p.name)).toEqual(['source', 'p_1', 'sink']);
    expect(net.transitions.map((t) => t.name)).toEqual(['a8b57d', 'skip_1']);
    expect(net.transitions[1]!.inputs[0]).toMatchObject({ kind: 'take', place: 'p_1', count: 2 });
    expect(net.finalMarkings).toEqual([[{ place: 'sink', count: 1 }]]);
    expect(net.transitions[0]).toMatchObject({ timing: 'race', delay: { rate: { value: 0.5 } } });
    for (const lost of ['guards', 'without a distribution', '<readVariable>', '<writeVariable>', '<variables>'])
      expect(warnings.filter((w) => w.includes(lost))).toHaveLength(1);
    expect(explore(sample('pm4py.pnml'))).toMatchObject({ complete: true, verdicts: { deadlock: false }, warnings });
    expect(verify(sample('pm4py.pnml'), ['deadlock-free'])).toMatchObject({
      properties: [{ verdict: true }],
      warnings,
    });
  });

  test('ProM: a run that ends in another marking is a deadlock', () => {
    const { net, warnings } = readNetFile(sample('prom.pnml'));
    expect([net.finalMarkings, warnings]).toEqual([[[{ place: 'n2', count: 1 }]], []]);
    const space = explore(sample('prom.pnml'));
    expect(space.dead.map(({ state, final }) => [state, final])).toEqual([
      [2, false],
      [1, true],
    ]);
    expect(space.figures.deadlockStates.value).toBe(1);
    const found = verify(sample('prom.pnml'), ['deadlock-free']);
    expect(found.properties[0]).toMatchObject({ verdict: false, witness: { steps: [{ node: 'n5' }] } });
    expect(found.final).toBe('tokens(n2) = 1 & tokens(n1, n3) = 0');
    // The user's final marking takes precedence.
    const either = 'tokens(n1) = 0';
    expect(verify(sample('prom.pnml'), ['deadlock-free'], { final: either }).properties[0]!.verdict).toBe(true);
  });

  test('PIPE: tokens of one class, capacities, rates', () => {
    const { net, warnings } = readNetFile(sample('pipe.xml'));
    expect(net.places.map(({ name, capacity, initial }) => [name, capacity, initial[0]?.count])).toEqual([
      ['P0', undefined, 3],
      ['Waiting for access', 2, undefined],
    ]);
    // T0 has the rate of its parameter, T1 the default priority and servers.
    expect(net.transitions.map(({ inputs, outputs, name, ...t }) => [inputs[0]!.count, t])).toEqual([
      [1, { delay: { dist: 'exponential', rate: { op: 'const', value: 6 } }, timing: 'race', servers: 'single' }],
      [2, { priority: 1, weight: { op: 'const', value: 2 } }],
    ]);
    expect(warnings.filter((w) => w.startsWith('<token>'))).toHaveLength(1);
    for (const name of ['definition', 'rate', 'timed', 'infiniteServer', 'priority'])
      expect(warnings.filter((w) => w.includes(name))).toEqual([]);
    expect(explore(sample('pipe.xml')).figures.states.value).toBe(3);
  });

  test('PIPE: tokens of several classes become colours', () => {
    const text = readFileSync(sample('pipe.xml'), 'utf8')
      .replace('Default,3,Spare,0', 'Default,3,Spare,2')
      .replace('Default,1,Spare,0', 'Default,1,Spare,1');
    const { net } = readPnml(text, 'x.xml');
    expect(net.colours).toEqual([{ kind: 'enum', name: 'class', values: ['Default', 'Spare'] }]);
    expect(net.places.map(({ initial, capacity }) => [initial, capacity])).toEqual([
      [
        [
          { values: [0], count: 3 },
          { values: [1], count: 2 },
        ],
        undefined,
      ],
      [[], 2],
    ]);
    // T0 moves one Default and discards one Spare; T1 takes two Defaults.
    expect(net.transitions.map((t) => t.inputs.map((a) => a.count))).toEqual([[1, 1], [2]]);
    const file = join(folder, 'classes.xml');
    writeFileSync(file, text);
    const found = explore(file).figures;
    expect([found.states.value, found.deadlockStates.value]).toEqual([4, 1]);
    expect(readPnml(writePnml(net).text).net).toEqual(net);
  });

  test('PIPE: one class in a place and another at an arc, and an arc without an inscription', () => {
    const text = readFileSync(sample('pipe.xml'), 'utf8');
    const apart = text.replace('Default,2,Spare,0', 'Default,0,Spare,2');
    expect(readPnml(apart, 'x.xml').net.colours).toHaveLength(1);
    const spare = text.replaceAll(/Default,(\d),Spare,0/g, 'Default,0,Spare,$1');
    expect(readPnml(spare, 'x.xml').net.colours).toHaveLength(0);
    const bare = spare.replace(/<inscription>\s*<value>Default,0,Spare,1<\/value>.*?<\/inscription>/s, '');
    expect(readPnml(bare, 'x.xml').net.colours).toMatchObject([{ values: ['Spare', 'Default'] }]);
    expect(problems(() => readPnml(text.replace('Default,3,Spare,0', 'Default,99999999999999999,Spare,0')))).toMatch(
      /PNML007 <initialMarking>: "99999999999999999" is larger/,
    );
  });

  test.each([
    'http://www.yasper.org/specs/epnml-1.1',
    'http://www.informatik.hu-berlin.de/top/pntd/ptNetb',
    'http://www.pnml.org/version-2009-05-13/grammar/ptnet',
    'http://www.pnml.org/version-2003/pnmlcoremodel',
    'PTNet',
  ])('the older net type %s is read with a warning', (type) => {
    const text = readFileSync(sample('prom.pnml'), 'utf8').replace(/type="[^"]*"/, `type="${type}"`);
    const { net, warnings } = readPnml(text);
    expect([net.places.length, warnings.length]).toEqual([3, 1]);
  });

  test('a final marking of an unknown place, and an invalid count', () => {
    const text = readFileSync(sample('prom.pnml'), 'utf8');
    expect(problems(() => readPnml(text.replace('idref="n2"', 'idref="n22"')))).toMatch(/PNML010 .*n22/);
    const half = text.replace('<place idref="n2">\n<text>1</text>', '<place idref="n2">\n<text>1/2</text>');
    expect(problems(() => readPnml(half))).toMatch(/PNML007 .*1\/2/);
  });
});

describe('final markings', () => {
  const net = (): Net => ({
    ...readNetFile(sample('prom.pnml')).net,
    finalMarkings: [[{ place: 'n2', count: 1 }], [{ place: 'n3', count: 1 }], []],
  });

  test('are preserved by JSON, PNML, renaming and unfolding', () => {
    expect(netFromJson(netToJson(net()))).toEqual(net());
    const written = writePnml(net());
    expect(written.net).toEqual(net());
    expect(readPnml(written.text).net).toEqual(net());
    expect(unfold(net()).finalMarkings).toEqual(net().finalMarkings);
    expect(qualify(net(), 'a').finalMarkings![0]![0]!.place).toMatch(/^a.*n2$/);
    expect(netToText(net())).toContain('final marking n2 1\nfinal marking n3 1\nfinal marking of no tokens\n');
    convert(sample('prom.pnml'), join(folder, 'a.json'), {});
    convert(join(folder, 'a.json'), join(folder, 'a.pnml'), {});
    expect(readNetFile(join(folder, 'a.pnml')).net).toEqual(readNetFile(sample('prom.pnml')).net);
  });

  test('several: each is final', () => {
    expect(explore(net())).toMatchObject({ verdicts: { deadlock: false } });
    expect(verify(net(), ['deadlock-free']).properties[0]!.verdict).toBe(true);
  });

  test('decide soundness', () => {
    const at = (name: string): boolean | undefined =>
      sound(subjectOf('toBeSound', readNetFile(sample(name)).net, {}), 'test').holds;
    expect([at('pm4py.pnml'), at('prom.pnml')]).toEqual([true, false]);
  });

  test('a run that stops elsewhere causes a warning', () => {
    const all = readNetFile(sample('prom.pnml')).net;
    const file = join(folder, 'stuck.json');
    writeFileSync(file, netToJson({ ...all, transitions: all.transitions.filter((t) => t.name === 'n5') }));
    expect(predict(file).warnings).toMatchObject([
      { code: 'APP046', message: 'stops in a marking that is not final: "n3" 1' },
    ]);
    // Names decide which of its two transitions fires.
    expect(predict(sample('prom.pnml')).warnings.map((w) => w.code)).toEqual(['APP050']);
  });

  test('are validated', () => {
    const wrong = (finalMarkings: Net['finalMarkings']): string[] =>
      validate({ ...net(), ...(finalMarkings === undefined ? {} : { finalMarkings }) }).map((p) => p.code);
    expect(wrong([[{ place: 'x', count: 1 }]])).toEqual(['NET012']);
    expect(wrong([[{ place: 'n1', count: -1 }]])).toEqual(['NET038']);
    expect(
      wrong([
        [
          { place: 'n1', count: 1 },
          { place: 'n1', count: 1 },
        ],
      ]),
    ).toEqual(['NET038']);
  });
});

test('predict runs a PNML net with the times written by writePnml', () => {
  const n = new NetBuilder('timed');
  const free = n.place('free machine', {}, { initial: 2 });
  const jobs = n.place('jobs', {}, { initial: 20 });
  const done = n.place('done', {});
  n.transition('work', (t) => {
    t.take(free);
    t.take(jobs);
    t.delay(exponential(1 / 3));
    t.put(free, {});
    t.put(done, {});
  });
  n.transition('redo', (t) => {
    t.take(done);
    t.take(free, {}, 2);
    t.delay(uniform(0.1, 0.7));
    t.put(free, {}, 2);
  });
  const net = n.build();
  const [json, pnml] = [join(folder, 'timed.json'), join(folder, 'timed.pnml')];
  writeFileSync(json, netToJson(net));
  writeFileSync(pnml, writePnml(net).text);
  // The file of an input is also the place of its notes.
  const figures = ({ inputs: _, notes = [], ...rest }: ReturnType<typeof predict>): object => ({
    ...rest,
    notes: notes.map(({ code, message }) => [code, message]),
  });
  const [a, b] = [predict(json, { seed: 's' }), predict(pnml, { seed: 's' })];
  expect(figures(b)).toEqual(figures(a));
  expect(b.figures.runTime.value).toBeGreaterThan(1);
  expect(b.warnings).toEqual([]);
});
