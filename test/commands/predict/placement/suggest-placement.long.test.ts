import { writeFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import type { SuggestedPlacement } from '../../../../src/commands/predict/improvement-figures.ts';
import { predict } from '../../../../src/commands/predict/predict.ts';
import { rerunOf } from '../../../../src/commands/predict/predict-rerun.ts';
import { renderPrediction } from '../../../../src/commands/predict/view/terminal.ts';
import { cluster } from '../../../../src/machine/cluster.ts';
import { spmd } from '../../../../src/models.ts';
import { warmly } from '../../../cli/warm.ts';
import { folder, problemsOf } from '../../../trace/support.ts';
import { traceOf } from './random-exchange.ts';

/** Ranks 0 and 2, and 1 and 3, exchange a megabyte: block placement puts both pairs on two nodes. */
const PAIRS = {
  work: [1e6, 1e6, 1e6, 1e6],
  exchanges: [
    { from: 0, to: 2, bytes: 1e6 },
    { from: 1, to: 3, bytes: 1e6 },
  ],
  rounds: 1,
};
const MACHINE = `nodes: 2
coresPerNode: 2
speed: 1Gf
link: { latency: 1us, bandwidth: 1GB/s }
intraNode: { latency: 0, bandwidth: 10GB/s }
eagerBelow: 64KiB
`;
const files = folder({
  'pairs.ti': traceOf(PAIRS),
  'one.ti': '0 init\n0 compute 1e9\n0 finalize\n',
  'stuck.ti': '0 recv 1 0 8\n1 recv 0 0 8\n',
  'two-nodes.yaml': MACHINE,
  'one-node.yaml': MACHINE.replace('nodes: 2', 'nodes: 1').replace('coresPerNode: 2', 'coresPerNode: 4'),
  'two-speeds.yaml': MACHINE.replace(
    'nodes: 2\n',
    'groups: [{ name: slow, nodes: 1 }, { name: fast, nodes: 1, speed: 2Gf }]\n',
  ),
  'net.json': '{}',
});
afterAll(files.remove);
const pairs = files.path('pairs.ti');
const machine = files.path('two-nodes.yaml');

function suggested(trace: string, on: string, more: object = {}): Exclude<SuggestedPlacement, { kind: 'none' }> {
  const { suggestedPlacement } = predict(trace, { machine: on, suggestPlacement: true, ...more });
  if (suggestedPlacement === undefined || suggestedPlacement.kind === 'none') throw new Error('no suggestion');
  return suggestedPlacement;
}

describe('the suggested placement', () => {
  test('puts pairs that exchange bytes on one node each, and is reproduced by its option and its hostfile', () => {
    const found = suggested(pairs, machine);
    expect(found).toMatchObject({
      kind: 'better',
      placement: 'cyclic',
      hostfile: ['node0', 'node1', 'node0', 'node1'],
    });
    expect(found).toMatchObject({ tried: 'all', predictions: 2, limit: 200, complete: true });
    expect(found.before.betweenNodes.value).toBe(2e6);
    expect(found.after.betweenNodes.value).toBe(0);
    // 1 ms of computing, then two messages of 2 µs and 1 MB/(1 GB/s) on shared cables; within nodes 0.1 ms.
    expect(found.before.runTime.value).toBeCloseTo(0.001 + 2e-6 + 0.002, 12);
    expect(found.after.runTime.value).toBeCloseTo(0.0011, 12);
    const hostfile = files.path('hosts.txt');
    writeFileSync(hostfile, `${found.hostfile.join('\n')}\n`);
    for (const placed of [{ placement: 'cyclic' }, { hostfile }])
      expect(predict(pairs, { machine, ...placed }).figures.runTime.value).toBe(found.after.runTime.value);
  });

  test('is the given one if that is the best', () => {
    expect(suggested(pairs, machine, { placement: 'cyclic' })).toMatchObject({ kind: 'given', tried: 'all' });
  });

  test('of a program is that of its trace', () => {
    const model = spmd({
      name: 'pairs',
      build(m) {
        m.compute({ flops: 1e6 });
        m.sendrecv({ to: (s) => (s.rank + 2) % 4, from: (s) => (s.rank + 2) % 4, bytes: 1e6 });
      },
    });
    const on = cluster({
      nodes: 2,
      coresPerNode: 2,
      speed: '1Gf',
      link: { latency: '1us', bandwidth: '1GB/s' },
      intraNode: { latency: 0, bandwidth: '10GB/s' },
      eagerBelow: '64KiB',
    });
    const { suggestedPlacement, ...rest } = predict(model, { machine: on, ranks: 4, suggestPlacement: true });
    expect(suggestedPlacement).toMatchObject({ kind: 'better', placement: 'cyclic' });
    expect(rest).toEqual(predict(model, { machine: on, ranks: 4 }));
  });

  test('of one rank is the faster of two nodes; of one node it is the given one', () => {
    expect(suggested(files.path('one.ti'), files.path('two-speeds.yaml'))).toMatchObject({
      kind: 'better',
      hostfile: ['fast0'],
      before: { runTime: { value: 1 }, betweenNodes: { value: 0 } },
      after: { runTime: { value: 0.5 }, betweenNodes: { value: 0 } },
    });
    expect(suggested(files.path('one.ti'), machine)).toMatchObject({ kind: 'given', predictions: 0, tried: 'all' });
    expect(suggested(pairs, files.path('one-node.yaml'))).toMatchObject({
      kind: 'given',
      predictions: 0,
      tried: 'all',
    });
  });

  test('gives the faster nodes to the ranks with more work', () => {
    const uneven = files.path('uneven.ti');
    writeFileSync(uneven, traceOf({ work: [1e6, 1e6, 2e6, 2e6], exchanges: [], rounds: 1 }));
    const found = suggested(uneven, files.path('two-speeds.yaml'), { placement: ['fast0', 'fast0', 'slow0', 'slow0'] });
    expect(found).toMatchObject({ kind: 'better', placement: 'block', hostfile: ['slow0:2', 'fast0:2'] });
    expect(found.after.runTime.value).toBeCloseTo(0.001, 12);
  });

  test('keeps as many ranks on a node as the given placement has there, also on shared cores', () => {
    const found = suggested(pairs, machine, { placement: [0, 0, 0, 0], oversubscribe: true });
    expect(found).toMatchObject({ kind: 'better', placement: 'cyclic' });
  });

  test('is not looked for if the run does not end', () => {
    const { suggestedPlacement, deadlock } = predict(files.path('stuck.ti'), { machine, suggestPlacement: true });
    expect(deadlock).toHaveLength(2);
    expect(suggestedPlacement).toEqual({ kind: 'none', because: 'the run does not come to its end' });
  });

  test('of an interrupted search is the best so far, marked as incomplete and not repeated', () => {
    const wide = { machine, suggestPlacement: true } as const;
    let ofRun = 0;
    predict(pairs, { machine, cancelled: () => ++ofRun < 0 });
    let polls = 0;
    const document = predict(pairs, { ...wide, cancelled: () => ++polls > ofRun });
    expect(document).toMatchObject({ complete: true, suggestedPlacement: { complete: false, tried: 'some' } });
    expect(() => rerunOf({ ...document, inputs: {} }, 'r.json')).toThrow('APP012');
    expect(rerunOf(predict(pairs, { machine, suggestPlacement: true }), 'r.json').options.suggestPlacement).toBe(true);
  });

  test('is refused for other inputs, and with replications', () => {
    const option = { suggestPlacement: true };
    expect(problemsOf(() => predict('net.json', option)).messages).toEqual([
      'option suggestPlacement (--suggest-placement) does not apply to a net: it belongs to models and traces.',
    ]);
    const more = { machine, ...option, replications: 3, ties: 'random' as const };
    expect(problemsOf(() => predict(pairs, more))).toEqual({
      at: ['APP056'],
      messages: [
        'suggestPlacement and replications exclude each other: placements are compared by one run each. Expected one of the two.',
      ],
    });
    const wrong = { machine, suggestPlacement: 'yes' as never };
    expect(problemsOf(() => predict(pairs, wrong)).messages).toEqual([
      'suggestPlacement: expected true or false, got "yes"',
    ]);
  });

  test('is a section of the text, with the option in one line', async () => {
    const plain = { width: 100, colour: false, unicode: true };
    const text = renderPrediction(predict(pairs, { machine, suggestPlacement: true }), plain);
    expect(text).toContain(`Suggested placement; all placements tried, 2 predictions of at most 200
1.100 ms instead of 3.002 ms (63 % less); 0 B instead of 2.00 MB between nodes
--placement cyclic`);
    const { code, stdout } = await warmly([
      'predict',
      pairs,
      '--machine',
      files.path('two-speeds.yaml'),
      '--suggest-placement',
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Suggested placement/);
  });
});
