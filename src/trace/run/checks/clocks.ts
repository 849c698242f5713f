import type { Place, Problems } from '../../../base/problem.ts';
import type { Batch } from '../batch.ts';
import type { RunHead } from '../run-schema.ts';

/** How the reader of a record treats the clocks of its processes. */
export interface Clocks {
  /** Seconds that are added to the times of each process; without it, times stay as they are. */
  readonly shifts?: ArrayLike<number>;
  /** Filled while the record is read: messages that are still received before they are sent. */
  readonly remaining?: SkewedMessages;
}

/** Messages that are received before they are sent, although clocks were aligned. */
export interface SkewedMessages {
  count: number;
  /** Largest time from receipt to sending, in seconds. */
  seconds: number;
}

/** Columns of points in time by the column of the process whose clock they are of. Executions of collectives have none. */
const TIMES: Readonly<Record<Batch['table'], readonly (readonly [process: string, times: readonly string[]])[]>> = {
  states: [['process', ['start', 'end']]],
  messages: [
    ['source', ['sent']],
    ['destination', ['received']],
  ],
  calls: [['process', ['start', 'end']]],
  intervals: [['process', ['start', 'end']]],
  overlaps: [['process', ['start', 'end']]],
  collectives: [],
  resources: [],
  nodes: [],
};

/** Shifts the times of rows in place. Times of a node are those of its first process. */
export function shiftTimes(
  { table, columns, count }: Batch,
  shifts: ArrayLike<number>,
  head: RunHead,
  names: readonly string[],
): void {
  for (const [process, times] of TIMES[table])
    for (const time of times)
      for (let row = 0; row < count; row++) columns[time]![row]! += shifts[columns[process]![row]!]!;
  if (table !== 'nodes' || count === 0) return;
  const shiftOf = new Map<string, number>();
  head.nodeOf.forEach((node, process) => {
    const { name } = head.nodes[node]!;
    if (!shiftOf.has(name)) shiftOf.set(name, shifts[process]!);
  });
  for (let row = 0; row < count; row++) {
    const shift = shiftOf.get(names[columns['node']![row]!]!) ?? 0;
    for (const time of ['joined', 'left']) columns[time]![row]! += shift;
  }
}

/**
 * Messages that are received before they are sent: proof that clocks differ. Without alignment, they are counted and refused
 * together at the end of the record; with it, they are counted as received when they are sent.
 */
export class SkewCheck {
  readonly #found: SkewedMessages;
  readonly #clocks: Clocks | undefined;
  #messages = 0;
  #worst: { readonly source: number; readonly destination: number; readonly place: Place } | undefined;

  constructor(clocks: Clocks | undefined) {
    this.#clocks = clocks;
    this.#found = clocks?.remaining ?? { count: 0, seconds: 0 };
  }

  /** Takes rows of messages. */
  rows({ columns, count }: Batch, place: (row: number) => Place): void {
    const sent = columns['sent']!;
    const received = columns['received']!;
    this.#messages += count;
    for (let row = 0; row < count; row++) {
      if (received[row]! >= sent[row]!) continue;
      const seconds = sent[row]! - received[row]!;
      if (seconds > this.#found.seconds) {
        this.#found.seconds = seconds;
        this.#worst = {
          source: columns['source']![row]!,
          destination: columns['destination']![row]!,
          place: place(row),
        };
      }
      this.#found.count++;
      if (this.#clocks?.shifts !== undefined) received[row] = sent[row]!;
    }
  }

  /** REC013 for messages that are received before they are sent, unless clocks are aligned. */
  check(problems: Problems): void {
    if (this.#worst === undefined || this.#clocks !== undefined) return;
    const { count, seconds } = this.#found;
    const { source, destination, place } = this.#worst;
    problems.add(
      'REC013',
      `clock skew: ${count} of ${this.#messages} messages ${count === 1 ? 'is' : 'are'} received before ${count === 1 ? 'it is' : 'they are'} sent, ` +
        `by up to ${seconds} s (this row, from process ${source} to process ${destination}): expected times of one clock. ` +
        'profile --align shifts the clocks of the processes',
      place,
    );
  }
}
