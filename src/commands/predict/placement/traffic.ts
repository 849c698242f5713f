import type { Batch, RunConsumer } from '../../../trace/run/batch.ts';

/** Messages and bytes from one rank to another over a run. */
export interface Flow {
  readonly from: number;
  readonly to: number;
  readonly messages: number;
  readonly bytes: number;
}

/**
 * Sums up the messages of a run by sender and receiver, those of collectives included; takes a run record. Messages of a rank
 * to itself are left out: they cross no network in any placement.
 */
export class TrafficMeter implements RunConsumer {
  readonly #flows = new Map<number, { from: number; to: number; messages: number; bytes: number }>();
  #ranks = 0;

  head({ processes }: { readonly processes: number }): void {
    this.#ranks = processes;
  }

  name(): void {}

  batch({ table, count, columns }: Batch): void {
    if (table !== 'messages') return;
    const { source, destination, bytes } = columns;
    for (let k = 0; k < count; k++) {
      const [from, to] = [source![k]!, destination![k]!];
      if (from === to) continue;
      const key = from * this.#ranks + to;
      let flow = this.#flows.get(key);
      if (flow === undefined) {
        flow = { from, to, messages: 0, bytes: 0 };
        this.#flows.set(key, flow);
      }
      flow.messages++;
      flow.bytes += bytes![k]!;
    }
  }

  end(): void {}

  /** Flows in ascending order of sender and receiver. */
  get flows(): readonly Flow[] {
    return [...this.#flows.values()].sort((a, b) => a.from - b.from || a.to - b.to);
  }
}

/** Bytes of all messages between ranks on different hosts. */
export function bytesBetweenHosts(flows: readonly Flow[], placement: ArrayLike<number>): number {
  let sum = 0;
  for (const { from, to, bytes } of flows) if (placement[from] !== placement[to]) sum += bytes;
  return sum;
}
