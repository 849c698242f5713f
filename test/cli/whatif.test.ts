import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { WhatIfDocument } from '../../src/commands/whatif/whatif-result.ts';
import { cluster, foretoken, hasComputed, stencil } from './run.ts';
import { warmly } from './warm.ts';

const yaml = 'examples/stencil/cluster.yaml';
const folder = mkdtempSync(join(tmpdir(), 'foretoken-cli-whatif-'));
afterAll(() => rmSync(folder, { recursive: true }));
const small = join(folder, 'small.yaml');
writeFileSync(small, readFileSync(yaml, 'utf8').replace('nodes: 4', 'nodes: 1'));
const grid = [
  'whatif',
  stencil,
  '--machine',
  yaml,
  '--vary',
  'placement=block,cyclic',
  '--vary',
  'network-model=foretoken,simgrid-smpi',
];

describe('whatif', () => {
  it('prints a table, or a document that does not depend on the number of threads', async () => {
    const page = await warmly(grid);
    expect(page).toMatchObject({ code: 0, stderr: '' });
    expect(page.stdout).toMatch(/^4 scenarios: run time 7\.397 ms to 7\.889 ms\n/);
    expect(page.stdout).toContain('cyclic     simgrid-smpi      7.889   +6.66 %');
    const one = await warmly([...grid, '--json', '--workers', '1']);
    expect(one).toMatchObject({ code: 0, stderr: '' });
    expect((await warmly([...grid, '--json', '--workers', '3'])).stdout).toBe(one.stdout);
    const document = JSON.parse(one.stdout) as WhatIfDocument;
    expect(document).toMatchObject({ format: 'foretoken', version: 1, kind: 'what-if', seed: '1', complete: true });
    const alone = await warmly(['predict', stencil, '--machine', yaml, '--placement', 'cyclic', '--json']);
    expect(document.scenarios[2]!.figures!['runTime']).toEqual(JSON.parse(alone.stdout).figures.runTime);
  });

  it('prints CSV, names a failed scenario, and exits with 1', async () => {
    const args = ['whatif', stencil, '--vary', `machine=${yaml},${small},${cluster}`, '--csv'];
    const { code, stdout, stderr } = await warmly(args);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^note: .*TI043 [^\n]*\n$/) });
    const lines = stdout.split('\r\n');
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(/^machine,status,runTime \[s\],ranks,/);
    expect(lines[2]).toMatch(/small\.yaml,failed,,.*MACH021/);
    expect(lines[3]).toMatch(/cluster\.xml,done,0\.0081567/);
  });

  it('has idealised scenarios', async () => {
    const { code, stdout } = await warmly(['whatif', stencil, '--machine', yaml, '--scenario', 'ideal-network']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/ideal-network +7\.340 +-0\.771 %/);
  });

  it.each([
    [['--vary', 'placment=block,cyclic'], 'Did you mean "placement"?'],
    [['--vary', 'placement=block', '--vary', 'placement=cyclic'], 'WHAT005 axis placement'],
    [['--vary', 'a=1..1000', '--vary', 'b=1..1000'], 'WHAT007'],
    [
      ['machine.speed', 'machine.link.latency', 'machine.link.bandwidth'].flatMap((axis) => [
        '--vary',
        `${axis}=1..1000`,
      ]),
      'has 1000000000 scenarios',
    ],
    [['--vary', 'machine.link.latncy=x0.5,x1'], 'MACH030 axis machine.link.latncy'],
    [['--vary', 'placement=block,cyclic', '--find', 'placement', '--target', '1s'], 'WHAT011'],
    [['--vary', 'placement=block,cyclic', '--find', 'placement'], 'WHAT011 --find needs --target'],
    [['--vary', 'placement=block,cyclic', '--find', 'placement', '--target', '5 parsec'], 'UNIT002 --target'],
    [['--vary', 'placement=block', '--scenario', 'ideal'], 'Allowed choices are ideal-network, ideal-balance.'],
    [['--vary', 'placement=block', '--csv', '--json'], "option '--csv' cannot be used with option '--json'"],
    [['--scenario', 'ideal-network', '--machine', 'missing.yaml'], 'APP062 --machine: is given twice'],
    [['--elasticity', 'placement'], 'WHAT007'],
    [[], 'WHAT013'],
  ])('%j is rejected with 2', async (args, message) => {
    const { code, stdout, stderr } = await warmly(['whatif', stencil, '--machine', yaml, ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  it.skipIf(process.platform === 'win32')('ends after Ctrl-C with what is known so far', async () => {
    const long = join(folder, 'long.ti');
    const block = (rank: number, transfer: string): string =>
      `${rank} init\n${`${rank} compute 1e6\n${rank} ${transfer} 0 100000\n`.repeat(1_000_000)}${rank} finalize\n`;
    writeFileSync(long, block(0, 'send 1') + block(1, 'recv 0'));
    const grid = [
      '--vary',
      'placement=block,cyclic',
      '--vary',
      'network-model=foretoken,simgrid-smpi,simgrid-plain,simgrid-eager',
    ];
    const args = ['whatif', long, '--machine', yaml, ...grid, '--json'];
    const { code, stdout } = await foretoken(args, {
      during: async (child) => {
        await hasComputed(child, 2.5);
        child.kill('SIGINT');
      },
    });
    expect(code).toBe(130);
    const document = JSON.parse(stdout) as WhatIfDocument;
    expect(document.complete).toBe(false);
    expect(document.scenarios.map((s) => s.status)).toContain('cancelled');
  });
});
