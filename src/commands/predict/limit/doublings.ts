import { SLOWER_HOSTS } from '../../../machine/platform.ts';
import type { LimitKind } from '../improvement-figures.ts';
import type { PredictionDocument } from '../prediction.ts';

/** A resource that a run can have twice as much of: a rate or number is doubled, a time is halved. */
export interface Doubling {
  readonly kind: LimitKind;
  /** Path of the parameter, as in `whatif --vary machine.link.bandwidth=x2`; `threads` are all costs of threads. */
  readonly path: string;
  /** The change of the second run, as a phrase for sentences. */
  readonly text: string;
  /**
   * Seconds that ranks, or threads, spend on the resource, summed over them; 0 if the program does not use it. Infinity: a gain
   * has no bound.
   */
  readonly used: (document: PredictionDocument) => number;
}

type Part = 'computing' | 'memory' | 'overhead' | 'communicating' | 'waiting' | 'idle';

/** Seconds in states, summed over all ranks or threads. */
function seconds({ ranks, workers }: PredictionDocument, ...parts: readonly Part[]): number {
  let sum = 0;
  for (const one of (workers ?? ranks) as readonly Partial<Record<Part, number | null>>[])
    for (const part of parts) sum += one[part] ?? 0;
  return sum;
}

const hasThreads = ({ ranks, workers }: PredictionDocument): boolean =>
  workers !== undefined || ranks.some(({ threads = 1 }) => threads > 1);

/** Seconds of ranks blocked by messages; 0 without communication. Part of the cost of a message appears as waiting of other ranks. */
const blocked = (document: PredictionDocument): number => {
  const { resources, workers } = document;
  const communicates = resources.some(({ kind }) => kind === 'link') || seconds(document, 'communicating') > 0;
  return workers === undefined && communicates ? seconds(document, 'communicating', 'waiting') : 0;
};

/** Ranks of one node, or a rank with itself, exchange messages. */
const withinNodes = (document: PredictionDocument): number => {
  const { ranks, resources } = document;
  const isUsed =
    ranks.length === 1 ||
    new Set(ranks.map(({ host }) => host)).size < ranks.length ||
    resources.some(({ name }) => name.endsWith('.intra'));
  return isUsed ? blocked(document) : 0;
};

const computing = (document: PredictionDocument): number => seconds(document, 'computing');

/** Hosts may be slower by any factor, so that the gain has no bound. */
const slowed = (document: PredictionDocument): number => (computing(document) > 0 ? Number.POSITIVE_INFINITY : 0);

/** Threads, or ranks, may share cores. More cores per node also place ranks nearer to each other: any gain is possible. */
const crowded = (document: PredictionDocument): number =>
  hasThreads(document) || document.options['oversubscribe'] === 'yes' ? Number.POSITIVE_INFINITY : 0;

/** Regions of threads inside ranks count as computing. */
const loading = (document: PredictionDocument): number =>
  document.resources.some(({ kind }) => kind === 'memory')
    ? seconds(document, 'memory') + (document.workers === undefined ? computing(document) : 0)
    : 0;

const synchronising = (document: PredictionDocument): number =>
  document.workers === undefined
    ? hasThreads(document)
      ? computing(document)
      : 0
    : seconds(document, 'overhead', 'waiting', 'idle');

/** The doublings that are tried. Among equal gains, the first is named. */
export const DOUBLINGS: readonly Doubling[] = [
  { kind: 'computing', path: SLOWER_HOSTS, text: 'slower hosts as fast as the fastest', used: slowed },
  { kind: 'computing', path: 'speed', text: 'cores of twice the speed', used: computing },
  { kind: 'cores', path: 'coresPerNode', text: 'twice the cores per node', used: crowded },
  { kind: 'cores', path: 'cores', text: 'twice the cores per host', used: crowded },
  { kind: 'memory', path: 'memory', text: 'twice the memory bandwidth', used: loading },
  { kind: 'memory', path: 'memoryPerCore', text: 'twice the memory bandwidth per core', used: loading },
  { kind: 'bandwidth', path: 'link.bandwidth', text: 'links of twice the bandwidth', used: blocked },
  { kind: 'bandwidth', path: 'intraNode.bandwidth', text: 'twice the bandwidth within nodes', used: withinNodes },
  { kind: 'bandwidth', path: 'network.bandwidth', text: 'a backbone of twice the bandwidth', used: blocked },
  { kind: 'latency', path: 'link.latency', text: 'links of half the latency', used: blocked },
  { kind: 'latency', path: 'intraNode.latency', text: 'half the latency within nodes', used: withinNodes },
  { kind: 'latency', path: 'network.latency', text: 'a backbone of half the latency', used: blocked },
  { kind: 'overhead', path: 'overhead.send', text: 'half the overhead of sends', used: blocked },
  { kind: 'overhead', path: 'overhead.receive', text: 'half the overhead of receives', used: blocked },
  { kind: 'overhead', path: 'overhead.perByte', text: 'half the overhead per byte', used: blocked },
  { kind: 'gap', path: 'gap', text: 'half the gap between messages', used: blocked },
  { kind: 'storage', path: 'storage.latency', text: 'a storage of half the latency', used: blocked },
  { kind: 'storage', path: 'storage.bandwidth', text: 'a storage of twice the bandwidth', used: blocked },
  { kind: 'scheduler', path: 'threads', text: 'operations of threads at half the cost', used: synchronising },
];

/** A doubled resource in words, by the name of its parameter: `links of twice the bandwidth`. */
export function doublingText(name: string): string {
  return DOUBLINGS.find(({ path }) => name === `machine.${path}`)?.text ?? 'twice the workers';
}
