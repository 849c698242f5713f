import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { licences } from './start/licences.mjs';
import { answerApart, late } from './start/plugins.mjs';

/*
 * Makes dist/cli, the command line, of a few files with what they need of other packages, and the code compiled of them:
 * to find, read and compile two hundred small modules took longer than a small prediction. The library (dist/index.js and
 * what it imports) stays as tsc wrote it.
 */
const OUT = 'dist/cli';
/** The main thread; what does jobs, in whichever thread. */
const LAUNCHED = ['main', 'answer'];
/** The thread for jobs that are not small, those of what-if studies, those that explore with others. */
const PLAIN = {
  worker: 'src/cli/worker.ts',
  'scenario-worker': 'src/cli/scenario-worker.ts',
  'packed-worker': 'src/analysis/space/packed/packed-worker.ts',
};
/** Left to be found where they are installed: only drawings need them, and structure (HiGHS), which does without it. */
const EXTERNAL = ['@dagrejs/dagre', '@dagrejs/graphlib', 'highs'];
/** What is predicted to have the code compiled that predictions need. */
const EXAMPLE = ['predict', 'examples/stencil/stencil-8.ti', '--machine', 'examples/stencil/cluster.xml'];

rmSync(OUT, { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: [
    ...LAUNCHED.map((name) => ({ in: `src/cli/${name}.ts`, out: `${name}.bundle` })),
    ...Object.entries(PLAIN).map(([out, file]) => ({ in: file, out })),
  ],
  outdir: OUT,
  bundle: true,
  // Scripts can be given compiled code, ECMAScript modules cannot.
  format: 'cjs',
  supported: { 'dynamic-import': false },
  platform: 'node',
  target: 'node20',
  external: EXTERNAL,
  plugins: [answerApart, late],
  // There is no TypeScript in a bundle to be loaded.
  define: { 'import.meta.url': 'bundleUrl', 'import.meta.resolve': 'undefined' },
  // A module as Node loads it; as a script, a function that is to be called with what a module has. So the launcher need
  // not put text around the text, which would take its memory twice.
  banner: {
    js: `((run) => typeof __filename === 'undefined' ? run : run(exports, require, module, __filename))(
function (exports, require, module, __filename) { 'use strict';
const bundleUrl = require('node:url').pathToFileURL(__filename).href;`,
  },
  footer: { js: '});' },
  // Less to read; names and lines stay, for reports of crashes.
  minifyWhitespace: true,
  lineLimit: 120,
  legalComments: 'eof',
  metafile: true,
  logLevel: 'warning',
});
// Beside them "type": "module" of the package would hold.
writeFileSync(`${OUT}/package.json`, '{ "type": "commonjs" }\n');
writeFileSync(`${OUT}/THIRD-PARTY.txt`, licences(Object.keys(metafile.inputs)));
for (const name of LAUNCHED) copyFileSync('scripts/start/launcher.cjs', `${OUT}/${name}.js`);
copyFileSync('src/cli/import.cjs', `${OUT}/import.cjs`);
chmodSync(`${OUT}/main.js`, 0o755);
// Each run leaves the code that it found and what it has compiled anew.
for (const args of [EXAMPLE, [...EXAMPLE, '--json']])
  execFileSync(process.execPath, ['--require', './scripts/start/save-code.cjs', `${OUT}/main.js`, ...args]);
