const scale = Number(process.env['FORETOKEN_EFFORT'] ?? 0.1);
if (!(scale > 0)) throw new Error(`FORETOKEN_EFFORT must be a positive number, got ${process.env['FORETOKEN_EFFORT']}`);

/**
 * Number of cases of a property test: `full` times `FORETOKEN_EFFORT`, at least one.
 * The default effort is 0.1 (`npm test`); `npm run test:full` sets 1; larger values search longer.
 */
export function effort(full: number): number {
  return Math.max(1, Math.round(full * scale));
}
