import type { SummedCalls } from '../../analysis/efficiency/calls.ts';
import {
  OPERATION_FIGURES,
  type OperationFigure,
  PARALLEL_ROWS,
  SEQUENTIAL_ROWS,
} from '../../analysis/efficiency/efficiency.ts';
import {
  FIGURES,
  intervalFigures,
  type ProcessFigure,
  type ProcessFigures,
  processFigures,
  spread,
} from '../../analysis/efficiency/interval-figures.ts';
import { type IntervalNode, intervalName } from '../../analysis/efficiency/interval-tree.ts';
import type { NodeTraffic } from '../../analysis/efficiency/messages.ts';
import type { StateMerge } from '../../analysis/efficiency/node-states.ts';
import type { ProfileMeter } from '../../analysis/efficiency/profile-meter.ts';
import { readEfficiency } from '../../analysis/efficiency/reading.ts';
import { formatAmount } from '../../report/units.ts';
import { PHASES } from '../../trace/run/run-schema.ts';
import type { Figure } from '../inputs/document-parts.ts';
import type {
  FigureSpread,
  ProfileDocument,
  ProfiledCall,
  ProfiledInterval,
  ProfiledNode,
  ProfiledOperation,
  ProfiledOperationPart,
  ProfiledSection,
  ProfiledStates,
  ProfiledTraffic,
} from './profile-document.ts';

/** Maximum number of spans listed per node, socket or process. */
export const MAX_SPANS = 10_000;
/** Maximum number of figures of single processes in a document; above it, intervals list no processes. */
const MAX_PROCESS_FIGURES = 1_000_000;
/** Maximum number of pairs of processes in a document; above it, the pairs with the most bytes are listed. */
const MAX_PAIRS = 10_000;

/** The parts of a document that come from the measured run. */
export type MeasuredProfile = Pick<
  ProfileDocument,
  | 'figures'
  | 'spread'
  | 'processes'
  | 'rows'
  | 'intervals'
  | 'ranking'
  | 'operations'
  | 'calls'
  | 'messages'
  | 'waits'
  | 'nodes'
  | 'findings'
>;

/** Selects parts of a profile; default: everything. */
export interface ProfileCut {
  /** Maximum depth of intervals; 0: only the program. */
  readonly level?: number;
  /** Only these processes are listed; figures over all processes stay. */
  readonly processes?: readonly number[];
  /** Only the interval with this path and its children are listed. */
  readonly interval?: string;
}

/** The measured part of a profile document. O(intervals × processes). */
export function assembleProfile(meter: ProfileMeter, cut: ProfileCut): MeasuredProfile {
  const { efficiency, head_: head } = meter;
  const { tree } = efficiency;
  const listed = cut.processes ?? head.nodeOf.map((_, p) => p);
  const places = new Map((head.sites ?? []).map(({ interval, file, line }) => [interval, { file, line }]));
  const isListed = new Set(listed);
  const withProcesses = tree.nodes.length * listed.length * FIGURES.length <= MAX_PROCESS_FIGURES;
  const section = (node: IntervalNode): ProfiledSection => {
    const all = processFigures(efficiency, node);
    const totals = intervalFigures(all);
    const seconds = (value: number): Figure => ({ value, unit: 's' });
    const count = (value: number): Figure => ({ value, unit: '1' });
    return {
      figures: {
        processors: count(totals.processors),
        totalTime: seconds(totals.totalTime),
        efficiency: count(totals.efficiency),
        ...figuresOf(totals),
      },
      spread: Object.fromEntries(
        FIGURES.map((name) => [name, { ...spread(all, (figures) => figures[name]), unit: unitOf(name) }]),
      ) as Record<ProcessFigure, FigureSpread>,
      ...(withProcesses
        ? {
            processes: all
              .filter(({ process }) => isListed.has(process))
              .map((figures) => ({
                process: figures.process,
                node: head.nodes[head.nodeOf[figures.process]!]!.name,
                figures: figuresOf(figures),
              })),
          }
        : {}),
    };
  };
  const interval = (node: IntervalNode): ProfiledInterval => ({
    name: node.name,
    level: node.level,
    ...places.get(node.site),
    kind: kindOf(meter, node),
    executions: tree.executions(node),
    ...section(node),
    children: node.level < (cut.level ?? Number.POSITIVE_INFINITY) ? node.children.map(interval) : [],
  });
  const chosen =
    cut.interval === undefined
      ? tree.root.children
      : tree.nodes.filter((node) => node.parent !== undefined && intervalName(node) === cut.interval);
  const speeds = meter.speeds.ofNodes();
  const hosts = speeds && { speeds, hostOf: head.nodeOf, names: head.nodes.map(({ name }) => name), speedText };
  const hasMessages = meter.messages.pairs().length > 0;
  const reading = readEfficiency(efficiency, meter.lateMessages(), meter.ioWaits(), hasMessages, hosts);
  return {
    ...section(tree.root),
    rows: Object.fromEntries(meter.rows),
    intervals: (cut.level ?? 1) < 1 ? [] : chosen.map(interval),
    ranking: rankingOf(meter),
    operations: operationsOf(meter, isListed),
    calls: callsOf(meter, isListed),
    messages: messagesOf(meter),
    waits: meter.waits
      .filter(({ count }) => count > 0)
      .map(({ state, count, seconds, byInterval, byProcess }) => ({
        state,
        count,
        seconds,
        intervals: [...byInterval].map(([index, s]) => ({ interval: intervalName(tree.nodes[index]!), seconds: s })),
        processes: [...byProcess].sort(([a], [b]) => a - b).map(([process, s]) => ({ process, seconds: s })),
      })),
    nodes: nodesOf(meter, new Set(listed)),
    findings: reading.steps.map((step, k) => ({
      ...step,
      ...(k === reading.steps.length - 1
        ? {
            cause: reading.cause,
            interval: intervalName(reading.interval),
            ...(reading.origin === undefined ? {} : { origin: intervalName(reading.origin) }),
          }
        : {}),
    })),
  };
}

