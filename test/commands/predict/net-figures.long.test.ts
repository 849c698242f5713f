import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exploreFile } from '../../../src/commands/explore/explore.ts';
import { predictFile } from '../../../src/commands/predict/predict.ts';
import { explore, exponential, fcfs, type Net, NetBuilder, predict, structure, verify } from '../../../src/index.ts';

/** An M/M/c queue: arrivals with a rate, c servers with rate 1. */
function queue(rate: number, servers = 1): Net {
  const n = new NetBuilder('queue');
  const desk = n.place('desk', {}, { service: fcfs({ time: exponential(1), servers }), kind: 'resource' });
  n.transition('arrive', (t) => {
    t.race({ delay: exponential(rate) });
    t.put(desk, {});
  });
  n.transition('leave', (t) => t.take(desk));
  return n.build();
}

describe('figures of a queue', () => {
  // Kleinrock, Queueing Systems 1, 1975: utilisation rho, mean rho / (1 - rho) for one server.
  it.each([0.2, 0.5, 0.7])('M/M/1 at utilisation %f', (rho) => {
    const { places, transitions } = predict(queue(rho), { until: 200_000 });
    expect(places![0]!.utilisation).toBeCloseTo(rho, 1);
    expect(places![0]!.mean! / (rho / (1 - rho))).toBeCloseTo(1, 0.7);
    expect(transitions!.map((t) => t.rate! / rho)).toEqual([expect.closeTo(1, 1), expect.closeTo(1, 1)]);
  });

  it('M/M/2', () => {
    const rho = 0.5;
    const { places } = predict(queue(2 * rho, 2), { until: 200_000 });
    expect(places![0]!.utilisation).toBeCloseTo(rho, 1);
    expect(places![0]!.mean! / ((2 * rho) / (1 - rho ** 2))).toBeCloseTo(1, 0.7);
  });

  it('has nothing meaningless', () => {
    const document = predict(queue(0.5), { until: 10 });
    expect(Object.keys(document.figures)).toEqual(['runTime']);
    expect(document).not.toHaveProperty('profile');
    expect(document.options).not.toHaveProperty('ranks');
  });

  it('a station whose tokens wait after service has no utilisation', () => {
    const n = new NetBuilder('held');
    const desk = n.place('desk', {}, { service: fcfs({ time: exponential(1) }), initial: 1 });
    const key = n.place('key', {});
    n.transition('leave', (t) => {
      t.take(desk);
      t.take(key);
    });
    expect(predict(n.build(), { until: 10 }).places![0]).not.toHaveProperty('utilisation');
  });

  it('lasting transitions: mean number in progress, and the share of time with any', () => {
    const n = new NetBuilder('work');
    const todo = n.place('todo', {}, { initial: 2 });
    n.transition('work', (t) => {
      t.take(todo);
      t.delay(3);
    });
    n.transition('wait', (t) => {
      t.race({ delay: 12 });
    });
    const [work] = predict(n.build(), { until: 12 }).transitions!;
    expect(work).toEqual({ name: 'work', firings: 2, rate: 2 / 12, inProgress: 0.5, utilisation: 0.25 });
  });
});

describe('replications of a net', () => {
  const race = (): Net => {
    const n = new NetBuilder('one');
    const p = n.place('p', {}, { initial: 1 });
    n.transition('t', (t) => {
      t.take(p);
      t.delay(exponential(1));
    });
    return n.build();
  };

  it('are independent runs; replication 0 is the run itself', () => {
    const { replications } = predict(race(), { replications: 200 });
    expect(new Set(replications!.seconds).size).toBe(200);
    expect(replications!.seconds[0]).toBe(predict(race()).figures.runTime.value);
    expect(Math.abs(replications!.mean - 1)).toBeLessThan((3 * replications!.deviation!) / Math.sqrt(200));
  });

  it('a precision needs random parts', () => {
    const n = new NetBuilder('exact');
    n.place('p', {}, { initial: 1 });
    expect(() => predict(n.build(), { precision: '1%' })).toThrow('APP024');
  });

  it('a precision is refused where a time ends every run', () => {
    const options = { precision: '1%' } as const;
    expect(() => predict(race(), { ...options, until: 1e-3 })).toThrow(
      /APP024 .*ends at the requested time in every run/,
    );
    expect(predict(race(), { ...options, until: 1e9, replications: 20 }).replications!.count).toBe(20);
  });
});

describe('a module that exports a net', () => {
  const folder = mkdtempSync(join(tmpdir(), 'foretoken-net-'));
  const path = join(folder, 'net.mjs');

  it('is predicted and explored as the net itself', async () => {
    writeFileSync(path, `export const net = ${JSON.stringify(plainNet())};`);
    const document = await predictFile(path, {});
    expect(document.firings).toEqual(predict(plainNet()).firings);
    expect(document.inputs.model!.path).toMatch(/net\.mjs$/);
    const space = await exploreFile(path, {});
    expect(space.figures).toEqual(explore(plainNet()).figures);
    expect((await structure(path)).figures).toEqual((await structure(plainNet())).figures);
    expect(verify(plainNet(), ['deadlock-free']).properties[0]!.verdict).toBe(false);
  });

  it('the builder instead of its net names build()', async () => {
    const builder = join(folder, 'builder.mjs');
    writeFileSync(builder, 'class NetBuilder {} export default new NetBuilder();');
    await expect(predictFile(builder, {})).rejects.toThrow(/APP022 .*build\(\)/);
  });
});

function plainNet(): Net {
  const n = new NetBuilder('plain');
  const p = n.place('p', {}, { initial: 3 });
  n.transition('t', (t) => t.take(p));
  return n.build();
}
