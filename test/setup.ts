import * as fc from 'fast-check';
import { afterEach } from 'vitest';
import { COUNTS_CASES, countCases, effort, takeCases } from './effort.ts';
import { useThreadBundles } from './thread-bundles.ts';

/**
 * Seeds property tests, so that every run draws the same cases. `FORETOKEN_SEED=random` draws new cases, `FORETOKEN_SEED=N`
 * those of seed N; `FORETOKEN_EFFORT` scales their number (see effort.ts), also where a property does not give one.
 */
const seed = process.env['FORETOKEN_SEED'] ?? '1';
/** Milliseconds after which a property fails: shrinking a large case may take hours, and the process cannot be interrupted. */
const LIMIT = 240_000 * Math.max(1, Number(process.env['FORETOKEN_EFFORT'] ?? 0));
fc.configureGlobal({
  ...(seed === 'random' ? {} : { seed: Number(seed) }),
  numRuns: effort(100),
  interruptAfterTimeLimit: LIMIT,
  markInterruptAsFailure: true,
  ...(COUNTS_CASES ? { reporter: countingReporter } : {}),
});

useThreadBundles();

if (COUNTS_CASES)
  afterEach(({ task }) => {
    task.meta.cases = takeCases();
  });

/** Fails as the reporter of fast-check does. */
function countingReporter(run: fc.RunDetails<unknown>): void {
  countCases(run.numRuns);
  if (run.failed) throw new Error(fc.defaultReportMessage(run), { cause: run.errorInstance });
}
