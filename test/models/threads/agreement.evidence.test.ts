import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { simulate } from '../../../src/analysis/simulate.ts';
import { compile } from '../../../src/engine/compile.ts';
import { NO_COSTS, type ThreadCosts } from '../../../src/models/threads/costs.ts';
import { SCHEDULERS, type SchedulerName, threadNet } from '../../../src/models/threads/net/thread-net.ts';
import { POOL_KINDS, type PoolKind } from '../../../src/models/threads/net/worker-stacks.ts';
import { ROW } from '../../../src/models/threads/program/rows.ts';
import { threads } from '../../../src/models/threads/program/threads.ts';
import { ThreadEvents } from '../../../src/models/threads/thread-events.ts';
import { atFullEffort, effort } from '../../effort.ts';
import { arbitraryThreads, buildThreads, type RandomThreads } from '../../reference/threads/random-threads.ts';
import { type ReferenceOptions, type ReferenceRun, simulateThreads } from '../../reference/threads/simulate.ts';

/** Costs on different scales, so that events of different origin are not simultaneous. */
const COSTS: ThreadCosts = {
  ...NO_COSTS,
  spawn: 0.0137,
  local: 1.13e-4,
  steal: 1.7e-4,
  search: 3.1e-5,
  fetch: 4.3e-4,
  lock: 0.00053,
  rwLock: 0.00067,
  wake: 0.0017,
  spin: 0.00019,
  spinner: 0.00041,
  spinFor: 0.3,
  barrier: 0.00059,
  cacheLine: 0.00023,
  atomic: 0.00071,
  wakeUp: 0.0029,
  create: 0.0061,
};

/** Threads of the operating system change on their processors: several slices in a computation. */
const SLICES: ThreadCosts = { ...COSTS, timeSlice: 0.2371, contextSwitch: 0.00311, cacheRefill: 0.0071 };

type Options = Pick<ReferenceOptions, 'scheduler' | 'workers'> &
  Partial<ReferenceOptions> & { readonly slices?: boolean };

function both(
  program: RandomThreads,
  options: Options,
): {
  net: { time: number; ended: boolean };
  reference: ReferenceRun;
  priorities: boolean;
  firings: Readonly<Record<string, number>>;
} {
  const { slices = false, costs = slices ? SLICES : COSTS } = options;
  const {
    scheduler,
    workers,
    cores = workers,
    half = false,
    bypass = true,
    stack = false,
    workFirst = false,
  } = options;
  const build = buildThreads(program);
  const model = threads({ name: 'random', build });
  const speed = 1e9;
  const pool =
    scheduler === 'os'
      ? {}
      : {
          victim: 'nearest' as const,
          take: half ? ('half' as const) : ('one' as const),
          bypass,
          spawn: workFirst ? ('work-first' as const) : ('help-first' as const),
          pool: stack ? ('stack' as const) : ('migrating' as const),
        };
  const rows = model.program(workers);
  const run = simulate(
    threadNet(rows, { speed, cores, costs }, { scheduler: scheduler as SchedulerName, ...pool }).net,
  );
  expect(run.ended).toBe('quiescent');
  const priorities = new Set(rows.strands.priority).size > 1;
  const more = { half, bypass, stack, workFirst, priorities };
  const reference = simulateThreads(build, {}, { scheduler, workers, costs, cores, speed, ...more });
  return {
    net: { time: run.time, ended: run.game.tokens('ended').length === 1 },
    reference,
    priorities,
    firings: run.firings,
  };
}

/** Cases of one of the settings of schedulers and cores. */
const runs = effort(100, 6);
const seed = Number(process.env['FORETOKEN_SEED'] ?? 1);

