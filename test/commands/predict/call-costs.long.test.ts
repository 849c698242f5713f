import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { predict } from '../../../src/commands/predict/predict.ts';
import { readMachineFile } from '../../../src/machine/description/machine-file.ts';
import { writeMachineFile } from '../../../src/machine/description/write-machine.ts';
import { idealNetwork } from '../../../src/machine/ideal-network.ts';
import { platformMachine } from '../../../src/machine/simgrid/platform-machine.ts';
import { readSimgridPlatform } from '../../../src/machine/simgrid/simgrid-xml.ts';
import { spmd } from '../../../src/models.ts';

const dir = mkdtempSync(join(tmpdir(), 'foretoken-calls-'));
afterAll(() => rmSync(dir, { recursive: true }));

/** A cluster with settings of SimGrid's call times, by size on both sides of two thresholds. */
function cluster(name: string, props: readonly (readonly [string, string])[]): string {
  const file = join(dir, name);
  const config = props.map(([id, value]) => `<prop id="${id}" value="${value}"/>`).join('');
  writeFileSync(
    file,
    `<?xml version="1.0"?>
<platform version="4.1"><config id="General">${config}</config>
<cluster id="c" prefix="n" radical="0-15" suffix="" speed="1Gf" bw="1GBps" lat="1ms"/></platform>\n`,
  );
  return file;
}
const CALLS = [
  ['smpi/os', '100:1e-3:1e-6;1000:2e-3:0'],
  ['smpi/ois', '100:3e-3:1e-6;1000:4e-3:1e-7'],
  ['smpi/or', '500:5e-3:1e-6;1000:6e-3:0'],
] as const;
const FACTORS = [
  ['smpi/lat-factor', '0:2;516:3;5000:5'],
  ['smpi/bw-factor', '0:0.5;1016:0.75'],
] as const;

function ends(trace: string, machine: string, ranks = 2, networkModel = 'simgrid-smpi'): (number | null)[] {
  const file = join(dir, 'calls.ti');
  const each = (word: string): string => Array.from({ length: ranks }, (_, r) => `${r} ${word}\n`).join('');
  writeFileSync(file, `${each('init')}${trace}\n${each('finalize')}`);
  return predict(file, { machine, ranks, networkModel }).ranks.map(({ endTime }) => endTime);
}

// Ends of both ranks in SimGrid 3.32: smpirun -replay with these settings.
test.each([
  [1, 0.007003, 0.023005034],
  [100, 0.0073, 0.023500232],
  [101, 0.007303, 0.023505234],
  [500, 0.0085, 0.025501032],
  [501, 0.008503, 0.028006068],
  [984, 0.009952, 0.02994],
  [985, 0.009955, 0.029944004],
  [1000, 0.01, 0.030004064],
  [1001, 0.0102002, 0.030102812],
  [1017, 0.0102034, 0.03010445466666667],
  [4984, 0.0109968, 0.03051173333333333],
  [4985, 0.010997, 0.038511836],
  [65535, 0.023107, 0.04472830266666667],
  [65536, 0.041369408, 0.041369408],
])('call times and factors on both sides of each threshold: %i bytes', (bytes, sender, receiver) => {
  const trace = `0 isend 1 1 ${bytes}\n0 send 1 2 ${bytes}\n0 isend 1 3 ${bytes}\n0 waitall
1 irecv 0 1 ${bytes}\n1 recv 0 2 ${bytes}\n1 irecv 0 3 ${bytes}\n1 waitall`;
  const [first, second] = ends(trace, cluster('both.xml', [...CALLS, ...FACTORS]));
  expect(Math.abs(first! - sender)).toBeLessThanOrEqual(1e-9 * sender);
  expect(Math.abs(second! - receiver)).toBeLessThanOrEqual(1e-9 * receiver);
});

