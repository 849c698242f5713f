import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import jacobi from '../../examples/jacobi-2d/model.ts';
import { InputError } from '../../src/base/problem.ts';
import { predict } from '../../src/commands/predict/predict.ts';
import { profileRun } from '../../src/commands/profile/profile.ts';
import type { ProfileDocument } from '../../src/commands/profile/profile-document.ts';
import { view, viewedFile } from '../../src/commands/view/view.ts';
import type { ProgramModel } from '../../src/models.ts';
import { effort } from '../effort.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-cut-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The message of the error of a call, or undefined. */
async function errorOf(call: () => unknown): Promise<string | undefined> {
  try {
    await call();
    return undefined;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.message;
  }
}

describe.each(['.jsonl', '.ftrun'])('a record %s that was cut off', (ending) => {
  const whole = join(folder, `whole${ending}`);
  predict((jacobi as unknown as ProgramModel).with({ turns: 40 }), {
    machine: 'examples/jacobi-2d/machine.yaml',
    ranks: 16,
    run: whole,
  });
  const bytes = readFileSync(whole);
  const cut = join(folder, `cut${ending}`);

  it('shows the profile of its complete part, or is the error of the record', async () => {
    let shown = 0;
    const at = fc.integer({ min: 1, max: bytes.length - 1 });
    await fc.assert(
      fc.asyncProperty(at, async (length) => {
        writeFileSync(cut, bytes.subarray(0, length));
        const refused = await errorOf(() => profileRun(cut));
        expect(refused).toMatch(/REC00/);
        const error = await errorOf(async () => {
          const { texts, complete, notes } = await viewedFile(cut, {});
          if (texts.length === 0) {
            expect(notes.join()).toMatch(/^The record is cut off before all processes have rows: there are no figures/);
            expect(complete).toBe(false);
            return;
          }
          const found = JSON.parse(texts[0]!) as ProfileDocument;
          expect(complete).toBe(false);
          expect(found.complete).toBe(false);
          const [note] = found.warnings.filter(({ code }) => code === 'PROF010');
          const until = Number(/up to (\S+) s/.exec(note!.message)![1]);
          expect(found.figures).toEqual(profileRun(whole, { to: until }).figures);
          shown++;
        });
        // Where no process has rows yet, there is nothing to show.
        if (error !== undefined) expect(error).toBe(refused);
      }),
      { numRuns: effort(200) },
    );
    expect(shown).toBeGreaterThan(5);
  });

  it('is an error with options of the whole run, and where it is damaged elsewhere', async () => {
    const length = Math.floor(bytes.length * 0.9);
    writeFileSync(cut, bytes.subarray(0, length));
    expect(await errorOf(() => viewedFile(cut, {}))).toBeUndefined();
    for (const options of [{ from: '10%' }, { to: 1e-3 }, { align: true }] as const)
      expect(await errorOf(() => viewedFile(cut, options)), JSON.stringify(options)).toMatch(/REC00/);
    const damaged = Buffer.from(bytes.subarray(0, length));
    damaged.fill('?', length >> 1, (length >> 1) + 20);
    writeFileSync(cut, damaged);
    expect(await errorOf(() => viewedFile(cut, {}))).toBe(await errorOf(() => profileRun(cut)));
  });
});

it('shows the rows of a record that was written process by process, as far as it goes', async () => {
  const file = join(folder, 'by-process.jsonl');
  const head = { format: 'foretoken-run', version: 1, program: 'p', origin: 'recorded', product: 'test' };
  const place = { processes: 4, nodes: [{ name: 'a', sockets: 1 }], nodeOf: [0, 0, 0, 0], socketOf: [0, 0, 0, 0] };
  const rows = [0, 1, 2, 3].flatMap((process) =>
    [0, 1, 2].map((k) => ({ table: 'states', process, start: k, end: k + 0.5, state: 'computing' })),
  );
  const lines = [{ ...head, ...place }, ...rows].map((line) => `${JSON.stringify(line)}\n`);
  for (let count = 1; count <= rows.length; count++) {
    writeFileSync(
      file,
      lines
        .slice(0, 1 + count)
        .join('')
        .slice(0, count % 2 === 0 ? undefined : -1),
    );
    expect(await errorOf(() => profileRun(file))).toMatch(/REC003 is truncated: its last line/);
    const { spans, progress, complete } = await view(file);
    const processes = Math.ceil(count / 3);
    expect(complete).toBe(false);
    if (processes === 4) expect(progress).toMatch(/shows its part up to/);
    else {
      expect(progress).toContain(`the rows of ${processes === 1 ? '1 process' : `${processes} processes`}`);
      expect(spans).toBe(count);
    }
    if (count <= 9) expect((await view(file, { processes: [0] })).spans).toBe(Math.min(3, count));
  }
});
