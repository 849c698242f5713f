import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import { exponential } from '../../src/net/builder/distributions.ts';
import { netToJson } from '../../src/net/json/json.ts';
import { COMMANDS, foretoken, hasComputed } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'limits-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string): string => join(folder, name);

/** A net that never comes to an end. */
function endlessNet(): string {
  const n = new NetBuilder('endless');
  const p = n.place('p', {}, { initial: 1 });
  n.transition('t', (t) => {
    t.take(p);
    t.delay(exponential(1));
    t.put(p, {});
  });
  writeFileSync(file('endless.json'), netToJson(n.build()));
  return file('endless.json');
}

/** A place with as many tokens as there are transitions that each move one to a place of their own. */
function wideNet(transitions: number): string {
  const n = new NetBuilder('wide');
  const from = n.place('from', {}, { initial: transitions });
  for (let k = 0; k < transitions; k++) {
    const to = n.place(`to${k}`, {});
    n.transition(`t${k}`, (t) => {
      t.take(from);
      t.put(to, {});
    });
  }
  writeFileSync(file('wide.json'), netToJson(n.build()));
  return file('wide.json');
}

/** A model whose function for an amount never returns. */
function endlessModel(): string {
  const models = fileURLToPath(new URL('../../dist/cli/models.js', import.meta.url));
  const text = `import { spmd } from ${JSON.stringify(models)};
export default spmd({ name: 'endless', build(m) { m.compute({ flops: () => { for (;;); } }); } });
`;
  writeFileSync(file('endless.ts'), text);
  return file('endless.ts');
}

test.each(COMMANDS)('%s has both limits', async (command) => {
  const { stdout } = await foretoken([command, '--help']);
  expect(stdout).toContain('--seconds <seconds>');
  expect(stdout).toContain('--memory <size>');
});

describe('a limit of time', () => {
  test.each([
    ['a function of a model', ['predict', endlessModel(), '--ranks', '2'], false],
    // Without a number of steps, runs that are proved endless end by themselves.
    ['a run', ['predict', endlessNet(), '--max-steps', '1000000000', '--json'], true],
    ['scenarios', ['whatif', endlessNet(), '--max-steps', '1000000000', '--vary', 'delay.t=1,2', '--json'], true],
    ['an exploration', ['explore', wideNet(600), '--json'], true],
  ])('the limit of time stops %s', async (_, args, knows) => {
    const { code, stdout, stderr } = await foretoken([...args, '--seconds', '2']);
    expect(stderr).not.toMatch(/internal error/);
    expect(code).toBe(3);
    if (knows) expect(JSON.parse(stdout)).toMatchObject({ complete: false });
    else expect(stderr).toContain('the time limit of 2.000 s was reached');
  });

  test('a command that is killed leaves a document', async () => {
    const args = ['predict', endlessModel(), '--ranks', '2', '--seconds', '2', '--json'];
    const none = { kind: 'none', command: 'predict', complete: false, because: expect.stringContaining('2.000 s') };
    const printed = await foretoken(args);
    expect(printed.code).toBe(3);
    expect(JSON.parse(printed.stdout)).toMatchObject(none);
    writeFileSync(file('killed.json'), 'complete');
    const written = await foretoken([...args, '-o', file('killed.json')]);
    expect([written.code, written.stdout]).toEqual([3, '']);
    expect(readFileSync(file('killed.json'), 'utf8')).toBe('complete');
    expect(JSON.parse(readFileSync(file('killed.incomplete.json'), 'utf8'))).toMatchObject(none);
  });
});

test('a limit of memory', async () => {
  const { code, stdout, stderr } = await foretoken(['explore', wideNet(600), '--json', '--memory', '200MiB']);
  expect(stderr).toBe('');
  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({ complete: false, truncation: 'memory' });
});

test('a limit that is not reached changes nothing', async () => {
  const args = ['predict', 'examples/stencil/stencil-8.ti', '-m', 'examples/stencil/cluster.xml'];
  const [limited, plain] = await Promise.all([
    foretoken([...args, '--seconds', '100', '--memory=4GiB']),
    foretoken(args),
  ]);
  expect(limited).toEqual(plain);
  const refused = await foretoken([...args, '--seconds', '-1']);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('--seconds');
});

test('a part of a result does not replace a complete one', async () => {
  writeFileSync(file('out.json'), 'complete');
  const args = ['predict', endlessNet(), '--max-steps', '1000000000', '--json', '-o', file('out.json')];
  const { code, stderr } = await foretoken(args, {
    during: async (child) => {
      await hasComputed(child, 1.5);
      child.kill('SIGINT');
    },
  });
  expect(code).toBe(130);
  expect(stderr).toContain('out.incomplete.json');
  expect(readFileSync(file('out.json'), 'utf8')).toBe('complete');
  expect(JSON.parse(readFileSync(file('out.incomplete.json'), 'utf8'))).toMatchObject({ complete: false });
});
