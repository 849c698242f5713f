import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { evidenceRows } from './evidence-reporter.ts';

const pages = readdirSync('docs', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => join('docs', name));
/** Reasons and rejected designs, next to the code they concern. */
const reasons = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => join('src', name));
const all = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'examples/README.md', ...pages, ...reasons];

/** A page without its code blocks. */
const prose = (page: string): string => readFileSync(page, 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');

/** Anchors of a page as GitHub generates them from headings. */
const anchors = (page: string): string[] =>
  [...prose(page).matchAll(/^#+ (.*)$/gm)].map((m) =>
    m[1]!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-'),
  );

/** Relative links of a page: target file and anchor. */
const links = (page: string): { target: string; anchor: string | undefined }[] =>
  [...prose(page).matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].map((m) => ({
    target: m[1] === '' ? page : normalize(join(dirname(page), m[1]!)),
    anchor: m[2],
  }));

test.each(all)('links of %s lead to files and headings', (page) => {
  const broken = links(page).filter(
    ({ target, anchor }) => !existsSync(target) || (anchor !== undefined && !anchors(target).includes(anchor)),
  );
  expect(broken).toEqual([]);
});

test('docs/README.md links every page', () => {
  const linked = links('docs/README.md').map(({ target }) => target);
  expect(pages.filter((page) => page !== join('docs', 'README.md') && !linked.includes(page))).toEqual([]);
});

test('src/README.md links every page of a folder', () => {
  const linked = links('src/README.md').map(({ target }) => target);
  expect(reasons.filter((page) => page !== join('src', 'README.md') && !linked.includes(page))).toEqual([]);
});

test('docs/evidence.md lists every suite of evidence', () => {
  const suites = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((f) =>
    f.endsWith('.evidence.test.ts'),
  );
  expect(evidenceRows().map(({ suite }) => suite)).toEqual(suites.map((f) => join('test', f)).sort());
});

/** Files of the project; vitest accepts prefixes of their names as filters. */
const files = ['src', 'test', 'scripts', 'schema', 'bench', 'examples'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
);

/** Lines of a source file, or of the files next to each other in a folder, and with `deep` of those in its folders. */
function linesOf(path: string, deep: boolean): number {
  if (path.endsWith('.ts')) return readFileSync(path, 'utf8').split('\n').length - 1;
  const sources = readdirSync(path, { recursive: deep, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  return sources.reduce((sum, name) => sum + linesOf(join(path, name), false), 0);
}

test('numbers of lines in reasons are at most a tenth off', () => {
  const wrong = reasons.flatMap((page) => {
    const text = readFileSync(page, 'utf8');
    const inText = [...text.matchAll(/\(((?:`[\w/.-]+`, )+)([\d,]+) lines\)/g)].map(
      (m) => [m[1]!, m[2]!, 'src'] as const,
    );
    const table = /^\| folder \| lines \|.*\n\|[-|]+\|\n((?:\|.*\n)+)/m.exec(text)?.[1] ?? '';
    const rows = [...table.matchAll(/^\| ([^|]*) \| ([\d,]+) \|/gm)].map((m) => [m[1]!, m[2]!, dirname(page)] as const);
    return [...inText, ...rows].flatMap(([paths, said, folder]) => {
      const found = [...paths.matchAll(/`([^`]+)`/g)].reduce(
        (sum, [, path]) => sum + linesOf(join(folder, path!), folder === 'src'),
        0,
      );
      const lines = Number(said.replace(',', ''));
      return Math.abs(found - lines) <= 0.1 * found ? [] : [`${page} ${paths}: ${said}, found ${found}`];
    });
  });
  expect(wrong).toEqual([]);
});

test.each(['CONTRIBUTING.md', 'docs/architecture.md', 'docs/evidence.md', 'docs/performance.md', ...reasons])(
  'files named in %s exist',
  (page) => {
    const text = prose(page);
    const paths = [...text.matchAll(/(?<![\w./])(?:src|test|scripts|schema|bench|examples)\/[\w./-]*\w/g)];
    const sources = [...text.matchAll(/`([\w./-]+\.ts)`/g)].map((m) => m[1]!);
    const missing = [
      ...paths.map((m) => m[0]).filter((name) => !files.some((file) => file.startsWith(name))),
      ...sources.filter((name) => !files.some((file) => `/${file}`.endsWith(`/${name}`))),
    ];
    if (page.startsWith('docs')) expect(paths.length).toBeGreaterThan(0);
    expect(missing.filter((name) => !name.includes('NAME'))).toEqual([]);
  },
);
