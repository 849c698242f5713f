/** Effort of `npm test`. */
const LOW = 0.02;
const scale = Number(process.env['FORETOKEN_EFFORT'] ?? LOW);
if (!(scale > 0)) throw new Error(`FORETOKEN_EFFORT must be a positive number, got ${process.env['FORETOKEN_EFFORT']}`);

/** Share of the cases that suites of evidence run, unless `npm run evidence` runs them whole; not below the effort of `npm test`. */
const EVIDENCE = process.env['FORETOKEN_EVIDENCE'] === '1' ? 1 : 0.05;

/** Effort of the test file that runs: modules are shared between files, so it is read at each call. */
function scaleHere(): number {
  const { filepath } = (globalThis as { __vitest_worker__?: { readonly filepath?: string } }).__vitest_worker__ ?? {};
  if (filepath?.endsWith('.evidence.test.ts') !== true) return scale;
  return Math.max(scale * EVIDENCE, Math.min(scale, LOW));
}

/** True if the cases of tests are counted, for the table of evidence-reporter.ts. */
export const COUNTS_CASES: boolean = process.env['FORETOKEN_EVIDENCE'] === '1';
let cases = 0;

/** Counts cases of the test that runs; setup.ts counts those of properties. */
export function countCases(more: number): void {
  cases += more;
}

/** Cases counted since the last call. */
export function takeCases(): number {
  const counted = cases;
  cases = 0;
  return counted;
}

/** True if property tests run all their cases, except those of suites of evidence. Statistics are asserted only then. */
export const FULL_EFFORT: boolean = scale >= 1;

/** True if a suite of evidence runs whole. */
export const ALL_EVIDENCE: boolean = EVIDENCE === 1 && scale >= 1;

/** A property of fewer cases can hold by chance. */
const LEAST = 20;
/** Fewer cases of one setting would often miss what is special about it. */
const LEAST_OF_VARIANT = 5;

/**
 * Number of cases of a property test: `full` times `FORETOKEN_EFFORT`, at least 20.
 * The default effort is 0.02 (`npm test`); `npm run test:full` sets 1; larger values search longer. Files `x.evidence.test.ts`
 * run a twentieth of it; `npm run evidence` runs all.
 *
 * @param variants number of tests that check the property in different settings: together they have at least 20 cases, each at least 5
 */
export function effort(full: number, variants = 1): number {
  const least = Math.max(Math.ceil(LEAST / variants), LEAST_OF_VARIANT);
  return Math.max(Math.min(full, least), Math.round(full * scaleHere()));
}

/** At full effort all items; else every `nth` of them, at least one. For tables of cases that take seconds each. */
export function everyNth<Item>(nth: number, items: readonly Item[]): readonly Item[] {
  return FULL_EFFORT ? items : items.filter((_, k) => k % nth === 0);
}

/** Below this effort, coverage counts say little. */
const ENOUGH = 0.1;
/** Fewer cases than this may be absent by chance where twice as many are expected. */
const RARE = 5;

/**
 * Lower limit of a coverage count, such as the number of random nets with a deadlock: `least` at full effort, half of its share from
 * a tenth of it on. −1 where few cases may miss a rare situation by chance.
 */
export function atFullEffort(least: number): number {
  const scale = scaleHere();
  if (scale >= 1) return least;
  const share = Math.floor((least * scale) / 2);
  return scale < ENOUGH || share < RARE ? -1 : share;
}
