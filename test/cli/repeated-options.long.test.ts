import { describe, expect, it } from 'vitest';
import { warmly } from './warm.ts';

/** Valid values of options that take neither a number nor one of listed choices. */
const VALUES: Readonly<Record<string, string>> = {
  '--memory': '4GiB',
  '--sends': 'both',
  '--fail-on': 'any',
  '--state': 'task=EXEC',
  '--datatype': '-1=8',
  '--scenario': 'ideal-network',
  '--characteristics': 'lostTime',
};
/** Options for which the test would start a process each. */
const OWN_PROCESS: ReadonlySet<string> = new Set(['--seconds', '--memory']);

describe('an option given twice', () => {
  /** The options with a value of a command, with one valid value each; `repeats` if its help says that it can be repeated. */
  async function valued(command: string): Promise<{ option: string; value: string; repeats: boolean }[]> {
    const { stdout } = await warmly([command, '--help']);
    const list = stdout
      .slice(stdout.indexOf('Options:'))
      .split(/\n {2}(?=-)/)
      .slice(1);
    return list.flatMap((entry) => {
      const [, option, kind] = /^(?:-\w, )?(--[a-z-]+) <([^>]+)>/.exec(entry) ?? [];
      if (option === undefined) return [];
      const text = entry.replace(/\s+/g, ' ');
      const choice = /\(choices: "([^"]+)"/.exec(text)?.[1];
      const value = choice ?? VALUES[option] ?? (kind!.includes('=') ? 'a=1' : '1');
      return [{ option, value, repeats: text.includes('(repeat') }];
    });
  }

  it('has one value unless its help says that it is repeatable', async () => {
    const { stdout } = await warmly(['--help']);
    const commands = [...stdout.slice(stdout.indexOf('Commands:')).matchAll(/^ {2}([a-z]+) /gm)].map(
      ([, name]) => name!,
    );
    let checked = 0;
    for (const command of commands.filter((name) => name !== 'help'))
      for (const { option, value, repeats } of await valued(command)) {
        if (OWN_PROCESS.has(option)) continue;
        const { code, stderr } = await warmly([command, 'none.pnml', option, value, option, value]);
        expect({ command, option, stderr, code }).toMatchObject({ code: 2 });
        const refused = stderr.includes(`APP062 ${option}: is given twice, as "${value}" and "${value}"`);
        expect({ command, option, stderr, refused }).toMatchObject({ refused: !repeats });
        checked++;
      }
    expect(checked).toBeGreaterThan(100);
  }, 120_000);

  it('is seen by its short and its long name', async () => {
    const { code, stderr } = await warmly(['steady', 'none.pnml', '-n', '2', '--ranks=3']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'APP062 --ranks: is given twice, as "2" and "3": it can have one value\n',
    });
  });

  it('without a value is harmless', async () => {
    const { stderr } = await warmly(['steady', 'none.pnml', '--json', '--json', '--absorption', '--absorption']);
    expect(stderr).not.toContain('APP062');
  });
});
