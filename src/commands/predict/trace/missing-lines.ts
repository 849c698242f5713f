import { entryAt } from '../../../base/columns.ts';
import type { Problem } from '../../../base/problem.ts';
import type { TraceEncoder } from '../../../models/trace-encoder.ts';
import { sourcePlace } from '../../../report/source-place.ts';
import type { BlockedRank } from '../../inputs/document-parts.ts';
import type { Trace } from '../../subjects/compact-trace.ts';

/** A message that a sendRecv line of rank `from` or `to` proves, and for which its other rank has no line. */
interface Missing {
  /** The end that has no line. */
  readonly end: 'send' | 'receive';
  readonly from: number;
  readonly to: number;
  /** Number of missing lines, and number of sendRecv lines with this message. */
  readonly lines: number;
  readonly of: number;
  /** Position of the first of these sendRecv lines. */
  readonly position: number;
  /** Position of a line for the message whose tag differs from 0, the tag of all sendRecv lines. */
  readonly otherTag: number | undefined;
}

/**
 * Messages of sendRecv lines without a line of the partner. SimGrid's tracer writes no line for an MPI_Sendrecv with
 * MPI_PROC_NULL as one partner, although it sends or receives; and sendRecv lines have no tags.
 *
 * Only lines that the recorded run has passed count: the rank of the sendRecv has later lines, and the partner has a
 * `finalize`. A rank that was blocked while it was recorded has neither.
 *
 * O(positions of the trace); called only if a run leaves ranks blocked or messages unmatched.
 */
export class MissingLines {
  readonly #trace: Trace;
  readonly #all: readonly Missing[];
  /** Pairs a × ranks + b with a missing line between a and b, in both orders. */
  readonly #pairs = new Set<number>();
  /** Receivers that lack a sender, which may be any rank. */
  readonly #anySource = new Set<number>();
  readonly #finished = new Map<number, boolean>();

  constructor(trace: Trace, encoder: Pick<TraceEncoder, 'actionOf'>) {
    this.#trace = trace;
    const counts = countMessages(trace, encoder);
    this.#all = [...missingSends(counts), ...missingReceives(counts)].filter((m) => this.#passed(m));
    for (const { from, to } of this.#all) {
      if (from < 0) this.#anySource.add(to);
      else this.#pairs.add(from * trace.ranks + to).add(to * trace.ranks + from);
    }
  }

  get some(): boolean {
    return this.#all.length > 0;
  }

