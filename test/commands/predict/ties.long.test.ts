import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { predict } from '../../../src/commands/predict/predict.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { netToJson } from '../../../src/net/json/json.ts';
import type { Net } from '../../../src/net/net.ts';
import { effort } from '../../effort.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-ties-'));
afterAll(() => rmSync(folder, { recursive: true }));

const tiesOf = (net: Net): readonly string[] => {
  const file = join(folder, 'net.json');
  writeFileSync(file, netToJson(net));
  return predict(file, { maxSteps: 1000 })
    .warnings.filter((w) => w.code === 'APP050')
    .map((w) => w.message);
};

interface Choice {
  readonly names: readonly [string, string];
  readonly weights?: readonly [number, number];
  readonly priorities?: readonly [number, number];
  readonly delays?: readonly [number, number];
}

/** A loop with a choice: a token takes one of two ways back, each after a second. */
function loop({ names, weights, priorities, delays }: Choice): Net {
  const n = new NetBuilder('loop');
  const p = n.place('p', {}, { initial: 1 });
  names.forEach((name, k) => {
    const way = n.place(`way ${name}`, {});
    n.transition(name, (t) => {
      t.take(p);
      if (weights !== undefined) t.weight(weights[k]!);
      if (priorities !== undefined) t.priority(priorities[k]!);
      if (delays !== undefined) t.race({ delay: delays[k]! });
      t.put(way, {});
    });
    n.transition(`back ${name}`, (t) => {
      t.take(way);
      t.delay(1);
      t.put(p, {});
    });
  });
  return n.build();
}

describe('ties of a net', () => {
  test('a free choice by names is reported, whatever the names are', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z]{1,6}$/), { minLength: 2, maxLength: 2 }), (names) => {
        const [message, ...more] = tiesOf(loop({ names: names as [string, string] }));
        expect(more).toEqual([]);
        expect(message).toMatch(/^names decide ties, and the figures are one of several possible results: /);
        for (const name of names) expect(message).toContain(`"${name}"`);
      }),
      { numRuns: effort(300) },
    );
  });

  test('weights, priorities and times decide without a tie', () => {
    const names = ['a', 'b'] as const;
    expect(tiesOf(loop({ names, weights: [1, 2] }))).toEqual([]);
    expect(tiesOf(loop({ names, priorities: [1, 2] }))).toEqual([]);
    expect(tiesOf(loop({ names, delays: [1, 2] }))).toEqual([]);
    expect(tiesOf(loop({ names, delays: [2, 2] }))).toHaveLength(1);
  });

  test('transitions that take the same tokens in turn have no tie', () => {
    const n = new NetBuilder('turns');
    const lock = n.place('lock', {}, { initial: 1 });
    const [a, b] = [n.place('a', {}, { initial: 5 }), n.place('b', {})];
    n.transition('take', (t) => {
      t.take(lock);
      t.take(a);
      t.delay(1);
      t.put(lock, {});
      t.put(b, {});
    });
    n.transition('end', (t) => {
      t.take(lock);
      for (let k = 0; k < 5; k++) t.take(b);
    });
    expect(tiesOf(n.build())).toEqual([]);
  });
});
