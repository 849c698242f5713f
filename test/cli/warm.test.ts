import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cluster, type Ended, foretoken, stencil } from './run.ts';
import { needsOwnProcess, warmly } from './warm.ts';

const model = 'examples/ring/model.ts';
const threads = 'examples/threads-loop/model.ts';

/** Commands that print how long they took. */
const TIMED: readonly string[] = ['explore', 'structure', 'steady', 'verify'];
const withoutTimes = (text: string): string =>
  text
    .replaceAll(/"(s|totalS)econds": ?[\d.e-]+/g, '"$1econds": …')
    .replaceAll(/[\d.]+ (?:m|µ)?s(?= ·|$)/gm, '…')
    .replaceAll(/[\d.]+ (?:k|M)? ?states\/s/g, '…');

describe('a command in the process that runs several prints what it prints in its own', () => {
  test.each([
    ['--help'],
    ['predict', '--nonsense'],
    ['predict', stencil, '--machine', cluster, '--json'],
    ['predict', model, '--ranks', '4'],
    ['predict', threads, '--workers', '4'],
    ['whatif', stencil, '--machine', cluster, '--vary', 'machine.link.latency=x1,x2', '--json'],
    ['whatif', model, '--vary', 'ranks=2,4'],
    ['verify', model, '--ranks', '3', '--json'],
    ['structure', model, '--ranks', '2', '--json'],
    ['explore', model, '--ranks', '2'],
    ['steady', model, '--ranks', '2'],
    ['compare', stencil, stencil, '--machine', cluster],
    ['diagnose', model, '--ranks', '2'],
    ['profile', stencil, '--machine', cluster, '--json'],
    ['schema', 'prediction'],
  ])('prints the same: %s %s %s', async (...args) => {
    const [own, warm] = await Promise.all([foretoken(args), warmly(args)]);
    const shown = ({ stdout }: Ended): string => (TIMED.includes(args[0]!) ? withoutTimes(stdout) : stdout);
    expect({ ...warm, stdout: shown(warm) }).toEqual({ ...own, stdout: shown(own) });
  });
});

test('a command gets the variables that are given, and the next one does not', async () => {
  const args = ['compare', stencil, stencil, '--machine', cluster];
  const options = { env: { COLUMNS: '40', LC_ALL: 'C' } };
  const [own, narrow, wide] = [await foretoken(args, options), await warmly(args, options), await warmly(args)];
  expect(narrow).toEqual(own);
  expect(wide).not.toEqual(own);
});

test('a model that has changed is imported again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'foretoken-warm-'));
  const file = join(folder, 'model.ts');
  const printed = async (flops: string): Promise<string> => {
    const text = `import { spmd } from 'foretoken/models';\nexport default spmd({ name: 'm', build: (m) => m.compute({ flops: ${flops} }) });\n`;
    writeFileSync(file, text);
    return (await warmly(['predict', file, '--ranks', '1'])).stdout;
  };
  expect([await printed('1e9'), await printed('2e9')]).toEqual([
    expect.stringMatching(/^Run time 1\.000 s/),
    expect.stringMatching(/^Run time 2\.000 s/),
  ]);
  rmSync(folder, { recursive: true });
});

test('streams need a process of their own, files in any folder do not', () => {
  for (const input of [join(tmpdir(), 'net.pnml'), '/dev/shm/ft-1/net.pnml', '/tmp/net.pnml'])
    expect([input, needsOwnProcess(['verify', input])]).toEqual([input, false]);
  for (const input of ['-', '/dev/stdin', '/dev/fd/3']) expect(needsOwnProcess(['verify', input])).toBe(true);
});
