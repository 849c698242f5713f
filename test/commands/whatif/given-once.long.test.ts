import { describe, expect, test } from 'vitest';
import { InputError } from '../../../src/base/problem.ts';
import { parameter } from '../../../src/commands/command-line/option-values.ts';
import { parseAxes } from '../../../src/commands/whatif/axes/axes.ts';
import { AXIS_OPTIONS, THREAD_AXES } from '../../../src/commands/whatif/axes/study-axes.ts';
import { type WhatIfOptions, whatif } from '../../../src/commands/whatif/whatif.ts';
import { exponential, NetBuilder } from '../../../src/index.ts';
import { spmd } from '../../../src/models.ts';
import { foretoken } from '../../cli/run.ts';
import { free, loop } from '../predict/threads/models.ts';

const model = spmd({ name: 'm', params: { turns: 1, grain: 2 }, build: (m) => m.compute({ seconds: m.p.turns }) });
const trace = 'examples/stencil/stencil-8.ti';
const machine = 'examples/stencil/cluster.yaml';

const n = new NetBuilder('net');
const p = n.place('p', {}, { initial: 1 });
n.transition('t', (t) => {
  t.take(p);
  t.put(p, {});
  t.race({ delay: exponential(1) });
});
const net = n.build();

/** The codes of a refusal; none if the study runs. */
async function codes(
  input: unknown,
  vary: Readonly<Record<string, unknown>> | string[],
  options: object,
): Promise<string[]> {
  try {
    const axes = Array.isArray(vary) ? parseAxes(vary) : vary;
    await whatif(input as never, { ...options, vary: axes, workers: 1 } as never);
    return [];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.problems.map(({ code, place }) => `${code} ${place?.part}`);
  }
}

/** A value of each axis, and of the options that fix the same. */
const FIXED: Readonly<Record<string, readonly (readonly [axis: unknown, options: WhatIfOptions & object])[]>> = {
  ranks: [[2, { ranks: 2 }]],
  machine: [[machine, { machine }]],
  placement: [
    ['block', { placement: 'block' }],
    ['block', { hostfile: 'hosts' }],
    ['cyclic', { placement: [0, 1] }],
  ],
  'network-model': [['foretoken', { networkModel: 'foretoken' }]],
  collectives: [['logarithmic', { collectives: 'simgrid' }]],
  scheduler: [['central', { scheduler: 'os' }]],
  victim: [['random', { victim: 'random' }]],
  take: [['one', { take: 'one' }]],
  rounds: [[2, { rounds: 1 }]],
  pool: [['stack', { pool: 'isolated' }]],
  spawn: [['work-first', { spawn: 'help-first' }]],
  'model.turns': [
    [1, { set: { turns: 1 } }],
    [3, { set: { grain: 3, turns: 2 } }],
  ],
};

describe('an option that fixes what an axis varies is refused', () => {
  test('the table has every axis that sets an option', () => {
    const axes = [...Object.keys(AXIS_OPTIONS), ...Object.keys(THREAD_AXES).filter((name) => name !== 'workers')];
    expect(Object.keys(FIXED)).toEqual(expect.arrayContaining(axes));
  });

  for (const [axis, rows] of Object.entries(FIXED))
    for (const [value, options] of rows) {
      const isPooled = Object.hasOwn(THREAD_AXES, axis);
      const inputs = isPooled ? [loop] : axis.startsWith('model.') || axis === 'ranks' ? [model] : [model, trace];
      test(`axis ${axis}, ${JSON.stringify(options)}`, async () => {
        const needed = isPooled ? { machine: free } : axis === 'machine' ? {} : { machine };
        for (const input of inputs) {
          const all = { ...needed, ...options };
          const [first, ...others] = await codes(input, { [axis]: [value] }, all);
          expect([first, ...others]).toEqual([`WHAT005 axis ${axis}`]);
        }
      });
    }

  test('workers of a pool; for other models they are threads of the study', async () => {
    expect(await codes(loop, { workers: [2] }, { machine: free })).toEqual(['WHAT005 axis workers']);
    expect(await codes(model, { ranks: [1, 2] }, { machine })).toEqual([]);
  });

  test('all are reported at once, and other parameters may be fixed', async () => {
    const vary = { ranks: [1, 2], 'model.turns': [1, 2] };
    expect(await codes(model, vary, { machine, ranks: 2, set: { turns: 1 } })).toEqual([
      'WHAT005 axis ranks',
      'WHAT005 axis model.turns',
    ]);
    const others = { machine, ranks: 2, set: { grain: 3 }, networkModel: 'foretoken' };
    expect(await codes(model, { 'model.turns': [1, 2], 'machine.speed': ['x1', 'x2'] }, others)).toEqual([]);
    expect(await codes(model, vary, { machine, ranks: undefined })).toEqual([]);
  });
});

describe('two of one parameter are refused', () => {
  test.each([
    [model, ['ranks=1', 'ranks=2'], 'axis ranks'],
    [model, ['model.turns=1', 'model.turns=2'], 'axis model.turns'],
    [model, ['machine.speed=x1', 'machine.speed=x2'], 'axis machine.speed'],
    [net, ['tokens.p=1', 'tokens.p=2'], 'axis tokens.p'],
    [net, ['delay.t=1', 'transitions.t.rate=2'], 'axis transitions.t.rate'],
    [net, ['transitions.t.rate=1', 'transitions.t.delay=2'], 'axis transitions.t.delay'],
  ])('two axes of $1', async (input, axes, part) => {
    const options = input === net ? { until: 1 } : { machine };
    expect(await codes(input, axes, options)).toEqual([`WHAT005 ${part}`]);
  });

  test('two --set', () => {
    const twice = (...texts: string[]) => texts.reduce((set, text) => parameter(text, set), {});
    expect(twice('a=1', 'b=1')).toEqual({ a: 1, b: 1 });
    for (const texts of [
      ['a=1', 'a=1'],
      ['a=1', 'b=2', 'model.a=3'],
      ['model.a=true', 'a=x'],
    ])
      expect(() => twice(...texts)).toThrow('WHAT005 --set: parameter a is given twice');
  });
});

test.each([
  [['whatif', '--set', 'bytes=3', '--vary', 'model.bytes=1,2'], 'axis model.bytes: option set fixes it to 3'],
  [['whatif', '--ranks', '2', '--vary', 'ranks=2,3'], 'axis ranks: option ranks fixes it to 2'],
  [['whatif', '--set', 'bytes=3', '--set', 'model.bytes=3', '--vary', 'ranks=2'], '--set: parameter bytes'],
  [['predict', '--set', 'bytes=3', '--set', 'bytes=4'], '--set: parameter bytes'],
  [['explore', '--set', 'bytes=3', '--set', 'bytes=4'], '--set: parameter bytes'],
])('on the command line: $0', async ([command, ...options], message) => {
  const { code, stdout, stderr } = await foretoken([command!, 'examples/ring/model.ts', ...options]);
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(`WHAT005 ${message}`)]);
});
