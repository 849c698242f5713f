import * as fc from 'fast-check';

/**
 * Every random thing is seeded: property tests draw the same cases each time, so that a green suite stays green.
 * `FORETOKEN_SEED=random` draws others, `FORETOKEN_SEED=N` those of a seed; `FORETOKEN_RUNS` says how many.
 */
const seed = process.env['FORETOKEN_SEED'] ?? '1';
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) });
