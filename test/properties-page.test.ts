import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { codesOf } from '../scripts/errors.ts';
import { InputError } from '../src/base/problem.ts';
import { verify } from '../src/commands/verify/net/verify.ts';
import type { Net } from '../src/net/net.ts';
import { outputsOf } from './library/outputs-of.ts';

const page = readFileSync('docs/properties.md', 'utf8');
const blocks = [...page.matchAll(/```(\w+)\n([\s\S]*?)```/g)].map(([, kind, text]) => ({ kind, text: text! }));
const snippets = blocks.filter((b) => b.kind === 'ts').map((b) => b.text);

const dir = mkdtempSync(join(tmpdir(), 'foretoken-properties-'));
afterAll(() => rmSync(dir, { recursive: true }));
const library = JSON.stringify(resolve('src/index.ts'));
const local = (text: string): string => text.replaceAll("from 'foretoken'", `from ${library}`);

test('every property has the answer given in its comment', async () => {
  writeFileSync(join(dir, 'net.ts'), local(snippets[0]!));
  const { default: net } = (await import(pathToFileURL(join(dir, 'net.ts')).href)) as { default: Net };
  const lines = blocks.filter((b) => b.kind === 'property').flatMap((b) => b.text.trim().split('\n'));
  const answers = lines.map((line) => {
    const [text, said] = line.split(/\s+\/\/ /) as [string, string];
    return { text, said: said.split(':')[0]!, found: answer(net, text) };
  });
  expect(answers.length).toBeGreaterThan(25);
  expect(answers.map((a) => `${a.text} // ${a.found}`)).toEqual(answers.map((a) => `${a.text} // ${a.said}`));
});

function answer(net: Net, text: string): string {
  try {
    return String(verify(net, [text]).properties[0]!.verdict);
  } catch (e) {
    if (e instanceof InputError) return e.problems[0]!.code;
    throw e;
  }
}

test('the snippet prints the output given in its comments', () => {
  writeFileSync(join(dir, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(dir, 'net.ts'), local(snippets[0]!));
  writeFileSync(join(dir, 'use.mts'), local(snippets[1]!));
  const [printed] = outputsOf([join(dir, 'use.mts')]);
  const comments = [...snippets[1]!.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map((m) => m[1]);
  expect(printed!.trim().split('\n')).toEqual(comments);
});

test('links lead to files, and the README links the page', () => {
  const links = [...page.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map((m) => m[1]!).filter((l) => !l.startsWith('http'));
  expect(links.filter((link) => !existsSync(resolve('docs', link)))).toEqual([]);
  expect(readFileSync('README.md', 'utf8')).toContain('(docs/properties.md)');
});

test('the documented PROP codes are exactly those in use', () => {
  const files = ['src/analysis/properties', 'src/commands', 'src/cli'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((f) => f.endsWith('.ts'))
      .map((f) => readFileSync(join(folder, f), 'utf8')),
  );
  const used = new Set(files.flatMap((text) => text.match(/'PROP\d{3}'/g) ?? []).map((c) => c.slice(1, -1)));
  const known = codesOf('property').map((c) => c.code);
  expect([...used].sort()).toEqual(known);
});
