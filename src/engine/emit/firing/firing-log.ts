/*
 * Sample:
 * const p = place('p'); fires((t) => t.take(p)); options({ log: { transitions: { t: { start: 1 } }, read() {} } });
 * →
 *   const n = logged; logHeads[n << 1] = 1; logHeads[(n << 1) + 1] = v0;
 *   log[n + 1] = now; logged = n + 2; }
 */
import { LOGGED_AT_ONCE, loggedLength } from '../../../base/logged-firings.ts';
import { didYouMean, fail, shown } from '../../../base/problem.ts';
import type { LogNumbers } from '../../observers.ts';
import { type TransitionPlan, variableNames } from '../bindings/plan.ts';
import { isWide } from '../bindings/range.ts';
import type { Emission } from '../emission.ts';
import { literal } from '../expression.ts';
import type { FiringScope } from './firing-scope.ts';

/** The logged event of a firing: its start (the whole firing if it has no duration) or its end. */
export type Logged = 'start' | 'end';

/** Code that declares the log of firings, if any are logged: it has room for one block, or for the longest firing. */
export function emitLog(e: Emission): string {
  if (e.options.logged.size === 0) return '';
  const lengths = e.plans.map((p) => loggedLength(loggedNames(p, e.options.logged.get(p.transition.name)).length));
  const room = Math.max(LOGGED_AT_ONCE, ...lengths);
  return `declare function readLog(); const LOG_ROOM = ${room}; let log: nums = nums(${room}); let logHeads: ints = view(log); let logged: int = 0;`;
}

/** The variables logged for a start or an end; empty if that event is not logged. */
export function loggedVariables(e: Emission, plan: TransitionPlan, what: Logged): readonly string[] {
  const numbers = e.options.logged.get(plan.transition.name);
  return numbers?.[what] === undefined ? [] : loggedNames(plan, numbers);
}

/**
 * Code that appends a start or an end to the log of firings.
 *
 * @throws InputError SIM001 for an unknown variable; SIM003 if the first variable is not a 32-bit integer
 */
export function logFiring(e: Emission, plan: TransitionPlan, what: Logged, { scope }: FiringScope): string {
  const number = e.options.logged.get(plan.transition.name)?.[what];
  if (number === undefined) return '';
  const logged = loggedVariables(e, plan, what);
  if (logged.length > 0 && isWide(scope.ranges.get(logged[0]!)!))
    fail(
      'SIM003',
      `first in a log of ${shown(plan.transition.name)}, ${shown(logged[0])} must be of a colour of 32 bits`,
      {
        part: 'compile',
      },
    );
  const [first = '0', ...others] = logged.map((v) => scope.names.get(v)!);
  const length = loggedLength(logged.length);
  return `{ if (logged > LOG_ROOM - ${length}) { readLog(); logged = 0; }
const n = logged; logHeads[n << 1] = ${literal(number)}; logHeads[(n << 1) + 1] = ${first};
${['now', ...others].map((v, k) => `log[n + ${k + 1}] = ${v};`).join(' ')} logged = n + ${length}; }`;
}

function loggedNames(plan: TransitionPlan, numbers: LogNumbers | undefined): readonly string[] {
  const names = variableNames(plan);
  if (numbers === undefined) return [];
  const { variables } = numbers;
  if (typeof variables !== 'object') return names.slice(0, variables);
  for (const v of variables)
    if (!names.includes(v))
      fail('SIM001', `unknown variable ${shown(v)}.${didYouMean(String(v), names)}`, { part: 'compile' });
  return variables;
}
