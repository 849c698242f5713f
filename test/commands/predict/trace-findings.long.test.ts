import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { compare } from '../../../src/commands/compare/compare.ts';
import { convert } from '../../../src/commands/convert/convert.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { verifyProgram } from '../../../src/commands/verify/program/verify-program.ts';
import { whatif } from '../../../src/commands/whatif/whatif.ts';
import { spmd } from '../../../src/models/program/model.ts';

const dir = mkdtempSync(join(tmpdir(), 'foretoken-trace-findings-'));
afterAll(() => rmSync(dir, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(dir, name);
  writeFileSync(path, text);
  return path;
}

const cluster =
  '<cluster id="c" prefix="n" radical="0-11" suffix="" speed="1Gf" bw="125MBps" lat="50us" bb_bw="2.25GBps" bb_lat="500us"/>';
const platform = (name: string, body: string): string =>
  file(name, `<?xml version="1.0"?>\n<platform version="4.1">\n${body}\n</platform>\n`);
const backbone = platform('backbone.xml', cluster);
/** A trace from the lines of each rank, prefixed with the rank. */
const ranks = (...lines: string[][]): string =>
  lines.map((own, r) => own.map((line) => `${r} ${line}\n`).join('')).join('');

describe('datatypes', () => {
  test('all predefined datatypes take the same time as in SimGrid 3.32', () => {
    const lines = (r: number): string[] => [
      'init',
      ...Array.from({ length: 60 }, (_, t) => [
        `bcast 1000 0 ${t}`,
        `allreduce 100 0 ${t}`,
        `alltoall 300 300 ${t} ${t}`,
        `sendRecv 100 ${(r + 1) % 4} 100 ${(r + 3) % 4} ${t} ${t}`,
      ]).flat(),
      'finalize',
    ];
    const trace = file('types.ti', ranks(lines(0), lines(1), lines(2), lines(3)));
    expect(predict(trace, { machine: backbone }).figures.runTime.value).toBeCloseTo(0.534214, 6);
  });

  const derived = file(
    'derived.ti',
    ranks(
      ...[0, 1, 2, 3].map((r) => [
        'init',
        'bcast 1000 0 -1',
        'reduce 10 100 1 -1',
        'allreduce 100 0 -1',
        `sendRecv 100 ${(r + 1) % 4} 100 ${(r + 3) % 4} -1 -1`,
        'gather 5 5 0 -1 -1',
        'allgather 5 5 -1 -1',
        'scatter 5 5 0 -1 -1',
        `isend ${(r + 1) % 4} 7 100000 -1`,
        `recv ${(r + 3) % 4} 7 100000 -1`,
        'waitall 1',
        'scan 5 5 -1',
        'finalize',
      ]),
    ),
  );

  test('derived datatypes are rejected by name, or have no payload as in SimGrid, or the given size', () => {
    expect(() => predict(derived, { machine: backbone })).toThrow(
      /derived\.ti:2:16: TI026 type "-1".*--datatype -1=BYTES/,
    );
    const none = predict(derived, { machine: backbone, derivedTypeBytes: 0 });
    expect(none.figures.runTime.value).toBeCloseTo(0.01451, 6);
    expect(none.options['derivedTypeBytes']).toBe(0);
    const bytes = file('bytes.ti', readFileSync(derived, 'utf8').replaceAll(' -1', ' 0'));
    expect(predict(derived, { machine: backbone, derivedTypeBytes: 8 }).ranks).toEqual(
      predict(bytes, { machine: backbone }).ranks,
    );
    expect(() => predict(derived, { machine: backbone, derivedTypeBytes: 1.5 })).toThrow(
      'TI026 bytes of derived datatypes: expected an integer >= 0, got 1.5',
    );
  });

  test('verify, what-if and convert accept the size; nets and models reject it', async () => {
    expect(() => verifyProgram(derived)).toThrow('TI026');
    const verified = verifyProgram(derived, { derivedTypeBytes: 4, sends: 'eager' });
    expect([verified.complete, verified.options['derivedTypeBytes']]).toEqual([true, 4]);
    const study = await whatif(derived, {
      machine: backbone,
      derivedTypeBytes: 0,
      workers: 1,
      vary: { 'network-model': ['simgrid-smpi'] },
    });
    expect(study.scenarios[0]!.figures!['runTime']!.value).toBeCloseTo(0.01451, 6);
    expect(study.options['derivedTypeBytes']).toBe(0);
    const net = join(dir, 'derived.json');
    expect(() => convert(derived, net, { machine: backbone })).toThrow('TI026');
    convert(derived, net, { machine: backbone, derivedTypeBytes: 0 });
    expect(predict(net).figures.runTime.value).toBeCloseTo(0.01451, 6);
    expect(() => predict(net, { derivedTypeBytes: 0 })).toThrow('APP004');
    const model = spmd({ name: 'm', build: () => undefined });
    // @ts-expect-error the option does not apply to this kind of input
    expect(() => predict(model, { derivedTypeBytes: 0 })).toThrow('APP004');
    expect(() => verifyProgram(model, { derivedTypeBytes: 0 })).toThrow('APP004');
  });
});

describe('a wait for a request that an earlier waitall completed', () => {
  const sends = ['init', 'send 0 1 1000 6', 'send 0 2 100000 6', 'send 0 3 1000 6', 'finalize'];
  const posts = ['init', 'irecv 1 1 1000 6', 'irecv 1 2 100000 6', 'waitall 1', 'irecv 1 3 1000 6'];
  const time = (name: string, own: string[]): number =>
    predict(file(name, ranks(own, sends)), { machine: backbone }).figures.runTime.value;

  test('takes no time, as in SimGrid 3.32', () => {
    expect(time('past.ti', [...posts, 'wait 1 0 2', 'compute 1e6', 'wait 1 0 3', 'finalize'])).toBeCloseTo(0.009031, 6);
  });

  test('nor does a test of it, or a second wait after another one', () => {
    const own = [...posts, 'test 1 0 2', 'wait 1 0 1', 'wait 1 0 2', 'compute 1e6', 'wait 1 0 3', 'finalize'];
    expect(time('past-test.ti', own)).toBeCloseTo(0.009031, 6);
  });
});

describe('traces cut off by a deadlock', () => {
  const stuck = file(
    'stuck.ti',
    ranks(['init', 'barrier', 'recv 1 0 128 1'], ['init', 'barrier', 'recv 0 0 128 1'], ['init', 'barrier', 'barrier']),
  );
  const waiting = [
    { rank: 0, operation: 'recv 1 0 128 1', line: 3, waitsFor: [1] },
    { rank: 1, operation: 'recv 0 0 128 1', line: 6, waitsFor: [0] },
    { rank: 2, operation: 'barrier', line: 9 },
  ];

  test('predict, verify, what-if and convert show which rank waits for which', async () => {
    expect(predict(stuck, { machine: backbone }).deadlock).toMatchObject(waiting);
    const { instances } = verifyProgram(stuck);
    expect(instances.map((i) => i.sends)).toEqual(['eager', 'rendezvous']);
    for (const { deadlock, properties } of instances) {
      expect(deadlock).toMatchObject({ blocked: waiting, cycle: [0, 1] });
      expect(properties).toEqual([{ id: 'deadlock-free', verdict: false }]);
    }
    const study = await whatif(stuck, { machine: backbone, workers: 1, vary: { placement: ['block'] } });
    expect(study.scenarios[0]!.status).toBe('deadlock');
    expect(convert(stuck, join(dir, 'stuck.json'), { machine: backbone }).places).toBeGreaterThan(5);
  });

  test('a finished rank is not a cause, a rank waiting in a collective is', () => {
    const left = file('left.ti', ranks(['init', 'finalize'], ['init', 'barrier']));
    expect(predict(left, { machine: backbone }).deadlock).toMatchObject([{ rank: 1, waitsFor: [0] }]);
  });

  test('only one protocol explains it: the verdict of the other is unknown', () => {
    const sends = file(
      'sends.ti',
      ranks(['init', 'barrier', 'send 1 0 8'], ['init', 'barrier', 'send 0 0 8'], ['init', 'barrier', 'barrier']),
    );
    const { instances, complete } = verifyProgram(sends);
    expect(complete).toBe(false);
    expect(instances.map((i) => [i.sends, ...i.properties.map((p) => p.verdict)])).toEqual([
      ['eager', null],
      ['rendezvous', false],
    ]);
    expect(instances[0]!.properties[0]!.reason).toMatch('cut off');
    expect(() => verifyProgram(sends, { sends: 'eager' })).toThrow('TI032');
    // Sends of 8 bytes are detached on this platform, so ranks 0 and 1 reach the end of their lines.
    expect(() => predict(sends, { machine: backbone })).toThrow('TI032');
  });

  test.each<[string, ...string[][]]>([
    ['it computes last', ['init', 'barrier', 'compute 5'], ['init', 'barrier', 'barrier']],
    ['all have finalize', ['init', 'finalize'], ['init', 'barrier', 'finalize']],
    [
      'the one that it waits for was cut short',
      ['init', 'barrier', 'recv 1 0 8'],
      ['init', 'barrier', 'barrier', 'compute 1', 'bcast 8'],
      ['init', 'barrier', 'compute 7'],
    ],
  ])('a broken trace is rejected by all commands: %s', async (name, ...lines) => {
    const broken = file(`${name.replaceAll(' ', '-')}.ti`, ranks(...lines));
    expect(() => predict(broken, { machine: backbone })).toThrow('TI032');
    expect(() => verifyProgram(broken)).toThrow('TI032');
    expect(() => convert(broken, join(dir, 'broken.json'), { machine: backbone })).toThrow('TI032');
    const study = await whatif(broken, { machine: backbone, workers: 1, vary: { placement: ['block'] } });
    expect(study.scenarios[0]!.problems![0]!.code).toBe('TI032');
  });
});

describe('the note on unrecorded communicators', () => {
  const lines = ['init', 'barrier', 'finalize'];
  const collective = file('barrier.ti', ranks(lines, lines));
  const without = file('plain.ti', ranks(['init', 'send 1 0 8', 'finalize'], ['init', 'recv 0 0 8', 'finalize']));
  const alone = file('alone.ti', ranks(lines));
  const note = {
    code: 'TI043',
    message: expect.stringMatching(/communicators.*over all 2 ranks/),
    place: { file: collective },
  };

  test('appears once in every result of a trace with collectives', async () => {
    const options = { machine: backbone };
    const prediction = predict(collective, options);
    expect(prediction.notes).toEqual([note]);
    expect(verifyProgram(collective).notes).toEqual([note]);
    const study = await whatif(collective, { ...options, workers: 1, vary: { placement: ['block', 'cyclic'] } });
    expect(study.notes).toEqual([note]);
    const given = { input: collective, document: prediction };
    expect(compare(given, given).notes).toEqual([note]);
    expect(convert(collective, join(dir, 'barrier.json'), options).notes).toEqual([
      expect.stringContaining('TI043 time-independent traces do not record communicators'),
    ]);
  });

  test('does not appear in other results', () => {
    for (const trace of [without, alone]) {
      expect(predict(trace, { machine: backbone })).not.toHaveProperty('notes');
      expect(verifyProgram(trace)).not.toHaveProperty('notes');
    }
  });
});

describe('placement on a SimGrid platform', () => {
  const work = (r: number): string[] => ['init', `compute ${r + 1}e6`, 'finalize'];
  const hosts = (count: number, options: object): string[] => {
    const trace = file('work.ti', ranks(...Array.from({ length: count }, (_, r) => work(r))));
    return predict(trace, { machine: backbone, ...options }).ranks.map((r) => r.host);
  };

  test('without a hostfile follows host names over all zones, as with smpirun', () => {
    expect(hosts(5, {})).toEqual(['n0', 'n1', 'n10', 'n11', 'n2']);
    const two = platform(
      'two.xml',
      `<zone id="w" routing="Full">
${cluster.replace('id="c"', 'id="c1"').replace('0-11" suffix=""', '0-2,10,9" suffix=".x"')}
${cluster.replace('id="c"', 'id="c0"').replace('"n"', '"N"').replace('0-11', '0-2')}
<link id="l" bandwidth="1GBps" latency="1us"/>
<zoneRoute src="c1" dst="c0" gw_src="nc1_router.x" gw_dst="Nc0_router"><link_ctn id="l"/></zoneRoute></zone>`,
    );
    const trace = file('work8.ti', ranks(...Array.from({ length: 8 }, (_, r) => work(r))));
    const document = predict(trace, { machine: two });
    expect(document.ranks.map((r) => r.host)).toEqual(['N0', 'N1', 'N2', 'n0.x', 'n1.x', 'n10.x', 'n2.x', 'n9.x']);
    expect(document.options['placement']).toBe('one rank per host, hosts sorted by name');
  });

  test('the lines of a short hostfile repeat, with a note', () => {
    const hostfile = file('hosts.txt', 'n3:2\nn1\n');
    expect(hosts(8, { hostfile })).toEqual(['n3', 'n3', 'n1', 'n3', 'n3', 'n1', 'n3', 'n3']);
    const trace = join(dir, 'work.ti');
    const message = 'the hostfile has 3 slots for 8 ranks: its lines are repeated from the first one, as with smpirun.';
    expect(predict(trace, { machine: backbone, hostfile }).notes).toEqual([
      { code: 'PLAT042', message, place: { file: hostfile } },
    ]);
  });
});

describe('the network model chooses the algorithms of collectives', () => {
  const machine = file(
    'crossbar.yaml',
    'nodes: 12\ncoresPerNode: 1\nspeed: 1Gf\nlink: { latency: 50us, bandwidth: 125MB/s }\neagerBelow: 64KiB\n',
  );
  const star = platform('star.xml', cluster.replace(/ bb_\w+="\w+(?:\.\w+)?"/g, ''));
  const lines = ['init', 'allreduce 1000 1000 0', 'barrier', 'bcast 50000 2', 'finalize'];
  const trace = file('collectives.ti', ranks(...Array.from({ length: 8 }, () => lines)));

  test.each(['simgrid-plain', 'simgrid-eager', 'simgrid-rendezvous', 'simgrid-smpi'])(
    'with %s the algorithms of collectives are those of SimGrid',
    (networkModel) => {
      const document = predict(trace, { machine, networkModel });
      expect(document.options['collectives']).toBe('simgrid');
      const { value } = predict(trace, { machine: star, networkModel }).figures.runTime;
      expect(document.figures.runTime.value).toBeCloseTo(value, 12);
    },
  );

  test('unless they are set', () => {
    const chosen = (options: object): unknown => predict(trace, { machine, ...options }).options['collectives'];
    expect(chosen({})).toBe('logarithmic');
    expect(chosen({ networkModel: 'foretoken' })).toBe('logarithmic');
    expect(chosen({ networkModel: 'simgrid-smpi', collectives: 'logarithmic' })).toBe('logarithmic');
    expect(chosen({ collectives: 'simgrid' })).toBe('simgrid');
  });

  test('in every scenario of a study', async () => {
    const study = await whatif(trace, {
      machine,
      workers: 1,
      vary: { 'network-model': ['foretoken', 'simgrid-smpi'] },
    });
    const times = study.scenarios.map((s) => s.figures!['runTime']!.value);
    expect(times).toEqual([
      predict(trace, { machine }).figures.runTime.value,
      predict(trace, { machine, networkModel: 'simgrid-smpi', collectives: 'simgrid' }).figures.runTime.value,
    ]);
  });
});
