import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { placeOf } from '../../src/models/site.ts';

const own = resolve('src/models/threads/program/compose-threads.ts');
const bundled = pathToFileURL(resolve('dist/cli/chunk-AAAA.js')).href;
const user = resolve('/models/shop.ts');
const installed = resolve('/models/node_modules/kit/pool.js');

it.each([
  ['the model', [own, user], { file: user, line: 7, column: 3 }],
  ['the model, not the package that it calls', [installed, user], { file: user, line: 7, column: 3 }],
  ['the installed package, where no model is near', [bundled, installed], { file: installed, line: 7, column: 3 }],
  ['nothing, where this package adds the statement', [own, bundled, 'node:internal/main'], {}],
])('the place of a statement is that of %s', (_, files, wanted) => {
  const stack = ['Error', ...files.map((file) => `    at build (${file}:7:3)`)].join('\n');
  expect(placeOf(stack)).toEqual(wanted);
});
