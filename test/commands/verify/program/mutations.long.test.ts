import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { verifyProgram } from '../../../../src/commands/verify/program/verify-program.ts';
import type { Recorded } from '../../../../src/models/program/record/recorder.ts';
import { statementsIn } from '../../../../src/models/program/record/statement.ts';
import { labelOf } from '../../../../src/models/program/resolve/shape.ts';
import type { ProgramModel } from '../../../../src/models.ts';
import { AT, examples, isMessage, MAX_STATES, mutated, NOT_SHOWN } from './mutate.ts';

/*
 * Mutations of all examples: each send and each receive is removed or duplicated. The mutated program is faulty, unless no
 * rank executes that line; the unmodified program is correct.
 */

const full = process.env['FORETOKEN_TABLE'] === '1';

const rows: string[] = [];
afterAll(() => {
  if (full) console.log(rows.join('\n'));
});

/** Whether an example is a model of message passing. */
const isMessagePassing = (name: string): boolean => {
  const file = `examples/${name}/model.ts`;
  return existsSync(file) && !/\bthreads\(\{/.test(readFileSync(file, 'utf8'));
};

describe('a missing or extra send or receive', () => {
  it('every example is included', () => {
    expect(Object.keys(AT)).toEqual(readdirSync('examples').filter((name) => isMessagePassing(name)));
  });

  it.each(examples())('is found in %s', { timeout: 170_000 }, async (name) => {
    const { default: model } = (await import(`../../../../examples/${name}/model.ts`)) as { default: ProgramModel };
    const at = AT[name]!;
    const wrong = (change?: (programs: readonly Recorded[]) => readonly Recorded[]): boolean =>
      verifyProgram(model, { ...at, maxSteps: 1e6, maxStates: MAX_STATES }, change).instances.some((i) =>
        i.properties.some((p) => p.verdict === false),
      );
    const original = verifyProgram(model, at);
    const undone = new Set(original.instances[0]!.neverDone.map((c) => `${c.operation}:${c.line}`));
    const found = { all: 0, detected: 0, missed: [] as string[], undone: 0 };
    const programs = model.with((at.set ?? {}) as never).record(at.ranks);
    programs.forEach(({ body }, program) => {
      [...statementsIn(body)].filter(isMessage).forEach((s, number) => {
        for (const way of ['removed', 'added'] as const) {
          found.all++;
          const line = s.site.place.line ?? 0;
          if (wrong((p) => mutated(p, program, number, way))) found.detected++;
          else if ([...undone].some((u) => u.endsWith(`:${line}`))) found.undone++;
          else found.missed.push(`${labelOf(s)} line ${line} ${way}`);
        }
      });
    });
    const alarm = original.instances.some((i) => i.properties.some((p) => p.verdict !== true)) ? 1 : 0;
    rows.push(
      `${name.padEnd(20)} changes ${found.all}, detected ${found.detected}, never done ${found.undone}, missed ${found.missed.length} ${found.missed.join('; ')}, false alarms ${alarm}`,
    );
    expect(alarm).toBe(0);
    expect(found.missed).toEqual(NOT_SHOWN[name] ?? []);
  });
});