test('network models that fix all settings have no call times', () => {
  const file = join(dir, 'plain.ti');
  writeFileSync(file, '0 init\n0 send 1 0 100\n0 finalize\n1 init\n1 recv 0 0 100\n1 finalize\n');
  const machine = cluster('plain.xml', CALLS);
  const document = predict(file, { machine, networkModel: 'simgrid-plain' });
  expect(document.ranks[0]!.endTime).toBe(0);
  expect(document.warnings.filter(({ code }) => code === 'PLAT050')).toHaveLength(3);
});

describe('the time of a receive is spent when its rank sees the arrival', () => {
  // The message of rank 0 comes last, and its receive is posted first.
  const sends = '0 sleep 1\n0 send 1 1 100\n2 send 1 1 100\n';
  test.each([
    ['1 irecv 0 1 100\n1 irecv 2 1 100\n1 waitall', 1],
    ['1 irecv 0 1 100\n1 irecv 2 1 100\n1 wait 2 1 1\n1 wait 0 1 1', 1],
    ['1 irecv 0 1 100\n1 irecv 2 1 100\n1 wait 0 1 1\n1 wait 2 1 1', 2],
  ])('%j: after the last arrival, that of %i receives', (receives, billed) => {
    const machine = cluster('or.xml', [['smpi/or', '0:0.5:0']]);
    const free = cluster('free.xml', []);
    expect(ends(sends + receives, machine, 3)[1]! - ends(sends + receives, free, 3)[1]!).toBeCloseTo(0.5 * billed, 9);
  });
});

test.each([100, 1000, 1001, 65535, 65536])('models take the same times as traces: %i bytes', (bytes) => {
  const machine = cluster('models.xml', CALLS);
  const trace = `0 send 1 0 ${bytes}\n0 Ssend 1 0 ${bytes}\n0 ibsend 1 0 ${bytes}\n0 wait 0 1 0\n0 isend 1 0 ${bytes}\n0 wait 0 1 0
1 recv 0 0 ${bytes}\n1 recv 0 0 ${bytes}\n1 irecv 0 0 ${bytes}\n1 irecv 0 0 ${bytes}\n1 wait 0 1 0\n1 wait 0 1 0
${[0, 1, 2, 3].map((r) => `${r} allreduce ${bytes} 0`).join('\n')}`;
  const program = spmd({
    name: 'calls',
    build(m) {
      m.when(
        (s) => s.rank === 0,
        () => {
          m.send({ to: 1, bytes });
          m.send({ to: 1, bytes, mode: 'synchronous' });
          m.wait(m.isend({ to: 1, bytes, mode: 'buffered' }));
          m.wait(m.isend({ to: 1, bytes }));
        },
        () => {
          m.when(
            (s) => s.rank === 1,
            () => {
              m.recv({ from: 0 });
              m.recv({ from: 0 });
              const both = [m.irecv({ from: 0 }), m.irecv({ from: 0 })];
              m.waitAny(both);
              m.waitAll(both);
            },
          );
        },
      );
      m.allreduce({ bytes });
    },
  });
  const own = predict(program, { machine, ranks: 4 }).ranks.map(({ endTime }) => endTime!);
  const read = ends(trace, machine, 4);
  expect(own.every((end) => end > 0)).toBe(true);
  own.forEach((end, rank) => {
    expect(end).toBeCloseTo(read[rank]!, 11);
  });
});

