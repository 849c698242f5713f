const scale = Number(process.env['FORETOKEN_EFFORT'] ?? 0.02);
if (!(scale > 0)) throw new Error(`FORETOKEN_EFFORT must be a positive number, got ${process.env['FORETOKEN_EFFORT']}`);

/** True if property tests run all their cases. Statistics over the cases are asserted only then. */
export const FULL_EFFORT: boolean = scale >= 1;

/**
 * Number of cases of a property test: `full` times `FORETOKEN_EFFORT`, at least one.
 * The default effort is 0.02 (`npm test`); `npm run test:full` sets 1; larger values search longer.
 */
export function effort(full: number): number {
  return Math.max(1, Math.round(full * scale));
}

/**
 * Lower limit of a coverage count, such as the number of random nets with a deadlock: `least` at full effort, −1 below it,
 * where few cases may miss a rare situation by chance.
 */
export function atFullEffort(least: number): number {
  return FULL_EFFORT ? least : -1;
}
