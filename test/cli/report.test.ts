import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { foretoken } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-report-'));
const RING = 'examples/ring/model.ts';

/** A part of a page, as text. */
function partOf(file: string, part: string): string | undefined {
  const [, data] = new RegExp(`id="part-${part}">([^<]*)<`).exec(readFileSync(file, 'utf8')) ?? [];
  return data === undefined ? undefined : gunzipSync(Buffer.from(data, 'base64')).toString('utf8');
}

/** The documents of a page. */
const documentsIn = (file: string): string[] => JSON.parse(partOf(file, 'documents')!) as string[];

describe('--report', () => {
  it.each([
    ['predict', [RING, '--ranks', '3'], ['prediction', 'profile']],
    ['profile', [RING, '--ranks', '3'], ['profile', 'prediction']],
    ['whatif', [RING, '--vary', 'ranks=2,3'], ['what-if']],
    ['verify', [RING, '--ranks', '3'], ['program-verification']],
    ['explore', [RING, '--ranks', '2'], ['space']],
    ['structure', [RING, '--ranks', '2'], ['structure']],
    ['compare', [RING, 'examples/heat-1d/model.ts', '--ranks', '2'], ['comparison']],
  ])('of %s writes the document that --json prints', async (command, args, kinds) => {
    const file = join(folder, `${command}.html`);
    const { code, stdout, stderr } = await foretoken([command, ...args, '--json', '--report', file]);
    expect(code).toBe(0);
    expect(stderr).toMatch(new RegExp(`${command}\\.html: \\d+ bytes\\n$`));
    const documents = documentsIn(file);
    expect(documents.map((text) => (JSON.parse(text) as { kind: string }).kind)).toEqual(kinds);
    // A page has the spans of a profile in its record.
    if (command !== 'profile') expect(documents[0]).toBe(stdout);
    expect(partOf(file, 'record') !== undefined).toBe(kinds.includes('prediction'));
  });

  it('is written with what is printed for a terminal, and for a deadlock, whose exit code stays', async () => {
    const trace = join(folder, 'stuck.ti');
    writeFileSync(trace, '0 init\n0 recv 1 0 8\n0 finalize\n1 init\n1 finalize\n');
    const file = join(folder, 'stuck.html');
    const args = ['predict', trace, '--machine', 'sdsc-trestles', '--report', file];
    const { code, stdout } = await foretoken(args);
    expect(code).toBe(1);
    expect(stdout).toContain('eadlock');
    expect(JSON.parse(documentsIn(file)[0]!)).toMatchObject({ kind: 'prediction', deadlock: [{ rank: 0 }] });
  });

  it('is not written where there is no result, nor over an input', async () => {
    const file = join(folder, 'none.html');
    expect((await foretoken(['predict', 'missing.ti', '--report', file])).code).toBe(2);
    expect(existsSync(file)).toBe(false);
    const input = join(folder, 'copy.ts');
    writeFileSync(input, readFileSync(RING));
    const { code, stderr } = await foretoken(['predict', input, '--report', input]);
    expect(code).toBe(2);
    expect(stderr).toContain('APP007');
  });
});

describe('inputs that can be read only once', () => {
  const trace = readFileSync('examples/stencil/stencil-8.ti', 'utf8');
  const machine = ['--machine', 'examples/stencil/cluster.xml'];

  it.each([
    ['view', ['-o', join(folder, 'stdin.html')]],
    ['profile', ['--from', '10%']],
  ])('are refused by %s, which reads them again', async (command, args) => {
    const { code, stderr } = await foretoken([command, '-', ...machine, ...args], { stdin: trace });
    expect(code).toBe(2);
    expect(stderr).toMatch(/APP054 .*standard input can be read only once: give a file/);
  });

  it('have a report without a timeline, and so have drawn ties, of which each run has others', async () => {
    const file = join(folder, 'once.html');
    const { code, stderr } = await foretoken(['predict', '-', ...machine, '--report', file], { stdin: trace });
    expect(code).toBe(0);
    expect(stderr).toContain('note: the page has no timeline: the input can be read only once');
    const drawn = join(folder, 'drawn.html');
    const ring = ['predict', RING, '--ranks', '3', '--report', drawn];
    expect((await foretoken([...ring, '--ties', 'random'])).code).toBe(0);
    expect([partOf(file, 'record'), partOf(drawn, 'record')]).toEqual([undefined, undefined]);
    await foretoken(ring);
    expect(partOf(drawn, 'record')).toBeDefined();
  });
});

describe('view --open', () => {
  it('starts the named program with the page, and notes that it cannot', async () => {
    const file = join(folder, 'opened.html');
    const mark = join(folder, 'mark');
    const program = join(folder, 'browser.sh');
    writeFileSync(program, `#!/bin/sh\nprintf %s "$1" > ${mark}\n`, { mode: 0o755 });
    const args = ['view', RING, '--ranks', '2', '-o', file, '--open'];
    expect((await foretoken(args, { env: { FORETOKEN_BROWSER: program } })).code).toBe(0);
    await expect.poll(() => existsSync(mark) && readFileSync(mark, 'utf8')).toBe(file);
    const { code, stderr } = await foretoken(args, { env: { FORETOKEN_BROWSER: join(folder, 'none') } });
    expect(code).toBe(0);
    expect(stderr).toContain('cannot open');
  });
});
