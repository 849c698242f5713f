import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { PredictionDocument } from '../../src/commands/predict/prediction.ts';
import { SCHEMA_NAMES } from '../../src/commands/schema/result-documents.ts';
import { stencil } from './run.ts';
import { warmly } from './warm.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-cli-machine-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const machine = 'examples/stencil/cluster.yaml';
const page = readFileSync('docs/machine.md', 'utf8');
/** The code block that follows a comment of docs/machine.md. */
const shown = (comment: string): string =>
  page
    .split(`<!-- ${comment} -->\n`)[1]!
    .split('```')[1]!
    .replace(/^\w*\n/, '');

describe('docs/machine.md', () => {
  it('shows the example', () => {
    expect(shown(`file: ${machine}`)).toBe(readFileSync(machine, 'utf8'));
  });

  it('shows the output for it', async () => {
    const { code, stdout } = await warmly(['predict', stencil, '--machine', machine]);
    expect(code).toBe(0);
    expect(shown(`output of foretoken predict ${stencil} --machine ${machine}`)).toBe(stdout);
  });

  it('shows the machine of a platform, which SimGrid times like the platform', async () => {
    const platform = 'examples/stencil/cluster.xml';
    const written = join(folder, 'machine.yaml');
    const { code, stdout, stderr } = await warmly(['convert', platform, written]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(shown(`output of foretoken convert ${platform} machine.yaml`)).toBe(stderr.replaceAll(`${folder}/`, ''));
    expect(shown('file: machine.yaml')).toBe(readFileSync(written, 'utf8'));
    const time = async (of: string): Promise<unknown> => {
      const model = ['--network-model', 'simgrid-smpi', '--json'];
      const { stdout } = await warmly(['predict', stencil, '--machine', of, ...model]);
      return (JSON.parse(stdout) as PredictionDocument).figures.runTime;
    };
    expect(await time(written)).toEqual(await time(platform));
  });

  it('machine files, platforms and built-in machines are converted, by content where nets have the ending', async () => {
    const [json, again] = [join(folder, 'm.json'), join(folder, 'again.yaml')];
    for (const [from, to, size] of [
      [machine, json, '4 nodes, 13 links'],
      [json, again, '4 nodes, 13 links'],
      ['sdsc-gordon-switch', join(folder, 'gordon.yml'), '16 nodes, 48 links'],
    ] as const)
      expect(await warmly(['convert', from, to])).toMatchObject({
        code: 0,
        stdout: '',
        stderr: expect.stringMatching(new RegExp(`^${to}: ${size}, \\d+ bytes\n$`)),
      });
    expect(readFileSync(again, 'utf8')).toContain('link: { latency: 12us, bandwidth: 1.25GB/s }\n');
    for (const [args, message] of [
      [[machine, join(folder, 'x.pnml')], /APP005 unknown output extension ".pnml"/],
      [[machine, machine], /APP007 would overwrite the input/],
      [[machine, json, '--unfold'], /APP004 option unfold does not apply to a machine description/],
      [[join(folder, 'none.yaml'), json], /MACH001 cannot be opened/],
      [['test/models/collectives/flat-nocontention.xml', json], /MACH036 no machine file describes this platform/],
    ] as const) {
      const { code, stderr } = await warmly(['convert', ...args]);
      expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
    }
  });

  it('shows the errors of a bad file', async () => {
    const bad = 'nodes: 4\ncoresPerNode: 8\nsped: 2.4Gf\nlink: { latency: 1.5GB, bandwidth: 100Gb/s }\neagerBelow: 0\n';
    const { code, stdout, stderr } = await warmly(['predict', stencil, '--machine', file('bad.yaml', bad)]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(shown('output of a bad file')).toBe(stderr.replaceAll(`${folder}/`, ''));
  });
});

describe('predict --machine', () => {
  it('names network model, protocol and placement in the second line', async () => {
    const second = async (...args: string[]): Promise<string> => {
      const { code, stdout } = await warmly(['predict', stencil, '--machine', ...args], {
        // Room for the paths of temporary files.
        env: { COLUMNS: '200' },
      });
      expect(code).toBe(0);
      return stdout.split('\n')[1]!;
    };
    const protocol = 'eager below 64 KiB';
    expect(await second(machine)).toContain(`foretoken · ${protocol} · placement block`);
    expect(await second(machine, '--placement', 'cyclic')).toContain(`foretoken · ${protocol} · placement cyclic`);
    expect(await second(machine, '--network-model', 'simgrid-plain')).toMatch(
      /^simgrid-plain · detached below 64 KiB · placement block/,
    );
    expect(await second('simgrid-fat-tree')).toMatch(/^foretoken · detached below 64 KiB · placement block/);
    const hosts = file('hosts.txt', 'node3:4\nnode0:4\n');
    for (const option of ['--placement', '--hostfile'])
      expect(await second(machine, option, hosts)).toContain(`foretoken · ${protocol} · placement`);
  });

  it('accepts JSON, and a built-in machine by name', async () => {
    const text =
      '{ "nodes": 8, "coresPerNode": 1, "speed": "1Gf", "link": { "latency": 0, "bandwidth": 1e9 }, "eagerBelow": 0 }';
    const own = await warmly(['predict', stencil, '--machine', file('m.json', text), '--json']);
    expect((JSON.parse(own.stdout) as PredictionDocument).machine).toMatchObject({ name: 'm', eagerBelow: 0 });
    const { stdout } = await warmly(['predict', stencil, '--machine', 'simgrid-backbone']);
    expect(stdout).toContain('built-in machine simgrid-backbone');
  });

  it('lets more ranks than cores share the cores only with --oversubscribe', async () => {
    const args = [
      'predict',
      stencil,
      '--machine',
      file('small.yaml', readFileSync(machine, 'utf8').replace('nodes: 4', 'nodes: 1')),
    ];
    const refused = await warmly(args);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toBe(
      `${args.at(-1)}:2:1: MACH021 8 ranks, and machine "small" has 4 cores. Let ranks share cores with --oversubscribe.\n`,
    );
    const shared = await warmly([...args, '--oversubscribe']);
    expect(shared.code).toBe(0);
    expect(shared.stdout).toContain('oversubscribe yes');
  });

  it('makes a net that predicts the same', async () => {
    const net = join(folder, 'net.json');
    expect((await warmly(['convert', stencil, net, '--machine', machine])).code).toBe(0);
    const time = async (...args: string[]): Promise<unknown> =>
      (JSON.parse((await warmly(['predict', ...args, '--json'])).stdout) as PredictionDocument).figures.runTime;
    expect(await time(net)).toEqual(await time(stencil, '--machine', machine));
  });

  it.each([
    ['a name that is neither', ['--machine', 'nothing'], /^MACH020 /],
    ['two placements', ['--machine', machine, '--placement', 'block', '--hostfile', 'x'], /^MACH022 /],
    ['an unknown placement', ['--machine', machine, '--placement', 'cylic'], /^MACH023 .*Did you mean "cyclic"/],
    ['a file that is not there', ['--machine', 'none.yaml'], /none\.yaml: MACH001 cannot be opened/],
  ])('rejects %s', async (_, args, message) => {
    const { code, stdout, stderr } = await warmly(['predict', stencil, ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });
});

describe('an error found after reading names file and line of the machine', () => {
  const xml = join(folder, 'two.xml');
  writeFileSync(
    xml,
    `<?xml version="1.0"?>
<platform version="4.1">
<cluster id="c" prefix="n" suffix="" radical="0-1" speed="1Gf" bw="1GBps" lat="1us"/>
</platform>
`,
  );
  const yaml = join(folder, 'few.yaml');
  writeFileSync(
    yaml,
    '# small\ncoresPerNode: 1\nspeed: 1Gf\nnodes: 2\nlink: { latency: 1us, bandwidth: 1GB/s }\neagerBelow: 64KiB\n',
  );

  it.each([
    ['more ranks than hosts', ['--machine', xml], /two\.xml:3:\d+: PLAT043 8 ranks/],
    ['more ranks than cores of a platform', ['--machine', xml, '--placement', 'block'], /two\.xml:3:\d+: MACH021/],
    ['more ranks than cores', ['--machine', yaml], /few\.yaml:4:\d+: MACH021 8 ranks/],
    ['no thresholds', ['--machine', xml, '--network-model', 'foretoken'], /two\.xml:3:\d+: PLAT030 network model/],
  ])('predict refuses %s', async (_, args, message) => {
    const { code, stdout, stderr } = await warmly(['predict', stencil, ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });
});

describe('schema', () => {
  it.each(['machine', 'net'])('prints that of %s', async (what) => {
    const { code, stdout, stderr } = await warmly(['schema', what]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual(JSON.parse(readFileSync(`schema/${what}.schema.json`, 'utf8')));
  });

  it('of anything else is rejected', async () => {
    const { code, stderr } = await warmly(['schema', 'trace']);
    expect(code).toBe(2);
    expect(stderr).toContain(`Allowed choices are ${SCHEMA_NAMES.join(', ')}.`);
  });
});
