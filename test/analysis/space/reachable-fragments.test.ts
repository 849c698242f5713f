import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { explore } from '../../../src/analysis/space/explore.ts';
import { activityOf, reachableFragments } from '../../../src/analysis/space/reachable-fragments.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import type { Net } from '../../../src/net/net.ts';
import { lt } from '../../../src/net/terms.ts';
import { effort } from '../../effort.ts';
import { exploreReference } from '../../reference/explorer.ts';

/** What a process does from one of its places to the next. */
const work = fc.constantFrom('compute', 'serve', 'communicate', 'pass', 'lock');
type Work = typeof work extends fc.Arbitrary<infer T> ? T : never;

/** Processes that all do the same, once or in a cycle; what is `alone` only the first can do. */
const nets = fc.record({
  processes: fc.integer({ min: 1, max: 3 }),
  works: fc.array(fc.tuple(work, fc.boolean()), { minLength: 1, maxLength: 4 }),
  cyclic: fc.boolean(),
});

function netOf({ processes, works, cyclic }: typeof nets extends fc.Arbitrary<infer T> ? T : never): Net {
  const n = new NetBuilder('random');
  const P = n.range('P', 2, 1 + processes);
  const all = Array.from({ length: processes }, (_, k) => ({ p: 2 + k }));
  const ended = n.place('ended', { p: P });
  const points = works.map((_, k) => n.place(`p${k}`, { p: P }, { initial: k === 0 ? all : [] }));
  const server = n.place(
    'server',
    { who: P },
    { kind: 'operation', service: { kind: 'ps', servers: 1, time: { op: 'const', value: 1 } } },
  );
  const free = n.place('free', {}, { initial: 1 });
  n.processes(P, ended);
  works.forEach(([what, alone]: [Work, boolean], k) => {
    const [from, to] = [points[k]!, points[k + 1] ?? (cyclic ? points[0]! : ended)];
    const inside = n.place(`inside ${k}`, { p: P });
    n.transition(`begin ${k}`, (t) => {
      const { p } = t.take(from);
      t.process(p);
      if (alone) t.guard(lt(p, 3));
      if (what === 'compute' || what === 'lock') t.kind('compute');
      if (what === 'communicate') t.kind('communicate');
      if (what === 'compute' || what === 'lock' || what === 'communicate') t.delay(1);
      if (what === 'serve') t.put(server, { who: p });
      if (what === 'lock') t.take(free);
      t.put(inside, { p });
    });
    n.transition(`end ${k}`, (t) => {
      const { p } = t.take(inside);
      t.process(p);
      if (what === 'serve') t.take(server, { who: p });
      if (what === 'lock') t.put(free, {});
      t.put(to, { p });
    });
  });
  return n.build();
}

/**
 * The fragments by the definition of {@link ComputingMeter}, from the steps of the reference: a firing of kind `compute`, or a
 * token in the server, makes its process active. The sets as texts, and the largest size.
 */
function byReference(net: Net, kinds: ReadonlyMap<string, string>): { readonly sets: string[]; readonly most: number } {
  const { steps, levels, complete } = exploreReference(net, 20_000);
  expect(complete).toBe(true);
  const first = levels[0]![0]!;
  const active = new Map<string, readonly number[]>([[first, []]]);
  const queue = [first];
  for (const marking of queue)
    for (const step of steps.get(marking)!) {
      const [what, target] = step.split(' → ') as [string, string];
      const set = new Set(active.get(marking)!);
      const change = kinds.get(what.replace(/\{.*/, ''));
      const process = Number(/=(\d+)/.exec(what)![1]);
      if (change === 'begins') set.add(process);
      if (change === 'ends') set.delete(process);
      const after = [...set].sort();
      if (active.has(target)) expect(active.get(target)).toEqual(after);
      else queue.push(target);
      active.set(target, after);
    }
  const sets = [...active.values()];
  return { sets: [...new Set(sets.map(String))].sort(), most: Math.max(...sets.map((s) => s.length)) };
}

test.each(['packed', 'general'] as const)('the fragments are those of the reference (%s)', (engine) => {
  const seen = new Set<number>();
  fc.assert(
    fc.property(nets, (shape) => {
      const net = netOf(shape);
      const kinds = new Map(
        shape.works.flatMap(([what], k): [string, string][] => {
          if (what === 'serve')
            return [
              [`fire begin ${k}`, 'begins'],
              [`fire end ${k}`, 'ends'],
            ];
          if (what === 'compute' || what === 'lock')
            return [
              [`start begin ${k}`, 'begins'],
              [`end begin ${k}`, 'ends'],
            ];
          return [];
        }),
      );
      const expected = byReference(net, kinds);
      const space = explore(net, { engine });
      const found = reachableFragments(space, activityOf(net)!);
      expect(found.fragments.map((f) => f.processes.join()).sort()).toEqual(expected.sets);
      expect(found.fragments.reduce((sum, f) => sum + f.markings, 0)).toBe(space.states);
      expect(found.maximum).toBe(expected.most);
      expect(found.fragments[0]!.processes.length).toBe(found.maximum);
      expect(found.complete).toBe(true);
      seen.add(found.maximum);
    }),
    { numRuns: effort(60) },
  );
  expect(seen.size).toBeGreaterThan(1);
});

test('a truncated space gives lower bounds', () => {
  const net = netOf({ processes: 3, works: [['compute', false]], cyclic: false });
  const found = (maxStates: number) => reachableFragments(explore(net, { maxStates }), activityOf(net)!);
  expect(found(1000)).toMatchObject({ maximum: 3, complete: true });
  expect(found(1000).fragments.map((f) => f.processes.join())).toEqual([
    '2,3,4',
    '2,3',
    '2,4',
    '3,4',
    '2',
    '3',
    '4',
    '',
  ]);
  expect(found(3)).toMatchObject({ maximum: 1, complete: false });
});

test('a stopped search covers a part of the markings', () => {
  const net = netOf({ processes: 3, works: Array.from({ length: 8 }, () => ['compute', false]), cyclic: true });
  const space = explore(net);
  const found = reachableFragments(space, activityOf(net)!, () => true);
  expect(space.complete).toBe(true);
  const covered = found.fragments.reduce((sum, f) => sum + f.markings, 0);
  expect(found.complete).toBe(covered === space.states);
  expect(covered).toBeLessThan(space.states);
});

test('a net without processes has no activity', () => {
  const n = new NetBuilder('none');
  n.place('p', {}, { initial: 1 });
  expect(activityOf(n.build())).toBeUndefined();
});
