import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { cluster, foretoken, stencil } from './run.ts';

/** Inputs that are devices, pipes without a writer, or too large. */
const dir = mkdtempSync(join(tmpdir(), 'foretoken-inputs-'));
afterAll(() => rmSync(dir, { recursive: true }));
const at = (name: string): string => join(dir, name);

for (const ending of ['json', 'pnml', 'yaml', 'xml', 'txt', 'ts']) {
  symlinkSync('/dev/zero', at(`device.${ending}`));
  execFileSync('mkfifo', [at(`pipe.${ending}`)]);
  writeFileSync(at(`large.${ending}`), '');
  truncateSync(at(`large.${ending}`), 2 ** 32);
}
copyFileSync(stencil, at('app.ti'));
writeFileSync(
  at('net.json'),
  '{"format":"foretoken-net","version":1,"name":"n","colours":[],"tables":[],"places":[],"transitions":[]}',
);

const kinds = ['device', 'pipe', 'large'] as const;
const commands: readonly (readonly [what: string, args: (kind: string) => readonly string[]])[] = [
  ['result of rerun', (kind) => ['rerun', at(`${kind}.json`)]],
  ['result of compare', (kind) => ['compare', at(`${kind}.json`), at(`${kind}.json`)]],
  ['net of predict', (kind) => ['predict', at(`${kind}.json`)]],
  ['net of verify', (kind) => ['verify', at(`${kind}.json`)]],
  ['net of structure', (kind) => ['structure', at(`${kind}.json`)]],
  ['model', (kind) => ['predict', at(`${kind}.ts`), '--ranks', '2']],
  ['model of whatif', (kind) => ['whatif', at(`${kind}.ts`), '--vary', 'ranks=1,2']],
  ['machine file', (kind) => ['predict', at('app.ti'), '--machine', at(`${kind}.yaml`)]],
  ['platform', (kind) => ['predict', at('app.ti'), '--machine', at(`${kind}.xml`)]],
  ['hostfile', (kind) => ['predict', at('app.ti'), '--machine', cluster, '--hostfile', at(`${kind}.txt`)]],
  ['placement file', (kind) => ['predict', at('app.ti'), '--machine', cluster, '--placement', at(`${kind}.txt`)]],
  ['formulas', (kind) => ['verify', at('net.json'), '--formulas', at(`${kind}.xml`)]],
];

describe.each(commands)('a file that is no regular one as %s', (_, args) => {
  test.each(kinds)('a %s is rejected at once', async (kind) => {
    const { code, stdout, stderr } = await foretoken(args(kind));
    expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/regular file|a file or a pipe|names no host|more than the limit/);
  });
});

test('an endless input named by a result is not read', async () => {
  const { stdout } = await foretoken(['predict', at('app.ti'), '--machine', cluster, '--json']);
  const document = JSON.parse(stdout);
  document.inputs.machine.path = '/dev/zero';
  writeFileSync(at('result.json'), JSON.stringify(document));
  const { code, stderr } = await foretoken(['rerun', at('result.json')]);
  expect(code).toBe(2);
  expect(stderr).toContain('/dev/zero: APP001 expected a regular file, got a device');
});

test('a hostfile may come from a pipe, as in <(command)', () => {
  const hosts = Array.from({ length: 8 }, (_, k) => `node${k}`).join('\\n');
  const text = execFileSync(
    'bash',
    [
      '-c',
      `"$0" "$1" predict app.ti --machine "$2" --hostfile <(printf '${hosts}') --json`,
      process.execPath,
      join(process.cwd(), 'dist/cli/main.js'),
      join(process.cwd(), cluster),
    ],
    { cwd: dir, encoding: 'utf8' },
  );
  expect(JSON.parse(text).ranks[7].host).toBe('node7');
});
