import { didYouMean, InputError, type Problem, shown } from '../../base/problem.ts';
import type { ExploreOptions } from './state-space.ts';

/**
 * Refuses limits that are none, all at once: plain JavaScript lets them through.
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
      wrong(key, `${shown(value)}: expected a whole number from 1`);
  }
  for (const key of ['memory', 'seconds'] as const) {
    const value: unknown = options[key];
    if (value !== undefined && !(typeof value === 'number' && value > 0 && Number.isFinite(value)))
      wrong(key, `${shown(value)}: expected ${key === 'memory' ? 'bytes' : 'seconds'}, more than 0`);
  }
  const { order } = options;
  if (order !== undefined && order !== 'breadth' && order !== 'depth')
    wrong('order', `${shown(order)} is no order.${didYouMean(String(order), ['breadth', 'depth'])}`);
  if (problems.length > 0) throw new InputError(problems);
}
