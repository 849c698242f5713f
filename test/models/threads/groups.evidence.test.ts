import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { runThreads } from '../../../src/commands/predict/threads/run-threads.ts';
import { NO_COSTS } from '../../../src/models/threads/costs.ts';
import type { ThreadMachine } from '../../../src/models/threads/net/ports.ts';
import { isCooperative, isPool, SCHEDULERS, threadNet } from '../../../src/models/threads/net/thread-net.ts';
import { POOL_KINDS } from '../../../src/models/threads/net/worker-stacks.ts';
import { type ThreadModel, threads } from '../../../src/models/threads/program/threads.ts';
import { speedupBounds, workSpan } from '../../../src/models/threads/work-span.ts';
import { effort } from '../../effort.ts';

/**
 * Every construct waits for its own strands only. With enough workers and no costs, the run time of a program of loops, sections,
 * tasks, `sync` and `get` then follows from its text.
 */
type Node =
  | { readonly kind: 'compute'; readonly time: number }
  | { readonly kind: 'sync' | 'get' }
  | { readonly kind: 'spawn' | 'region'; readonly body: readonly Node[] }
  | { readonly kind: 'team'; readonly n: number; readonly body: readonly Node[] }
  | {
      readonly kind: 'loop';
      readonly n: number;
      readonly grain: number;
      readonly body: readonly Node[];
    };

const { body: bodies } = fc.letrec<{ body: readonly Node[]; node: Node }>((tie) => ({
  body: fc.array(tie('node'), { maxLength: 4, depthIdentifier: 'groups' }),
  node: fc.oneof(
    { depthSize: 'small', depthIdentifier: 'groups', maxDepth: 4 },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('compute' as const), time: fc.integer({ min: 1, max: 9 }) }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('sync' as const, 'get' as const) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('spawn' as const), body: tie('body') }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('region' as const), body: tie('body') }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('team' as const),
        n: fc.integer({ min: 1, max: 3 }),
        body: tie('body'),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('loop' as const),
        n: fc.nat(5),
        grain: fc.integer({ min: 1, max: 3 }),
        body: tie('body'),
      }),
    },
  ),
}));
const programs = fc.array(bodies, { minLength: 1, maxLength: 2 }).map((parts) => parts.flat());

/** Iterations and threads differ in their times. */
const scaled = (time: number, k: number): number => time * (1 + (k % 3));

/** The end of a block that begins at a time, with enough processors. */
function endOf(nodes: readonly Node[], begin: number, k: number): number {
  const own = { now: begin, tasks: [] as number[], last: undefined as number | undefined };
  steps(nodes, k, own);
  return Math.max(own.now, ...own.tasks);
}

function steps(
  nodes: readonly Node[],
  k: number,
  own: { now: number; tasks: number[]; last: number | undefined },
): void {
  for (const node of nodes)
    switch (node.kind) {
      case 'compute':
        own.now += scaled(node.time, k);
        break;
      case 'sync':
        own.now = Math.max(own.now, ...own.tasks);
        own.tasks = [];
        break;
      case 'get':
        own.now = Math.max(own.now, own.last ?? 0);
        break;
      case 'spawn':
        own.last = endOf(node.body, own.now, k);
        own.tasks.push(own.last);
        break;
      case 'region': {
        const inner = { ...own, last: undefined };
        steps(node.body, k, inner);
        own.now = inner.now;
        own.tasks = inner.tasks;
        break;
      }
      case 'team':
      case 'loop': {
        const begins =
          node.kind === 'team'
            ? Array.from({ length: node.n }, (_, thread) => thread)
            : Array.from({ length: Math.ceil(node.n / node.grain) }, (_, chunk) => chunk * node.grain);
        own.now = Math.max(own.now, ...begins.map((first) => endOf(node.body, own.now, first)));
        break;
      }
    }
}

// biome-ignore lint/suspicious/noExplicitAny: builders and states of all constructs
type Any = any;

