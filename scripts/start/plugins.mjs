import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Modules that are loaded at their first use, because most runs do not need them. */
const LATE = [
  // Used by commander only for commands in separate files; there are none.
  { module: 'node:child_process', by: /commander/ },
  // Needed only for compressed traces.
  { module: 'node:zlib', by: /gunzip\.ts$/ },
  { module: 'node:worker_threads', by: /gunzip\.ts$/ },
  // Needed only for machine files; a package that is part of the bundle.
  { module: 'yaml', by: /yaml-file\.ts$/ },
];

/** esbuild plugin that defers the modules of {@link LATE}. */
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

/** esbuild plugin that leaves out all modules that are loaded later. */
export const withoutLater = {
  name: 'without-later',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\./ }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path, namespace: 'later' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'later' }, ({ path }) => ({
      contents: `throw new Error(${JSON.stringify(`${path} is not part of the script`)});`,
      loader: 'js',
    }));
  },
};

/** Jobs of commands; the small program runs only those of predict. */
const JOBS = /^\.\.\/commands\/[a-z]+\/job\.ts$/;

/** esbuild plugin that leaves out the modules of {@link JOBS} but that of predict. */
export const withoutOtherJobs = {
  name: 'without-other-jobs',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: JOBS }, ({ path, kind }) =>
      kind === 'dynamic-import' && !path.includes('/predict/') ? { path, namespace: 'other-job' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'other-job' }, ({ path }) => ({
      contents: `throw new Error(${JSON.stringify(`${path} is not part of the small program`)});`,
      loader: 'js',
    }));
  },
};
