import { GrowingColumns } from '../../trace/run/batch.ts';
import { ABSENT, MESSAGE_INSTANTS } from '../../trace/run/run-schema.ts';
import type { BlockedCalls } from './blocked-calls.ts';
import { grouped } from './execution-order.ts';
import type { MessageMeter } from './messages.ts';
import { collectivePattern, type WaitSink } from './wait-states.ts';

const TRANSFER = MESSAGE_INSTANTS.indexOf('transfer');

/** Message operations that a call of some name may wait for. */
interface CallKind {
  /** It may complete a receive, or a send. */
  readonly receives: boolean;
  readonly sends: boolean;
  /** It begins an operation that another call completes. */
  readonly immediate: boolean;
  /** Collective operation with its own wait state, or with messages that are part of it. */
  readonly collective: boolean;
}

/** The kind of a call by its name; a name of another system than MPI may be of any kind. */
export function callKind(call: string | undefined): CallKind {
  const name = (call ?? '').toLowerCase().replace(/^p?mpi_/, '');
  const immediate = /^i(send|bsend|ssend|rsend|recv|mrecv|sendrecv)/.test(name);
  const collective = /^i?(neighbor|exscan|scan)/.test(name) || (name !== '' && collectivePattern(name) !== undefined);
  const both = !/recv|receive|probe/.test(name) === !/send/.test(name);
  return {
    receives: !immediate && !collective && (both || !/send/.test(name)),
    sends: !immediate && !collective && (both || /send/.test(name)),
    immediate,
    collective,
  };
}

/**
 * Finds wait states of messages, whatever the blocked states of the record are called.
 *
 * - Late Sender: in the call that receives a message, from its start, or from the receipt of the message before, until the
 *   message is sent. Of messages that are received at the same time, the last to be sent counts. Late Sender/Wrong Order:
 *   another message to the process was sent before and is received after the late one.
 * - Late Receiver: in the call that sends a message, or waits for its end, until the message can start: from the start of the
 *   call, or from the instant of sending, to the start of the receiving call. Where `sent` is the start of the transfer, it
 *   ends the wait. The sender waits only if it is still in the call then.
 *
 * Only blocked time counts, each instant once; a late sender goes first. Messages inside collective operations that have a
 * wait state are left out. O(n log n) time for n stretches and messages.
 *
 * @param nameOf name by its index
 */
export function messageWaits(
  blocked: BlockedCalls,
  messages: MessageMeter,
  nameOf: (index: number) => string | undefined,
  sink: WaitSink,
): void {
  const kinds = new Map<number, CallKind>();
  const kindOf = (name: number): CallKind => {
    let kind = kinds.get(name);
    if (kind === undefined) {
      kind = callKind(name === ABSENT ? undefined : nameOf(name));
      kinds.set(name, kind);
    }
    return kind;
  };
  const patterns = new Map<number, boolean>();
  /** True if the stretch belongs to a collective operation that has a wait state. */
  const isCollective = (stretch: number): boolean => {
    const name = blocked.collective(stretch);
    if (name === ABSENT) return false;
    if (!patterns.has(name)) patterns.set(name, collectivePattern(nameOf(name)!) !== undefined);
    return patterns.get(name)!;
  };
  const peerMayBe = (stretch: number, process: number, kind: CallKind): boolean =>
    blocked.peer(stretch) === ABSENT || blocked.peer(stretch) === process || (kind.sends && kind.receives);

  const { times } = messages;
  const source = times.column('source');
  const destination = times.column('destination');
  const sent = times.column('sent');
  const received = times.column('received');
  const call = times.column('call');
  const instant = times.column('instant');
  const order = Int32Array.from({ length: times.count }, (_, k) => k).filter((k) => !kindOf(call[k]!).collective);
  order.sort(
    (a, b) => destination[a]! - destination[b]! || received[a]! - received[b]! || sent[a]! - sent[b]! || a - b,
  );

  const waits = new Waits();
  const receivers = Int32Array.from(order, (k) =>
    blocked.around(destination[k]!, received[k]!, (stretch) => {
      const kind = kindOf(blocked.call(stretch));
      return kind.receives && !isCollective(stretch) && peerMayBe(stretch, source[k]!, kind);
    }),
  );
  const earliestLater = earliestSentLater(order, receivers, destination, sent, received);
  const last = { stretch: -1, received: Number.NaN, from: 0 };
  for (const [at, k] of order.entries()) {
    const receiver = receivers[at]!;
    if (receiver >= 0) {
      // Messages received at one instant are waited for together.
      if (last.stretch !== receiver) last.from = blocked.start(receiver);
      else if (last.received < received[k]!) last.from = last.received;
      last.stretch = receiver;
      last.received = received[k]!;
      waits.add(receiver, last.from, Math.min(sent[k]!, received[k]!), earliestLater[at]! < sent[k]! ? WRONG : LATE);
    }
    const isTransfer = instant[k] === TRANSFER;
    if (!isTransfer && receiver < 0) continue;
    const posted = receiver < 0 ? sent[k]! : blocked.isOneCall(receiver) ? blocked.start(receiver) : last.from;
    const begins = isTransfer ? sent[k]! : Math.max(sent[k]!, posted);
    const caller = kindOf(call[k]!);
    const isBlocking = call[k] !== ABSENT && !caller.immediate;
    const sender = blocked.around(source[k]!, begins, (stretch) => {
      const kind = kindOf(blocked.call(stretch));
      if (!kind.sends || isCollective(stretch) || !peerMayBe(stretch, destination[k]!, kind)) return false;
      if (!isTransfer && blocked.end(stretch) <= begins && blocked.end(stretch) < received[k]!) return false;
      const sends = blocked.start(stretch) <= sent[k]! && sent[k]! <= blocked.end(stretch);
      return isTransfer || sends || (kind.receives && !isBlocking);
    });
    if (sender < 0) continue;
    waits.add(
      sender,
      Math.max(blocked.start(sender), isTransfer ? Number.NEGATIVE_INFINITY : sent[k]!),
      begins,
      RECEIVER,
    );
  }
  waits.each(blocked.count, (stretch, kind, pieces) => {
    const seconds = pieces.reduce((sum, { from, to }) => sum + blocked.seconds(stretch, from, to), 0);
    if (seconds > 0) sink(STATES[kind]!, blocked.process(stretch), blocked.interval(stretch), seconds, pieces[0]!.from);
  });
}