function modelOf(nodes: readonly Node[], spawning: 'linear' | 'recursive'): ThreadModel {
  return threads({
    name: 'random',
    build(t) {
      let names = 0;
      const emit = (b: Any, body: readonly Node[], name: string): void => {
        let last: unknown;
        for (const node of body)
          switch (node.kind) {
            case 'compute':
              b.compute({ seconds: (s: Any) => scaled(node.time, name === '' ? 0 : s[name]) });
              break;
            case 'sync':
              b.sync();
              break;
            case 'get':
              if (last !== undefined) b.get(last);
              break;
            case 'spawn': {
              const task = `task ${names++}`;
              t.task(task, { k: 0 }, (c) => emit(c, node.body, 'k'));
              last = b.spawn(task, { k: (s: Any) => (name === '' ? 0 : s[name]) });
              break;
            }
            case 'region':
              b.region(`region ${names++}`, () => emit(b, node.body, name));
              break;
            case 'team':
              b.parallel(node.n, () => emit(b, node.body, 'thread'));
              break;
            case 'loop':
              b.parallelFor({
                n: node.n,
                grain: node.grain,
                schedule: 'tasks',
                spawning,
                body: (c: Any) => emit(c, node.body, 'first'),
              });
              break;
          }
      };
      emit(t, nodes, '');
    },
  }) as ThreadModel;
}

const SPAWNINGS = ['linear', 'recursive'] as const;

test('every construct waits for its own strands only: run times in closed form under every scheduler', () => {
  let nested = 0;
  fc.assert(
    fc.property(
      programs,
      fc.constantFrom(...SPAWNINGS),
      fc.constantFrom(...SCHEDULERS),
      fc.constantFrom(...POOL_KINDS),
      (nodes, spawning, scheduler, pool) => {
        const joins = isCooperative(scheduler) ? ({ joins: 'object' } as const) : {};
        const model = modelOf(nodes, spawning);
        const workers = Math.max(1, model.program(1, joins).strands.count);
        fc.pre(workers <= 100);
        const machine: ThreadMachine = { speed: 1e9, cores: workers, costs: NO_COSTS };
        // A worker of a stack-based pool may execute another task above the strand that waits, instead of a free worker.
        const mayBury = isPool(scheduler) && pool === 'stack';
        // The pool `static` and cooperative schedulers may deal two strands that overlap to one worker.
        const program = model.program(workers, joins);
        const { time } = runThreads(threadNet(program, machine, { scheduler, pool }));
        const expected = endOf(nodes, 0, 0);
        if (scheduler === 'os' || ((scheduler === 'stealing' || scheduler === 'central') && !mayBury))
          expect(time).toBe(expected);
        else expect(time).toBeGreaterThanOrEqual(expected);
        if (nodes.some((n) => n.kind === 'loop' && n.body.some(({ kind }) => kind === 'loop'))) nested++;
      },
    ),
    {
      numRuns: effort(400),
      examples: [[[{ kind: 'loop', n: 2, grain: 1, body: [LOOP, COMPUTE] }], 'recursive', 'os', 'migrating']],
    },
  );
  expect(nested).toBeGreaterThan(0);
});

const COMPUTE = { kind: 'compute', time: 7 } as const;
const LOOP = { kind: 'loop', n: 2, grain: 1, body: [{ kind: 'compute', time: 1 }] } as const;

test('the span is that time, and bounds of the speed-up are equal for both ways of spawning', () => {
  fc.assert(
    fc.property(programs, fc.integer({ min: 1, max: 16 }), (nodes, workers) => {
      const machine: ThreadMachine = { speed: 1e9, cores: workers, costs: NO_COSTS };
      const [linear, recursive] = SPAWNINGS.map((spawning) =>
        workSpan(modelOf(nodes, spawning).program(workers), machine),
      );
      expect(linear!.span).toBe(endOf(nodes, 0, 0));
      expect(recursive!.span).toBe(linear!.span);
      expect(recursive!.work).toBe(linear!.work);
      expect(speedupBounds(recursive!, workers)).toEqual(speedupBounds(linear!, workers));
    }),
    { numRuns: effort(400) },
  );
});
