import { readFileSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { crashReport, problemText, reportCrash } from '../../src/commands/command-line/failure.ts';
import { Shared } from '../../src/commands/command-line/job.ts';
import { Progress, progressText } from '../../src/commands/command-line/progress.ts';

describe('problems', () => {
  const problems = Array.from({ length: 23 }, (_, k) => ({ code: 'TI020' as const, message: `problem ${k}` }));

  it('are at most 20 and the rest is counted', () => {
    const lines = problemText(problems).trimEnd().split('\n');
    expect(lines).toHaveLength(21);
    expect(lines[0]).toBe('TI020 problem 0');
    expect(lines[20]).toBe('and 3 more problems');
    expect(problemText(problems.slice(0, 21), 'warning: ').trimEnd().split('\n').at(-1)).toBe('and 1 more warning');
  });
});

describe('the report of an internal error', () => {
  const crash = { message: 'boom', stack: 'Error: boom\n    at engine' };

  it('contains versions, command line and stack, and nothing of the environment', () => {
    vi.stubEnv('SOME_TOKEN', 'a-secret');
    const report = crashReport(crash, ['predict', 'a "b".ti']);
    vi.unstubAllEnvs();
    expect(report).toContain(`node ${process.version}`);
    expect(report).toContain('command line: ["predict","a \\"b\\".ti"]');
    expect(report).toContain(crash.stack);
    expect(report).not.toContain('a-secret');
  });

  it('is written to a file that the message names', () => {
    const message = reportCrash(crash, ['predict', 'x.ti']);
    const [, path = ''] = /Please send (\S+) to the maintainers/.exec(message) ?? [];
    expect(readFileSync(path, 'utf8')).toBe(crashReport(crash, ['predict', 'x.ti']));
    rmSync(path);
  });

  it.each(['/proc', '/dev/null', '/no/such/folder'])('is in the message if %s cannot hold it', (folder) => {
    vi.stubEnv('TMPDIR', folder);
    const message = reportCrash(crash, ['predict', 'x.ti']);
    vi.unstubAllEnvs();
    expect(message).not.toContain(folder);
    expect(message).toContain(`Please send the following to the maintainers`);
    expect(message).toContain(crashReport(crash, ['predict', 'x.ti']));
  });
});

describe('progress', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const terminal = (isTTY: boolean) => {
    const written: string[] = [];
    return { written, stream: { isTTY, write: (text: string) => written.push(text) } };
  };

  it('appears after two seconds, is rewritten, and is erased at the end', () => {
    const { written, stream } = terminal(true);
    const progress = new Progress(stream, () => progressText({ time: 1.25, share: 0.425 }));
    vi.advanceTimersByTime(1999);
    expect(written).toEqual([]);
    vi.advanceTimersByTime(401);
    progress.stop();
    vi.advanceTimersByTime(5000);
    const line = '\r\u001b[Ksimulating: 42 %, at 1.250 s';
    expect(written).toEqual([line, line, line, '\r\u001b[K']);
  });

  it('is silent without a terminal or for short work', () => {
    const none = terminal(false);
    new Progress(none.stream, () => '');
    const short = terminal(true);
    const progress = new Progress(short.stream, () => '');
    vi.advanceTimersByTime(1000);
    progress.stop();
    vi.advanceTimersByTime(9000);
    expect([...none.written, ...short.written]).toEqual([]);
  });

  it('fits into 40 columns', () => {
    expect(progressText(undefined)).toBe('reading…');
    expect(progressText({ time: 1.5, share: Number.NaN })).toBe('simulating: at 1.500 s');
    expect(progressText({ time: 1.23456789e-300, share: 1 }).length).toBeLessThan(40);
  });
});

it('the shared memory carries the stop request and the progress', () => {
  const main = new Shared();
  const worker = new Shared(main.buffer);
  expect(main.progress).toBeUndefined();
  worker.report(2.5, 0.5);
  expect(main.progress).toEqual({ time: 2.5, share: 0.5 });
  expect(worker.cancelled).toBe(false);
  main.cancel();
  expect(worker.cancelled).toBe(true);
});
