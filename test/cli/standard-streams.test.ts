import { spawnSync } from 'node:child_process';
import { closeSync, constants, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
/** Targets of standard output and standard error: all pairs, or those where the other stream tells no more. */
const pairs = (both: boolean): { out: Target; err: Target }[] =>
  names.flatMap((out) =>
    names.flatMap((err) =>
      both || out === 'kept' || err === 'kept' || (out === 'full' && err === 'full') ? [{ out, err }] : [],
    ),
  );

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
    it.each(runs.flatMap((run) => pairs(run.writes.out && run.writes.err).map((to) => ({ ...run, ...to }))))(
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

/** Writes the state of the standard streams into a file when the program has done everything else. */
const WATCH = `
import { fstatSync, writeFileSync } from 'node:fs';
const isOpen = (fd) => { try { fstatSync(fd); return true; } catch { return false; } };
setImmediate(() => process.on('exit', () => writeFileSync(process.env.WATCHED, JSON.stringify([0, 1, 2].map(isOpen)))));
`;

describe.skipIf(!existsSync('/dev/full'))(
  'a thread that still starts never gets the number of a standard stream',
  () => {
    it.each(runs)('$args leaves the streams open', ({ args }) => {
      const [watch, watched] = [join(folder, 'watch.mjs'), join(folder, 'watched.json')];
      writeFileSync(watch, WATCH);
      rmSync(watched, { force: true });
      const streams = names.map((name) => targets[name]());
      spawnSync(process.execPath, ['--import', watch, main, ...args], {
        stdio: ['ignore', ...streams.slice(0, 2)],
        env: { ...process.env, WATCHED: watched },
      });
      for (const fd of streams) closeSync(fd);
      expect(JSON.parse(readFileSync(watched, 'utf8'))).toEqual([true, true, true]);
    });
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

/**
 * Runs its arguments with standard error, or all streams, on a terminal that is gone after 0.1 s of processor time, or when they end;
 * prints the exit code. Node itself aborts if the terminal is gone before it has started, which takes long on a loaded machine.
 */
const LOST = `
import os, pty, subprocess, sys, time
def used(pid):
  try:
    fields = open(f'/proc/{pid}/stat').read().rsplit(')', 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')
  except OSError:
    return None
master, slave = pty.openpty()
streams = dict(stdin=slave, stdout=slave) if sys.argv[1] == 'all' else dict(stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
child = subprocess.Popen(sys.argv[2:], stderr=slave, start_new_session=True, **streams)
os.close(slave)
begin = time.monotonic()
while child.poll() is None and (used(child.pid) or 0) < 0.1 and (used(child.pid) is not None or time.monotonic() < begin + 0.2):
  time.sleep(0.01)
os.close(master)
print(child.wait(60))
`;
const hasPython = spawnSync('python3', ['-c', 'import pty']).status === 0;

describe.skipIf(!hasPython)('a terminal that is gone does not abort the program', () => {
  it.each([
    ['error', ['predict', stencil, '--machine', cluster], [0]],
    ['error', ['predict', stencil, '--machine', cluster, '--json'], [0]],
    ['error', ['predict', 'examples/ring/model.ts', '--machine', cluster], [0]],
    ['error', ['explore', 'missing.pnml'], [2]],
    // Whether standard output is written before or after the terminal is gone depends on the load of the machine.
    ['all', ['predict', stencil, '--machine', cluster], [0, 2]],
  ])('standard %s: %j', (streams, args, codes) => {
    const { stdout, stderr } = spawnSync('python3', ['-c', LOST, streams, process.execPath, main, ...args], {
      encoding: 'utf8',
    });
    expect({ codes, stderr }).toEqual({ codes: expect.arrayContaining([Number(stdout)]), stderr: '' });
  });
});
