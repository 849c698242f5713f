import { defineConfig } from 'vitest/config';

/** Tests that start the command line, install the package, follow documentation pages, or need a process without other tests. */
const SYSTEM = [
  'test/cli/**/*.test.ts',
  'test/examples/**/*.test.ts',
  'test/library/**/*.test.ts',
  'test/oracle/**/*.test.ts',
  'test/*-page.test.ts',
  'test/package.test.ts',
  'test/readme.test.ts',
  'test/tutorial.test.ts',
  'test/testing/packed.test.ts',
  'test/testing/page.test.ts',
  // Measures the memory of the process.
  'test/engine/limits-size.test.ts',
];

const common = {
  setupFiles: ['test/setup.ts'],
  testTimeout: 120_000,
  hookTimeout: 120_000,
  pool: 'forks' as const,
};

/** `npm test` runs the project `unit`, `npm run test:full` both with all cases of property tests (CONTRIBUTING.md). */
export default defineConfig({
  test: {
    maxWorkers: '100%',
    projects: [
      // Unit tests share processes and their loaded modules.
      { test: { ...common, name: 'unit', include: ['test/**/*.test.ts'], exclude: SYSTEM, isolate: false } },
      { test: { ...common, name: 'system', include: SYSTEM } },
    ],
  },
});
