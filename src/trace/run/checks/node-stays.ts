import type { Place, Problems } from '../../../base/problem.ts';
import type { Batch } from '../batch.ts';
import { RUN_STATES, type RunHead } from '../run-schema.ts';

const IDLE = RUN_STATES.indexOf('idle');

/** Time in which a node takes part in a run, in seconds. */
export interface NodeStay {
  readonly joined: number;
  readonly left: number;
}

/** Adds the rows of a table of nodes to the stays by index of the node, each list in the order of time. Unknown nodes are left out. */
export function addStays(
  stays: Map<number, NodeStay[]>,
  { columns, count }: Batch,
  names: readonly string[],
  nodes: RunHead['nodes'],
): void {
  const index = new Map(nodes.map(({ name }, k) => [name, k]));
  const changed = new Set<NodeStay[]>();
  for (let row = 0; row < count; row++) {
    const node = index.get(names[columns['node']![row]!]!);
    if (node === undefined) continue;
    const list = stays.get(node) ?? [];
    stays.set(node, list);
    list.push({ joined: columns['joined']![row]!, left: columns['left']![row]! });
    changed.add(list);
  }
  for (const list of changed) list.sort((a, b) => a.joined - b.joined);
}

/** A row of the table of nodes. */
interface Stay extends NodeStay {
  readonly place: Place;
}

/**
 * Checks that the processes of a node do something only between the node's joining and its leaving. Rows of nodes may come
 * before or after the states. A node may have several stays; what its processes do between them is checked in a second pass
 * over the record, which knows them. A row may span an absence: the process is suspended with its node. O(nodes) memory.
 */
export class NodeStays {
  readonly #nodes: RunHead['nodes'];
  readonly #nodeOf: RunHead['nodeOf'];
  readonly #index: ReadonlyMap<string, number>;
  readonly #stays = new Map<number, Stay[]>();
  readonly #known: ReadonlyMap<number, readonly NodeStay[]>;
  /** First start and last end of a row that is not idle, by node. */
  readonly #first: Float64Array;
  readonly #last: Float64Array;

  constructor({ nodes, nodeOf }: RunHead, known: ReadonlyMap<number, readonly NodeStay[]> = new Map()) {
    this.#known = known;
    this.#nodes = nodes;
    this.#nodeOf = nodeOf;
    this.#index = new Map(nodes.map(({ name }, k) => [name, k]));
    this.#first = new Float64Array(nodes.length).fill(Number.POSITIVE_INFINITY);
    this.#last = new Float64Array(nodes.length).fill(Number.NEGATIVE_INFINITY);
  }

  states({ columns, count }: Batch, problems: Problems, place: (row: number) => Place): void {
    const process = columns['process']!;
    const state = columns['state']!;
    const start = columns['start']!;
    const end = columns['end']!;
    for (let row = 0; row < count; row++) {
      if (state[row] === IDLE) continue;
      const node = this.#nodeOf[process[row]!]!;
      if (start[row]! < this.#first[node]!) this.#first[node] = start[row]!;
      if (end[row]! > this.#last[node]!) this.#last[node] = end[row]!;
      const known = this.#known.get(node);
      if (known === undefined) continue;
      for (const time of [start[row]!, end[row]!])
        if (!known.some(({ joined, left }) => joined <= time && time <= left))
          problems.add(
            'REC011',
            `process ${process[row]} is in state ${RUN_STATES[state[row]!]} at ${time} s, when its node ${JSON.stringify(this.#nodes[node]!.name)} does not take part`,
            place(row),
          );
    }
  }

  /** Takes rows of nodes; REC005 for a node that the head does not have. */
  rows({ columns, count }: Batch, names: readonly string[], problems: Problems, place: (row: number) => Place): void {
    for (let row = 0; row < count; row++) {
      const name = names[columns['node']![row]!]!;
      const node = this.#index.get(name);
      if (node === undefined)
        problems.add('REC005', `node: expected a node of the head, got ${JSON.stringify(name)}`, place(row));
      else {
        const stays = this.#stays.get(node) ?? [];
        this.#stays.set(node, stays);
        stays.push({ joined: columns['joined']![row]!, left: columns['left']![row]!, place: place(row) });
      }
    }
  }

  /**
   * REC011 for nodes that join or leave outside the run, that work before they join or after they leave. To be called after
   * all rows.
   */
  check(problems: Problems, begin: number, end: number): void {
    for (const [node, stays] of this.#stays) {
      const name = JSON.stringify(this.#nodes[node]!.name);
      stays.sort((a, b) => a.joined - b.joined || a.left - b.left);
      for (const [k, { joined, left, place }] of stays.entries()) {
        for (const [what, time] of [
          ['joins', joined],
          ['leaves', left],
        ] as const)
          if (!(time >= begin && time <= end))
            problems.add(
              'REC011',
              `node ${name} ${what} at ${time} s: expected an instant of the run, from ${begin} to ${end} s`,
              place,
            );
        const before = stays[k - 1];
        if (before !== undefined && joined < before.left)
          problems.add(
            'REC011',
            `node ${name} joins at ${joined} s, before it leaves at ${before.left} s: expected stays that do not overlap`,
            place,
          );
      }
      const [first, last] = [stays[0]!, stays.at(-1)!];
      if (this.#first[node]! < first.joined)
        problems.add(
          'REC011',
          `node ${name} joins at ${first.joined} s, but works from ${this.#first[node]} s on`,
          first.place,
        );
      if (this.#last[node]! > last.left)
        problems.add(
          'REC011',
          `node ${name} leaves at ${last.left} s, but works until ${this.#last[node]} s`,
          last.place,
        );
    }
  }
}
