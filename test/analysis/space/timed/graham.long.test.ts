import { describe, expect, test } from 'vitest';
import { simulate } from '../../../../src/analysis/simulate.ts';
import { type RunTimes, runTimes } from '../../../../src/analysis/space/timed/run-times.ts';
import type { Net } from '../../../../src/net/net.ts';
import { netOf, num, take } from '../../../reference/nets.ts';

const put = (place: string) => ({ place, values: {}, count: num(1) });

/** Tasks on equal machines: each takes a machine for its time, and starts once those before it have ended. */
function tasks(machines: number, times: readonly number[], before: readonly (readonly [number, number])[]): Net {
  const arc = ([a, b]: readonly [number, number]): string => `${a} before ${b}`;
  const places = [...before.map(arc), ...times.map((_, k) => `ready ${k + 1}`)];
  return netOf({
    places: {
      machine: { tokens: machines },
      ...Object.fromEntries(places.map((p) => [p, p.startsWith('ready') ? { tokens: 1 } : {}])),
    },
    transitions: Object.fromEntries(
      times.map((time, k) => [
        `task ${k + 1}`,
        {
          inputs: [
            take('machine'),
            take(`ready ${k + 1}`),
            ...before.filter(([, b]) => b === k + 1).map((pair) => take(arc(pair))),
          ],
          outputs: [put('machine'), ...before.filter(([a]) => a === k + 1).map((pair) => put(arc(pair)))],
          delay: num(time),
        },
      ]),
    ),
  });
}

function seconds({ shortest, longest }: RunTimes): (number | undefined)[] {
  return [shortest?.seconds, longest?.seconds];
}

/**
 * R. L. Graham, Bounds on multiprocessing timing anomalies, SIAM J. Appl. Math. 17 (1969), §1: tasks T1 … T9 in the order of
 * this list. Shorter tasks, fewer constraints and a fourth machine each make the run longer.
 */
describe("Graham's anomalies", () => {
  const times = [3, 2, 2, 2, 4, 4, 4, 4, 9];
  const before = [[1, 9], ...[5, 6, 7, 8].map((b) => [4, b])] as [number, number][];
  const freer = before.filter(([, b]) => b !== 5 && b !== 6);
  const shorter = times.map((t) => t - 1);

  test.each([
    ['as given', tasks(3, times, before), 12, [12, 18]],
    ['four machines', tasks(4, times, before), 15, [12, 15]],
    ['each task a second shorter', tasks(3, shorter, before), 13, [10, 14]],
    ['without two constraints', tasks(3, times, freer), 16, [12, 18]],
  ] as const)('published times and those of all orders: %s', (_, net, published, allOrders) => {
    expect(seconds(runTimes(net))).toEqual(allOrders);
    // The list as priorities leaves one order but for equal choices.
    const listed = { ...net, transitions: net.transitions.map((t, k) => ({ ...t, priority: -k })) };
    expect(seconds(runTimes(listed))).toEqual([published, published]);
    expect(simulate(listed).time).toBe(published);
  });
});

test('two jobs of 1 and 3 seconds, then 2 seconds after the longer one, on two machines and on one', () => {
  const of = (machines: number): Net => tasks(machines, [1, 3, 2], [[2, 3]]);
  expect(seconds(runTimes(of(2)))).toEqual([5, 5]);
  expect(seconds(runTimes(of(1)))).toEqual([6, 6]);
});
