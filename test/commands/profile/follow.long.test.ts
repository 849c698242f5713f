import { spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, test } from 'vitest';
import allToAll from '../../../examples/all-to-all/model.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { RecordFollower } from '../../../src/commands/profile/follow-record.ts';
import { profileRun } from '../../../src/commands/profile/profile.ts';
import type { ProfileDocument } from '../../../src/commands/profile/profile-document.ts';
import { environment, foretoken, main, root } from '../../cli/run.ts';
import { effort } from '../../effort.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-follow-'));
/** Enough ranks that blocks of all tables alternate: about 6,000 rows of states and 1,560 messages. */
const RANKS = 40;
beforeAll(async () => {
  for (const ending of ['jsonl', 'ftrun'])
    await predict(allToAll, {
      machine: 'examples/all-to-all/machine.yaml',
      ranks: RANKS,
      oversubscribe: true,
      run: join(folder, `full.${ending}`),
    });
});

/** What a profile says of a run, without how it was asked for. Rows of what has not ended yet are not in a growing record. */
function said({ inputs: _, options: __, warnings: ___, complete: ____, ...rest }: ProfileDocument): unknown {
  const { states, messages } = rest.rows;
  return { ...rest, rows: { states, messages } };
}

describe.each(['jsonl', 'ftrun'])('a growing record in %s', (ending) => {
  it('is profiled up to the instant that it has reached, wherever it stops', () => {
    const full = join(folder, `full.${ending}`);
    const bytes = readFileSync(full);
    const part = join(folder, `part.${ending}`);
    let found = 0;
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (share) => {
        const length = Math.floor(share * bytes.length);
        writeFileSync(part, bytes.subarray(0, length));
        const follower = new RecordFollower(part);
        const complete = follower.next();
        if (complete === undefined) return;
        found++;
        // A line of JSON is complete without its line end.
        expect(complete.isComplete).toBe(length >= bytes.length - (ending === 'jsonl' ? 1 : 0));
        const profile = follower.profile(complete, {});
        const { until } = complete;
        expect(said(profile)).toEqual(said(profileRun(full, complete.isComplete ? {} : { to: until })));
        expect(profile.complete).toBe(complete.isComplete);
        expect(profile.warnings.map(({ code }) => code)).toEqual(complete.isComplete ? [] : ['PROF008']);
        if (!complete.isComplete) expect(profile.warnings[0]!.message).toContain(` up to ${until} s,`);
        // Nothing new: nothing is profiled.
        expect(complete.isComplete || follower.next() === undefined).toBe(true);
      }),
      { numRuns: effort(100), examples: [[0], [1], [0.999_999], [0.3], [0.5], [0.7], [0.9]] },
    );
    expect(found).toBeGreaterThanOrEqual(5);
  });

  it('is profiled again whenever it grows, and never warns of late rows of foretoken', () => {
    const bytes = readFileSync(join(folder, `full.${ending}`));
    const part = join(folder, `growing.${ending}`);
    writeFileSync(part, '');
    const follower = new RecordFollower(part);
    const times: number[] = [];
    let isComplete = false;
    const step = Math.ceil(bytes.length / 40);
    for (let at = 0; at < bytes.length; at += step) {
      appendFileSync(part, bytes.subarray(at, at + step));
      const complete = follower.next();
      if (complete === undefined) continue;
      times.push(complete.until);
      expect(follower.notes(true, complete.until)).toEqual([]);
      ({ isComplete } = complete);
    }
    expect(isComplete).toBe(true);
    expect(times.length).toBeGreaterThan(1);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });
});

const HEAD =
  '{"format":"foretoken-run","version":1,"program":"pair","origin":"recorded","product":"tracer 1","processes":2,"nodes":[{"name":"a","sockets":1},{"name":"b","sockets":1}],"nodeOf":[0,1],"socketOf":[0,0]}\n';
const state = (process: number, start: number, end: number): string =>
  `${JSON.stringify({ table: 'states', process, start, end, state: 'computing' })}\n`;
const message = (sent: number, received: number): string =>
  `${JSON.stringify({ table: 'messages', source: 0, destination: 1, sent, received, bytes: 8 })}\n`;

test('the slowest process decides how far a record is complete', () => {
  const file = join(folder, 'slow.jsonl');
  writeFileSync(file, HEAD);
  const follower = new RecordFollower(file);
  expect(follower.next()).toBeUndefined();
  appendFileSync(file, state(0, 0, 9));
  // The other process may have any state.
  expect(follower.next()).toBeUndefined();
  appendFileSync(file, state(1, 0, 2));
  expect(follower.next()).toEqual({ isComplete: false, until: 2 });
  // A line that is being written.
  appendFileSync(file, state(1, 2, 5).slice(0, 40));
  expect(follower.next()).toBeUndefined();
  appendFileSync(file, state(1, 2, 5).slice(40));
  expect(follower.next()).toEqual({ isComplete: false, until: 5 });
  appendFileSync(file, '{"end":{"complete":true,"time":9,"notes":[]}}');
  expect(follower.next()).toEqual({ isComplete: true, until: 9 });
});

