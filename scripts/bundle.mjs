import { chmodSync, copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { licences } from './start/licences.mjs';
import { late } from './start/plugins.mjs';

/*
 * Builds dist/cli, the command line, from the sources and the packages they need. It has a few files instead of
 * hundreds, because finding and reading small modules takes longer than a small prediction. Code shared by several
 * commands and code imported on demand are separate files. The library (dist/index.js and its imports) remains as
 * written by tsc.
 */
const OUT = 'dist/cli';
/** The command, and the modules it runs in worker threads. */
const ENTRIES = {
  command: 'src/cli/main.ts',
  worker: 'src/cli/worker.ts',
  'scenario-worker': 'src/cli/scenario-worker.ts',
  'resolve-own-package': 'src/commands/inputs/resolve-own-package.ts',
  'packed-worker': 'src/analysis/space/packed/packed-worker.ts',
};
/** Packages that are not bundled: drawings need the first two; `structure` uses HiGHS if it is installed. */
const EXTERNAL = ['@dagrejs/dagre', '@dagrejs/graphlib', 'highs'];

rmSync(OUT, { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: Object.entries(ENTRIES).map(([out, file]) => ({ in: file, out })),
  outdir: OUT,
  bundle: true,
  format: 'esm',
  splitting: true,
  chunkNames: '[name]-[hash]',
  platform: 'node',
  target: 'node20',
  external: EXTERNAL,
  plugins: [late],
  // Bundled CommonJS packages call require for Node's modules.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);",
  },
  // Reduces the bytes to read; names and lines are kept for stack traces.
  minifyWhitespace: true,
  lineLimit: 120,
  legalComments: 'eof',
  metafile: true,
  logLevel: 'warning',
});
writeFileSync(`${OUT}/THIRD-PARTY.txt`, licences(Object.keys(metafile.inputs)));
copyFileSync('scripts/start/main.js', `${OUT}/main.js`);
chmodSync(`${OUT}/main.js`, 0o755);
