import { readdirSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { verifyProgram } from '../../../src/app/verify-program/verify-program.ts';
import type { Recorded } from '../../../src/models/program/recorder.ts';
import { labelOf } from '../../../src/models/program/shape.ts';
import { type Block, type Statement, statementsIn } from '../../../src/models/program/statement.ts';
import type { ProgramModel } from '../../../src/models.ts';

/*
 * Of every example each send and each receive is once left out and once done twice. The program is then wrong, unless no
 * rank comes to that line; the program as it is is not.
 */

const full = process.env['FORETOKEN_TABLE'] === '1';
/** As small as they can be with every line of them done. */
const AT: Readonly<Record<string, { readonly ranks: number; readonly set?: Record<string, number> }>> = {
  'block-lu': { ranks: 4, set: { n: 256 } },
  'conjugate-gradient': { ranks: 4, set: { turns: 1 } },
  coupled: { ranks: 5, set: { 'ocean.days': 1, 'atmosphere.days': 1 } },
  'dvm-jacobi': { ranks: 3, set: { turns: 1 } },
  'heat-1d': { ranks: 3, set: { turns: 1 } },
  imbalance: { ranks: 3, set: { turns: 1 } },
  'jacobi-2d': { ranks: 4, set: { turns: 1 } },
  'master-worker': { ranks: 3, set: { tasks: 3 } },
  'ping-pong': { ranks: 2 },
  ring: { ranks: 3, set: { turns: 1 } },
  transpose: { ranks: 3, set: { turns: 1 } },
  wavefront: { ranks: 4, set: { planes: 2, sweeps: 1 } },
};
/** What the suite looks at without the table. */
const FEW = ['ring', 'heat-1d', 'ping-pong', 'master-worker'];

type Way = 'removed' | 'added';

/** The programs with one statement left out or done twice. */
function mutated(programs: readonly Recorded[], program: number, number: number, way: Way): Recorded[] {
  let k = 0;
  const inBlock = ({ statements }: Block): Block => ({
    statements: statements.flatMap((s): Statement[] => {
      const hit = isMessage(s) && k++ === number;
      const copy = changed(s);
      if (!hit) return [copy];
      return way === 'removed' ? [] : [copy, { ...copy }];
    }),
  });
  const changed = (s: Statement): Statement => {
    if ('holds' in s) return { ...s, holds: inBlock(s.holds), otherwise: inBlock(s.otherwise) };
    return 'body' in s ? { ...s, body: inBlock(s.body) } : s;
  };
  return programs.map((p, of) => (of === program ? { ...p, body: inBlock(p.body) } : p));
}

const isMessage = (s: Statement): boolean => s.kind === 'send' || s.kind === 'recv';

const rows: string[] = [];
afterAll(() => {
  if (full) console.log(rows.join('\n'));
});

describe('a send or receive too few or too many', () => {
  const names = readdirSync('examples', { withFileTypes: true })
    .map((d) => d.name)
    .filter((name) => AT[name] !== undefined && (full || FEW.includes(name)));

  it('every example is among them', () => {
    const folders = readdirSync('examples', { withFileTypes: true }).filter((d) => d.isDirectory());
    expect(Object.keys(AT)).toEqual(
      folders.map((d) => d.name).filter((n) => !['library', 'stencil', 'testing'].includes(n)),
    );
  });

  it.each(names)('is found in %s', { timeout: 170_000 }, async (name) => {
    const { default: model } = (await import(`../../../examples/${name}/model.ts`)) as { default: ProgramModel };
    const at = AT[name]!;
    const wrong = (change?: (programs: readonly Recorded[]) => readonly Recorded[]): boolean =>
      verifyProgram(model, { ...at, maxSteps: 1e6 }, change).instances.some((i) =>
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
    expect(found.missed).toEqual([]);
  });
});