test.each([
  ['os', 64, {}],
  ['os', 2, {}],
  ['os', 1, { slices: true }],
  ['os', 2, { slices: true }],
  ['os', 3, { slices: true }],
  ['os', 64, { slices: true }],
  ['central', 3, {}],
  ['static', 3, {}],
  ['stealing', 1, {}],
  ['stealing', 2, { bypass: false }],
  ['stealing', 3, { half: true }],
  ['stealing', 4, {}],
  ['stealing', 1, { workFirst: true }],
  ['stealing', 3, { workFirst: true }],
  ['stealing', 2, { workFirst: true, bypass: false }],
  ['stealing', 4, { workFirst: true, half: true }],
  ['stealing', 4, { costs: { ...COSTS, search: 0 } }],
  ['stealing', 5, { costs: { ...COSTS, search: 0 }, workFirst: true }],
  ['stealing', 3, { costs: { ...COSTS, search: 0 }, stack: true }],
  ['central', 3, { stack: true }],
  ['static', 3, { stack: true }],
  ['stealing', 1, { stack: true }],
  ['stealing', 3, { stack: true }],
  ['stealing', 4, { stack: true, half: true }],
] as const)('net and reference agree: scheduler %s, %i cores, %o', (scheduler, cores, more) => {
  let compared = 0;
  fc.assert(
    fc.property(arbitraryThreads({ blocking: true, limits: true }), (program) => {
      const workers = scheduler === 'os' ? 3 : cores;
      const { net, reference } = both(program, { scheduler, workers, cores, ...more });
      fc.pre(!reference.ties);
      compared++;
      expect(net.ended).toBe(reference.ended);
      expect(net.time).toBeCloseTo(reference.time, 7);
    }),
    { numRuns: runs, seed },
  );
  expect(compared).toBeGreaterThan(atFullEffort(0.8 * runs));
});

test.each([
  ['auto', 1, {}],
  ['auto', 2, {}],
  ['auto', 4, { stack: true }],
  ['auto', 3, { half: true, bypass: false }],
  ['auto', 3, { workFirst: true }],
  ['affinity', 1, {}],
  ['affinity', 2, {}],
  ['affinity', 3, { stack: true }],
  ['affinity', 4, { bypass: false }],
  ['affinity', 3, { workFirst: true }],
] as const)(
  'net and reference agree: loops that divide by demand, partitioner %s, %i workers, %o',
  (partitioner, workers, more) => {
    const seen: Record<string, number> = {};
    let compared = 0;
    const steps = partitioner === 'auto' ? DEMANDS : [...DEMANDS, ...MAIL];
    const programs = arbitraryThreads({ blocking: true, limits: true }).chain(({ nodes, seed }) =>
      // A loop with enough work for all, in which others may be nested.
      fc
        .record({ n: fc.integer({ min: 1, max: 80 }), chunk: fc.integer({ min: 0, max: 1 }) })
        .map((size): RandomThreads => {
          const loop: RandomThreads['nodes'][number] = {
            ...{ kind: 'for', schedule: 0, linear: false, taskloop: 0, nowait: true, reduce: false },
            ...{ ...size, body: [{ kind: 'compute' }, { kind: 'when', body: [{ kind: 'sleep' }] }] },
          };
          if (partitioner === 'auto') return { nodes: [loop, ...nodes], seed, auto: true };
          // It runs again.
          return { nodes: [{ kind: 'loop', count: 3, body: [loop] }, ...nodes], seed, auto: 'affinity' };
        }),
    );
    fc.assert(
      fc.property(programs, (program) => {
        const { net, reference, firings } = both(program, { scheduler: 'stealing', workers, ...more });
        fc.pre(!reference.ties);
        compared++;
        for (const name of steps) seen[name] = (seen[name] ?? 0) + (firings[name] ?? 0);
        expect(net.ended).toBe(reference.ended);
        expect(net.time).toBeCloseTo(reference.time, 7);
      }),
      { numRuns: runs, seed },
    );
    expect(compared).toBeGreaterThan(atFullEffort(0.5 * runs));
    if (workers > 1)
      for (const name of steps.filter((name) => workers > 2 || !OF_THREE.has(name)))
        expect(seen[name] ?? 0, name).toBeGreaterThan(atFullEffort(0));
  },
);

test.each([
  [3, {}],
  [4, { stack: true }],
] as const)(
  'net and reference end: loops that divide by demand, searches that take no time, %i workers, %o',
  (workers, more) => {
    // Searches of one instant tie, so that times may differ.
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.nat({ max: 99 }), (n, seed) => {
        const size = { schedule: 0, linear: false, taskloop: 0, nowait: true, reduce: false, n, chunk: 1 };
        const nodes: RandomThreads['nodes'] = [
          { kind: 'for', ...size, body: [{ kind: 'compute' }, { kind: 'compute' }] },
        ];
        const costs = { ...COSTS, search: 0 };
        const { net, reference } = both(
          { nodes, seed, auto: true },
          { scheduler: 'stealing', workers, costs, ...more },
        );
        expect(net.ended).toBe(true);
        expect(reference.ended).toBe(true);
      }),
      { numRuns: runs, seed },
    );
  },
);

/** Steps of waits for a limited time: for conditions, and for locks with a queue for readers and one for writers. */
const LIMITED = [
  ...[
    'waits for a signal',
    'signals',
    'gives up waiting',
    'time is over',
    'stops a clock',
    'drops what was left behind',
  ],
  ...['waits in the second queue within a time', 'grants to the second queue within the time'],
];

