import type { Batch } from './batch.ts';
import type { RunHead } from './run-schema.ts';

/** A node is slower than the fastest one from this share of its speed on. */
const SLOWER = 0.02;

/** Nodes that are slower than others. */
export interface SlowerNodes {
  /** Indices of the nodes, the slowest first. */
  readonly slow: readonly number[];
  /** Speed of a core of the fastest node, in flop/s. */
  readonly fastest: number;
}

/**
 * The nodes among `used` that are slower than the fastest one of them; undefined if all are equally fast.
 *
 * @param speedOf speed of a core in flop/s
 */
export function slowerNodes(used: Iterable<number>, speedOf: (node: number) => number): SlowerNodes | undefined {
  const all = [...new Set(used)];
  const fastest = all.reduce((most, node) => Math.max(most, speedOf(node)), 0);
  const slow = all
    .filter((node) => speedOf(node) < fastest * (1 - SLOWER))
    .sort((a, b) => speedOf(a) - speedOf(b) || a - b);
  return slow.length === 0 ? undefined : { slow, fastest };
}

/**
 * Speeds of the nodes of a run record: the head has the number of cores of each node, a row of resources its capacity in flop/s.
 * Records of programs that compute in seconds, those of other tracers, and CSV files have none.
 */
export class HostSpeeds {
  readonly #cores = new Map<string, number>();
  readonly #speeds = new Map<string, number>();
  head_: RunHead | undefined;

  head(head: RunHead): void {
    this.head_ = head;
    for (const { name, cores } of head.nodes) if (cores !== undefined) this.#cores.set(name, cores);
  }

  /** @param names names of the record so far */
  batch({ table, count, columns }: Batch, names: readonly string[]): void {
    if (table !== 'resources') return;
    const { resource, class: kind, unit, capacity } = columns as Record<string, Float64Array>;
    for (let row = 0; row < count; row++) {
      const name = names[resource![row]!]!;
      const cores = this.#cores.get(name);
      if (cores === undefined || names[kind![row]!] !== 'host' || names[unit![row]!] !== 'flop') continue;
      this.#speeds.set(name, capacity![row]! / cores);
    }
  }

  /** Speed of a core by node, in flop/s; undefined unless those of all nodes are known. */
  ofNodes(): readonly number[] | undefined {
    const all = (this.head_?.nodes ?? []).map(({ name }) => this.#speeds.get(name));
    return all.every((speed) => speed !== undefined) ? all : undefined;
  }
}
