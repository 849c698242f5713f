import type { Place, Problems } from '../../base/problem.ts';
import type { Batch } from './batch.ts';
import { RUN_STATES, type RunHead } from './run-schema.ts';

const IDLE = RUN_STATES.indexOf('idle');

/** A row of the table of nodes. */
interface Stay {
  readonly joined: number;
  readonly left: number;
  readonly place: Place;
}

/**
 * Checks that the processes of a node do something only between the node's joining and its leaving. Rows of nodes may come
 * before or after the states. O(nodes) memory.
 */
export class NodeStays {
  readonly #nodes: RunHead['nodes'];
  readonly #nodeOf: RunHead['nodeOf'];
  readonly #index: ReadonlyMap<string, number>;
  readonly #stays = new Map<number, Stay>();
  /** First start and last end of a row that is not idle, by node. */
  readonly #first: Float64Array;
  readonly #last: Float64Array;

  constructor({ nodes, nodeOf }: RunHead) {
    this.#nodes = nodes;
    this.#nodeOf = nodeOf;
    this.#index = new Map(nodes.map(({ name }, k) => [name, k]));
    this.#first = new Float64Array(nodes.length).fill(Number.POSITIVE_INFINITY);
    this.#last = new Float64Array(nodes.length).fill(Number.NEGATIVE_INFINITY);
  }

  /** Takes rows of states. */
  states({ columns, count }: Batch): void {
    const process = columns['process']!;
    const state = columns['state']!;
    const start = columns['start']!;
    const end = columns['end']!;
    for (let row = 0; row < count; row++) {
      if (state[row] === IDLE) continue;
      const node = this.#nodeOf[process[row]!]!;
      if (start[row]! < this.#first[node]!) this.#first[node] = start[row]!;
      if (end[row]! > this.#last[node]!) this.#last[node] = end[row]!;
    }
  }

  /** Takes rows of nodes; REC005 for a node that the head does not have, or that has a row already. */
  rows({ columns, count }: Batch, names: readonly string[], problems: Problems, place: (row: number) => Place): void {
    for (let row = 0; row < count; row++) {
      const name = names[columns['node']![row]!]!;
      const node = this.#index.get(name);
      if (node === undefined)
        problems.add('REC005', `node: expected a node of the head, got ${JSON.stringify(name)}`, place(row));
      else if (this.#stays.has(node))
        problems.add(
          'REC005',
          `node: expected one row for each node, got a second one of ${JSON.stringify(name)}`,
          place(row),
        );
      else this.#stays.set(node, { joined: columns['joined']![row]!, left: columns['left']![row]!, place: place(row) });
    }
  }

  /**
   * REC011 for nodes that join or leave outside the run, that work before they join or after they leave. To be called after
   * all rows.
   */
  check(problems: Problems, begin: number, end: number): void {
    for (const [node, { joined, left, place }] of this.#stays) {
      const name = JSON.stringify(this.#nodes[node]!.name);
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
      if (this.#first[node]! < joined)
        problems.add('REC011', `node ${name} joins at ${joined} s, but works from ${this.#first[node]} s on`, place);
      if (this.#last[node]! > left)
        problems.add('REC011', `node ${name} leaves at ${left} s, but works until ${this.#last[node]} s`, place);
    }
  }
}
