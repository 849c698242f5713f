import { relative } from 'node:path';
import type { FragmentMeter } from '../../../analysis/fragments.ts';
import type { QueueMeter } from '../../../analysis/queue-meter.ts';
import { ownOf } from '../../../base/own.ts';
import type { ProgramNet } from '../../../models/program/net/program-net.ts';
import type { ProgramStates } from '../../../models/program/run/program-states.ts';
import { loadBalance, working } from '../document.ts';
import type { FragmentFigures, IntervalFigures, NodeLoad, OperationFigures, QueueFigures } from '../prediction.ts';

/** Maximum number of fragments listed in a document. */
const LISTED = 20;

/**
 * Times of the ranks in each interval, in the order in which the model names them. The balance of an interval includes ranks
 * that compute only elsewhere, but not those that never compute in the whole run.
 */
export function intervalFigures({ intervals, seconds: all }: ProgramStates): IntervalFigures[] {
  const counted = working(all.computing.map((s, rank) => s + all.memory[rank]!));
  return [...intervals].map(([name, seconds]) => {
    const work = seconds.computing.map((s, rank) => s + seconds.memory[rank]!);
    let rank = 0;
    work.forEach((s, r) => {
      if (s > work[rank]!) rank = r;
    });
    const max = work[rank] ?? 0;
    return {
      name,
      computing: sum(seconds.computing),
      memory: sum(seconds.memory),
      communicating: sum(seconds.communicating),
      waiting: sum(seconds.waiting),
      idle: sum(seconds.idle),
      loadBalance: loadBalance(work, counted),
      heaviest: { rank, seconds: max },
    };
  });
}

/** The fragments of a run of `time` seconds, with shares of the run time. */
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

/** Control statements, which are not operations. */
const CONTROL: ReadonlySet<string> = new Set(['let', 'take', 'when', 'chance', 'loop', 'while', 'repeat', 'interval']);

/** Number of executions of every operation: computations, messages with a partner, waits, collectives. */
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
    const completions = (counted.length > 0 ? counted : [label]).reduce(
      (sum, name) => sum + (ownOf(firings, name) ?? 0),
      0,
    );
    const { file = '', line = 0 } = statement.site.place;
    return [{ name: label, file: fromHere(file), line, completions, throughput: time > 0 ? completions / time : 0 }];
  });
}

/** The transitions that complete an operation, if they are not the one that begins it. */
const COMPLETED: Readonly<Record<string, readonly string[]>> = {
  recv: [' done'],
  collective: [' done'],
  fence: [' done'],
  // An accumulate is a put that combines values; the others are complete at once.
  put: [' done'],
  probe: ['', ' found', ' not found', ' of any', ' found of any', ' not found of any', ' of none'],
  test: [' done', ' not done', ' over'],
};

/** A path relative to the working directory, so that results do not depend on its location. */
export function fromHere(file: string): string {
  return file === '' ? '' : relative(process.cwd(), file) || file;
}

/** Places of a model's net that are queues, with their names in results. */
export const QUEUES: Readonly<Record<string, string>> = {
  processor: 'cores',
  memory: 'memory',
  storage: 'storage',
  network: 'messages moving their bytes',
  'link queue': 'messages that wait for a link',
  sends: 'messages sent and not matched',
  wildSends: 'messages sent and not matched, to ranks with wildcards',
  receives: 'receives posted and not matched',
  wildReceives: 'receives posted and not matched, of ranks with wildcards',
  'out queue': 'messages that wait for the interface of their node',
  'in queue': 'messages that wait for the interface of the node they come to',
};

/** The figures of all queues over a run of `time` seconds. */
export function queueFigures(meters: ReadonlyMap<string, QueueMeter>, time: number): QueueFigures[] {
  return [...meters].map(([place, meter]) => {
    const { mean, most, arrivals, response, left } = meter.figures(time);
    return {
      name: QUEUES[place]!,
      mean,
      most,
      arrivals,
      throughput: time > 0 ? arrivals / time : 0,
      // The response time is unknown if tokens never left.
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
