import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { localModules } from '../../../src/commands/inputs/local-modules.ts';

const root = mkdtempSync(join(tmpdir(), 'foretoken-modules-'));
afterAll(() => rmSync(root, { recursive: true }));

let folders = 0;

/** Writes the files and returns the modules that `model.ts` imports. */
function modulesOf(files: Readonly<Record<string, string>>): string[] {
  const dir = join(root, String(folders++));
  for (const [name, text] of Object.entries(files)) {
    const path = join(dir, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text.replaceAll('DIR', dir).replaceAll('URL', pathToFileURL(dir).href));
  }
  return localModules(join(dir, 'model.ts')).map((path) => relative(dir, path));
}

test.each([
  ['import x from "./a.ts";'],
  ["import { x, y as z } from './a.ts';"],
  ["import {\n  x, // the x\n} from './a.ts';"],
  ["import type { X } from './a.ts';"],
  ["import './a.ts';"],
  ["import'./a.ts';"],
  ["export * from './a.ts';"],
  ["export{x}from'./a.ts';"],
  ["const m = await import('./a.ts');"],
  ['const m = await import(\n  `./a.ts`\n);'],
  ["const m = require('./a.ts');"],
  ["import x from /* here */ './a.ts' with { type: 'text' };"],
  ["import x from './sub/../a.ts';"],
  ["import x from './a.ts?raw';"],
  ["import x from './a.js';"],
  ["import x from './a';"],
  ["import x from 'DIR/a.ts';"],
  ["import x from 'URL/a.ts';"],
])('the module imported by %s is found', (text) => {
  expect(modulesOf({ 'model.ts': text, 'a.ts': '', 'sub/b.ts': '' })).toEqual(['a.ts']);
});

test('modules of modules, once each, also in cycles; folders; JSON, which imports nothing', () => {
  const files = {
    'model.ts': "import './lib'; import './b.mjs'; import './model.ts';",
    'lib/index.ts': "export * from '../c.js'; import data from './data.json';",
    'lib/data.json': '"from \'./unused.ts\'"',
    'lib/unused.ts': '',
    'b.mjs': "import './model.ts'; import './c.ts';",
    'c.ts': "import './b.mjs'; import { x } from 'foretoken/models'; import fs from 'node:fs';",
  };
  expect(modulesOf(files)).toEqual(['b.mjs', 'c.ts', 'lib/data.json', 'lib/index.ts']);
});

test('none for packages, computed paths and missing files', () => {
  const text = "import 'x'; import '@a/b'; import '#c'; import('./' + name); import './gone.ts'; const s = './a.ts';";
  expect(modulesOf({ 'model.ts': text, 'a.ts': '' })).toEqual([]);
  expect(modulesOf({ 'model.ts': "import '.'; import '..';" })).toEqual([]);
});

test('both files of an ambiguous path', () => {
  expect(modulesOf({ 'model.ts': "import './a.js';", 'a.js': '', 'a.ts': '' })).toEqual(['a.js', 'a.ts']);
});

test('long files are read to their end', () => {
  const many = Array.from({ length: 20_000 }, (_, k) => `import /* ${k} from (`).join('\n');
  expect(modulesOf({ 'model.ts': many })).toEqual([]);
});
