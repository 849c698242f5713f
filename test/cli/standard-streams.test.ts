import { spawnSync } from 'node:child_process';
import { closeSync, constants, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cluster, main, stencil } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-streams-'));
afterAll(() => rmSync(folder, { recursive: true }));
/** One line lacks finalize: a warning, and exit code 0. */
const warned = join(folder, 'warned.ti');
writeFileSync(warned, '0 init\n0 compute 1e6\n');
const blocked = join(folder, 'blocked.ti');
writeFileSync(blocked, '0 init\n0 recv 0 0 1\n0 finalize\n');

/** Where a stream goes, and if writing to it fails. */
const targets = {
  kept: () => openSync('/dev/null', constants.O_WRONLY),
  full: () => openSync('/dev/full', constants.O_WRONLY),
  readOnly: () => openSync('/dev/null', constants.O_RDONLY),
} as const;
type Target = keyof typeof targets;
const names = Object.keys(targets) as Target[];

/** Runs with exit code 0, 1 or 2, and whether they write to each stream. */
const runs = [
  { args: ['--help'], code: 0, writes: { out: true, err: false } },
  { args: ['predict', stencil, '--machine', cluster, '--json'], code: 0, writes: { out: true, err: false } },
  { args: ['predict', warned, '--machine', cluster], code: 0, writes: { out: true, err: true } },
  { args: ['predict', blocked, '--machine', cluster], code: 1, writes: { out: true, err: false } },
  { args: ['predict', stencil, '--ranks', 'x'], code: 2, writes: { out: false, err: true } },
  { args: ['explore', 'missing.pnml'], code: 2, writes: { out: false, err: true } },
  { args: ['bogus'], code: 2, writes: { out: false, err: true } },
] as const;

describe.skipIf(!existsSync('/dev/full'))(
  'write errors of the standard streams end the program, with exit code 2',
  () => {
    it.each(runs.flatMap((run) => names.flatMap((out) => names.map((err) => ({ ...run, out, err })))))(
      '$args, standard output $out, standard error $err',
      ({ args, code, writes, out, err }) => {
        const [stdout, stderr] = [targets[out](), targets[err]()];
        const ended = spawnSync(process.execPath, [main, ...args], {
          stdio: ['ignore', stdout, stderr],
          timeout: 20_000,
        });
        closeSync(stdout);
        closeSync(stderr);
        const lost = (writes.out && out !== 'kept') || (writes.err && err !== 'kept');
        expect(ended).toMatchObject({ signal: null, status: lost ? 2 : code });
      },
      30_000,
    );
  },
);

describe.skipIf(process.platform !== 'linux')('with a limit of address space', () => {
  it.each([16_000_000, 8_000_000])(
    'of %i KiB, results are the same',
    (limit) => {
      const args = [main, 'predict', stencil, '--machine', cluster, '--json'];
      const free = spawnSync(process.execPath, args, { encoding: 'utf8' });
      const command = `ulimit -v ${limit}; exec "$0" "$@"`;
      const limited = spawnSync('bash', ['-c', command, process.execPath, ...args], {
        encoding: 'utf8',
        timeout: 20_000,
      });
      expect(limited).toMatchObject({ status: 0, stderr: free.stderr, stdout: free.stdout });
    },
    30_000,
  );
});
