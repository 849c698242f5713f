import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, test } from 'vitest';
import type { PredictOptions } from '../../../src/commands/predict/options.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import type { PredictionDocument } from '../../../src/commands/predict/prediction.ts';
import { whatif } from '../../../src/commands/whatif/whatif.ts';
import { type ClusterOptions, cluster } from '../../../src/machine/cluster.ts';
import type { Machine } from '../../../src/machine/machine.ts';
import { spmd } from '../../../src/models.ts';

const dir = mkdtempSync(join(tmpdir(), 'foretoken-own-'));
afterAll(() => rmSync(dir, { recursive: true }));
let files = 0;

function file(text: string, ending: string): string {
  const path = join(dir, `${files++}.${ending}`);
  writeFileSync(path, text);
  return path;
}

/** A trace with the given lines between init and finalize. */
function trace(ranks: number, lines: string): string {
  const all = (word: string): string => Array.from({ length: ranks }, (_, r) => `${r} ${word}\n`).join('');
  return file(`${all('init')}${lines.trim()}\n${all('finalize')}`, 'ti');
}

const MACHINE = `
coresPerNode: 2
speed: 1Gf
link: { latency: 10us, bandwidth: 1GB/s }
intraNode: { latency: 1us, bandwidth: 4GB/s }
eagerBelow: 1kB
`;

function run(ranks: number, lines: string, machine: string, options: PredictOptions = {}): PredictionDocument {
  return predict(trace(ranks, lines), { machine: file(MACHINE + machine, 'yaml'), ...options });
}

function ends(...args: Parameters<typeof run>): (number | null)[] {
  return run(...args).ranks.map((r) => r.endTime);
}

/** Checks equality to twelve digits. */
function near(found: readonly (number | null)[], expected: readonly number[]): void {
  expect(found).toHaveLength(expected.length);
  for (const [k, value] of expected.entries()) expect(Math.abs(found[k]! - value)).toBeLessThanOrEqual(1e-12 * value);
}

const MEGABYTE = '0 send 1 0 1000000\n1 recv 0 0 1000000';

