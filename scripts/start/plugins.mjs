import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Modules that are loaded when something of them is first used: for most runs they would be loaded in vain. */
const LATE = [
  // By commander, for commands in files of their own, which there are none of.
  { module: 'node:child_process', by: /commander/ },
  // For traces that are packed.
  { module: 'node:zlib', by: /gunzip\.ts$/ },
  { module: 'node:worker_threads', by: /gunzip\.ts$/ },
  // For machine files; a package, which goes into the bundle.
  { module: 'yaml', by: /yaml-file\.ts$/ },
];

/** Loads the modules of {@link LATE} late. */
export const late = {
  name: 'late',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:node:.*|yaml)$/ }, ({ path, importer }) =>
      LATE.some(({ module, by }) => module === path && by.test(importer)) ? { path, namespace: 'late' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'late' }, ({ path }) => {
      const from = JSON.stringify(path);
      const keys = JSON.stringify(Object.keys(require(path)));
      const contents = `for (const key of ${keys})
  Object.defineProperty(exports, key, { enumerable: true, get: () => require(${from})[key] });`;
      return { contents, loader: 'js', resolveDir: process.cwd() };
    });
  },
};
