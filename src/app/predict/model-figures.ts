import { relative } from 'node:path';
import type { FragmentMeter } from '../../analysis/fragments.ts';
import type { QueueMeter } from '../../analysis/queue-meter.ts';
import type { ProgramNet } from '../../models/program/program-net.ts';
import type { ProgramStates } from '../../models/program/program-states.ts';
import type {
  FragmentFigures,
  IntervalFigures,
  NodeLoad,
  OperationFigures,
  QueueFigures,
} from '../../report/prediction.ts';
import { loadBalance, working } from '../document.ts';

/** Fragments that a document lists. */
const LISTED = 20;

/**
 * What ranks do in each interval, in the order in which the model names them. Ranks that compute elsewhere only count for
 * the balance of an interval; ranks that never compute in the whole run do not.
 */
export function intervalFigures({ intervals, seconds: all }: ProgramStates): IntervalFigures[] {
  const counted = working(all.computing.map((s, rank) => s + all.memory[rank]!));
  return [...intervals].map(([name, seconds]) => {
    const work = seconds.computing.map((s, rank) => s + seconds.memory[rank]!);
    let rank = 0;
    work.forEach((s, r) => {
      if (s > work[rank]!) rank = r;
    });
    const most = work[rank] ?? 0;
    return {
      name,
      computing: sum(seconds.computing),
      memory: sum(seconds.memory),
      communicating: sum(seconds.communicating),
      waiting: sum(seconds.waiting),
      idle: sum(seconds.idle),
      loadBalance: loadBalance(work, counted),
      heaviest: { rank, seconds: most },
    };
  });
}

export function fragmentFigures(meter: FragmentMeter, time: number): FragmentFigures {
  const { found, complete } = meter.count;
  const share = (seconds: number): number => (time > 0 ? seconds / time : 0);
  return {
    count: found,
    complete,
    shareBySize: meter.bySize.map(share),
    longest: meter
      .fragments()
      .slice(0, LISTED)
      .map(({ size, seconds, processes }) => ({ size, share: share(seconds), processes })),
  };
}

/** Statements that are no operations: they decide what comes next. */
const CONTROL: ReadonlySet<string> = new Set(['let', 'take', 'when', 'chance', 'loop', 'while', 'repeat', 'interval']);

/** How often every operation was done: computations, messages with a partner, waits, collectives. */
export function operationFigures(
  { world, net }: ProgramNet,
  firings: Readonly<Record<string, number>>,
  time: number,
): OperationFigures[] {
  const known = new Set(net.transitions.map((t) => t.name));
  return world.statements.flatMap(({ label, statement }) => {
    if (CONTROL.has(statement.kind)) return [];
    const done = COMPLETED[statement.kind]?.map((suffix) => label + suffix) ?? [];
    const ways = statement.kind === 'waitAny' ? statement.requests.map((_, k) => `${label} [${k}]`) : done;
    const counted = ways.filter((name) => known.has(name));
    const completions = (counted.length > 0 ? counted : [label]).reduce((sum, name) => sum + (firings[name] ?? 0), 0);
    const { file = '', line = 0 } = statement.site.place;
    return [{ name: label, file: fromHere(file), line, completions, throughput: time > 0 ? completions / time : 0 }];
  });
}

/** By which transitions an operation ends, where that is not the one that begins it. */
const COMPLETED: Readonly<Record<string, readonly string[]>> = {
  recv: [' done'],
  collective: [' done'],
  fence: [' done'],
  test: [' done', ' not done', ' over'],
};

/** A path relative to the working directory: results do not depend on where that is. */
export function fromHere(file: string): string {
  return file === '' ? '' : relative(process.cwd(), file) || file;
}

/** What of a model's net is a queue, by the name under which results tell of it. */
export const QUEUES: Readonly<Record<string, string>> = {
  processor: 'cores',
  memory: 'memory',
  storage: 'storage',
  network: 'messages moving their bytes',
  sends: 'messages sent and not matched',
  wildSends: 'messages sent and not matched, to ranks with wildcards',
  receives: 'receives posted and not matched',
  wildReceives: 'receives posted and not matched, of ranks with wildcards',
  'out queue': 'messages that wait for the interface of their node',
  'in queue': 'messages that wait for the interface of the node they come to',
};

export function queueFigures(meters: ReadonlyMap<string, QueueMeter>, time: number): QueueFigures[] {
  return [...meters].map(([place, meter]) => {
    const { mean, most, arrivals, response, left } = meter.figures(time);
    return {
      name: QUEUES[place]!,
      mean,
      most,
      arrivals,
      throughput: time > 0 ? arrivals / time : 0,
      // Of those who never leave nobody knows how long they stay.
      response: arrivals === 0 || left > 0 ? null : response,
    };
  });
}

/** The load of each node that has ranks, the heaviest first. */
export function nodeLoads(
  hosts: readonly { readonly name: string }[],
  placement: Int32Array,
  states: ProgramStates,
  time: number,
): NodeLoad[] {
  const loads = new Map<number, { ranks: number; seconds: number }>();
  placement.forEach((host, rank) => {
    const of = loads.get(host) ?? { ranks: 0, seconds: 0 };
    of.ranks++;
    of.seconds += states.seconds.computing[rank]! + states.seconds.memory[rank]!;
    loads.set(host, of);
  });
  return [...loads]
    .map(([host, { ranks, seconds }]) => ({ host: hosts[host]!.name, ranks, load: time > 0 ? seconds / time : 0 }))
    .sort((a, b) => b.load - a.load || (a.host < b.host ? -1 : 1));
}

function sum(values: Float64Array): number {
  return values.reduce((a, b) => a + b, 0);
}