test('rows that come after their time was profiled are reported', () => {
  const file = join(folder, 'late.jsonl');
  writeFileSync(file, HEAD + state(0, 0, 4) + state(1, 0, 4));
  const follower = new RecordFollower(file);
  const first = follower.next()!;
  expect(follower.profile(first, {}).messages.pairs).toEqual([]);
  appendFileSync(file, message(1, 4.5) + state(0, 4, 5) + state(1, 4, 5));
  const inTime = follower.next()!;
  expect(follower.profile(inTime, {}).warnings.map(({ code }) => code)).toEqual(['PROF008']);
  appendFileSync(file, message(1, 2) + state(0, 5, 6) + state(1, 5, 6));
  const late = follower.profile(follower.next()!, {}).warnings;
  expect(late.map(({ code }) => code)).toEqual(['PROF008', 'PROF009']);
  expect(late[1]!.message).toMatch(/^1 row of messages or nodes before 5 s came after/);
});

test('damage is no growth: it is reported at once', () => {
  const file = join(folder, 'damaged.jsonl');
  writeFileSync(file, `${HEAD + state(0, 0, 4)}{"table":"states","process":1,"start":3,"end":\n`);
  expect(() => new RecordFollower(file).next()).toThrow(/REC005/);
  const binary = readFileSync(join(folder, 'full.ftrun'));
  binary[binary.length >> 1]! ^= 1;
  const damaged = join(folder, 'damaged.ftrun');
  writeFileSync(damaged, binary);
  expect(() => new RecordFollower(damaged).next()).toThrow(/REC003/);
  expect(() => new RecordFollower('run.csv')).toThrow(/records have no end that tells/);
  expect(() => new RecordFollower(['a.jsonl', 'b.jsonl'])).toThrow(/expected one record to follow/);
});

describe('profile --follow', () => {
  it('prints a document for each part, and ends with the record', async () => {
    const file = join(folder, 'cli.jsonl');
    writeFileSync(file, HEAD + state(0, 0, 1));
    const lines: string[] = [];
    let stderr = '';
    const child = spawn(process.execPath, [main, 'profile', file, '--follow', '--every', '0.05', '--json'], {
      cwd: root,
      env: environment(),
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n');
      rest = parts.pop()!;
      lines.push(...parts);
    });
    const until = async (holds: () => boolean): Promise<void> => {
      while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    await until(() => stderr.includes('nothing is complete yet'));
    appendFileSync(file, state(1, 0, 2));
    await until(() => lines.length === 1);
    appendFileSync(file, state(0, 1, 3));
    await until(() => lines.length === 2);
    appendFileSync(file, `${state(1, 2, 3)}{"end":{"complete":true,"time":3,"notes":[]}}\n`);
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect(code).toBe(0);
    const documents = lines.map((line) => JSON.parse(line) as ProfileDocument);
    expect(documents.map(({ complete, window }) => [complete, window?.to])).toEqual([
      [false, 1],
      [false, 2],
      [true, undefined],
    ]);
    const whole = await foretoken(['profile', file, '--json']);
    expect(documents[2]).toEqual(JSON.parse(whole.stdout));
    expect(stderr).toMatch(/warning: PROF008 the record is still being written: this is its part up to 1 s,/);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('ends by %s with the last part as its result', async (signal) => {
    const file = join(folder, `${signal}.jsonl`);
    const out = join(folder, `${signal}.json`);
    writeFileSync(file, HEAD + state(0, 0, 1) + state(1, 0, 1));
    const ended = await foretoken(['profile', file, '--follow', '--every', '0.05', '--json', '-o', out], {
      during: async (child) => {
        while (statSync(out, { throwIfNoEntry: false }) === undefined) await new Promise((r) => setTimeout(r, 20));
        child.kill(signal);
      },
    });
    expect(ended).toMatchObject({ code: signal === 'SIGINT' ? 130 : 143, signal: null, stdout: '' });
    expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({ complete: false, window: { from: 0, to: 1 } });
  });

  it('refuses what has no end, and options that need one', async () => {
    const file = join(folder, 'full.jsonl');
    for (const [args, message] of [
      [[file, '--every', '1'], /PROF006 option --every applies/],
      [[file, '--follow', '--to', '1'], /PROF006 the record is followed: option to does not apply/],
      [[file, '--follow', '--at', '1'], /option at does not apply/],
      [[file, '--follow', '--align'], /option align does not apply/],
      [['examples/all-to-all/model.ts', '--follow'], /PROF006 expected a run record to follow/],
      [[join(folder, 'none.jsonl'), '--follow'], /REC001 cannot be read: ENOENT/],
      [[file, '--follow', '--every', '0'], /Expected seconds from 0.01/],
    ] as const) {
      const { code, stderr, stdout } = await foretoken(['profile', ...args]);
      expect(stderr).toMatch(message);
      expect([code, stdout]).toEqual([2, '']);
    }
  });
});