describe('times computed by hand', () => {
  it('a message within a node uses the transport of the node', () => {
    const time = 1e-6 + 1e6 / 4e9;
    near(ends(2, MEGABYTE, 'nodes: 2'), [time, time]);
  });

  it('a message between nodes crosses two cables', () => {
    const time = 2 * 10e-6 + 1e6 / 1e9;
    near(ends(2, MEGABYTE, 'nodes: 2', { placement: 'cyclic' }), [time, time]);
  });

  it('without intraNode, a message within a node is as fast as one cable', () => {
    const machine = file(MACHINE.replace(/intraNode.*\n/, 'nodes: 1\n'), 'yaml');
    expect(predict(trace(2, MEGABYTE), { machine }).figures.runTime.value).toBeCloseTo(10e-6 + 1e6 / 1e9, 12);
  });

  it('below the threshold a message is sent before the receive, from the threshold on once both are posted', () => {
    const late = (bytes: number): string => `0 send 1 0 ${bytes}\n1 compute 1e9\n1 recv 0 0 ${bytes}`;
    const far = { placement: 'cyclic' } as const;
    near(ends(2, late(999), 'nodes: 2', far), [0, 1]);
    const time = 1 + 20e-6 + 1000 / 1e9;
    near(ends(2, late(1000), 'nodes: 2', far), [time, time]);
    // A detached send: the sender continues, the message is delayed.
    near(ends(2, late(1000), 'nodes: 2\ndetachedBelow: 2kB', far), [0, time]);
  });

  it('ranks of one node share its uplink and its downlink', () => {
    const time = 20e-6 + 2e6 / 1e9;
    const two = '0 send 2 0 1000000\n1 send 3 0 1000000\n2 recv 0 0 1000000\n3 recv 1 0 1000000';
    near(ends(4, two, 'nodes: 2'), [time, time, time, time]);
    const hosts = (names: string): PredictOptions => ({ placement: file(names, 'txt') });
    // From one node to two, and from two to one: both share one cable as the bottleneck.
    near(ends(4, two, 'nodes: 3', hosts('node0:2\nnode1\nnode2')), [time, time, time, time]);
    near(ends(4, two, 'nodes: 3', hosts('node1\nnode2\nnode0:2')), [time, time, time, time]);
    // Opposite directions of a cable do not share bandwidth.
    const cross = '0 send 2 0 1000000\n1 recv 3 0 1000000\n2 recv 0 0 1000000\n3 send 1 0 1000000';
    const one = 20e-6 + 1e6 / 1e9;
    near(ends(4, cross, 'nodes: 2'), [one, one, one, one]);
  });

  it('messages within a node do not slow each other', () => {
    const lines =
      '0 isend 1 0 1000000\n1 isend 0 0 1000000\n0 recv 1 0 1000000\n1 recv 0 0 1000000\n0 waitall\n1 waitall';
    const time = 1e-6 + 1e6 / 4e9;
    near(ends(2, lines, 'nodes: 1'), [time, time]);
  });

  it('pairs share a backbone', () => {
    const lines = '0 send 1 0 1000000\n1 recv 0 0 1000000\n2 send 3 0 1000000\n3 recv 2 0 1000000';
    const machine = 'nodes: 4\nnetwork: { kind: backbone, latency: 5us, bandwidth: 1.5GB/s }';
    const time = 25e-6 + 1e6 / 0.75e9;
    near(ends(4, lines, machine, { placement: 'cyclic' }), [time, time, time, time]);
  });

  it('on a torus every hop has its latency', () => {
    const lines = '0 send 6 0 1000000\n6 recv 0 0 1000000';
    const time = 3 * 10e-6 + 1e6 / 1e9;
    const found = ends(8, lines, 'nodes: 8\nnetwork: { kind: torus, sizes: [4, 2] }', { placement: 'cyclic' });
    near([found[0]!, found[6]!], [time, time]);
  });

  it('messages with different routes share a cable equally', () => {
    const lines = `0 isend 1 0 1000000\n0 isend 2 0 1000000\n0 waitall\n1 recv 0 0 1000000\n2 recv 0 0 1000000`;
    const found = ends(3, lines, 'nodes: 4\nnetwork: { kind: torus, sizes: [4] }', { placement: 'cyclic' });
    // The first message is alone from 10 to 20 us; then both share the first cable; then the second has all of it.
    near(found, [2.01e-3, 2e-3, 2.01e-3]);
  });

  it('in a waitall a rank communicates while one of its messages is transferred, and waits between them', () => {
    const lines = `0 irecv 1 0 1000000\n0 irecv 2 0 1000000\n0 compute 5e5\n0 waitall
1 send 0 0 1000000\n2 compute 3e6\n2 send 0 0 1000000`;
    const [rank] = run(3, lines, 'nodes: 3', { placement: 'cyclic' }).ranks;
    const message = 20e-6 + 1e6 / 1e9;
    near([rank!.communicating, rank!.waiting], [message - 0.5e-3 + message, 3e-3 - message]);
  });

  it('more ranks than cores share the cores with oversubscribe', () => {
    const lines = '0 compute 1e9\n1 compute 1e9\n2 compute 1e9';
    near(ends(3, lines, 'nodes: 1', { oversubscribe: true }), [1.5, 1.5, 1.5]);
    expect(() => run(3, lines, 'nodes: 1')).toThrow('MACH021 3 ranks, and machine');
    expect(() => run(3, lines, 'nodes: 2', { hostfile: file('node0:3', 'txt') })).toThrow('node0: 3 ranks on 2 cores');
    near(ends(3, lines, 'nodes: 2'), [1, 1, 1]);
  });

  it('a list or a function places the ranks', () => {
    const time = 20e-6 + 1e6 / 1e9;
    for (const placement of [[0, 1], ['node1', 'node0'], (rank: number) => rank]) {
      const document = run(2, MEGABYTE, 'nodes: 2', { placement });
      near([document.figures.runTime.value], [time]);
      expect(document.options['placement']).toBe(typeof placement === 'function' ? 'function' : 'list');
    }
    const within = run(2, MEGABYTE, 'nodes: 2', { placement: ['node1', 1] });
    near([within.figures.runTime.value], [1e-6 + 1e6 / 4e9]);
    expect(within.ranks.map((r) => r.host)).toEqual(['node1', 'node1']);
    const three = '2 compute 1e9';
    expect(() => run(3, three, 'nodes: 2', { placement: [0, 0, 0] })).toThrow('node0: 3 ranks on 2 cores');
    near(ends(3, three, 'nodes: 2', { placement: [0, 0, 0], oversubscribe: true }), [0, 0, 1]);
    expect(() => run(3, three, 'nodes: 2', { placement: [0, 1] })).toThrow('MACH024 the placement has 2 entries');
    expect(() => run(3, three, 'nodes: 2', { placement: [0], hostfile: 'h' })).toThrow(
      'either hostfile "h" or placement a list',
    );
    expect(() => run(3, three, 'nodes: 2', { placement: 7 as never })).toThrow(
      'MACH023 placement 7: expected a string',
    );
  });

  it('nodes of several kinds compute at their own speeds', () => {
    const groups = 'groups: [{ name: fast, nodes: 1, speed: 2Gf }, { name: slow, nodes: 1 }]';
    const document = run(4, '0 compute 1e9\n3 compute 1e9', groups);
    near([document.ranks[0]!.endTime, document.ranks[3]!.endTime], [0.5, 1]);
    expect(document.ranks.map((r) => r.host)).toEqual(['fast0', 'fast0', 'slow0', 'slow0']);
  });
});

