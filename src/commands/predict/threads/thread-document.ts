import type { ParallelismMeter } from '../../../analysis/parallelism.ts';
import type { SimulatedRun } from '../../../analysis/simulate.ts';
import { isZeroColumn } from '../../../base/columns.ts';
import { withThreadCosts } from '../../../machine/description/machine-parameters.ts';
import { fullSpeed } from '../../../machine/platform.ts';
import { CARRIER_STATE_COUNT, CARRIER_STATES } from '../../../models/threads/firing-meanings.ts';
import { ROW, type ThreadProgram } from '../../../models/threads/program/rows.ts';
import type { SyncMeter } from '../../../models/threads/sync-meter.ts';
import type { ThreadStates } from '../../../models/threads/thread-states.ts';
import { COUNTERS, type Counter } from '../../../trace/workers/worker-states.ts';
import type { BlockedRank } from '../../inputs/document-parts.ts';
import { type EnergyFigures, energyFigures, type HostActivity } from '../../subjects/host-activity.ts';
import { documentHead, linkFigures, mainFigures, notesOf, profileOf } from '../document.ts';
import { fromHere } from '../model/model-figures.ts';
import type { PredictOptions } from '../options.ts';
import type { PredictionDocument, ResourceFigures } from '../prediction.ts';
import { machineWarnings, poolSettings, type ThreadModelNet } from './thread-model-net.ts';
import type { ObjectFigures, RegionFigures, WorkerFigures } from './worker-figures.ts';

/** A finished run of a thread model, with the meters that observed it. */
export interface ThreadRun {
  readonly run: SimulatedRun;
  /** Run time in seconds. */
  readonly time: number;
  readonly states: ThreadStates;
  readonly parallelism: ParallelismMeter;
  readonly hosts: HostActivity | undefined;
  readonly deadlock: readonly BlockedRank[];
}

/** The result document of a run of a thread model. */
export function threadDocument(
  built: ThreadModelNet,
  options: PredictOptions,
  { run, time, states, parallelism, hosts, deadlock }: ThreadRun,
): PredictionDocument {
  const { model, target, net } = built;
  const { description, builtIn, platform } = target;
  const figures = workerFigures(states, time);
  const active = Float64Array.from(figures, ({ computing, memory }) => computing + memory);
  const complete = run.ended === 'quiescent';
  const energy = energyFigures(platform, hosts, time);
  return {
    ...documentHead(options),
    complete: complete || run.ended === 'time',
    ended: run.ended,
    inputs: {},
    options: {
      model: model.name,
      ...poolSettings(built, options.allocator),
      ...(builtIn ? { builtIn: platform.name } : {}),
      ...(options.machine === undefined ? { assumed: 'machine' } : {}),
      ...numbersOf(options),
      ...Object.fromEntries(
        Object.entries(model.params).map(([k, v]) => [`model.${k}`, typeof v === 'boolean' ? String(v) : v]),
      ),
    },
    ...(description === undefined ? {} : { machine: { ...withThreadCosts(description) } }),
    figures: { ...mainFigures(time, parallelism, active), ...energy.all },
    ranks: [],
    workers: figures,
    scheduler: { name: net.scheduler, steps: stepsOf(built, run.firings) },
    objects: objectFigures(net.program, states.objects),
    regions: regionFigures(net.program, states),
    resources: resourcesOf(built, run, figures, time, energy),
    firings: run.firings,
    profile: profileOf(time, parallelism),
    deadlock,
    warnings: [...target.warnings, ...machineWarnings(built)],
    ...notesOf(target.platform.notes ?? []),
  };
}

/** The options that a rerun needs. */
function numbersOf(options: PredictOptions): PredictionDocument['options'] {
  const keys = ['until', 'maxSteps', 'replications', 'precision', 'confidence'] as const;
  return Object.fromEntries(keys.flatMap((key) => (options[key] === undefined ? [] : [[key, options[key]]])));
}

function workerFigures({ seconds, poolSeconds, counters, preempted }: ThreadStates, time: number): WorkerFigures[] {
  const isPool = poolSeconds.length > 0;
  return Array.from({ length: seconds.length / CARRIER_STATE_COUNT }, (_, worker): WorkerFigures => {
    const at = CARRIER_STATE_COUNT * worker;
    const [computing, memory, overhead, waiting] = seconds.subarray(at, at + CARRIER_STATE_COUNT) as never as number[];
    const idle = Math.max(0, time - computing! - memory! - overhead! - waiting!);
    const own = { worker, computing: computing!, memory: memory!, overhead: overhead!, waiting: waiting!, idle };
    if (!isPool) return preempted[worker]! > 0 ? { ...own, preempted: preempted[worker]! } : own;
    const [exec, local, global, wait] = poolSeconds.subarray(4 * worker, 4 * worker + 4) as never as number[];
    const counts = COUNTERS.map((name, k) => [name, counters[COUNTERS.length * worker + k]!] as const);
    return {
      ...own,
      states: { exec: exec!, local: local!, global: global!, wait: wait! },
      counters: Object.fromEntries(counts) as Record<Counter, number>,
    };
  });
}

