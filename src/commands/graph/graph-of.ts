import { Graph } from '@dagrejs/graphlib';
import { explore } from '../../analysis/space/explore.ts';
import { MarkingTokens } from '../../analysis/space/marking-tokens.ts';
import { assertIs } from '../../base/options.ts';
import { fail, quote, shown } from '../../base/problem.ts';
import type { Machine } from '../../machine/machine.ts';
import type { Platform } from '../../machine/platform.ts';
import { netGraph } from '../../net/drawing/graph.ts';
import type { Net } from '../../net/net.ts';
import { spaceInput } from '../explore/explore-input.ts';
import { checkOptions } from '../inputs/check-options.ts';
import { givenInput, inputOf } from '../inputs/input.ts';
import { assertExists, isMachine as isMachineFile } from '../inputs/input-kinds.ts';
import {
  ANALYSED,
  ANALYSIS_ROWS,
  type OptionRows,
  type PooledModel,
  type RankedModel,
  THREADS,
} from '../inputs/option-rows.ts';
import { NET_ENDINGS, pathFacts } from '../inputs/path-kinds.ts';
import { type MachineOptions, readTarget } from '../inputs/target.ts';
import type { ThreadOptions } from '../inputs/thread-options.ts';
import { GraphView } from './graph-view.ts';

/** Maximum number of nodes: graphlib's algorithms are recursive and overflow the stack at a few thousand. */
const MAX_NODES = 2_000;
/** Maximum number of hosts of a machine: the route between any two is computed. */
const MAX_HOSTS = 500;
/** The function that messages name. */
const PART = 'graphOf';

/** Options of {@link graphOf}; of a model also its machine, and its number of ranks or its pool. */
export interface GraphOptions extends MachineOptions, ThreadOptions {
  /** For nets and models: the graph of the reachable markings instead of that of the net. Default: false. */
  readonly markings?: boolean;
  /** For models: values of the parameters. */
  readonly set?: Readonly<Record<string, number | string | boolean>>;
}

const GRAPH_ROWS = {
  ...ANALYSIS_ROWS,
  workers: THREADS,
  markings: ANALYSED,
} as const satisfies OptionRows<GraphOptions>;

/** Node of the graph of a machine. */
export type MachineGraphNode =
  | { readonly kind: 'host'; readonly cores: number; readonly speed: number }
  | { readonly kind: 'link'; readonly latency: number; readonly bandwidth: number };

/** Node of the graph of the reachable markings: its tokens by place, one line each. */
export interface StateGraphNode {
  readonly kind: 'state';
  readonly marking: readonly string[];
}

/**
 * The graph of a net, a model, a machine, or of the reachable markings, for graphlib's algorithms.
 *
 * - net or model: as `netGraph`; every edge has length 1
 * - `markings: true`: nodes `state:0` (the initial marking) … in breadth-first order; an edge per step, of length 1, labelled
 *   with its transition and binding
 * - machine or platform: nodes `host:NAME` and `link:NAME`; an edge from each host or link to the next one of a route between
 *   two hosts; its length is the latency in seconds of the link it enters, 0 for a host
 *
 * `x` may be the path of a net or machine file, or the name of a built-in machine.
 *
 * @throws InputError GRAPH001 for more than 2,000 nodes or 500 hosts; APP060, APP004, THR011 for options that are unknown or
 *   belong to another kind, APP061 for other inputs; for markings all errors of `explore`
 * @complexity O(n log n) in the size of a net; at most 2,001 markings are explored; O(hosts² · length of a route) for a machine
 */
export function graphOf(
  x: Net | RankedModel | PooledModel | Machine | Platform | string,
  options: GraphOptions = {},
): GraphView {
  const isPath = typeof x === 'string' && x !== '';
  const machine = (isPath ? isMachineFile(x) : isMachine(x)) ? (x as Machine | Platform | string) : undefined;
  const input = machine !== undefined ? undefined : isPath ? netInput(x) : inputOf(x);
  const kind = input?.kind ?? (machine === undefined ? undefined : 'machine description');
  if (kind === undefined) fail('APP061', `expected ${EXPECTED}, got ${shown(x)}`, { part: PART });
  checkOptions('explore', GRAPH_ROWS, { kind, file: input?.file }, options, PART);
  const { markings = false } = options;
  assertIs(PART, 'markings', markings, 'a boolean', 'APP061');
  if (input === undefined) return machineGraph(readTarget({ machine: machine! }).platform);
  const net = spaceInput(input, options).net;
  if (markings) return stateGraph(net);
  checkNodes(`net ${quote(net.name)}`, net.places.length + net.transitions.length);
  return new GraphView(netGraph(net), () => 1);
}