const STATES = ['Late Sender', 'Late Sender/Wrong Order', 'Late Receiver'] as const;
const [LATE, WRONG, RECEIVER] = [0, 1, 2] as const;

/**
 * For each message in the order of receipt: the earliest send of those that its process receives later, or at the same instant
 * in another call.
 */
function earliestSentLater(
  order: Int32Array,
  receivers: Int32Array,
  destination: ArrayLike<number>,
  sent: ArrayLike<number>,
  received: ArrayLike<number>,
): Float64Array {
  const earliest = new Float64Array(order.length);
  let later = Number.POSITIVE_INFINITY;
  for (let end = order.length; end > 0; ) {
    let begin = end - 1;
    const k = order[begin]!;
    if (end < order.length && destination[order[end]!] !== destination[k]) later = Number.POSITIVE_INFINITY;
    while (
      begin > 0 &&
      destination[order[begin - 1]!] === destination[k] &&
      received[order[begin - 1]!] === received[k]
    )
      begin--;
    // The messages of one instant come in the order of their sends: the first one, or the first of another call, is the earliest.
    let other = begin + 1;
    while (other < end && receivers[other] === receivers[begin] && receivers[begin]! >= 0) other++;
    for (let at = begin; at < end; at++) {
      const isFirst = at === begin || (receivers[at] === receivers[begin] && receivers[at]! >= 0);
      const same = isFirst
        ? other < end && other !== at
          ? sent[order[other]!]!
          : Number.POSITIVE_INFINITY
        : sent[order[begin]!]!;
      earliest[at] = Math.min(later, same);
    }
    later = Math.min(later, sent[order[begin]!]!);
    end = begin;
  }
  return earliest;
}

interface Piece {
  readonly from: number;
  readonly to: number;
}

/** Waits by stretch, as intervals of time. */
class Waits {
  readonly #columns = new GrowingColumns([
    { name: 'stretch', type: 'count' },
    { name: 'kind', type: 'count' },
    { name: 'from', type: 'seconds' },
    { name: 'to', type: 'seconds' },
  ]);

  add(stretch: number, from: number, to: number, kind: number): void {
    if (!(to > from)) return;
    const row = this.#columns.row();
    this.#columns.column('stretch')[row] = stretch;
    this.#columns.column('kind')[row] = kind;
    this.#columns.column('from')[row] = from;
    this.#columns.column('to')[row] = to;
  }

  /** Passes on each instant of a stretch once: late senders first, then late receivers; of one kind, the latest end first. */
  each(stretches: number, use: (stretch: number, kind: number, pieces: readonly Piece[]) => void): void {
    const kind = this.#columns.column('kind');
    const from = this.#columns.column('from');
    const to = this.#columns.column('to');
    const { order, begin } = grouped(this.#columns.column('stretch'), this.#columns.count, stretches);
    for (let stretch = 0; stretch < stretches; stretch++) {
      const own = order.subarray(begin[stretch]!, begin[stretch + 1]!);
      if (own.length === 0) continue;
      // Of waits that begin together, the longest comes first: it contains the others.
      own.sort((a, b) => from[a]! - from[b]! || to[b]! - to[a]!);
      const taken: Piece[] = [];
      for (const row of own.filter((wait) => kind[wait] !== RECEIVER)) {
        const begins = Math.max(from[row]!, taken.at(-1)?.to ?? Number.NEGATIVE_INFINITY);
        if (begins >= to[row]!) continue;
        const piece = { from: begins, to: to[row]! };
        use(stretch, kind[row]!, [piece]);
        taken.push(piece);
      }
      let at = 0;
      let known = Number.NEGATIVE_INFINITY;
      for (const row of own.filter((wait) => kind[wait] === RECEIVER)) {
        let begins = Math.max(from[row]!, known);
        known = Math.max(known, to[row]!);
        const pieces: Piece[] = [];
        for (; begins < to[row]!; at++) {
          const next = taken[at];
          const free = Math.min(to[row]!, next?.from ?? Number.POSITIVE_INFINITY);
          if (free > begins) pieces.push({ from: begins, to: free });
          begins = Math.max(begins, Math.min(to[row]!, next?.to ?? Number.POSITIVE_INFINITY));
          if (next === undefined || next.to > to[row]!) break;
        }
        if (pieces.length > 0) use(stretch, RECEIVER, pieces);
      }
    }
  }
}
