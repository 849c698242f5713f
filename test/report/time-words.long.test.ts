import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { TIME_WORDS } from '../../src/base/time-words.ts';
import { compare } from '../../src/commands/compare/compare.ts';
import { renderComparison } from '../../src/commands/compare/comparison-view.ts';
import { diagnose } from '../../src/commands/diagnose/diagnose.ts';
import { renderDiagnosis } from '../../src/commands/diagnose/diagnose-view.ts';
import { predict } from '../../src/commands/predict/predict.ts';
import { renderPrediction } from '../../src/commands/predict/view/terminal.ts';
import { profile } from '../../src/commands/profile/profile-program.ts';
import { renderProfile } from '../../src/commands/profile/profile-view.ts';
import { whatif } from '../../src/commands/whatif/whatif.ts';
import { renderWhatIf } from '../../src/commands/whatif/whatif-view.ts';
import { type ThreadModel, threads } from '../../src/models/threads/program/threads.ts';
import { documentOf } from './documents.ts';
import { jacobi, machine } from './models.ts';

const WORDS = Object.values(TIME_WORDS);

/** Words that would be a second name for a quantity of time. */
const OTHER = /\b(communications?|communicates|blocked|blocking|transferring|inactive overhead)\b/i;

describe('the words of the module', () => {
  test('are different, and so are their short forms', () => {
    for (const of of [WORDS.map(({ label }) => label), WORDS.map(({ short }) => short)])
      expect(new Set(of).size).toBe(of.length);
    for (const { label, short } of WORDS) {
      expect(short.length).toBeLessThanOrEqual(label.length);
      expect(label).not.toMatch(OTHER);
    }
  });

  test('are the table of docs/cli.md', () => {
    const page = readFileSync('docs/cli.md', 'utf8');
    const rows = WORDS.map(({ label, meaning }) => `| ${label} | ${meaning} |`);
    expect(page).toContain(`| word | meaning |\n|---|---|\n${rows.join('\n')}\n`);
  });
});

/** Files whose strings commands print as views. */
const sources = ['src/commands', 'src/analysis/efficiency'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((name) => /-view\.ts$|\/view\/.*\.ts$|sections\.ts$|reading\.ts$|diagnosed-region\.ts$/.test(name)),
);

/** Texts of a source file: strings without code in templates, comments, imports and names of members. */
function textsOf(path: string): string[] {
  const code = readFileSync(path, 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    .replaceAll(/^(import|export) [\s\S]*? from '.*';$/gm, '');
  return [...code.matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)].map((m) =>
    (m[1] ?? m[2] ?? m[3]!).replaceAll(/\$\{[^}]*\}/g, ''),
  );
}

/** Texts with such a word that name no quantity of time, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'Blocked strands': 'strands of a deadlock can never continue',
  communication: 'the member of profiles, after its source',
  communicates: 'a verb',
  '/calls//blocked': 'the pointer to a member of profiles',
};

describe('sources of views', () => {
  test('there are some of each command', () => {
    for (const command of ['predict', 'profile', 'compare', 'whatif', 'diagnose'])
      expect(sources.filter((path) => path.includes(`commands/${command}/`)).length).toBeGreaterThan(0);
  });

  test.each(sources)('%s has no second word for a quantity of time', (path) => {
    expect(textsOf(path).filter((text) => OTHER.test(text) && !Object.hasOwn(EXCEPTIONS, text))).toEqual([]);
  });

  test.each(sources)('%s takes heads and labels of tables from the module', (path) => {
    const labels = WORDS.flatMap(({ label, short }) => [label, short]);
    const literal = new RegExp(`\\b(head|name|short): '\\s*(${labels.join('|')})'`, 'g');
    expect(readFileSync(path, 'utf8').match(literal) ?? []).toEqual([]);
  });
});

describe('views', () => {
  const pool = threads({
    name: 'pool',
    build(t) {
      const m = t.mutex('m');
      t.parallelFor({
        n: 200,
        name: 'rows',
        body: (b) => {
          b.compute({ seconds: ({ count }) => count * 2e-7 });
          b.lock(m);
          b.compute({ seconds: 1e-7 });
          b.unlock(m);
        },
      });
    },
  }) as ThreadModel;
  const onePool = { workers: 4, scheduler: 'stealing' } as const;
  const ranks = { machine, ranks: 8, set: { turns: 2 } };
  const style = (width: number): never => ({ width, colour: false, unicode: true }) as never;
  const ofRanks = predict(jacobi, ranks);
  const rendered: Readonly<Record<string, (width: number) => string | Promise<string>>> = {
    'predict, ranks': (width) => renderPrediction(ofRanks, style(width)),
    'predict, workers': (width) => renderPrediction(predict(pool, onePool), style(width)),
    'predict, a net of processes': (width) =>
      renderPrediction(documentOf(4, [[2, null, null, 0.5] as const, [3, null, null, 0]]), style(width)),
    'profile, ranks': (width) => renderProfile(profile(jacobi, ranks), style(width)),
    'compare, ranks': (width) =>
      renderComparison(
        compare({ input: 'a', document: ofRanks }, { input: 'b', document: predict(jacobi, { ...ranks, ranks: 4 }) }),
        style(width),
      ),
    'whatif, ranks': async (width) =>
      renderWhatIf(await whatif(jacobi, { ...ranks, workers: 1, vary: { 'machine.speed': [1e9, 2e9] } }), style(width)),
    'diagnose, workers': (width) => renderDiagnosis(diagnose(pool, { ...onePool, gain: false }), style(width)),
  };

  test.each(Object.keys(rendered))(
    '%s: no second word for a quantity of time, and one from the module',
    async (name) => {
      for (const width of [60, 100, 200]) {
        const text = await rendered[name]!(width);
        expect(text.match(new RegExp(OTHER, 'gi')) ?? []).toEqual([]);
        // Narrow tables leave columns out.
        if (width < 100) continue;
        expect(WORDS.some(({ label, short }) => text.includes(label) || text.includes(short))).toBe(true);
      }
    },
  );
});
