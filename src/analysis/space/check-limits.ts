import { didYouMean, fail, InputError, type Problem, shown } from '../../base/problem.ts';
import type { ExploreOptions } from './state-space.ts';

/** Bytes that a command needs in addition to the process's memory at start. */
const ROOM = 24 * 2 ** 20;
/** The stated minimum is rounded up to a multiple of this. */
const STEP = 8 * 2 ** 20;

/** Smallest accepted memory limit in bytes: the current memory of the process plus working space. */
export function minMemory(): number {
  return Math.ceil((process.memoryUsage.rss() + ROOM) / STEP) * STEP;
}

/** Error message for a memory limit below the minimum. */
export function tooLittle(memory: number, minimum: number): string {
  return `expected at least ${minimum / 2 ** 20}MiB, which the process needs to start, got ${memory} bytes`;
}

/**
 * Rejects invalid limits, reporting all of them at once. Needed for callers without type checking.
 *
 * @throws InputError EXPL005
 */
export function checkLimits(options: ExploreOptions): void {
  const problems: Problem[] = [];
  const wrong = (part: string, message: string): void =>
    void problems.push({ code: 'EXPL005', message, place: { part } });
  for (const key of ['maxStates', 'workers'] as const) {
    const value: unknown = options[key];
    if (value !== undefined && !(Number.isSafeInteger(value) && Number(value) >= 1))
      wrong(key, `expected an integer >= 1, got ${shown(value)}`);
  }
  for (const key of ['memory', 'seconds'] as const) {
    const value: unknown = options[key];
    if (value !== undefined && !(typeof value === 'number' && value > 0 && Number.isFinite(value)))
      wrong(key, `expected ${key === 'memory' ? 'bytes' : 'seconds'} > 0, got ${shown(value)}`);
  }
  const { memory } = options;
  if (memory !== undefined && problems.length === 0) {
    const minimum = minMemory();
    if (memory < minimum) wrong('memory', tooLittle(memory, minimum));
  }
  const { order } = options;
  if (order !== undefined && order !== 'breadth' && order !== 'depth')
    wrong('order', `unknown order ${shown(order)}.${didYouMean(String(order), ['breadth', 'depth'])}`);
  if (problems.length > 0) throw new InputError(problems);
}

/** Maximum tokens of one colour in a place, and of a marking in the general explorer: counts have 32 bits. */
export const MAX_TOKENS: number = 2 ** 31 - 1;

/** @throws InputError RUN013 */
export function tooManyTokens(part: string, max: number = MAX_TOKENS): never {
  fail('RUN013', `more than ${max} tokens in a marking, the supported maximum`, { part });
}
