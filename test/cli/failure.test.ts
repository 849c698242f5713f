import { readFileSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { crashReport, problemText, reportCrash } from '../../src/commands/command-line/failure.ts';
import { Shared } from '../../src/commands/command-line/job.ts';
import { Progress, progressText, studyText, TimeLeft } from '../../src/commands/command-line/progress.ts';

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

  it('is silent for short work', () => {
    const [none, short] = [terminal(false), terminal(true)];
    const lines = [none, short].map(({ stream }) => new Progress(stream, () => ''));
    vi.advanceTimersByTime(1000);
    lines[1]!.stop();
    vi.advanceTimersByTime(58_000);
    lines[0]!.stop();
    vi.advanceTimersByTime(600_000);
    expect([...none.written, ...short.written]).toEqual([]);
  });

  it.each([
    [false, '; --seconds SECONDS ends it with partial results'],
    [true, ''],
  ])(
    'tells without a terminal how far long work is, whenever its time has doubled (with a limit: %s)',
    (limited, advice) => {
      const { written, stream } = terminal(false);
      const began = performance.now();
      const text = (): string =>
        progressText({ states: performance.now() - began, expanded: 10, seconds: (performance.now() - began) / 1000 });
      const progress = new Progress(stream, text, limited);
      vi.advanceTimersByTime(500_000);
      progress.stop();
      vi.advanceTimersByTime(5_000_000);
      expect(written).toEqual([
        `foretoken: after 1 min: 60 k states, 1 k/s, 60 k to go${advice}\n`,
        `foretoken: after 2 min: 120 k states, 1 k/s, 120 k to go${advice}\n`,
        `foretoken: after 4 min: 240 k states, 1 k/s, 240 k to go${advice}\n`,
        `foretoken: after 8 min: 480 k states, 1 k/s, 480 k to go${advice}\n`,
      ]);
    },
  );

  it('tells the time that is left where the share of the work is known', () => {
    const { written, stream } = terminal(true);
    const left = new TimeLeft();
    const began = performance.now();
    // 1 % of the work in a second.
    const progress = new Progress(stream, () =>
      progressText({ time: 1, share: (performance.now() - began) / 100_000 }, left),
    );
    vi.advanceTimersByTime(60_000);
    progress.stop();
    const texts = written.map((text) => text.slice('\r\u001b[K'.length));
    // Too early to tell.
    expect(texts[0]).toBe('simulating: 2 %, at 1.000 s');
    expect(texts).toContain('simulating: 50 %, about 50 s left');
    expect(texts.at(-2)).toBe('simulating: 60 %, about 40 s left');
  });

  it('estimates from the speed since the begin and lately, and shows both if they differ', () => {
    const shares = (of: (second: number) => number, seconds: number, left = new TimeLeft()): string | undefined => {
      let text: string | undefined;
      for (let k = 0; k <= 5 * seconds; k++) text = left.text(of(k / 5), 200 * k);
      return text;
    };
    expect(shares((t) => t / 1000, 5)).toBeUndefined();
    expect(shares((t) => t / 1000, 400)).toBe('about 10 min left');
    expect(shares((t) => t / 1e6, 20_000)).toBe('about 11 d left');
    expect(shares((t) => t / 1e5, 2000)).toBe('about 27 h left');
    // Twice as slow as at the begin.
    expect(shares((t) => Math.min(t / 100, 0.2 + (t - 20) / 400), 100)).toBe('3 min to 4 min left');
    // It stands still: no honest number.
    expect(shares((t) => Math.min(t / 100, 0.3), 90)).toBeUndefined();
    expect(shares(() => Number.NaN, 90)).toBeUndefined();
    // A second part of the work begins.
    const again = new TimeLeft();
    shares((t) => t / 100, 90, again);
    expect(again.text(0.01, 91_000)).toBeUndefined();
    for (let k = 0; k < 50; k++) again.text(0.01 + k / 100, 91_000 + 1000 * k);
    expect(again.text(0.51, 141_000)).toMatch(/^about 5\d s left$|^about 50 s left$/);
  });

  it('tells the time that is left of studies and replications, and else only counts', () => {
    const left = new TimeLeft();
    expect(studyText({ done: 0, scenarios: 0 }, left)).toBe('reading…');
    expect(studyText({ done: 3, scenarios: 12 }, left)).toBe('predicting: 3 of 12 scenarios');
    vi.advanceTimersByTime(3000);
    expect(studyText({ done: 6, scenarios: 12 }, left)).toBe('6 of 12 scenarios: about 6 s left');
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
