import type { Steps, TokenHistory } from '../../analysis/game/token-history.ts';
import type { Net } from '../../net/net.ts';
import type { PageRecord, Range } from './page-record.ts';

/** Names of the counters that follow from messages. */
export const MESSAGE_COUNTERS = [
  'messages under way between nodes',
  'messages under way within nodes',
  'bytes under way between nodes',
  'pairs of nodes with messages under way',
] as const;
export type MessageCounter = (typeof MESSAGE_COUNTERS)[number];

/** Counters of a record over time; each is made when it is shown for the first time. */
export class Counters {
  readonly #record: PageRecord;
  /** The counters that follow from the marking of the net of the run. */
  readonly #ofNet: ReadonlyMap<string, () => Steps>;
  readonly #steps = new Map<string, Steps>();

  constructor(record: PageRecord, net?: Net, history?: TokenHistory) {
    this.#record = record;
    this.#ofNet = net === undefined || history === undefined ? new Map() : netCounters(net, history);
  }

  /** Names of the counters that follow from the marking: tokens of each place that changes, and links in use. */
  get ofNet(): readonly string[] {
    return [...this.#ofNet.keys()];
  }

  /** Mean value in each of a number of equal parts of a range. O(changes up to its end + columns). */
  bins(counter: string, { from, to }: Range, columns: number): Float64Array {
    const { times, changes } = this.#of(counter);
    const bins = new Float64Array(columns);
    const width = (to - from) / columns;
    let value = 0;
    let k = 0;
    while (k < times.length && times[k]! <= from) value += changes[k++]!;
    for (let column = 0; column < columns; column++) {
      const right = column === columns - 1 ? to : from + (column + 1) * width;
      let at = from + column * width;
      const left = at;
      let sum = 0;
      while (k < times.length && times[k]! < right) {
        sum += value * (times[k]! - at);
        at = times[k]!;
        value += changes[k++]!;
      }
      bins[column] = (sum + value * (right - at)) / (right - left);
    }
    return bins;
  }

  #of(counter: string): Steps {
    const made = this.#steps.get(counter) ?? this.#ofNet.get(counter)?.() ?? this.#make(counter as MessageCounter);
    this.#steps.set(counter, made);
    return made;
  }

  #make(counter: MessageCounter): Steps {
    const { messages, head } = this.#record;
    const [source, destination, sent, received, bytes] = ['source', 'destination', 'sent', 'received', 'bytes'].map(
      (name) => messages.column(name),
    );
    const isWithin = counter === 'messages under way within nodes';
    const rows: number[] = [];
    for (let k = 0; k < messages.count; k++)
      if ((head.nodeOf[source![k]!] === head.nodeOf[destination![k]!]) === isWithin) rows.push(k);
    // An event is a row and an end of it, so that a sort of numbers orders both ends of all messages.
    const time = (event: number): number => (event % 2 === 0 ? sent : received)![rows[event >> 1]!]!;
    const events = Uint32Array.from({ length: 2 * rows.length }, (_, k) => k).sort(
      // Of one instant, what begins comes first: a message of no length is under way for no time.
      (a, b) => time(a) - time(b) || (a % 2) - (b % 2),
    );
    const open = new Map<number, number>();
    return {
      times: Float64Array.from(events, time),
      changes: Float64Array.from(events, (event) => {
        const row = rows[event >> 1]!;
        const sign = event % 2 === 0 ? 1 : -1;
        if (counter === 'bytes under way between nodes') return sign * bytes![row]!;
        if (counter !== 'pairs of nodes with messages under way') return sign;
        const pair = head.nodeOf[source![row]!]! * head.nodes.length + head.nodeOf[destination![row]!]!;
        const before = open.get(pair) ?? 0;
        open.set(pair, before + sign);
        return (before > 0 ? 1 : 0) === (before + sign > 0 ? 1 : 0) ? 0 : sign;
      }),
    };
  }
}

function netCounters(net: Net, history: TokenHistory): Map<string, () => Steps> {
  const counters = new Map<string, () => Steps>();
  net.places.forEach(({ name, service }, place) => {
    if (!history.changed.has(place)) return;
    if (service?.kind === 'max-min')
      counters.set(
        net.places.some((other) => other.name !== name && other.service?.kind === 'max-min')
          ? `busy links of ${name}`
          : 'busy links',
        () => history.busyLinksOf(place),
      );
    counters.set(`tokens of ${name}`, () => history.tokensOf(place));
  });
  return counters;
}