test.each([
  ['os', 64, {}],
  ['os', 2, { slices: true }],
  ['central', 4, {}],
  ['static', 4, {}],
  ['stealing', 4, {}],
  ['stealing', 4, { workFirst: true }],
  ['stealing', 4, { stack: true }],
] as const)(
  'net and reference agree: waits for conditions within a time, %s, %i cores, %o',
  (scheduler, cores, more) => {
    const seen: Record<string, number> = {};
    // Threads that wait, and threads that notify, all within about 1 s.
    const meetings = fc.record({
      inner: arbitraryThreads({ blocking: true, limits: true }),
      threads: fc.integer({ min: 2, max: 5 }),
      until: fc.boolean(),
      atLeast: fc.integer({ min: 1, max: 3 }),
      all: fc.boolean(),
      of: fc.constantFrom('read' as const, 'write' as const),
    });
    const programs = meetings.map(({ inner: { nodes, seed }, threads, until, atLeast, all, of }): RandomThreads => {
      const await_ = { kind: 'await', until, atLeast, body: nodes.slice(0, 1), otherwise: nodes.slice(1, 2) } as const;
      const tries = { kind: 'try', of, limited: true, body: [], otherwise: [] } as const;
      const body: RandomThreads['nodes'] = [
        {
          kind: 'loop',
          count: 2,
          body: [{ kind: 'notify', all }, await_, { kind: 'notify', all: !all }, { kind: 'write', body: [] }, tries],
        },
      ];
      return { nodes: [{ kind: 'parallel', threads, body }, ...nodes], seed };
    });
    fc.assert(
      fc.property(programs, (program) => {
        const workers = scheduler === 'os' ? 3 : cores;
        const { net, reference, firings } = both(program, { scheduler, workers, cores, ...more });
        fc.pre(!reference.ties);
        for (const name of LIMITED) seen[name] = (seen[name] ?? 0) + (firings[name] ?? 0);
        expect(net.ended).toBe(reference.ended);
        expect(net.time).toBeCloseTo(reference.time, 7);
      }),
      { numRuns: runs, seed },
    );
    for (const name of LIMITED) expect(seen[name] ?? 0, name).toBeGreaterThan(atFullEffort(0));
  },
);

/** Steps of tasks that are mailed; some only happen with a third worker. */
const MAIL = [
  'offers a range for a worker',
  'begins a mailed range',
  'finds mail',
  'steals mail',
  'passes over mail',
  'is woken by mail',
];
const OF_THREE = new Set(['passes over mail', 'steals mail', 'is woken by mail']);

const DEMANDS = ['offers a half', 'offers a range of its pool', 'divides for demand', 'executes a range of its pool'];

/** Bookkeeping of inherited priorities: a holder has one; one that waits for a core moves up, and leaves its old turn behind. */
const INHERITING = [
  ...['inherits a priority', 'waits with an inherited priority', 'drops an old turn'],
  // Holders that wait for another such lock.
  ...['moves up among the waiters', 'drops an old place'],
  // Waiters that give up.
  ...['gives up waiting', 'takes a priority back', 'waits with a lower priority', 'moves down among the waiters'],
];

test.each([
  [1, false],
  [2, false],
  [3, false],
  [1, true],
  [2, true],
  [3, true],
])('net and reference agree: threads with priorities, %i cores, inherited %s', (cores, inherits) => {
  let prioritised = 0;
  const seen: Record<string, number> = {};
  const inSections = fc
    .record({
      inner: arbitraryThreads({ blocking: true, limits: true, priorities: true }),
      threads: fc.integer({ min: 2, max: 5 }),
      priority: fc.nat({ max: 99 }),
      first: fc.nat({ max: 2 }),
      depth: fc.integer({ min: 2, max: 3 }),
    })
    .map(({ inner: { nodes, seed }, ...section }): RandomThreads => {
      // Threads that meet at a lock while they have cores, and while they do not.
      const { first, depth } = section;
      const chain: RandomThreads['nodes'] = [
        { kind: 'sleep' },
        { kind: 'nested', first, depth },
        { kind: 'nested', first: first + 1, depth: depth - 1, limited: true },
      ];
      const meeting: RandomThreads['nodes'] = inherits
        ? [
            { kind: 'loop', count: 4, body: [{ kind: 'sleep' }, { kind: 'critical', body: nodes.slice(0, 2) }] },
            { kind: 'loop', count: 5, body: chain },
          ]
        : [];
      return { nodes: [{ kind: 'parallel', ...section, body: [...meeting, ...nodes] }], seed, inherits };
    });
  fc.assert(
    fc.property(inSections, (program) => {
      const { net, reference, priorities, firings } = both(program, {
        scheduler: 'os',
        workers: 3,
        cores,
        slices: true,
      });
      fc.pre(!reference.ties);
      if (priorities) prioritised++;
      if (inherits) for (const name of INHERITING) seen[name] = (seen[name] ?? 0) + (firings[name] ?? 0);
      expect(net.ended).toBe(reference.ended);
      expect(net.time).toBeCloseTo(reference.time, 7);
    }),
    { numRuns: runs, seed },
  );
  expect(prioritised).toBeGreaterThan(atFullEffort(0.6 * runs));
  if (inherits) for (const name of INHERITING) expect(seen[name] ?? 0).toBeGreaterThan(atFullEffort(0));
});

