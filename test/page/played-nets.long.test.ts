import { describe, expect, it } from 'vitest';
import { view } from '../../src/commands/view/view.ts';
import { fcfs, lcfsPr, NetBuilder, processorSharing } from '../../src/index.ts';
import type { Net } from '../../src/net/net.ts';
import { everyNth } from '../effort.ts';
import { referenceRun } from '../reference/token-game.ts';
import { closesBrowser, HAS_BROWSER, opened, settled } from './browser.ts';

const built = (make: (n: NetBuilder) => void): Net => {
  const n = new NetBuilder('played');
  make(n);
  return n.build();
};

/** Four jobs go from `wait` through `step` to `done`. */
function jobs(n: NetBuilder) {
  const Job = n.range('Job', 0, 3);
  const wait = n.place('wait', { j: Job }, { initial: [0, 1, 2, 3].map((j) => ({ j })) });
  return { Job, wait, done: n.place('done', { j: Job }) };
}

const NETS: readonly (readonly [rule: string, net: Net])[] = [
  [
    'priorities',
    built((n) => {
      const { wait, done } = jobs(n);
      for (const [priority, name] of ['slow', 'middle', 'urgent'].entries())
        n.transition(name, (t) => {
          const { j } = t.take(wait, priority === 0 ? {} : { j: priority });
          t.priority(priority);
          t.put(done, { j });
        });
    }),
  ],
  [
    'inhibitor arcs',
    built((n) => {
      const { wait, done } = jobs(n);
      const stop = n.place('stop', {});
      n.transition('go', (t) => {
        const { j } = t.take(wait);
        t.inhibit(stop);
        t.put(done, { j });
      });
      n.transition('stops', (t) => {
        t.take(done, { j: 2 });
        t.put(stop, {});
      });
      n.transition('goes on', (t) => {
        t.delay(3);
        t.take(stop);
        t.put(done, { j: 0 });
      });
    }),
  ],
  [
    'capacities',
    built((n) => {
      const { Job, wait, done } = jobs(n);
      const desk = n.place('desk', { j: Job }, { capacity: 2 });
      n.transition('enter', (t) => t.put(desk, { j: t.take(wait).j }));
      n.transition('leave', (t) => {
        const { j } = t.take(desk);
        t.delay(2);
        t.put(done, { j });
      });
    }),
  ],
  ...(
    [
      ['several servers, first come, first served', fcfs({ servers: 2, time: 2 })],
      ['last come, first served', lcfsPr({ servers: 1, time: 2 })],
      ['shared processors', processorSharing({ servers: 2, time: 2 })],
    ] as const
  ).map(
    ([rule, service]) =>
      [
        rule,
        built((n) => {
          const { Job, wait, done } = jobs(n);
          const desk = n.place('desk', { j: Job }, { service });
          n.transition('enter', (t) => {
            const { j } = t.take(wait);
            t.delay(1);
            t.put(desk, { j });
          });
          n.transition('leave', (t) => t.put(done, { j: t.take(desk).j }));
        }),
      ] as const,
  ),
  ...(['enabling', 'age', 'resampling'] as const).map(
    (memory) =>
      [
        `a race with memory ${memory}`,
        built((n) => {
          const { wait, done } = jobs(n);
          const power = n.place('power', {}, { initial: 1 });
          const off = n.place('off', {});
          n.transition('works', (t) => {
            const { j } = t.take(wait);
            t.read(power);
            t.race({ delay: 5, memory, servers: 2 });
            t.put(done, { j });
          });
          for (const [name, from, to, delay] of [
            ['fails', power, off, 3],
            ['is repaired', off, power, 1],
          ] as const)
            n.transition(name, (t) => {
              t.take(from);
              t.race({ delay });
              t.put(to, {});
            });
          // Choices by hand, while clocks run.
          for (const [name, from, to] of [
            ['switch off', power, off],
            ['switch on', off, power],
          ] as const)
            n.transition(name, (t) => {
              t.take(from);
              t.take(done);
              t.put(to, {});
            });
        }),
      ] as const,
  ),
];

/** Choices in a game. */
const CHOICES = 12;

describe.skipIf(!HAS_BROWSER)('a net that is played by hand in a page', () => {
  closesBrowser();

  it.each(everyNth(3, NETS))('follows the reference engine in its %s, forwards and back', async (_, net) => {
    const pick = (k: number, count: number): number => (5 * k + 3) % count;
    const wanted: { labels: string[]; marking: string[][]; time: number }[] = [];
    referenceRun(net, {
      pick: (candidates, now) => {
        wanted.push({
          labels: candidates.map(({ transition, binding }) => {
            const values = Object.entries(binding).map(([name, value]) => `${name}=${value}`);
            return values.length === 0 ? transition.name : `${transition.name}(${values.join(', ')})`;
          }),
          marking: Object.entries(now.marking).map(([place, tokens]) => [place, String(tokens.length)]),
          time: now.time,
        });
        return wanted.length > CHOICES ? -1 : pick(wanted.length - 1, candidates.length);
      },
    });
    expect(wanted.length).toBeGreaterThan(3);

    const { page, faults } = await opened((await view(net)).html);
    const list = page.getByRole('list', { name: 'Enabled bindings', exact: true });
    const seen = async () => {
      await settled(page);
      const labels = await list.getByRole('listitem').allTextContents();
      const rows = await page
        .getByRole('table', { name: 'Marking', exact: true })
        .locator('[data-place]')
        .evaluateAll((all) =>
          all.map((row) => ['place', 'count', 'time'].map((key) => row.getAttribute(`data-${key}`)!)),
        );
      return {
        labels: labels.map((label) => label.trim()),
        marking: rows.map((row) => row.slice(0, 2)).sort(),
        time: Number(rows[0]![2]),
      };
    };
    const same = (found: Awaited<ReturnType<typeof seen>>, k: number): void => {
      const { labels, marking, time } = wanted[k]!;
      expect(found.labels, `choice ${k}`).toEqual(labels);
      expect(found.time, `choice ${k}`).toBeCloseTo(time, 12);
      expect(found.marking, `choice ${k}`).toEqual(marking.sort());
    };
    for (let k = 0; k < wanted.length; k++) {
      same(await seen(), k);
      if (k + 1 === wanted.length) break;
      await list.getByRole('radio').nth(pick(k, wanted[k]!.labels.length)).check();
      await page.getByRole('button', { name: 'Fire', exact: true }).click();
    }
    for (let k = wanted.length - 2; k >= 0; k--) {
      await page.getByRole('button', { name: 'Step back', exact: true }).click();
      same(await seen(), k);
    }
    expect(faults).toEqual([]);
  });
});