describe('the equivalent SimGrid platform gives the same times', () => {
  const cluster = (more: string): string =>
    file(
      `<?xml version="1.0"?><platform version="4.1"><cluster id="c" prefix="node" suffix="" radical="0-7" core="2" speed="1Gf" bw="1GBps" lat="10us" sharing_policy="SPLITDUPLEX" loopback_bw="4GBps" loopback_lat="1us" ${more}/></platform>`,
      'xml',
    );
  const programs: Readonly<Record<string, PredictOptions & { readonly trace: string }>> = {
    'the stencil': { trace: 'examples/stencil/stencil-8.ti' },
    'random messages': {
      trace: trace(
        8,
        Array.from({ length: 60 }, (_, k) => {
          const [from, to] = [(k * 7) % 8, (k * 5 + 3) % 8];
          const bytes = (k * k * 7919) % 300_000;
          return `${from} isend ${to} 0 ${bytes}\n${to} irecv ${from} 0 ${bytes}`;
        }).join('\n') + Array.from({ length: 8 }, (_, r) => `\n${r} waitall\n${r} allreduce 1000 1e6`).join(''),
      ),
    },
  };
  test.each([
    ['crossbar', 'network: crossbar', ''],
    ['backbone', 'network: { kind: backbone, latency: 5us, bandwidth: 1.5GB/s }', 'bb_bw="1.5GBps" bb_lat="5us"'],
    [
      'fat tree',
      'network: { kind: fat-tree, down: [2, 4], up: [1, 2], cables: [1, 1] }',
      'topology="FAT_TREE" topo_parameters="2;2,4;1,2;1,1"',
    ],
  ])('a %s has the times of the equivalent SimGrid platform', (_, network, more) => {
    const own = file(`${MACHINE}nodes: 8\n${network}`, 'yaml');
    const simgrid = cluster(more);
    for (const { trace } of Object.values(programs))
      for (const networkModel of ['simgrid-plain', 'simgrid-eager', 'simgrid-smpi'])
        for (const placement of ['block', 'cyclic']) {
          const [a, b] = [own, simgrid].map((machine) =>
            predict(trace, { machine, networkModel, placement, collectives: 'simgrid' }),
          );
          expect(a!.figures.runTime.value).toBeGreaterThan(0);
          for (const [rank, { host, endTime }] of b!.ranks.entries()) {
            expect(a!.ranks[rank]!.host).toBe(host);
            expect(Math.abs(a!.ranks[rank]!.endTime! - endTime!)).toBeLessThan(1e-9 * endTime!);
          }
        }
  });
});

