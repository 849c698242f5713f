import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { looksSmall, smallJob } from '../../src/cli/small-job.ts';
import type { Job, JobOptions } from '../../src/commands/command-line/job.ts';
import { HUNDRED_HOSTS, longTrace } from './long-run.ts';
import { cluster, foretoken, stencil } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-small-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const job = (input: string, options: JobOptions = {}): Job => ({
  command: 'predict',
  input,
  options: { machine: cluster, ...options },
});
const pair = '0 init\n1 init\n0 send 1 0 100\n1 recv 0 0 100\n0 finalize\n1 finalize\n';

describe('a small job', () => {
  it('runs without a thread, with the same answer', async () => {
    expect(await smallJob(job(stencil))).toMatchObject({ kind: 'done', result: { complete: true } });
    const args = ['predict', stencil, '--machine', cluster, '--json'];
    const { stdout } = await foretoken(args);
    // Jobs that write a file run in a worker thread.
    expect(await foretoken([...args, '--trace', join(folder, 'trace.json')])).toMatchObject({ code: 0, stdout });
  });

  it('can report problems', async () => {
    expect(await smallJob(job(file('bad.ti', '0 init\n0 jump\n0 finalize\n')))).toMatchObject({
      kind: 'problems',
      problems: [{ place: { line: 2 } }],
    });
  });

  it.each([
    ['a long trace', () => job(file('long.ti', '0 compute 1\n'.repeat(6000)))],
    ['many ranks', () => job(file('ranks.ti', '100 init\n100 finalize\n'))],
    ['many ranks that are asked for', () => job(file('pair.ti', pair), { ranks: 1000 })],
    ['a listing', () => job(file('listing', `${file('0.ti', pair)}\n`))],
    ['a packed trace', () => job(file('pair.ti.gz', gzipSync(pair)))],
    ['standard input', () => job('-')],
    ['no file', () => job(join(folder, 'none.ti'))],
    ['a folder as the machine', () => job(stencil, { machine: folder })],
    ['a trace to write', () => job(stencil, { trace: join(folder, 'out.json') })],
    ['a net', () => job(file('net.json', '{}\n'))],
  ])('is not %s', async (_, make) => {
    expect(await smallJob(make())).toBeUndefined();
  });

  it('is abandoned if it takes long', async () => {
    const machine = file('hundred.xml', HUNDRED_HOSTS);
    const given = job(file('alltoall.ti', longTrace(3)), { machine });
    expect(await smallJob(given, 0)).toBeUndefined();
    expect(await smallJob(given, 60_000)).toBeDefined();
  });

  it('is recognised by its arguments', () => {
    expect(looksSmall(['predict', stencil, '-m', cluster, '--json'])).toBe(true);
    expect(looksSmall(['predict', stencil, '-m', cluster, '--trace', 'x.json'])).toBe(false);
    expect(looksSmall(['predict', stencil, '-m', cluster, '--report=x.html'])).toBe(false);
    expect(looksSmall(['predict', '-', '-m', cluster])).toBe(false);
    expect(looksSmall(['predict', file('big.ti', '0 compute 1\n'.repeat(6000)), '-m', cluster])).toBe(false);
    expect(looksSmall(['convert', stencil, 'net.json', '-m', cluster])).toBe(false);
    expect(looksSmall([])).toBe(false);
  });
});