describe('machine files say the same', () => {
  const sizes = [1, 100, 101, 500, 501, 984, 985, 1000, 1001, 1017, 4984, 4985, 65535, 65536];
  const trace = (bytes: number): string => `0 isend 1 1 ${bytes}\n0 send 1 2 ${bytes}\n0 isend 1 3 ${bytes}\n0 waitall
1 irecv 0 1 ${bytes}\n1 recv 0 2 ${bytes}\n1 irecv 0 3 ${bytes}\n1 waitall`;
  const written = `nodes: 16
coresPerNode: 1
speed: 1Gf
link: { latency: 1ms, bandwidth: 1GB/s }
eagerBelow: 0
detachedBelow: 64KiB
latencyFactor: [{ above: 0, factor: 2 }, { above: 516, factor: 3 }, { above: 5kB, factor: 5 }]
bandwidthFactor: [{ above: 0, factor: 0.5 }, { above: 1016, factor: 0.75 }]
callTimes:
  send: [{ above: 100, time: 1ms, perByte: 1us }, { above: 1000, time: 2ms }]
  isend: [{ above: 100, time: 3ms, perByte: 1us }, { above: 1kB, time: 4ms, perByte: 100ns }]
  receive: [{ above: 500, time: 5ms, perByte: 1us }, { above: 1000.5, time: 6ms }]
`;

  test('written by hand, and converted from the platform: equal times on both sides of each threshold', () => {
    const platform = cluster('same.xml', [...CALLS, ...FACTORS]);
    const [own, converted] = [join(dir, 'own.yaml'), join(dir, 'converted.yaml')];
    writeFileSync(own, written);
    writeMachineFile(platformMachine(readSimgridPlatform(platform)).machine, converted);
    for (const bytes of sizes) {
      const expected = ends(trace(bytes), platform);
      expect(ends(trace(bytes), own), `${bytes} bytes, by hand`).toEqual(expected);
      expect(ends(trace(bytes), converted), `${bytes} bytes, converted`).toEqual(expected);
    }
  });

  test('under the network model foretoken there is no envelope: factors count the payload', () => {
    const file = join(dir, 'foretoken.yaml');
    writeFileSync(file, written);
    // Rank 0 spends os; then 2 ms of two cables times the factor, the bytes, and or at the receiver.
    const time = (bytes: number): number => ends(`0 send 1 0 ${bytes}\n1 recv 0 0 ${bytes}`, file, 2, 'foretoken')[1]!;
    expect(time(516)).toBeCloseTo(1.516e-3 + 2 * 2e-3 + 516 / 0.5e9 + 5.516e-3, 12);
    expect(time(517)).toBeCloseTo(1.517e-3 + 3 * 2e-3 + 517 / 0.5e9 + 5.517e-3, 12);
    expect(time(1016)).toBeCloseTo(2e-3 + 3 * 2e-3 + 1016 / 0.5e9 + 6e-3, 12);
    expect(time(1017)).toBeCloseTo(2e-3 + 3 * 2e-3 + 1017 / 0.75e9 + 6e-3, 12);
  });

  test('models that fix the settings say that they are not applied', () => {
    const [file, machine] = [join(dir, 'fixed.ti'), join(dir, 'fixed.yaml')];
    writeFileSync(file, '0 init\n0 send 1 0 9\n0 finalize\n1 init\n1 recv 0 0 9\n1 finalize\n');
    writeFileSync(machine, written);
    const { ranks, warnings } = predict(file, { machine, networkModel: 'simgrid-plain' });
    expect(ranks[0]!.endTime).toBe(0);
    expect(warnings.map(({ message }) => message)).toContain(
      'callTimes.send of the machine is not applied: network model simgrid-plain fixes it',
    );
    expect(warnings.filter(({ code }) => code === 'PLAT050')).toHaveLength(5);
  });

  test.each([
    [
      '{ above: 516, factor: 3 }',
      '{ above: 0.5, factor: 3 }',
      /yaml:7:51: MACH011 expected more bytes than.*, 0; got 0\.5/,
    ],
    ['factor: 0.75', 'factor: 0', /yaml:8:69: MACH011 expected a factor above 0/],
    ['{ above: 1kB, time', '{ above: 99, time', /yaml:11:61: MACH011 expected more bytes than.*, 100; got 99/],
    ['nodes: 16', 'nodes: 16\noverhead: { send: 1us, receive: 0 }', /callTimes and overhead are two descriptions/],
    ['time: 6ms', 'tim: 6ms', /"tim".*"time"/],
  ])('%j as %j is refused', (from, to, message) => {
    const file = join(dir, 'wrong.yaml');
    writeFileSync(file, written.replace(from, to));
    expect(() => readMachineFile(file)).toThrow(message);
  });

  test('an ideal network has no times of calls', () => {
    const file = join(dir, 'ideal.yaml');
    writeFileSync(file, written);
    const machine = idealNetwork(readMachineFile(file));
    const trace = join(dir, 'ideal.ti');
    writeFileSync(trace, '0 init\n0 isend 1 0 200\n0 waitall\n0 finalize\n1 init\n1 recv 0 0 200\n1 finalize\n');
    expect(predict(trace, { machine }).figures.runTime.value).toBeLessThan(1e-20);
  });
});