/** Speed of a core. */
const speedText = (speed: number): string => formatAmount(speed, 'flop/s');

const unitOf = (name: ProcessFigure): string => (name === 'loopIterations' ? '1' : 's');

const figuresOf = (figures: ProcessFigures): Record<ProcessFigure, Figure> =>
  Object.fromEntries(FIGURES.map((name) => [name, { value: figures[name], unit: unitOf(name) }])) as Record<
    ProcessFigure,
    Figure
  >;

/** The outermost intervals, the largest loss first. */
function rankingOf({ efficiency }: ProfileMeter): ProfileDocument['ranking'] {
  const of = (node: IntervalNode): ReturnType<typeof intervalFigures> =>
    intervalFigures(processFigures(efficiency, node));
  const { lostTime: all } = of(efficiency.tree.root);
  return efficiency.tree.root.children
    .map((node) => {
      const { lostTime, efficiency: share } = of(node);
      return { interval: intervalName(node), lostTime, share: all > 0 ? lostTime / all : 0, efficiency: share };
    })
    .sort((a, b) => b.lostTime - a.lostTime);
}

function operationsOf({ efficiency, names }: ProfileMeter, listed: ReadonlySet<number>): ProfiledOperation[] {
  const withProcesses = efficiency.operations.length * listed.size * OPERATION_FIGURES.length <= MAX_PROCESS_FIGURES;
  return efficiency.operations.flatMap(({ name, phase, ...sums }, operation) => {
    if (sums.count === 0) return [];
    const values = Object.fromEntries(
      OPERATION_FIGURES.map((figure) => [figure, efficiency.ofOperation(operation, figure)]),
    ) as Record<OperationFigure, Float64Array>;
    const executing = Array.from(values.communication, (seconds, process) => ({ seconds, process }))
      .filter(({ seconds }) => !Number.isNaN(seconds))
      .map(({ process }) => ({ process }));
    return {
      kind: names[name]!,
      ...(PHASES[phase] === undefined ? {} : { phase: PHASES[phase] }),
      ...sums,
      processors: executing.length,
      spread: Object.fromEntries(
        OPERATION_FIGURES.map((figure) => [
          figure,
          { ...spread(executing, ({ process }) => values[figure][process]!), unit: 's' },
        ]),
      ) as Record<OperationFigure, FigureSpread>,
      ...(withProcesses
        ? {
            processes: executing
              .filter(({ process }) => listed.has(process))
              .map(
                ({ process }) =>
                  ({
                    process,
                    ...Object.fromEntries(OPERATION_FIGURES.map((figure) => [figure, values[figure][process]!])),
                  }) as ProfiledOperationPart,
              ),
          }
        : {}),
    };
  });
}

