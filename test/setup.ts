import * as fc from 'fast-check';

/**
 * Seeds property tests, so that every run draws the same cases. `FORETOKEN_SEED=random` draws new cases, `FORETOKEN_SEED=N`
 * those of seed N; `FORETOKEN_EFFORT` scales their number (see effort.ts).
 */
const seed = process.env['FORETOKEN_SEED'] ?? '1';
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) });
