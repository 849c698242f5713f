import { didYouMean, quote } from '../../base/problem.ts';
import { LOGGOPS, type LogGops } from './schedule.ts';

/** Parameters of LogGOPS, in the order in which they are named. */
export const LOGGOPS_NAMES = Object.keys(LOGGOPS) as readonly (keyof LogGops)[];
/** Nanoseconds and bytes: sums of them stay exact. */
export const MAX_LOGGOPS = 2 ** 40;

/**
 * Parameters in a text such as `L=2500 o=1500,g=1000`: whole nanoseconds, nanoseconds per byte, and bytes.
 *
 * @param wrong called with the expected form
 */
export function parseLogGops(text: string, wrong: (message: string) => never): Partial<LogGops> {
  const found: { -readonly [name in keyof LogGops]?: number } = {};
  for (const word of text.split(/[\s,]+/).filter((one) => one !== '')) {
    const [, name = word, value] = /^(\w+)=(.*)$/.exec(word) ?? [];
    if (!(LOGGOPS_NAMES as readonly string[]).includes(name))
      wrong(
        `unknown parameter of LogGOPS ${quote(name)}: expected ${LOGGOPS_NAMES.join(', ')}, as in L=2500.${didYouMean(name, LOGGOPS_NAMES)}`,
      );
    const number = /^\d+(?:\.\d+)?(?:e[-+]?\d+)?$/.test(value ?? '') ? Number(value) : Number.NaN;
    if (!(number <= MAX_LOGGOPS))
      wrong(`parameter ${name} of LogGOPS: expected a number from 0 to ${MAX_LOGGOPS}, got ${quote(value ?? '')}`);
    if (found[name as keyof LogGops] !== undefined)
      wrong(`parameter ${name} of LogGOPS is given twice: it has one value`);
    found[name as keyof LogGops] = number;
  }
  return found;
}

/** As `parseLogGops` reads it: `L=2500,o=1500,g=1000,G=6,O=0,S=65535`. */
export function logGopsText(parameters: LogGops): string {
  return LOGGOPS_NAMES.map((name) => `${name}=${parameters[name]}`).join(',');
}
