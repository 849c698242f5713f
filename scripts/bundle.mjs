import { createHash } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { removeUnreachable } from './start/declarations.mjs';
import { licences } from './start/licences.mjs';
import { late, withoutLater, withoutOtherJobs } from './start/plugins.mjs';

/*
 * Builds dist/cli, the command line and the library, from the sources and the packages they need. It has a few files instead
 * of hundreds, because finding and reading small modules takes longer than a small prediction. Code that several commands
 * share and code imported on demand are separate files. A model that imports the library gets the code that the command
 * line has loaded already. The declarations in dist are written by tsc;
 * those stay that an entry point leads to.
 */
const OUT = 'dist/cli';
/** The command, the modules that threads and further processes run, and the entry points of the library. */
const ENTRIES = {
  main: 'src/cli/main.ts',
  worker: 'src/cli/worker.ts',
  'job-process': 'src/cli/job-process.ts',
  'scenario-worker': 'src/cli/scenario-worker.ts',
  'resolve-own-package': 'src/commands/inputs/resolve-own-package.ts',
  'packed-worker': 'src/analysis/space/packed/packed-worker.ts',
  'replicate-worker': 'src/analysis/replicate-worker.ts',
  'steady-worker': 'src/commands/steady/simulated/steady-worker.ts',
  index: 'src/index.ts',
  models: 'src/models.ts',
  'fast-check': 'src/fast-check.ts',
  vitest: 'src/vitest.ts',
};
/** Packages that are not bundled: drawings need the first two; the others are used where the user has installed them. */
const EXTERNAL = ['@viz-js/viz', '@dagrejs/dagre', '@dagrejs/graphlib', 'highs', 'fast-check', 'vitest'];

/** Hash of the sources of the kernel language: the command line keeps translations only for the same translator. */
function translatorHash() {
  const hash = createHash('sha256');
  for (const name of readdirSync('src/kernel').sort()) {
    if (name.endsWith('.ts')) hash.update(`${name}\n`).update(readFileSync(`src/kernel/${name}`));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Random streams of processes need SHA-256 at once; browsers offer it only as a promise. */
const inBrowser = {
  name: 'in-browser',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:crypto$/ }, () => ({ path: 'crypto', namespace: 'in-browser' }));
    onLoad({ filter: /.*/, namespace: 'in-browser' }, () => ({
      contents: `import { sha256 } from '@noble/hashes/sha2.js';
        export const createHash = () => {
          const hash = sha256.create();
          const own = {
            update: (text) => (hash.update(typeof text === 'string' ? new TextEncoder().encode(text) : text), own),
            digest: () => {
              const bytes = hash.digest();
              const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
              return Object.assign(bytes, {
                readInt32LE: (at) => view.getInt32(at, true),
                readInt32BE: (at) => view.getInt32(at, false),
                readUInt32LE: (at) => view.getUint32(at, true),
                readUInt32BE: (at) => view.getUint32(at, false),
              });
            },
          };
          return own;
        };`,
      resolveDir: process.cwd(),
    }));
  },
};

/** Options of the command line and the library. */
const COMMON = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  external: EXTERNAL,
  // Reduces the bytes to read; names and lines are kept for stack traces.
  minifyWhitespace: true,
  lineLimit: 120,
  metafile: true,
  logLevel: 'warning',
};

rmSync(OUT, { recursive: true, force: true });
/**
 * Predictions of small traces. Jobs of other commands, and modules that users import, are loaded by the files of the whole program.
 */
const SMALL = `export { predictCommand } from '../commands/predict/command.ts';
export { runCommandLine } from './command-line.ts';`;
/** A function, so that the file is compiled as it is (`src/cli/small-script.ts`). */
const FUNCTION = { before: '(function (exports, require, module, __filename) {\n', after: '})' };
const scripts = [
  ...(await buildScript('small.cjs', SMALL, withoutOtherJobs, FUNCTION)),
  // Help and versions (`src/cli/help-script.ts`).
  ...(await buildScript('help.cjs', "export { run } from './program.ts';", withoutLater)),
];
const { metafile } = await build({
  ...COMMON,
  entryPoints: Object.entries(ENTRIES).map(([out, file]) => ({ in: file, out })),
  outdir: OUT,
  format: 'esm',
  splitting: true,
  chunkNames: '[name]-[hash]',
  plugins: [late],
  define: { TRANSLATOR: JSON.stringify(translatorHash()), SMALL_SCRIPT: '"small.cjs"', HELP_SCRIPT: '"./help.cjs"' },
  // Bundled CommonJS packages call require for Node's modules.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);",
  },
  legalComments: 'eof',
});
removeUnreachable('dist', ['index', 'models', 'fast-check', 'vitest']);
writeFileSync(`${OUT}/THIRD-PARTY.txt`, licences([...Object.keys(metafile.inputs), ...scripts]));

chmodSync(`${OUT}/main.js`, 0o755);
await buildPage();

/**
 * Builds a script that has all modules it needs.
 *
 * @param name of its file
 * @param contents its exports, as seen from src/cli
 * @param without esbuild plugin that leaves modules out
 * @param around text before and after the script
 * @returns its source files
 */
async function buildScript(name, contents, without, around = { before: '', after: '' }) {
  const { metafile } = await build({
    ...COMMON,
    stdin: { contents, resolveDir: 'src/cli', loader: 'ts' },
    outfile: `${OUT}/${name}`,
    format: 'cjs',
    plugins: [late, without],
    define: { TRANSLATOR: JSON.stringify(translatorHash()), 'import.meta.url': 'OWN_URL' },
    banner: { js: `${around.before}const OWN_URL = require('node:url').pathToFileURL(__filename).href;` },
    footer: { js: around.after },
    legalComments: 'none',
  });
  return Object.keys(metafile.inputs);
}

/** Builds dist/page: the code and styles that `foretoken view` puts into a page, with the licences of their packages. */
async function buildPage() {
  const { metafile } = await build({
    entryPoints: { page: 'src/page/main.tsx', styles: 'src/page/page.css' },
    outdir: 'dist/page',
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: ['chrome111', 'firefox113', 'safari16.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    legalComments: 'none',
    plugins: [inBrowser],
    metafile: true,
    logLevel: 'warning',
  });
  const licence = licences(Object.keys(metafile.inputs)).replaceAll('*/', '* /');
  const code = readFileSync('dist/page/page.js', 'utf8');
  writeFileSync('dist/page/page.js', `/*\n${licence}\n*/\n${code}`);
}