/** Three hosts on one link; times of calls are properties of two of them and, for the others, in <config>. */
function ownTimes(name: string): string {
  const file = join(dir, name);
  const prop = ([id, value]: readonly [string, string]): string => `<prop id="${id}" value="${value}"/>`;
  const a = [
    ['smpi/os', '100:0.1:1e-5;1000:0.2:0'],
    ['smpi/os', '0:5:0'],
    ['smpi/ois', '0:0.2:1e-6'],
    ['smpi/or', ''],
  ] as const;
  const b = [
    ['smpi/or', '500:0.3:1e-4;1000:0.4:0'],
    ['smpi/lat-factor', '0:100'],
  ] as const;
  const route = (src: string, dst: string): string => `<route src="${src}" dst="${dst}"><link_ctn id="l"/></route>`;
  writeFileSync(
    file,
    `<?xml version="1.0"?>
<platform version="4.1"><config>${prop(['smpi/os', '0:1e-3:0'])}${prop(['smpi/or', '0:7e-3:0'])}</config>
<zone id="z" routing="Full">${prop(['smpi/ois', '0:9:0'])}
<host id="a" speed="1Gf">${a.map(prop).join('')}</host>
<host id="b" speed="1Gf">${b.map(prop).join('')}</host>
<host id="c" speed="1Gf"/><link id="l" bandwidth="1GBps" latency="1ms"/>
${route('a', 'b')}${route('a', 'c')}${route('b', 'c')}
</zone></platform>\n`,
  );
  return file;
}

