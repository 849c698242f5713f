import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests that start the command line, install the package, or follow documentation pages. */
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
];

/** Tests that need a process of their own: they measure its memory. */
const ALONE = ['test/**/*.alone.test.ts'];
/** Tests that take more than about 2 s of CPU time at low effort: reference data, many whole programs, many compiled nets. */
const LONG = ['test/**/*.long.test.ts', 'test/**/*.evidence.test.ts'];

/** Files that take longest at full effort, besides the suites of evidence. */
const LONGEST = [
  'bad-input',
  'compare',
  'documents',
  'expression',
  'kernel-cache',
  'model',
  'model-faults',
  'net-whole',
  'outputs',
  'package',
  'rerun-verification',
  'row-room',
  'run-page',
  'simgrid',
  'standard-streams',
  'thread-algebra',
  'tutorial',
];

const isLong = (file: string): boolean =>
  file.endsWith('.evidence.test.ts') || LONGEST.some((name) => file.includes(`/${name}.`));

/** Begins each project with its longest files, so that no process runs a long file alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    const rank = ({ project, moduleId }: TestSpecification): number =>
      2 * projects.indexOf(project.name) + (isLong(moduleId) ? 0 : 1);
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}

/**
 * The processes that compute. Room for short-lived objects, in MiB: an eighth of the processor time less than with Node's 16. Most
 * compiled nets run for milliseconds: V8 optimises functions of WebAssembly later than its default, after about 30 MB of executed code.
 */
const COMPUTES = ['--max-semi-space-size=64', '--wasm-tiering-budget=30000000'];

const common = {
  globalSetup: ['test/temporary-folder.ts'],
  setupFiles: ['test/setup.ts'],
  testTimeout: 300_000,
  hookTimeout: 300_000,
  // Pages answer later where other processes compute.
  expect: { poll: { timeout: 60_000 } },
  pool: 'forks' as const,
};

/** `npm test` runs the project `unit`, `npm run test:full` all with all cases of property tests (CONTRIBUTING.md). */
export default defineConfig({
  test: {
    maxWorkers: '100%',
    // Transformed modules are kept from run to run, by their content: a tenth of the time of the unit tests.
    experimental: { fsModuleCache: true },
    ...(process.env['FORETOKEN_EVIDENCE'] === '1' ? { reporters: ['verbose', './test/evidence-reporter.ts'] } : {}),
    sequence: { sequencer: LongestFirst },
    projects: [
      // Tests share processes and their loaded modules, except those of limits of memory.
      {
        test: {
          ...common,
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...SYSTEM, ...LONG, ...ALONE],
          execArgv: COMPUTES,
          isolate: false,
        },
      },
      { test: { ...common, name: 'long', include: LONG, exclude: SYSTEM, execArgv: COMPUTES, isolate: false } },
      { test: { ...common, name: 'system', include: SYSTEM, isolate: false } },
      { test: { ...common, name: 'alone', include: ALONE } },
    ],
  },
});
