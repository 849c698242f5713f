import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TokenGame } from '../../src/analysis/game/token-game.ts';
import { simulate } from '../../src/analysis/simulate.ts';
import { capacityMean, nextChange, profileMean, profileValue } from '../../src/net/link-profile.ts';
import type { LinkProfile, Net, ServiceLink } from '../../src/net/net.ts';
import { effort } from '../effort.ts';
import { referenceRun } from '../reference/token-game.ts';
import { changingLinks, type Message, netOfMessages } from './changing-links.ts';

/** When each message is served; undefined if it never is. */
function servedAt(net: Net, count: number): (number | undefined)[] {
  const ends: (number | undefined)[] = Array(count).fill(undefined);
  for (const { time, transition, binding } of simulate(net, { record: 'all' }).events)
    if (transition === 'done') ends[binding['m']!] = time;
  return ends;
}

const link = (profiles: readonly LinkProfile[], more: Partial<ServiceLink> = {}): ServiceLink => ({
  name: 'link',
  capacity: 2,
  fatpipe: false,
  profiles,
  ...more,
});
const message = (more: Partial<Message> = {}): Message => ({
  at: 0,
  amount: 10,
  weight: 1,
  bound: Number.POSITIVE_INFINITY,
  crosses: [{ link: 0, coefficient: 1 }],
  wait: 0,
  ...more,
});
const served = (profiles: readonly LinkProfile[], messages: readonly Message[], more?: Partial<ServiceLink>) =>
  servedAt(netOfMessages([link(profiles, more)], messages), messages.length);