const kinds = fc.constantFrom(...POOL_KINDS);

/** Computations of the net: seconds by strand and row, and by carrier. */
function computed(
  program: RandomThreads,
  scheduler: SchedulerName,
  workers: number,
  pool: PoolKind = 'migrating',
): { rows: Map<string, number>; work: number; time: number; byCarrier: number[] } {
  const model = threads({ name: 'random', build: buildThreads(program) });
  const machine = { speed: 1e9, cores: workers, costs: NO_COSTS };
  const net = threadNet(model.program(workers), machine, { scheduler, pool });
  const rows = new Map<string, number>();
  const byCarrier: number[] = [];
  const sink = {
    computes: (w: number, s: number, at: number, start: number, end: number): void => {
      rows.set(`${s} ${at}`, (rows.get(`${s} ${at}`) ?? 0) + 1);
      byCarrier[w] = (byCarrier[w] ?? 0) + end - start;
    },
  };
  const run = simulate(compile(net.net, { log: new ThreadEvents(net, sink).log() }));
  expect(run.game.tokens('ended')).toHaveLength(1);
  const { op, seconds } = net.program.rows;
  let work = 0;
  for (const key of rows.keys()) work += seconds[Number(key.split(' ')[1])]!;
  expect([...op.entries()].filter(([, o]) => o === ROW.work)).toHaveLength(rows.size);
  return { rows, work, time: run.time, byCarrier };
}

test('every computation takes place exactly once under every scheduler, and workers share the work', () => {
  fc.assert(
    fc.property(
      arbitraryThreads({ blocking: false, tries: false }),
      fc.integer({ min: 1, max: 4 }),
      kinds,
      (program, workers, pool) => {
        const reference = simulateThreads(
          buildThreads(program),
          {},
          {
            scheduler: 'os',
            workers,
            speed: 1e9,
            cores: Number.POSITIVE_INFINITY,
            costs: NO_COSTS,
          },
        );
        for (const scheduler of SCHEDULERS) {
          const { rows, work, time, byCarrier } = computed(program, scheduler, workers, pool);
          expect(Math.max(0, ...rows.values())).toBeLessThanOrEqual(1);
          expect(rows.size).toBe(reference.computations);
          expect(work).toBeCloseTo(reference.work, 7);
          // Threads that share cores take longer than their work.
          if (scheduler !== 'os') {
            expect(byCarrier.reduce((sum, x) => sum + x, 0)).toBeCloseTo(work, 7);
            expect(time).toBeGreaterThanOrEqual(Math.max(0, ...byCarrier.filter((seconds) => seconds > 0)) - 1e-9);
          }
          // Not faster than all workers together.
          expect(time).toBeGreaterThanOrEqual(work / workers - 1e-9);
        }
      },
    ),
    { numRuns: effort(40), seed },
  );
});

test('no run is faster than the longest chain of computations', () => {
  fc.assert(
    fc.property(
      arbitraryThreads({ blocking: false, fixed: true }),
      fc.integer({ min: 1, max: 4 }),
      kinds,
      (program, workers, pool) => {
        const free = { workers, speed: 1e9, cores: Number.POSITIVE_INFINITY, costs: NO_COSTS };
        const span = simulateThreads(buildThreads(program), {}, { ...free, scheduler: 'os' }).time;
        for (const scheduler of SCHEDULERS)
          expect(computed(program, scheduler, workers, pool).time).toBeGreaterThanOrEqual(span - 1e-9);
      },
    ),
    { numRuns: effort(40), seed },
  );
});
