import * as fc from 'fast-check';

/**
 * Seeds property tests, so that every run draws the same cases. `FORETOKEN_SEED=random` draws new cases, `FORETOKEN_SEED=N`
 * those of seed N; `FORETOKEN_EFFORT` scales their number (see effort.ts).
 */
const seed = process.env['FORETOKEN_SEED'] ?? '1';
/** Milliseconds after which a property fails: shrinking a large case may take hours, and the process cannot be interrupted. */
const LIMIT = 240_000 * Math.max(1, Number(process.env['FORETOKEN_EFFORT'] ?? 0));
fc.configureGlobal({
  ...(seed === 'random' ? {} : { seed: Number(seed) }),
  interruptAfterTimeLimit: LIMIT,
  markInterruptAsFailure: true,
});