  /**
   * True if missing lines can be the only reason why the ranks are blocked: each blocked rank waits, perhaps through
   * other ranks, for a message with a missing line. O(blocked ranks × their partners × length of the chains).
   */
  explain(blocked: readonly BlockedRank[]): boolean {
    if (!this.some) return false;
    const stuck = new Map(blocked.map((b) => [b.rank, b]));
    const all = new Set(stuck.keys());
    // Greatest set of ranks that stay blocked even if every missing line is added.
    for (let before = -1; stuck.size !== before; ) {
      before = stuck.size;
      for (const [rank, { waitsFor }] of stuck) {
        const stays = (peer: number): boolean => !this.#between(rank, peer) && (stuck.has(peer) || !all.has(peer));
        const peers = waitsFor ?? Array.from({ length: this.#trace.ranks }, (_, r) => r).filter((r) => r !== rank);
        const blocks = waitsFor === null ? peers.every(stays) : peers.length === 0 || peers.some(stays);
        if (!blocks) stuck.delete(rank);
      }
    }
    return stuck.size === 0;
  }

  /** True if a line for a message between these two ranks may be missing. */
  #between(a: number, b: number): boolean {
    return this.#pairs.has(a * this.#trace.ranks + b) || this.#anySource.has(a) || this.#anySource.has(b);
  }

  /** True if a missing line explains unmatched sends or receives of a rank; `peer: null` is any rank. */
  explainUnmatched(rank: number, peer: number | null): boolean {
    if (peer !== null) return this.#between(rank, peer);
    return this.#all.some(({ from, to }) => from === rank || to === rank);
  }

  /** TI044 for each pair of ranks with missing lines, at the sendRecv line. */
  problems(): Problem[] {
    const listed = this.#all.slice(0, MAX_LISTED).map((m) => this.#problem(m));
    const left = this.#all.length - listed.length;
    if (left === 0) return listed;
    const message = `lines are missing for ${left} more pairs of ranks`;
    return [...listed, { code: 'TI044', message, place: { file: this.#trace.files[0]! } }];
  }

  #problem({ end, from, to, lines, of, position, otherTag }: Missing): Problem {
    const { file, line, text } = this.#trace.locate(position);
    const words = text.trim().split(/\s+/);
    const [sendCount, , receiveCount, , sendType, receiveType] = words.slice(2);
    const [own, peer] = end === 'send' ? [to, from] : [from, to];
    const verb = end === 'send' ? 'receives from' : 'sends to';
    const at = `rank ${own} ${verb} ${peer < 0 ? 'any rank' : `rank ${peer}`} in ${words.slice(1).join(' ').slice(0, 120)} (${sourcePlace(file, line)})`;
    const place = { file, line };
    if (peer < 0) {
      const message = `${at}, but the trace has ${counted(lines, 'send')} to rank ${own} too few: ${WHY}`;
      return { code: 'TI044', message, place };
    }
    const last = this.#trace.locate(this.#trace.end[peer]!);
    if (otherTag !== undefined) {
      const other = this.#trace.locate(otherTag);
      const message = `${at}, but rank ${peer} has another tag in ${other.text.trim().split(/\s+/).slice(1).join(' ')} (${sourcePlace(other.file, other.line)}): sendRecv lines do not record tags and are read as tag 0. Write tag 0 in the line of rank ${peer}`;
      return { code: 'TI044', message, place };
    }
    const [count, type] = end === 'send' ? [receiveCount, receiveType] : [sendCount, sendType];
    const added = `${peer} ${end === 'send' ? 'send' : 'recv'} ${own} 0 ${count}${type === undefined ? '' : ` ${type}`}`;
    const lacks = `${counted(lines, `${end === 'send' ? 'send' : 'receive'} line`)} for ${of === 1 ? 'it' : `the ${of} such lines`}`;
    const message = `${at}, but rank ${peer} lacks ${lacks} and ends regularly (${sourcePlace(last.file, last.line)}): ${WHY}. Insert "${added}" where rank ${peer} calls it, or record the program with MPI_Send and MPI_Recv there`;
    return { code: 'TI044', message, place };
  }

  #passed({ end, from, to, position }: Missing): boolean {
    const peer = end === 'send' ? from : to;
    const own = end === 'send' ? to : from;
    const continues = position < this.#trace.end[own]! - 1 || this.#isFinished(own);
    return continues && (peer < 0 || this.#isFinished(peer));
  }

  #isFinished(rank: number): boolean {
    const known = this.#finished.get(rank);
    if (known !== undefined) return known;
    const finished = /\sfinalize\s*$/.test(this.#trace.locate(this.#trace.end[rank]!).text);
    this.#finished.set(rank, finished);
    return finished;
  }
}

const WHY = "SimGrid's tracer writes no line for MPI_Sendrecv with MPI_PROC_NULL";
/** Maximum number of pairs that are listed. */
const MAX_LISTED = 20;

const counted = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`;

/** Sends or receives of one rank with one partner: all, those with tag 0, with any tag, and those of sendRecv lines. */
interface Tally {
  all: number;
  zero: number;
  any: number;
  both: number;
  /** Position of the first sendRecv line, and of the first line with another tag; −1: none. */
  first: number;
  other: number;
}

interface Counts {
  readonly ranks: number;
  /** By sender × ranks + receiver. */
  readonly sends: ReadonlyMap<number, Tally>;
  readonly receives: ReadonlyMap<number, Tally>;
  /** Receives from any source, by receiver. */
  readonly anySource: ReadonlyMap<number, Tally>;
}

function countMessages(trace: Trace, encoder: Pick<TraceEncoder, 'actionOf'>): Counts {
  const { ranks, start, end, code } = trace;
  const sends = new Map<number, Tally>();
  const receives = new Map<number, Tally>();
  const anySource = new Map<number, Tally>();
  const add = (to: Map<number, Tally>, key: number, n: number, tag: number | null, both: boolean, at: number): void => {
    const tally = to.get(key) ?? { all: 0, zero: 0, any: 0, both: 0, first: -1, other: -1 };
    to.set(key, tally);
    tally.all += n;
    if (tag === 0) tally.zero += n;
    else if (tag === null) tally.any += n;
    else if (tally.other < 0 || at < tally.other) tally.other = at;
    if (!both) return;
    tally.both += n;
    if (tally.first < 0 || at < tally.first) tally.first = at;
  };
  for (let rank = 0; rank < ranks; rank++) {
    const times = new Map<number, { n: number; first: number }>();
    for (let at = start[rank]!; at < end[rank]!; at++) {
      const row = entryAt(code, at);
      const seen = times.get(row);
      if (seen === undefined) times.set(row, { n: 1, first: at });
      else seen.n++;
    }
    const receive = (source: number | null, n: number, tag: number | null, both: boolean, at: number): void =>
      source === null ? add(anySource, rank, n, tag, both, at) : add(receives, source * ranks + rank, n, tag, both, at);
    for (const [row, { n, first }] of times) {
      const action = encoder.actionOf(row);
      if (action.kind === 'send' || action.kind === 'isend')
        add(sends, rank * ranks + action.peer, n, action.tag, false, first);
      else if (action.kind === 'recv' || action.kind === 'irecv') receive(action.peer, n, action.tag, false, first);
      // With itself as both partners a rank exchanges nothing.
      else if (action.kind === 'sendRecv' && !(action.to === rank && action.from === rank)) {
        add(sends, rank * ranks + action.to, n, 0, true, first);
        receive(action.from, n, 0, true, first);
      }
    }
  }
  return { ranks, sends, receives, anySource };
}

const NONE: Tally = { all: 0, zero: 0, any: 0, both: 0, first: -1, other: -1 };

/** Number of messages of all partners, by receiver. */
function byReceiver(tallies: ReadonlyMap<number, Tally>, ranks: number): ReadonlyMap<number, number> {
  const totals = new Map<number, number>();
  for (const [pair, { all }] of tallies) totals.set(pair % ranks, (totals.get(pair % ranks) ?? 0) + all);
  return totals;
}

/** Number of receives of a rank minus the number of sends to it, of all partners and tags. */
function excessOf({ ranks, sends, receives, anySource }: Counts): (to: number) => number {
  const [sent, received] = [byReceiver(sends, ranks), byReceiver(receives, ranks)];
  return (to) => (anySource.get(to)?.all ?? 0) + (received.get(to) ?? 0) - (sent.get(to) ?? 0);
}

/** Receives of sendRecv lines for which the sender has too few lines. */
function* missingSends(counts: Counts): Generator<Missing> {
  const { ranks, sends, receives, anySource } = counts;
  const excess = excessOf(counts);
  for (const [pair, r] of receives) {
    const s = sends.get(pair) ?? NONE;
    const lines = Math.max(r.zero - s.zero, r.any > 0 ? r.all - s.all : 0);
    if (lines <= 0 || r.both === 0) continue;
    const otherTag = r.all <= s.all && s.other >= 0 ? s.other : undefined;
    const [from, to] = [Math.floor(pair / ranks), pair % ranks];
    yield { end: 'send', from, to, lines, of: r.both, position: r.first, otherTag };
  }
  for (const [to, r] of anySource) {
    const lines = excess(to);
    if (lines > 0 && r.both > 0)
      yield { end: 'send', from: -1, to, lines, of: r.both, position: r.first, otherTag: undefined };
  }
}

/** Sends of sendRecv lines for which the receiver has too few lines; receives from any source may take them. */
function* missingReceives(counts: Counts): Generator<Missing> {
  const { ranks, sends, receives, anySource } = counts;
  const excess = excessOf(counts);
  for (const [pair, s] of sends) {
    const [from, to] = [Math.floor(pair / ranks), pair % ranks];
    const r = receives.get(pair) ?? NONE;
    const named = s.zero - r.zero - r.any;
    const lines = anySource.has(to) ? Math.min(named, -excess(to)) : named;
    if (lines <= 0 || s.both === 0) continue;
    const otherTag = r.all >= s.all && r.other >= 0 ? r.other : undefined;
    yield { end: 'receive', from, to, lines, of: s.both, position: s.first, otherTag };
  }
}
