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
import { viewedFile } from '../../src/commands/view/view.ts';
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
          const { texts, complete } = await viewedFile(cut, {});
          const found = JSON.parse(texts[0]!) as ProfileDocument;
          expect(complete).toBe(false);
          expect(found.complete).toBe(false);
          const [note] = found.warnings.filter(({ code }) => code === 'PROF010');
          const until = Number(/up to (\S+) s/.exec(note!.message)![1]);
          expect(found.figures).toEqual(profileRun(whole, { to: until }).figures);
          shown++;
        });
        // Where a process has no rows yet, nothing is complete.
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