describe('the result', () => {
  it('names the model, protocol, placement, and the machine in SI', () => {
    const document = run(2, MEGABYTE, 'nodes: 2', { oversubscribe: true });
    expect(document.options).toMatchObject({
      networkModel: 'foretoken',
      placement: 'block',
      oversubscribe: 'yes',
      eagerBelow: 1000,
      detachedBelow: 1000,
    });
    expect(document.machine).toMatchObject({ network: { kind: 'crossbar' }, eagerBelow: 1000 });
    expect(document.inputs.machine!.path).toMatch(/yaml$/);
  });

  it('is the same for a machine from TypeScript and from a file', () => {
    const file = predict(trace(2, MEGABYTE), { machine: 'examples/stencil/cluster.yaml' });
    const { inputs, machine, ...same } = file;
    const { inputs: own, ...rest } = predict(trace(2, MEGABYTE), { machine: machine as unknown as Machine });
    expect([inputs.machine?.path, own.machine]).toEqual(['examples/stencil/cluster.yaml', undefined]);
    expect(rest).toEqual({ machine, ...same });
  });

  it('names a built-in machine, and no file', () => {
    const document = predict(trace(2, MEGABYTE), { machine: 'simgrid-backbone', placement: 'cyclic' });
    expect(document.options).toMatchObject({ builtIn: 'simgrid-backbone', placement: 'cyclic' });
    expect(document.inputs.machine).toBeUndefined();
    expect(document.figures.runTime.value).toBeCloseTo(600e-6 + 1e6 / 125e6, 12);
  });

  describe.each(['sdsc-trestles', 'sdsc-gordon-switch'])('%s has the figures of its guide', (machine) => {
    const { coresPerNode, gigaflops, triad } = {
      'sdsc-trestles': { coresPerNode: 32, gigaflops: 307, triad: 100e9 },
      'sdsc-gordon-switch': { coresPerNode: 16, gigaflops: 333, triad: 60e9 },
    }[machine]!;

    it('1.3 µs and 4 GB/s from node to node', () => {
      const { figures } = predict(trace(2, MEGABYTE), { machine, placement: 'cyclic' });
      expect(figures.runTime.value).toBeCloseTo(1.3e-6 + 1e6 / 4e9, 15);
    });

    it('the peak and the memory of a node, shared by its cores', () => {
      const seconds = (work: { flops: number } | { bytes: number }): number =>
        predict(spmd({ name: 'node', build: (m) => m.compute(work) }), { machine, ranks: coresPerNode }).figures.runTime
          .value!;
      expect(seconds({ bytes: triad / coresPerNode })).toBeCloseTo(1, 12);
      // The vendors' guides round to integer Gflop/s.
      expect(Math.round(1 / seconds({ flops: 1e9 / coresPerNode }))).toBe(gigaflops);
    });

    it('predicts an example', () => {
      const { complete, deadlock, options } = predict('examples/stencil/stencil-8.ti', { machine });
      expect({ complete, deadlock, options }).toMatchObject({
        complete: true,
        deadlock: [],
        options: { builtIn: machine, eagerBelow: 12 * 1024 },
      });
    });
  });
});

it.each<[string, PredictOptions, string]>([
  ['no machine', {}, 'APP002'],
  [
    'an unknown machine',
    { machine: 'simgrid-fattree' },
    'MACH020 no file and no built-in machine is named "simgrid-fattree". Did you mean "simgrid-fat-tree"?',
  ],
  [
    'a built-in misspelt',
    { machine: 'sdsc-trestle' },
    'built-in machine is named "sdsc-trestle". Did you mean "sdsc-trestles"?',
  ],
  [
    'a name unlike any',
    { machine: 'k-computer' },
    'Known: simgrid-backbone, simgrid-fat-tree, sdsc-trestles, sdsc-gordon-switch.',
  ],
  ['two placements', { machine: 'simgrid-backbone', placement: 'block', hostfile: 'h' }, 'MACH022'],
  [
    'a placement that is no word and no file',
    { machine: 'simgrid-backbone', placement: 'blok' },
    'MACH023 no file and no placement is named "blok". Did you mean "block"?',
  ],
  ['a model without thresholds', { machine: 'examples/stencil/cluster.xml', networkModel: 'foretoken' }, 'PLAT030'],
])('%s is rejected', (_, options, message) => {
  expect(() => predict(trace(2, MEGABYTE), options)).toThrow(message);
});