describe('call times of single hosts', () => {
  const RANKS = [0, 1, 2];
  const others = (rank: number): number[] => RANKS.filter((other) => other !== rank);
  const exchange = (bytes: number): string =>
    [
      ...RANKS.flatMap((r) => others(r).map((to) => `${r} isend ${to} 1 ${bytes}`)),
      ...RANKS.flatMap((r) => others(r).map((from) => `${r} recv ${from} 1 ${bytes}`)),
      ...RANKS.flatMap((r) => [
        `${r} waitall`,
        `${r} send ${(r + 1) % 3} 2 ${bytes}`,
        `${r} irecv ${(r + 2) % 3} 2 ${bytes}`,
        `${r} waitall`,
        `${r} allreduce ${bytes} 0`,
      ]),
    ].join('\n');

  // Ends of the ranks in SimGrid 3.32: smpirun -replay.
  const cases: readonly (readonly [number, readonly number[]])[] = [
    [1, [1.309379789902, 1.611494481883, 1.218384481883]],
    [100, [1.341159429922, 1.653174249907, 1.249174249907]],
    [101, [1.341480436387, 1.653595257665, 1.249485257665]],
    [500, [1.469321652138, 1.821276664566, 1.373276664566]],
    [501, [1.469642667665, 1.821697683198, 1.373587683198]],
    [1000, [1.629816797084, 2.031770216501, 1.528770216501]],
    [1001, [1.809817812436, 2.211771234923, 1.618771234923]],
  ];
  test.each(cases)('they are those of the ranks on it: %i bytes', (bytes, expected) => {
    const found = ends(exchange(bytes), ownTimes('own.xml'), 3);
    found.forEach((end, rank) => {
      expect(end).toBeCloseTo(expected[rank]!, 11);
    });
  });

  test.each([100, 101, 1001])('models take the same times as traces: %i bytes', (bytes) => {
    const machine = ownTimes('own-model.xml');
    const program = spmd({
      name: 'calls',
      build(m) {
        const peer = (k: number) => (state: { readonly rank: number }) => (state.rank + k) % 3;
        const requests = [1, 2].map((k) => m.isend({ to: peer(k), bytes }));
        m.recv({ from: peer(1) });
        m.recv({ from: peer(2) });
        m.waitAll(requests);
        m.send({ to: peer(1), bytes });
        m.recv({ from: peer(2) });
        m.allreduce({ bytes });
      },
    });
    const own = predict(program, { machine, ranks: 3 }).ranks.map(({ endTime }) => endTime!);
    const lines = RANKS.flatMap((r) => [
      ...[1, 2].map((k) => `${r} isend ${(r + k) % 3} 0 ${bytes}`),
      ...[1, 2].map((k) => `${r} recv ${(r + k) % 3} 0 ${bytes}`),
      `${r} waitall\n${r} send ${(r + 1) % 3} 0 ${bytes}\n${r} recv ${(r + 2) % 3} 0 ${bytes}\n${r} allreduce ${bytes} 0`,
    ]);
    const read = ends(lines.join('\n'), machine, 3);
    own.forEach((end, rank) => {
      expect(end).toBeCloseTo(read[rank]!, 11);
    });
  });

  test('they hold under every network model, as no option of smpirun overrides them', () => {
    const found = ends('0 send 1 0 200\n1 recv 0 0 200', ownTimes('plain-own.xml'), 2, 'simgrid-plain');
    expect(found[0]).toBeCloseTo(0.102, 12);
  });

  test('a property of a cluster holds for each of its hosts', () => {
    const file = join(dir, 'cluster-own.xml');
    const topology = 'topology="TORUS" topo_parameters="2"';
    writeFileSync(
      file,
      `<platform version="4.1"><cluster id="c" ${topology} prefix="n" radical="0-1" suffix="" speed="1Gf" bw="1GBps" lat="1ms">
<prop id="smpi/os" value="0:0.5:0"/></cluster></platform>\n`,
    );
    // SimGrid 3.32: the second send starts at 0.502015 s and ends 0.5 s later.
    const [first, second] = ends('0 send 1 0 100\n1 recv 0 0 100\n1 send 0 2 100\n0 recv 1 2 100', file);
    expect(first).toBeCloseTo(1.00403, 5);
    expect(second).toBeCloseTo(1.002015, 5);
  });

  test('what SimGrid ignores is a warning; what it cannot read, a problem of the host', () => {
    const file = join(dir, 'ignored.ti');
    writeFileSync(file, '0 init\n0 finalize\n');
    const { warnings } = predict(file, { machine: ownTimes('ignored.xml') });
    expect(warnings.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'PLAT050 property "smpi/ois" of zone "z" is not applied: SimGrid reads it only in <config>, hosts and clusters',
      'PLAT050 property "smpi/os" of host "a" is not applied: an earlier <prop> sets it',
      'PLAT050 property "smpi/lat-factor" of host "b" is not applied: SimGrid reads it only in <config>',
    ]);
    const wrong = join(dir, 'wrong.xml');
    writeFileSync(wrong, readFileSync(ownTimes('right.xml'), 'utf8').replace('500:0.3:1e-4', '500:fast'));
    expect(() => predict(file, { machine: wrong })).toThrow(
      /PLAT007 value "500:fast;1000:0.4:0" of "smpi\/or" of host "b": expected THRESHOLD:SECONDS:SECONDS_PER_BYTE/,
    );
  });

  test('no machine file describes a platform with them', () => {
    const file = join(dir, 'machine.xml');
    const text = readFileSync(cluster('without.xml', []), 'utf8');
    writeFileSync(file, text.replace('lat="1ms"/>', 'lat="1ms"><prop id="smpi/or" value="0:1:0"/></cluster>'));
    expect(() => platformMachine(readSimgridPlatform(file))).toThrow(/MACH036 .*host n0 has its own times of calls/);
  });
});
