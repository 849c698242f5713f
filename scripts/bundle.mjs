import { chmodSync, copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { licences } from './start/licences.mjs';
import { late } from './start/plugins.mjs';

/*
 * Makes dist/cli, the command line, of the sources and the packages that they need: a few files instead of hundreds,
 * because finding and reading small modules takes longer than a small prediction. Code that several commands share, and
 * code that is imported on demand, are files of their own. The library (dist/index.js and its imports) stays as tsc wrote
 * it.
 */
const OUT = 'dist/cli';
/** The command, and the modules that it starts threads on. */
const ENTRIES = {
  command: 'src/cli/main.ts',
  worker: 'src/cli/worker.ts',
  'scenario-worker': 'src/cli/scenario-worker.ts',
  'packed-worker': 'src/analysis/space/packed/packed-worker.ts',
};
/** Packages that stay outside: drawings need the first two, `structure` uses HiGHS where it is installed. */
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
  // Packages in CommonJS require modules of Node.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);",
  },
  // Less to read; names and lines stay, for crash reports.
  minifyWhitespace: true,
  lineLimit: 120,
  legalComments: 'eof',
  metafile: true,
  logLevel: 'warning',
});
writeFileSync(`${OUT}/THIRD-PARTY.txt`, licences(Object.keys(metafile.inputs)));
copyFileSync('scripts/start/main.js', `${OUT}/main.js`);
chmodSync(`${OUT}/main.js`, 0o755);
