import type { Activity } from '../../analysis/space/reachable-fragments.ts';
import type { Classified } from '../../analysis/space/state-space.ts';
import type { ProgramNet } from '../../models/program/net/program-net.ts';
import { COMPUTING_ROWS, MOVING_ROWS } from '../../models/threads/firing-meanings.ts';
import type { ThreadNet } from '../../models/threads/net/thread-net.ts';
import type { Net } from '../../net/net.ts';

/** Nodes whose tokens or firings are of one kind, and the class of each value. */
type Add = (kind: Classified['kind'], node: number, by: string, classOf: Classified['classOf']) => void;

/**
 * Where the ranks of a program are active, as its prediction measures it: in computations, memory transfers and regions of
 * threads. In a region, the degree of parallelism counts its threads instead of the rank: those that compute, at most as
 * many as its rank has cores, and those that move bytes.
 *
 * @param net the program's net as it is explored
 */
export function activityOfProgram({ world }: ProgramNet, net: Net): Activity {
  const { ranks } = world;
  const nodes: Classified[] = [];
  const processOf: (number | undefined)[] = [];
  const most: number[] = [];
  const add: Add = (kind, node, by, classOf) => {
    if (node >= 0) nodes.push({ kind, node, by, classOf });
  };
  const ofRanks = (limit: number): ((rank: number) => number) => {
    const first = most.length;
    for (let rank = 0; rank < ranks; rank++) {
      processOf.push(rank);
      most.push(limit);
    }
    return (rank) => first + rank;
  };
  const computing = ofRanks(Number.POSITIVE_INFINITY);
  const inThreads = world.threadParts.length === 0 ? computing : ofRanks(0);
  net.places.forEach(({ name, fields }, node) => {
    const by = fields[0]?.name;
    if (by === undefined) return;
    if (world.active.computing.has(name) || name === 'collective runs') add('place', node, by, computing);
    else if (world.active.inThreads.has(name)) add('place', node, by, inThreads);
  });
  net.transitions.forEach(({ name, process, delay }, node) => {
    if (process?.op !== 'var' || delay === undefined) return;
    if (world.infos.get(name)?.during === 'computing' || name === 'collective compute')
      add('busy', node, process.name, computing);
  });
  for (const part of world.threadParts) {
    const { pools, workers } = part.about.program;
    const ofPools = (limit: number): ((carrier: number) => number) => {
      const first = most.length;
      for (let pool = 0; pool < pools; pool++) {
        processOf.push(undefined);
        most.push(limit);
      }
      return (carrier) => first + part.poolOf[carrier]!;
    };
    for (const [ends, limit] of [
      [COMPUTING_ROWS.ends, workers],
      [MOVING_ROWS.ends, Number.POSITIVE_INFINITY],
    ] as const) {
      const at = servedRows(net, `${part.prefix}${ends}`);
      if (at !== undefined) add(at.kind, at.node, 'w', ofPools(limit));
    }
  }
  return { nodes, processOf, most };
}

/**
 * Where the workers of a thread model are active: those that compute or move bytes. The degree of parallelism counts them, at most
 * as many that compute as there are cores.
 */
export function activityOfThreads({ net, carriers, machine, program }: ThreadNet): Activity {
  const all = carriers;
  const moving = carriers + 1;
  const nodes = [
    [COMPUTING_ROWS.ends, all],
    [MOVING_ROWS.ends, moving],
  ] as const;
  return {
    nodes: nodes.flatMap(([ends, counted]): Classified[] => {
      const at = servedRows(net, ends);
      if (at === undefined) return [];
      return [
        { ...at, by: 'w', classOf: (w) => w },
        { ...at, by: 'w', classOf: () => counted },
      ];
    }),
    processOf: Array.from({ length: carriers + 2 }, (_, c) => (c < carriers ? c : undefined)),
    most: Array.from({ length: carriers + 2 }, (_, c) =>
      c < carriers ? 0 : c === all ? machine.cores * program.pools : Number.POSITIVE_INFINITY,
    ),
  };
}

/** The node in which a transition's rows are served: its firings if it lasts, otherwise the tokens that it takes. */
function servedRows(net: Net, ends: string): Pick<Classified, 'kind' | 'node'> | undefined {
  const node = net.transitions.findIndex(({ name }) => name === ends);
  const transition = net.transitions[node];
  if (transition === undefined) return undefined;
  if (transition.delay !== undefined) return { kind: 'busy', node };
  const taken = new Set(transition.inputs.map(({ place }) => place));
  // The token of a shared service names the rank, not the strand.
  const inside = net.places.findIndex(({ name, fields }) => taken.has(name) && fields.some((f) => f.name === 's'));
  return inside < 0 ? undefined : { kind: 'place', node: inside };
}
