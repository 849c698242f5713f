import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outputsOf } from './outputs-of.ts';

const FOLDER = 'docs/library';
const pages = readdirSync(FOLDER).filter((f) => f.endsWith('.md'));
const textOf = (page: string): string => readFileSync(join(FOLDER, page), 'utf8');

const snippets = pages.flatMap((page) =>
  [...textOf(page).matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text], k) => ({
    name: `${page.slice(0, -'.md'.length)}-${k + 1}`,
    text: text!,
  })),
);

const dir = mkdtempSync(join(tmpdir(), 'foretoken-docs-'));
afterAll(() => rmSync(dir, { recursive: true }));
beforeAll(() => {
  for (const { name, text } of snippets) writeFileSync(join(dir, `${name}.mts`), text);
});

describe('every snippet prints the output given in its comments', () => {
  let printed: string[] = [];
  beforeAll(() => {
    printed = outputsOf(snippets.map(({ name }) => join(dir, `${name}.mts`)));
  });
  test.each(snippets.map(({ name, text }, k) => [name, text, k] as const))(
    'the snippet %s prints the output in its comments',
    (_, text, k) => {
      const comments = [...text.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map((m) => m[1]);
      expect(comments.length).toBeGreaterThan(0);
      expect(printed[k]!.trim().split('\n')).toEqual(comments);
    },
  );
});

test('every snippet type-checks in a strict user project', () => {
  symlinkSync(resolve('node_modules'), join(dir, 'node_modules'));
  const tsconfig = {
    compilerOptions: {
      strict: true,
      noEmit: true,
      target: 'es2023',
      module: 'nodenext',
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      types: ['node'],
      paths: { foretoken: [resolve('src/index.ts')], 'foretoken/models': [resolve('src/models.ts')] },
    },
    include: ['*.mts'],
  };
  writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify(tsconfig));
  const tsc = (): string => {
    try {
      return execFileSync(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', dir], {
        encoding: 'utf8',
        timeout: 60_000,
      });
    } catch (e) {
      return (e as { stdout: string }).stdout;
    }
  };
  // Type errors of the library itself are found by a separate check.
  const faults = tsc()
    .split('\n')
    .filter((line) => line.includes('.mts('));
  expect(faults).toEqual([]);
});

describe('pages', () => {
  const semantics = readFileSync('docs/semantics.md', 'utf8');
  const rules = new Set([...semantics.matchAll(/\*\*(S\d+a?) /g)].map((m) => m[1]!));

  test.each(pages)('%s cites rules and pages that exist', (page) => {
    const text = textOf(page);
    const cited = [...text.matchAll(/\bS\d+a?\b/g)].map((m) => m[0]);
    if (page !== 'README.md') expect(cited.length).toBeGreaterThan(0);
    expect(cited.filter((rule) => !rules.has(rule))).toEqual([]);
    const links = [...text.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map((m) => m[1]!).filter((l) => !l.startsWith('http'));
    expect(links.filter((link) => !existsSync(join(dirname(join(FOLDER, page)), link)))).toEqual([]);
  });

  test('the index names every page', () => {
    const index = textOf('README.md');
    expect(pages.filter((page) => page !== 'README.md' && !index.includes(`](${page})`))).toEqual([]);
  });
});
