import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests that start the command line, install the package, or follow documentation pages. */
const SYSTEM = [
  'test/cli/**/*.test.ts',
  'test/examples/**/*.test.ts',
  'test/library/**/*.test.ts',
  'test/oracle/**/*.test.ts',
  'test/*-page.test.ts',
  // Reads the declarations in dist.
  'test/api.test.ts',
  'test/package.test.ts',
  'test/readme.test.ts',
  'test/tutorial.test.ts',
  'test/testing/packed.test.ts',
  'test/testing/page.test.ts',
];

/** Tests that measure the memory of their process. */
const ALONE = [
  'test/analysis/space/general.test.ts',
  'test/commands/verify/limits.test.ts',
  'test/engine/limits-size.test.ts',
  'test/trace/chrome.test.ts',
  'test/trace/layouts.test.ts',
];

/** Tests that take more than about 2 s of CPU time at low effort: reference data, many whole programs, many compiled nets. */
const LONG = [
  'test/analysis/large-numbers.test.ts',
  'test/analysis/properties/contest.test.ts',
  'test/analysis/reduction/contest.test.ts',
  'test/analysis/replicate.test.ts',
  'test/analysis/safe/safe-net.test.ts',
  'test/analysis/same-bytes.test.ts',
  'test/analysis/save.test.ts',
  'test/analysis/structure/contest-structure.test.ts',
  'test/base/process-stream.test.ts',
  'test/commands/convert/convert.test.ts',
  'test/commands/diagnose/diagnose-model.test.ts',
  'test/commands/diagnose/diagnose-program.test.ts',
  'test/commands/diagnose/diagnose.test.ts',
  'test/commands/diagnose/same-work.test.ts',
  'test/commands/diagnose/scale.test.ts',
  'test/commands/explore/contest-spaces.test.ts',
  'test/commands/explore/explore.test.ts',
  'test/commands/inputs/foreign-names.test.ts',
  'test/commands/inputs/option-table.test.ts',
  'test/commands/inputs/pnml-tools.test.ts',
  'test/commands/predict/machine.test.ts',
  'test/commands/predict/net-figures.test.ts',
  'test/commands/predict/net-of-trace.test.ts',
  'test/commands/predict/platform-config.test.ts',
  'test/commands/predict/replications.test.ts',
  'test/commands/predict/run-record.test.ts',
  'test/commands/predict/same-bytes.test.ts',
  'test/commands/predict/simgrid.test.ts',
  'test/commands/predict/threads/predict-threads.test.ts',
  'test/commands/predict/threads/records.test.ts',
  'test/commands/predict/trace-findings.test.ts',
  'test/commands/predict/trace/missing-lines.test.ts',
  'test/commands/profile/profile.test.ts',
  'test/commands/profile/simulated.test.ts',
  'test/commands/verify/net/verify-reduce.test.ts',
  'test/commands/verify/net/verify-unbounded.test.ts',
  'test/commands/verify/net/verify.test.ts',
  'test/commands/verify/program/hybrid-deadlock.test.ts',
  'test/commands/verify/program/incidence-mutations.test.ts',
  'test/commands/verify/program/incidence.test.ts',
  'test/commands/verify/program/models.test.ts',
  'test/commands/verify/program/mutations.test.ts',
  'test/commands/verify/program/shared.test.ts',
  'test/commands/verify/same-faults.test.ts',
  'test/commands/verify/threads/pool-kinds.test.ts',
  'test/commands/whatif/ideal-network.test.ts',
  'test/commands/whatif/limit-elasticity.test.ts',
  'test/commands/whatif/model.test.ts',
  'test/commands/whatif/threads.test.ts',
  'test/commands/whatif/whatif.test.ts',
  'test/engine/limits-numbers.test.ts',
  'test/engine/logarithm.test.ts',
  'test/engine/paged-tables.test.ts',
  'test/engine/pager.test.ts',
  'test/engine/random-net.test.ts',
  'test/engine/sampling.test.ts',
  'test/machine/machine-file.test.ts',
  'test/machine/machine-platform.test.ts',
  'test/models/collectives/expand.test.ts',
  'test/models/collectives/logarithmic.test.ts',
  'test/models/collectives/nonblocking.test.ts',
  'test/models/collectives/simgrid.test.ts',
  'test/models/program/closed-forms.test.ts',
  'test/models/program/constructs-page.test.ts',
  'test/models/program/constructs.test.ts',
  'test/models/program/message-gap.test.ts',
  'test/models/program/numbered-collectives.test.ts',
  'test/models/program/unequal-collectives.test.ts',
  'test/models/threads/cooperative-verify.test.ts',
  'test/models/threads/groups.test.ts',
  'test/models/threads/hybrid.test.ts',
  'test/models/threads/nested-programs.test.ts',
  'test/net/pnml-contest.test.ts',
  'test/net/pnml-errors.test.ts',
  'test/net/pnml-pipe.test.ts',
  'test/net/svg.test.ts',
  'test/net/tabulate.test.ts',
  'test/net/validate.test.ts',
  'test/testing/arbitraries.test.ts',
  'test/testing/arbitrary-net.test.ts',
  'test/testing/entries.test.ts',
  'test/testing/matchers.test.ts',
  'test/testing/program-matchers.test.ts',
  'test/testing/shrinking.test.ts',
  'test/trace/errors.test.ts',
  'test/trace/fuzz.test.ts',
  'test/trace/memo.test.ts',
  'test/trace/shared.test.ts',
];

/** Files that take longest at full effort. */
const LONGEST = [
  'limit',
  'safe-net',
  'cooperative',
  'gauss-threads',
  'net-of-trace',
  'model-faults',
  'agreement',
  'verify-reduce',
  'fuzz',
  'bad-input',
  'expression',
  'package',
  'conservation',
  'simgrid',
  'random-programs',
  'tutorial',
  'examples',
].map((name) => `/${name}.test.ts`);

/** Begins each project with its longest files, so that no process runs a long file alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    const rank = ({ project, moduleId }: TestSpecification): number =>
      2 * projects.indexOf(project.name) + (LONGEST.some((name) => moduleId.endsWith(name)) ? 0 : 1);
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}

const common = {
  setupFiles: ['test/setup.ts'],
  testTimeout: 300_000,
  hookTimeout: 300_000,
  pool: 'forks' as const,
};

/** `npm test` runs the project `unit`, `npm run test:full` all with all cases of property tests (CONTRIBUTING.md). */
export default defineConfig({
  test: {
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
    projects: [
      // Tests share processes and their loaded modules, except those of limits of memory.
      {
        test: {
          ...common,
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...SYSTEM, ...LONG, ...ALONE],
          isolate: false,
        },
      },
      { test: { ...common, name: 'long', include: LONG, isolate: false } },
      { test: { ...common, name: 'system', include: SYSTEM, isolate: false } },
      { test: { ...common, name: 'alone', include: ALONE } },
    ],
  },
});
