import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

import { warmly } from './warm.ts';

/** Inputs of the wrong kind: messages state the kind of the file and the expected input. */
const folder = mkdtempSync(join(tmpdir(), 'foretoken-kinds-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);
const write = (name: string, text: string): void => writeFileSync(at(name), text);

write('x.cpn', '<workspaceElements/>');
write('net.xml', '<pnml/>');
write('platform.xml', '<?xml version="1.0"?>\n<platform version="4.1"/>');
write('m.yaml', 'nodes: 4\ncoresPerNode: 1\nspeed: 1Gf\nlink: { latency: 1us, bandwidth: 1GB/s }\neagerBelow: 1\n');
write('tiny.ti', '0 init\n0 compute 1e6\n0 finalize\n');
write('model.ts', '');
mkdirSync(at('dir'));

const CPN =
  /x\.cpn: APP009 is a CPN Tools net, which cannot be read: export it as PNML and give the \.pnml file\. Known inputs: models \(\.ts/;
const GONE = /missing\.\w+: (?:TI001 cannot read the file: no such file|APP001 cannot be read: ENOENT)/;

describe('exit code 2, and a helpful message', () => {
  test.each<[string[], RegExp]>([
    [['predict', at('x.cpn')], CPN],
    [['predict', at('x.cpn'), '--machine', at('m.yaml')], CPN],
    [['convert', at('x.cpn'), at('y.pnml')], CPN],
    [['verify', at('x.cpn')], CPN],
    [['explore', at('x.cpn')], CPN],
    [['structure', at('x.cpn')], CPN],
    [['whatif', at('x.cpn'), '--vary', 'placement=block'], CPN],
    [['compare', at('x.cpn'), at('x.cpn')], CPN],
    [['predict', at('missing.cpn')], GONE],
    [['predict', at('missing.ti')], GONE],
    [['convert', at('missing.cpn'), at('y.pnml')], GONE],
    [['convert', at('missing.foo'), at('y.pnml')], GONE],
    [['convert', at('missing.txt'), at('y.pnml')], GONE],
    [['verify', at('missing.foo')], GONE],
    [['explore', at('missing.foo')], GONE],
    [['structure', at('missing.foo')], GONE],
    [['whatif', at('missing.ti'), '--vary', 'placement=block'], GONE],
    [['predict', at('tny.ti')], /TI001 .*Did you mean "tiny\.ti"\?/],
    [['predict', at('m.yaml')], /APP009 is a machine file by its extension: give it with --machine/],
    [['predict', at('net.xml')], /net\.xml:1:1: PNML009/],
    [['predict', at('platform.xml')], /APP009 is a SimGrid platform: expected a net; give a platform with --machine/],
    [['explore', at('platform.xml')], /APP009 is a SimGrid platform/],
    [['predict', at('dir')], /TI001 this is a directory/],
    [['predict', at('tiny.ti')], /APP002 a trace needs a machine/],
    [
      ['predict', at('tiny.ti'), '--machine', at('tiny.ti')],
      /APP009 is a trace by its extension, not a machine: machines are \.yaml/,
    ],
    [['predict', at('tiny.ti'), '--machine', at('model.ts')], /APP009 is a model by its extension, not a machine/],
    [['predict', at('tiny.ti'), '--machine', at('x.cpn')], /APP009 is a net by its extension, not a machine/],
    [['explore', at('tiny.ti')], /APP030 .* use foretoken verify/],
    [['verify', at('m.yaml')], /APP009 is a machine file by its extension/],
    [['rerun', at('tiny.ti')], /APP010 is not JSON: .*; expected a result document as printed by --json/],
  ])('%j is refused with exit code 2 and a helpful message', async (args, says) => {
    const { code, stdout, stderr } = await warmly(args);
    expect(stderr).toMatch(says);
    expect([code, stdout]).toEqual([2, '']);
  });

  test('a result document instead of a net, and one that rerun cannot repeat', async () => {
    const study = await warmly([
      'whatif',
      at('tiny.ti'),
      '--machine',
      at('m.yaml'),
      '--vary',
      'placement=block',
      '--json',
    ]);
    write('study.json', study.stdout);
    expect((await warmly(['predict', at('study.json')])).stderr).toContain('a result document');
    expect((await warmly(['rerun', at('study.json')])).stderr).toMatch(
      /APP010 .*whatif writes it.*rerun those of predict/,
    );
    const profile = await warmly(['profile', at('tiny.ti'), '--machine', at('m.yaml'), '--json']);
    write('profile.json', profile.stdout);
    expect((await warmly(['rerun', at('profile.json')])).stderr).toMatch(/APP010 .*profile writes it/);
  });
});