describe('a link that changes over time, by hand', () => {
  test('a change of the capacity slows a token that is under way', () => {
    // 4 units until 2 s, the other 6 at rate 1.
    expect(served([{ of: 'capacity', times: [2], values: [0.5] }], [message()])).toEqual([8]);
  });

  test('a profile repeats after its period, counted from 0', () => {
    const halves: LinkProfile = { of: 'capacity', times: [1, 2], values: [0.5, 1], period: 4 };
    // Rates: 2, 1, 2, 2 in each 4 s: 7 units; the other 3 take 2 + 1.
    expect(served([halves], [message()])).toEqual([6]);
  });

  test('changes while no token is there count when one comes', () => {
    const halves: LinkProfile = { of: 'capacity', times: [1, 2], values: [0.5, 1], period: 4 };
    // From 1000001 s on: rate 1 for a second, then 2 for three seconds, then 1 for a second.
    expect(served([halves], [message({ at: 1_000_001, amount: 8 })])).toEqual([1_000_006]);
  });

  test('the latency is that at the arrival of a token, times its factor', () => {
    const later: LinkProfile = { of: 'latency', times: [1, 5], values: [1, 3] };
    const at = (time: number): Message => message({ at: time, amount: 2, wait: 0.5 });
    expect(served([later], [at(0), at(2), at(6)])).toEqual([1.5, 5.5, 13.5]);
  });

  test('a link that fails loses tokens that cross it, wait for it or come while it is down', () => {
    const down: LinkProfile = { of: 'state', times: [3, 5], values: [0, 1] };
    const messages = [
      message({ amount: 2 }),
      message({ amount: 20 }),
      message({ at: 2, wait: 10 }),
      message({ at: 4 }),
      message({ at: 6 }),
    ];
    expect(served([down], messages)).toEqual([2, undefined, undefined, undefined, 11]);
  });

  test('tokens without work are lost, too', () => {
    const down: LinkProfile = { of: 'state', times: [3], values: [0] };
    expect(served([down], [message({ amount: 0 }), message({ at: 4, amount: 0 })])).toEqual([0, undefined]);
  });

  test('a run without an end of its links ends when its tokens have been served', () => {
    const always: LinkProfile = { of: 'capacity', times: [0.5], values: [0.5], period: 1 };
    expect(simulate(netOfMessages([link([always])], [message({ amount: 1 })])).time).toBe(0.5);
  });

  test('cores: each of two computations has the present speed of its core', () => {
    const slower: LinkProfile = { of: 'capacity', times: [1], values: [0.5] };
    const cores = { capacity: 2, byTokens: [1, 2] };
    expect(served([slower], [message({ amount: 2 }), message({ amount: 3 })], cores)).toEqual([3, 5]);
  });

  test('with a cap, rates stay at most those that links allowed on arrival', () => {
    const faster: LinkProfile = { of: 'capacity', times: [1], values: [1], initial: 0.5 };
    const follow = { capped: true, weightByLatency: 0, weightByCapacity: 0, boundByLatency: 0 };
    expect(served([faster], [message()])).toEqual([5.5]);
    expect(servedAt(netOfMessages([link([faster])], [message()], follow), 1)).toEqual([10]);
  });

  test('a bound whose inverse falls to 0 or below is no bound', () => {
    const follow = { capped: false, weightByLatency: 0, weightByCapacity: 0, boundByLatency: 5 };
    // It shares the link from 1 s on. 1 / bound is 2 until 3 s, then -0.5 or 0.
    for (const value of [0, 0.1]) {
      const faster: LinkProfile = { of: 'latency', times: [3], values: [value], initial: 0.5 };
      const net = netOfMessages([link([faster])], [message({ bound: 0.5 })], follow);
      const game = new TokenGame(net);
      for (let firing = 0; firing < 2; firing++) game.fire(0);
      const ends = [servedAt(net, 1)[0]!, referenceRun(net).time, game.time];
      for (const end of ends) expect(end).toBeCloseTo(7.5, 12);
    }
  });

  test('means of profiles', () => {
    const halves: LinkProfile = { of: 'capacity', times: [1, 2], values: [0.5, 1], period: 4 };
    expect(profileMean(halves, 4)).toBe(0.875);
    expect(profileMean(halves, 4001.5)).toBeCloseTo((0.875 * 4000 + 1.25) / 4001.5, 12);
    expect([0, 1, 2, 5, 6].map((t) => profileValue(halves, t))).toEqual([1, 0.5, 1, 0.5, 1]);
    expect([0, 1, 2, 5.5].map((t) => nextChange(halves, t))).toEqual([1, 2, 5, 6]);
    const down: LinkProfile = { of: 'state', times: [3], values: [0] };
    expect(capacityMean(link([halves, down]), 4)).toBe((1 + 0.5 + 1) / 4);
  });
});

test('engine and reference agree on random links that change', () => {
  fc.assert(
    fc.property(changingLinks, ({ links, messages, follow }) => {
      const net = netOfMessages(links, messages, follow);
      const found = servedAt(net, messages.length);
      const expected: (number | undefined)[] = Array(messages.length).fill(undefined);
      for (const { time, transition, binding } of referenceRun(net).trace)
        if (transition === 'done') expected[binding['m']!] = time;
      found.forEach((time, m) => {
        if (time === undefined || expected[m] === undefined) expect(time, `message ${m}`).toBe(expected[m]);
        else expect(Math.abs(time - expected[m]), `message ${m}`).toBeLessThan(1e-9 * (1 + time));
      });
    }),
    { numRuns: effort(3000) },
  );
});

test('a profile has the value of an entry at the time of the entry, in every repetition', () => {
  let entries = 0;
  fc.assert(
    fc.property(changingLinks, ({ links }) => {
      for (const profile of links.flatMap(({ profiles = [] }) => profiles)) {
        // Of entries with one time, the last one holds.
        const values = profile.values.filter((_, k) => profile.times[k] !== profile.times[k + 1]);
        let time = -1;
        for (let k = 0; k < 12; k++) {
          time = nextChange(profile, time);
          if (time === Number.POSITIVE_INFINITY) break;
          expect(profileValue(profile, time)).toBe(values[k % values.length]);
          entries++;
        }
      }
    }),
    { numRuns: effort(1000) },
  );
  expect(entries).toBeGreaterThan(20);
});