/** Transitions of the program itself; all others are steps of the scheduler. */
const OF_PROGRAM: ReadonlySet<string> = new Set([
  ...['computes', 'begins to compute', 'moves', 'moved', 'moves nothing', 'sleeps', 'region', 'jumps'],
  ...[
    'test holds',
    'test fails',
    'acquires',
    'tries in vain',
    'tries too late',
    'waits within a time',
    'gives up waiting',
    'grants within the time',
    'starts a clock',
    'time is over',
    'stops a clock',
    'is late',
    'is in time',
    'stops its clock',
    'is called within the time',
    'drops what was left behind',
    'notes',
    'blocks',
    'waits for a signal',
    'releases',
    'release faults',
    'wait faults',
  ],
  ...[
    'releases to all',
    'wakes a waiter',
    'wakes one of several',
    'waits for a signal, wakes',
    'spins',
    'stops spinning',
    'spins within a time',
    'gives up spinning within the time',
    'drops who has spun within the time',
    'spins before parking',
    'stops spinning before parking',
    'takes the lock before parking',
    'gives up spinning',
    'spins before parking within a time',
    'gives up spinning before parking',
    'gives up before parking',
    'parks within a time',
    'parks',
    'blocks in the second queue',
    'grants to the second queue',
    'waits in the second queue within a time',
    'grants to the second queue within the time',
  ],
  ...['atomic operation', 'grants', 'signals', 'opens', 'meets one', 'program ends', 'ends chunk'],
  ...['goes on in its range', 'has executed a range'],
]);

function stepsOf(_: ThreadModelNet, firings: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(firings).filter(([name]) => !OF_PROGRAM.has(name)));
}

/** Objects of one name and place together. */
function objectFigures({ objects }: ThreadProgram, meter: SyncMeter): ObjectFigures[] {
  const found = new Map<string, { -readonly [K in keyof ObjectFigures]: ObjectFigures[K] }>();
  objects.forEach(({ name, kind, index, site }, o) => {
    if (meter.acquisitions[o] === 0 && meter.waited[o] === 0) return;
    const { file = '', line = 0 } = site?.place ?? {};
    const key = JSON.stringify([kind, name, file, line]);
    const one = found.get(key) ?? {
      name,
      kind,
      file: fromHere(file),
      line,
      count: 0,
      acquisitions: 0,
      blocked: 0,
      seconds: 0,
      busiest: { index, seconds: -1 },
    };
    found.set(key, one);
    const seconds = meter.seconds[o]!;
    one.count++;
    one.acquisitions += meter.acquisitions[o]!;
    one.blocked += meter.waited[o]!;
    one.seconds += seconds;
    if (meter.spun[o]! > 0) one.spinning = (one.spinning ?? 0) + meter.spun[o]!;
    if (meter.preempted[o]! > 0) one.preempted = (one.preempted ?? 0) + meter.preempted[o]!;
    if (meter.failed[o]! > 0) one.failed = (one.failed ?? 0) + meter.failed[o]!;
    if (seconds > one.busiest!.seconds) one.busiest = { index, seconds };
  });
  return [...found.values()]
    .map(({ busiest, ...one }) => (one.count > 1 && one.kind !== 'latch' ? { ...one, busiest: busiest! } : one))
    .sort((a, b) => b.seconds - a.seconds || b.acquisitions - a.acquisitions);
}

function regionFigures({ regions: names }: ThreadProgram, { regions }: ThreadStates): RegionFigures[] {
  return names.map((name, region) => {
    const { executions, seconds, states } = regions.regions[region]!;
    const of = (state: (typeof CARRIER_STATES)[number]): number => states[CARRIER_STATES.indexOf(state)]!;
    return {
      name,
      executions,
      seconds,
      computing: of('computing'),
      memory: of('memory'),
      overhead: of('overhead'),
      waiting: of('waiting'),
      idle: of('idle'),
    };
  });
}

/** The node with the work of its cores, and its memories. */
function resourcesOf(
  { node, net, target: { platform } }: ThreadModelNet,
  run: SimulatedRun,
  workers: readonly WorkerFigures[],
  time: number,
  energy: EnergyFigures,
): ResourceFigures[] {
  const { memory } = node.machine;
  const own = platform.hosts[platform.hostIndex(node.name)!]!;
  const { speed } = own;
  // A program that gives its computations in seconds has no flops.
  const hasFlops = !isZeroColumn(net.program.rows.flops);
  const has = (place: string): boolean => net.net.places.some(({ name }) => name === place);
  const used = has('processor')
    ? run.game.carried('processor').reduce((sum, seconds) => sum + seconds, 0)
    : workers.reduce((sum, { computing }) => sum + computing, 0);
  const host: ResourceFigures = {
    name: node.name,
    kind: 'host',
    utilisation: time > 0 ? used / (fullSpeed({ ...own, speed: 1 }) * time) : 0,
    amount: hasFlops ? { value: used * speed, unit: 'flop' } : { value: used, unit: 's' },
    capacity: { value: fullSpeed(own), unit: 'flop/s' },
    ...energy.ofHost(platform.hostIndex(node.name)!),
  };
  if (memory === undefined || !has('memory') || net.program.rows.op.indexOf(ROW.memory) < 0) return [host];
  return [host, ...linkFigures(memory.links, run.game.carried('memory'), time, 'memory')];
}