const EXPECTED = 'a net, a model, a machine or a platform, or the path of a net or machine file';

/** The net of a file. @throws InputError APP061 for a module and for files of other kinds, APP001 for a missing file */
function netInput(path: string): NonNullable<ReturnType<typeof inputOf>> {
  const { isCode, kinds } = pathFacts(path);
  if (isCode)
    fail(
      'APP061',
      `${quote(path)} is a module, which graphOf cannot import: import it and give the value that it exports`,
      {
        part: PART,
      },
    );
  assertExists(path);
  if (!kinds.includes('net')) {
    fail(
      'APP061',
      `expected ${EXPECTED}, got ${quote(path)}. Nets: ${NET_ENDINGS.join(', ')}. Machines: .yaml, .yml, .json, .xml`,
      {
        part: PART,
      },
    );
  }
  return givenInput('explore', path) as NonNullable<ReturnType<typeof inputOf>>;
}

const isMachine = (x: unknown): x is Machine | Platform =>
  typeof x === 'object' && x !== null && (('network' in x && 'nodes' in x) || ('hosts' in x && 'route' in x));

function checkNodes(of: string, nodes: number, more = ''): void {
  if (nodes > MAX_NODES)
    fail(
      'GRAPH001',
      `${of} has ${nodes}${more} nodes: expected at most ${MAX_NODES}, because graphlib's algorithms are recursive`,
    );
}

function stateGraph(net: Net): GraphView {
  const space = explore(net, { maxStates: MAX_NODES + 1 });
  if (space.states > MAX_NODES || !space.complete)
    fail(
      'GRAPH001',
      `the markings of net ${quote(net.name)} are more than ${MAX_NODES}: expected at most ${MAX_NODES}, because graphlib's algorithms are recursive. explore, verify and structure take larger spaces`,
    );
  const words = new MarkingTokens(net);
  const graph = new Graph<object, StateGraphNode, string>({ directed: true, multigraph: true });
  graph.setGraph({ name: net.name });
  for (let state = 0; state < space.states; state++)
    graph.setNode(`state:${state}`, { kind: 'state', marking: words.lines(space.marking(state)) });
  for (let state = 0; state < space.states; state++)
    for (const [k, firing] of space.firings(state).entries())
      graph.setEdge(`state:${state}`, `state:${firing.target}`, words.step(firing), String(k));
  return new GraphView(graph, () => 1);
}

function machineGraph(platform: Platform): GraphView {
  const { name, hosts, links } = platform;
  if (hosts.length > MAX_HOSTS)
    fail(
      'GRAPH001',
      `machine ${quote(name)} has ${hosts.length} hosts: expected at most ${MAX_HOSTS}, because the routes of all pairs are followed`,
    );
  checkNodes(`machine ${quote(name)}`, hosts.length + links.length);
  const graph = new Graph<object, MachineGraphNode, object>({ directed: true });
  graph.setGraph({ name });
  const host = (k: number): string => `host:${hosts[k]!.name}`;
  for (const { name: own, cores, speed } of hosts) graph.setNode(`host:${own}`, { kind: 'host', cores, speed });
  for (const { name: own, latency, bandwidth } of links)
    graph.setNode(`link:${own}`, { kind: 'link', latency, bandwidth });
  for (const from of hosts.keys())
    for (const to of hosts.keys()) {
      if (from === to) continue;
      const path = [host(from), ...platform.route(from, to).links.map((l) => `link:${links[l]!.name}`), host(to)];
      for (const [k, node] of path.slice(1).entries())
        if (!graph.hasEdge(path[k]!, node)) graph.setEdge(path[k]!, node, {});
    }
  return new GraphView(graph, ({ w }) => {
    const node = graph.node(w);
    return node.kind === 'link' ? node.latency : 0;
  });
}
