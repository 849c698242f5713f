import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import type { PredictionDocument } from '../../src/commands/predict/prediction.ts';
import { cluster, foretoken, stencil, waits } from './run.ts';
import { warmly } from './warm.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-cli-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const deadlock = file(
  'deadlock.ti',
  '0 init\n1 init\n0 recv 1 0 100\n1 recv 0 0 100\n0 send 1 0 100\n1 send 0 0 100\n0 finalize\n1 finalize\n',
);

describe('predict', () => {
  it('prints the page on standard output and nothing else', async () => {
    const { code, stdout, stderr } = await warmly(['predict', stencil, '--machine', cluster]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Run time 8\.\d+ ms \(0\.008\d+ s\)\nsimgrid-smpi · /);
    const unwrapped = stdout.replaceAll(/\n +/g, ' ');
    expect(unwrapped).toContain('Ranks 4 and 5 compute 60 % longer than the mean while the others wait.');
  });

  it('respects FORCE_COLOR, NO_COLOR, COLUMNS and the locale', async () => {
    const page = async (env: Record<string, string>): Promise<string> =>
      (await foretoken(['predict', stencil, '--machine', cluster], { env })).stdout;
    const plain = await page({});
    const forced = await page({ FORCE_COLOR: '1' });
    expect(forced).not.toBe(plain);
    expect(await page({ FORCE_COLOR: '1', NO_COLOR: '1' })).toBe(plain);
    const narrow = await page({ COLUMNS: '40', LC_ALL: 'C' });
    expect(narrow).toMatch(/^[\n -~]*$/);
    expect(Math.max(...narrow.split('\n').map((line) => line.length))).toBeLessThanOrEqual(40);
  });

  it('prints with --json one document with the same bytes every time', async () => {
    const args = ['predict', stencil, '--machine', cluster, '--json'];
    const { code, stdout, stderr } = await warmly(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const document = JSON.parse(stdout) as PredictionDocument;
    expect(document).toMatchObject({ format: 'foretoken', version: 1, kind: 'prediction', seed: '1', complete: true });
    expect(document.ranks).toHaveLength(8);
    expect((await warmly(args)).stdout).toBe(stdout);
  });

  it('writes with --trace the same Chrome trace every time, arrows and all', async () => {
    const write = async (name: string): Promise<string> => {
      const path = join(folder, name);
      expect((await warmly(['predict', stencil, '--machine', cluster, '--trace', path])).code).toBe(0);
      return readFileSync(path, 'utf8');
    };
    const text = await write('a.trace.json');
    expect(await write('b.trace.json')).toBe(text);
    const { traceEvents } = JSON.parse(text) as { traceEvents: { ph: string }[] };
    const count = (ph: string): number => traceEvents.filter((e) => e.ph === ph).length;
    expect(count('s')).toBe(383);
    expect(count('f')).toBe(383);
    expect(count('X')).toBeGreaterThan(640);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('reads standard input', async () => {
    const stdin = readFileSync(new URL(`../../${stencil}`, import.meta.url), 'utf8');
    const { code, stdout } = await foretoken(['predict', '-', '--machine', cluster, '--json'], { stdin });
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as PredictionDocument).figures.actions?.value).toBe(1464);
  });

  it('exits with 1 for a deadlock and names operation, line and partner of each waiting rank', async () => {
    const { code, stdout } = await warmly(['predict', deadlock, '--machine', cluster]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Deadlock after 0 s: 2 of 2 ranks wait forever/);
    expect(stdout).toContain('cycle: 0 → 1 → 0');
    expect(stdout.replaceAll(/\n +/g, ' ')).toMatch(/rank 0: recv 1 0 100, .*deadlock\.ti:3, waits for rank 1/);
  });
});

describe('bad input exits with 2, one problem per line', () => {
  it('of a trace, by file and line', async () => {
    const trace = file('bad.ti', '0 init\n0 compute nonsense\n0 fly 7\n0 finalize\n');
    const target = join(folder, 'never.json');
    const { code, stdout, stderr } = await warmly(['predict', trace, '--machine', cluster, '--trace', target]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    const lines = stderr.trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/bad\.ti:2(:\d+)?: TI\d{3} /);
    expect(lines[1]).toMatch(/bad\.ti:3(:\d+)?: TI\d{3} /);
    expect(existsSync(target)).toBe(false);
  });

  it.each([
    ['no machine', [stencil], /APP002/],
    ['no such file', ['missing.ti', '--machine', cluster], /missing\.ti: TI001/],
    [
      'unknown network model',
      [stencil, '--machine', cluster, '--network-model', 'simgrid-smp'],
      /Did you mean "simgrid-smpi"/,
    ],
    [
      'an output that cannot be written',
      [stencil, '--machine', cluster, '--trace', join(folder, 'no', 'x.json')],
      /OUT001/,
    ],
  ])('predict refuses bad input: %s', async (_, args, message) => {
    const { code, stdout, stderr } = await warmly(['predict', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });
});

describe('with a closed pipe it exits silently with the code of the result', () => {
  it.each([
    [stencil, 0],
    [deadlock, 1],
  ])('with a closed pipe %s ends silently', async (trace, code) => {
    const ended = await foretoken(['predict', trace, '--machine', cluster, '--json'], {
      during: (child) => void child.stdout?.destroy(),
    });
    expect(ended).toMatchObject({ code, stderr: '' });
  });
});

describe.skipIf(process.platform === 'win32')('Ctrl-C', () => {
  const long = (): string => {
    const turns = 150_000;
    const block = (rank: number, transfer: string): string =>
      `${rank} init\n${`${rank} compute 1e6\n${rank} ${transfer} 0 100000\n`.repeat(turns)}${rank} finalize\n`;
    return file('long.ti', block(0, 'send 1') + block(1, 'recv 0'));
  };

  it('exits with 130 and a partial document, and leaves no partial trace file', async () => {
    const target = join(folder, 'long.trace.json');
    const { code, stdout } = await foretoken(['predict', long(), '--machine', cluster, '--json', '--trace', target], {
      during: async (child) => {
        const temporary = (): string | undefined => readdirSync(folder).find((name) => name.endsWith('.tmp'));
        for (let name = temporary(); child.exitCode === null; name = temporary()) {
          if (name !== undefined && statSync(join(folder, name)).size > 1e6) break;
          await sleep(5);
        }
        child.kill('SIGINT');
      },
    });
    expect(code).toBe(130);
    const document = JSON.parse(stdout) as PredictionDocument;
    expect(document.complete).toBe(false);
    expect(document.figures.runTime.value).toBeGreaterThan(0);
    expect(() => JSON.parse(readFileSync(target, 'utf8'))).not.toThrow();
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('stops a process that is blocked reading standard input', async () => {
    const { code, signal, stdout, stderr } = await foretoken(['predict', '-', '--machine', cluster], {
      stdin: 'open',
      during: async (child) => {
        await waits(child);
        child.kill('SIGINT');
      },
    });
    // Killed by the signal; shells report exit code 130.
    expect({ code, signal, stdout }).toEqual({ code: null, signal: 'SIGINT', stdout: '' });
    expect(stderr).toBe('foretoken: interrupted before any result was available\n');
  });
});

describe('convert', () => {
  it('writes a net that predicts the same', async () => {
    const net = join(folder, 'net.json');
    const converted = await warmly(['convert', stencil, net, '--machine', cluster]);
    expect(converted).toMatchObject({ code: 0, stdout: '' });
    expect(converted.stderr).toMatch(/net\.json: \d+ places, \d+ transitions, \d+ bytes\n$/);
    const run = async (args: readonly string[]): Promise<PredictionDocument> =>
      JSON.parse((await warmly(['predict', ...args, '--json'])).stdout) as PredictionDocument;
    const [fromTrace, fromNet] = [await run([stencil, '--machine', cluster]), await run([net])];
    expect(fromNet.figures.runTime).toEqual(fromTrace.figures.runTime);
    expect(fromNet.firings).toEqual(fromTrace.firings);
  });

  it('rejects an unknown extension', async () => {
    const target = join(folder, 'net.jsn');
    const { code, stderr } = await warmly(['convert', stencil, target, '--machine', cluster]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/APP005/);
    expect(existsSync(target)).toBe(false);
  });
});
