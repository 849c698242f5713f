import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { COMMANDS, cluster, stencil } from './run.ts';
import { warmly } from './warm.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

describe('help and version', () => {
  it('prints the version', async () => {
    for (const flag of ['--version', '-V']) {
      expect(await warmly([flag])).toMatchObject({ code: 0, stdout: `foretoken ${version}\n`, stderr: '' });
    }
  });

  it.each(COMMANDS)('of %s shows an example', async (command) => {
    for (const args of [
      [command, '--help'],
      ['help', command],
    ]) {
      const { code, stdout, stderr } = await warmly(args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain(`Examples:\n  foretoken ${command} `);
    }
  });

  it('of the program names the commands and the exit codes', async () => {
    const { code, stdout } = await warmly(['--help']);
    expect(code).toBe(0);
    const listed = stdout.slice(stdout.indexOf('Commands:')).matchAll(/^ {2}([a-z]+) /gm);
    expect([...listed].map(([, name]) => name).sort()).toEqual([...COMMANDS, 'help'].sort());
    expect(stdout).toMatch(/predict [\s\S]*convert [\s\S]*Exit codes: 0 /);
  });
});

describe('wrong usage is exit code 2, with nothing on standard output', () => {
  it.each([
    [['predit', 'x.ti'], "foretoken: unknown command 'predit'. Did you mean predict?"],
    [['predict', 'x.ti', '--machin', 'm.xml'], "foretoken: unknown option '--machin'. Did you mean --machine?"],
    [['predict'], "foretoken: missing required argument 'inputs'"],
    [['verify', 'a.ti', 'b.ti'], 'foretoken: too many arguments'],
    [['predict', 'x.ti', '--machine'], "foretoken: option '-m, --machine <file>' argument missing"],
    [['predict', 'x.ti', '--ranks', '0'], 'Expected an integer >= 1.'],
    [['predict', 'x.ti', '--ranks', '3000000000'], 'Expected an integer from 1 to 2147483647.'],
    [['predict', 'x.ti', '--ranks', '1e-9'], 'Expected an integer >= 1.'],
    [
      ['predict', stencil, '-m', cluster, '--collectives', 'mvapich3'],
      'MACH026 unknown collectives "mvapich3". Did you mean "mvapich2"? Known: ',
    ],
    [['convert', 'x.ti'], "foretoken: missing required argument 'out'"],
  ])('the arguments %j are refused with exit code 2', async (args, message) => {
    const { code, stdout, stderr } = await warmly(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it('no command', async () => {
    const { code, stdout, stderr } = await warmly([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Usage: foretoken');
  });
});