/** Kind of the computing of an interval; of its rows if nothing is computed. */
function kindOf({ efficiency }: ProfileMeter, node: IntervalNode): ProfiledInterval['kind'] {
  const { cpuTimeSequential, cpuTimeParallel } = intervalFigures(processFigures(efficiency, node));
  const kinds =
    cpuTimeSequential + cpuTimeParallel > 0
      ? (cpuTimeSequential > 0 ? SEQUENTIAL_ROWS : 0) | (cpuTimeParallel > 0 ? PARALLEL_ROWS : 0)
      : efficiency.kinds[node.index];
  if (kinds === SEQUENTIAL_ROWS) return 'sequential';
  return kinds === (SEQUENTIAL_ROWS | PARALLEL_ROWS) ? 'combined' : 'parallel';
}

function callsOf({ calls, names, messages, efficiency }: ProfileMeter, listed: ReadonlySet<number>): ProfiledCall[] {
  const found = [...calls.byProcess].map(([name, sums]) => {
    const byProcess = ascending(sums);
    const total: SummedCalls = { count: 0, bytes: 0, seconds: 0, blocked: 0 };
    for (const [, own] of byProcess) {
      total.count += own.count;
      total.bytes += own.bytes;
      total.seconds += own.seconds;
      total.blocked += own.blocked;
    }
    return {
      call: names[name]!,
      ...total,
      messageSeconds: messages.secondsByCall.get(name) ?? 0,
      processes: byProcess.filter(([process]) => listed.has(process)).map(([process, own]) => ({ process, ...own })),
      intervals: ascending(calls.byInterval.get(name)!).map(([interval, own]) => ({
        interval: intervalName(efficiency.tree.nodes[interval]!),
        ...own,
      })),
    };
  });
  return found.sort((a, b) => b.seconds - a.seconds || (a.call < b.call ? -1 : 1));
}

/** In the order of indices, in which sums over all of them are added up. */
const ascending = <T>(sums: ReadonlyMap<number, T>): [number, T][] => [...sums].sort(([a], [b]) => a - b);

function messagesOf({ messages }: ProfileMeter): ProfileDocument['messages'] {
  const pairs = messages.pairs();
  const listed = pairs.length <= MAX_PAIRS ? pairs : [...pairs].sort((a, b) => b.bytes - a.bytes).slice(0, MAX_PAIRS);
  return {
    withinNodes: trafficOf(messages.withinNodes),
    betweenNodes: trafficOf(messages.betweenNodes),
    pairs: listed,
    pairsCount: pairs.length,
    sizes: messages.sizes(),
  };
}

const trafficOf = ({ messages, bytes, seconds }: NodeTraffic): ProfiledTraffic => ({
  messages,
  bytes,
  ...(messages === 0 ? {} : { meanSeconds: seconds / messages }),
});

function nodesOf(meter: ProfileMeter, listed: ReadonlySet<number>): ProfiledNode[] {
  const {
    nodeStates,
    stays,
    begin,
    head_: { nodes, nodeOf },
    end_: { time },
  } = meter;
  const states = ({ seconds, spans, spansCount, stateAt }: StateMerge): ProfiledStates => ({
    seconds,
    ...(spans.length < spansCount ? {} : { spans }),
    spansCount,
    ...(stateAt === undefined ? {} : { at: stateAt }),
  });
  const processesOf = nodes.map((): number[] => []);
  nodeOf.forEach((node, p) => {
    if (listed.has(p)) processesOf[node]!.push(p);
  });
  return nodes.map(({ name }, node) => ({
    node: name,
    joined: Math.min(time, Math.max(begin, stays.get(node)?.[0]?.joined ?? begin)),
    left: Math.max(begin, Math.min(time, stays.get(node)?.at(-1)?.left ?? time)),
    ...((stays.get(node)?.length ?? 1) > 1 ? { stays: stays.get(node)! } : {}),
    ...states(nodeStates.node(node)),
    sockets: nodeStates.sockets(node).map(({ socket, line }) => ({ socket, ...states(line) })),
    processes: processesOf[node]!.map((process) => ({ process, ...states(nodeStates.process(process)) })),
  }));
}
