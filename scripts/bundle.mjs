import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { licences } from './start/licences.mjs';

/*
 * Makes dist/cli of the command line: one file for each of its two threads, with what it needs of other packages, and
 * the code compiled of it. To find, read and compile a hundred small modules took longer than a small prediction.
 * The library (dist/index.js and what it imports) stays as tsc wrote it.
 */
const OUT = 'dist/cli';
const THREADS = ['main', 'worker'];
/** Left to be found where they are installed: only drawings need them. */
const EXTERNAL = ['@dagrejs/dagre', '@dagrejs/graphlib'];
/** What is predicted to have the code compiled that a prediction needs. */
const EXAMPLE = ['predict', 'examples/stencil/stencil-8.ti', '--machine', 'examples/stencil/cluster.xml'];

rmSync(OUT, { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: THREADS.map((name) => ({ in: `src/cli/${name}.ts`, out: `${name}.bundle` })),
  outdir: OUT,
  bundle: true,
  // Scripts can be given compiled code, ECMAScript modules cannot.
  format: 'cjs',
  supported: { 'dynamic-import': false },
  platform: 'node',
  target: 'node20',
  external: EXTERNAL,
  define: { 'import.meta.url': 'bundleUrl' },
  banner: { js: "'use strict'; const bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
  legalComments: 'eof',
  metafile: true,
  logLevel: 'warning',
});
// Beside them "type": "module" of the package would hold.
writeFileSync(`${OUT}/package.json`, '{ "type": "commonjs" }\n');
writeFileSync(`${OUT}/THIRD-PARTY.txt`, licences(Object.keys(metafile.inputs)));
for (const name of THREADS) copyFileSync('scripts/start/launcher.cjs', `${OUT}/${name}.js`);
chmodSync(`${OUT}/main.js`, 0o755);
// A run without code leaves it.
execFileSync(process.execPath, ['--require', './scripts/start/save-code.cjs', `${OUT}/main.js`, ...EXAMPLE]);