test.each([
  [{ speed: 4 }, 'speed is 4 flop/s: is a unit missing, as in speed: 4Gf?'],
  [{ link: { latency: 1, bandwidth: '1GB/s' } }, 'link.latency is 1 s: is a unit missing, as in link.latency: 1us?'],
  [
    { link: { latency: '1us', bandwidth: 10 } },
    'link.bandwidth is 10 B/s: is a unit missing, as in link.bandwidth: 10GB/s?',
  ],
  [{}, undefined],
])('a machine given as object gets the note that a file gets: %j', (part, message) => {
  const whole = {
    nodes: 2,
    coresPerNode: 1,
    speed: '1Gf',
    link: { latency: '1us', bandwidth: '1GB/s' },
    network: { kind: 'crossbar' } as const,
    eagerBelow: '64KiB',
    ...part,
  };
  const folder = mkdtempSync(join(tmpdir(), 'foretoken-units-'));
  const file = join(folder, 'm.json');
  writeFileSync(file, JSON.stringify(whole));
  const model = spmd({ name: 'one', build: (m) => m.compute({ seconds: 1 }) });
  const notes = (machine: string | Machine): string[] =>
    predict(model, { machine, ranks: 1 })
      .warnings.filter(({ code }) => code === 'MACH035')
      .map((warning) => warning.message);
  const expected = message === undefined ? [] : [message];
  expect([notes(file), notes(cluster(whole as ClusterOptions))]).toEqual([expected, expected]);
  rmSync(folder, { recursive: true });
});

describe('collectives of a machine file', () => {
  const lines = Array.from({ length: 4 }, (_, r) => `${r} allreduce 100000 0\n${r} bcast 5000 0\n`).join('');
  const time = (machine: string, options: PredictOptions = {}): number =>
    run(4, lines, `nodes: 2\n${machine}`, options).figures.runTime.value!;

  test.each(['ompi', 'mpich,bcast=linear', 'allreduce=ring'])('are those of the option: %s', (collectives) => {
    const document = run(4, lines, `nodes: 2\ncollectives: ${collectives}`);
    const byOption = run(4, lines, 'nodes: 2', { collectives });
    expect(document.figures).toEqual(byOption.figures);
    expect(document.options.collectives).toBe(byOption.options.collectives);
  });

  it('change the run time', () => {
    expect(time('collectives: allreduce=ring')).not.toBe(time(''));
  });

  it('give way to the option', () => {
    expect(time('collectives: ompi', { collectives: 'simgrid' })).toBe(time('', { collectives: 'simgrid' }));
  });

  test.each([
    ['opmi', 'MACH026', 'unknown collectives "opmi". Did you mean "ompi"?'],
    ['bcasts=linear', 'MACH038', 'Did you mean "bcast"?'],
    ['bcast=linaer', 'MACH039', 'Did you mean "linear"?'],
    ['ompi,mpich', 'MACH041', 'names two selectors'],
  ])('are refused at their file: %s', (collectives, code, message) => {
    const machine = file(`${MACHINE}nodes: 2\ncollectives: ${collectives}`, 'yaml');
    let problems: unknown;
    try {
      predict(trace(4, lines), { machine });
    } catch (error) {
      ({ problems } = error as { problems: unknown });
    }
    expect(problems).toEqual([
      {
        code,
        message: expect.stringContaining(message),
        place: expect.objectContaining({ file: machine, part: 'collectives' }),
      },
    ]);
  });

  it('of mpich follow the placement of every scenario of a study', async () => {
    const machine = file(`${MACHINE}nodes: 2`, 'yaml');
    const placements = ['block', 'cyclic'];
    const options = { machine, collectives: 'mpich' };
    const { scenarios } = await whatif(trace(4, lines), { ...options, workers: 1, vary: { placement: placements } });
    const alone = placements.map(
      (placement) => predict(trace(4, lines), { ...options, placement }).figures.runTime.value,
    );
    expect(scenarios.map(({ figures }) => figures?.['runTime']?.value)).toEqual(alone);
    expect(alone[0]).not.toBe(alone[1]);
  });

  it('are compared by a study', async () => {
    const names = ['simgrid', 'ompi', 'mpich', 'mvapich2', 'impi'];
    const { scenarios } = await whatif(trace(4, lines), {
      machine: file(`${MACHINE}nodes: 2`, 'yaml'),
      workers: 1,
      vary: { collectives: names },
    });
    expect(scenarios.map(({ figures }) => figures?.['runTime']?.value)).toEqual(
      names.map((collectives) => time('', { collectives })),
    );
  });
});
