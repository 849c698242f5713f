import FlatQueue from 'flatqueue';
import type { Batch } from '../../trace/run/batch.ts';
import type { NodeStay } from '../../trace/run/checks/node-stays.ts';
import { RUN_STATES, type RunHead, type RunState } from '../../trace/run/run-schema.ts';

/** States of a node, a socket or a process, with the highest priority first. */
export const NODE_STATES = ['computing', 'overhead', 'waiting', 'idle'] as const;
export type NodeState = (typeof NODE_STATES)[number];

const NODE_STATE_OF: Readonly<Record<RunState, NodeState>> = {
  computing: 'computing',
  memory: 'computing',
  overhead: 'overhead',
  communicating: 'waiting',
  waiting: 'waiting',
  io: 'waiting',
  idle: 'idle',
};
const PRIORITY: readonly number[] = RUN_STATES.map((state) => NODE_STATES.indexOf(NODE_STATE_OF[state]));

/** Index into NODE_STATES of a state, which is an index into RUN_STATES. */
export const statePriority = (state: number): number => PRIORITY[state]!;
const IDLE = NODE_STATES.indexOf('idle');

/** Time in one state; spans of a line follow each other without gaps. */
export interface StateSpan {
  readonly from: number;
  readonly to: number;
  readonly state: NodeState;
}

/** Seconds by state, and the kept spans. */
export interface StateLine {
  readonly seconds: Readonly<Record<NodeState, number>>;
  /** Spans in the order of time; empty if they exceed the limit. */
  readonly spans: readonly StateSpan[];
  readonly spansCount: number;
}

/**
 * State of each process, socket and node over time: the one of highest priority among its processes, computing > overhead >
 * waiting > idle (after "Visual debugging method for parallel programs", CN 1588323). Rows of one process come in the order
 * of time; gaps are idle.
 *
 * Takes O(rows × log(processes of a node)) time. Keeps the changes of a node's processes until all its processes have
 * passed them: a few per process if rows are in the order of time.
 */
export class NodeStateMeter {
  readonly #lines: StateMerge[] = [];
  /** Lines that a process belongs to: its own, its socket's, its node's. */
  readonly #linesOf: readonly (readonly { readonly line: StateMerge; readonly member: number }[])[];
  /** Lines of sockets that have processes, by node and number. */
  readonly #sockets: readonly Map<number, StateMerge>[];
  readonly #nodes: readonly StateMerge[];
  readonly #processes: readonly StateMerge[];

  /** Stays of each process's node, where there are several. */
  readonly #staysOf: readonly (readonly NodeStay[] | undefined)[];

  /**
   * @param maxSpans maximum number of spans kept per line
   * @param stays several stays of nodes: their states, and those of their sockets, are cut to these
   */
  constructor(
    head: RunHead,
    maxSpans: number,
    at?: number,
    stays: ReadonlyMap<number, readonly NodeStay[]> = new Map(),
  ) {
    this.#staysOf = head.nodeOf.map((node) => stays.get(node));
    const line = (): StateMerge => {
      const made = new StateMerge(maxSpans, at);
      this.#lines.push(made);
      return made;
    };
    this.#nodes = head.nodes.map(line);
    this.#sockets = head.nodes.map(() => new Map());
    this.#processes = head.nodeOf.map(line);
    head.nodeOf.forEach((node, p) => {
      const sockets = this.#sockets[node]!;
      if (!sockets.has(head.socketOf[p]!)) sockets.set(head.socketOf[p]!, line());
    });
    this.#linesOf = head.nodeOf.map((node, p) =>
      [this.#processes[p]!, this.#sockets[node]!.get(head.socketOf[p]!)!, this.#nodes[node]!].map((of) => ({
        line: of,
        member: of.join(),
      })),
    );
  }

  /** Adds rows of the table `states`. */
  batch({ columns, count }: Batch): void {
    const process = columns['process']!;
    const start = columns['start']!;
    const end = columns['end']!;
    const state = columns['state']!;
    for (let row = 0; row < count; row++) {
      const stays = this.#staysOf[process[row]!];
      for (const { line, member } of this.#linesOf[process[row]!]!) {
        if (stays === undefined || line === this.#processes[process[row]!])
          line.span(member, start[row]!, end[row]!, PRIORITY[state[row]!]!);
        else
          for (const { joined, left } of stays)
            line.span(member, Math.max(joined, start[row]!), Math.min(left, end[row]!), PRIORITY[state[row]!]!);
      }
    }
  }

  /**
   * Completes all lines: everything is idle from its last row to `end`, and from `begin` to its first. Lines of a node and
   * its sockets begin when the node joins and end when it leaves; it is idle outside.
   */
  finish(begin: number, end: number, stays: ReadonlyMap<number, readonly NodeStay[]>): void {
    for (const line of this.#lines) line.finish(begin, end);
    for (const [node, list] of stays)
      for (const line of [this.#nodes[node]!, ...this.#sockets[node]!.values()]) {
        line.clip(Math.min(end, Math.max(begin, list[0]!.joined)), Math.max(begin, Math.min(end, list.at(-1)!.left)));
        for (let k = 1; k < list.length; k++)
          line.away(Math.max(begin, list[k - 1]!.left), Math.min(end, list[k]!.joined));
      }
  }

  node(index: number): StateMerge {
    return this.#nodes[index]!;
  }

  process(index: number): StateMerge {
    return this.#processes[index]!;
  }

  /** Sockets of a node that have processes, by their numbers. */
  sockets(node: number): readonly { readonly socket: number; readonly line: StateMerge }[] {
    return [...this.#sockets[node]!].sort(([a], [b]) => a - b).map(([socket, line]) => ({ socket, line }));
  }
}

/** The state of highest priority among several processes, merged in the order of time. */
export class StateMerge implements StateLine {
  readonly seconds: Record<NodeState, number> = { computing: 0, overhead: 0, waiting: 0, idle: 0 };
  spans: StateSpan[] = [];
  spansCount = 0;
  /** State at the requested instant. */
  stateAt: NodeState | undefined;
  readonly #maxSpans: number;
  readonly #at: number | undefined;
  /** Changes of every member that are not yet merged: from, priority. */
  readonly #from: number[][] = [];
  readonly #priority: number[][] = [];
  /** First change of a member that is not yet merged. */
  readonly #head: number[] = [];
  /** Members with changes not yet merged, by the time of the first change. */
  readonly #next = new FlatQueue<number>();
  /** Time up to which a member's changes are known. */
  readonly #known: number[] = [];
  /** All members by a lower bound of `#known`; exact for the first one, which is the slowest. */
  readonly #slowest = new FlatQueue<number>();
  /** Current priority of every member, and the number of members per priority. */
  readonly #current: number[] = [];
  readonly #members = [0, 0, 0, 0];
  #open: { from: number; state: number } | undefined;
  /** First and last span, also where spans are not kept. */
  #first: StateSpan | undefined;
  #last: StateSpan | undefined;

  constructor(maxSpans: number, at: number | undefined) {
    this.#maxSpans = maxSpans;
    this.#at = at;
  }

  /** Adds a member, idle at first, and returns its number. */
  join(): number {
    this.#from.push([]);
    this.#priority.push([]);
    this.#head.push(0);
    this.#known.push(Number.NEGATIVE_INFINITY);
    this.#current.push(IDLE);
    this.#members[IDLE]!++;
    const member = this.#current.length - 1;
    this.#slowest.push(member, Number.NEGATIVE_INFINITY);
    return member;
  }

  /** A member has a priority from start to end. */
  span(member: number, start: number, end: number, priority: number): void {
    if (end <= start) return;
    const from = this.#from[member]!;
    const priorities = this.#priority[member]!;
    const last = from.length - 1;
    if (last >= 0 && from[last] === start) {
      // The change to idle at the end of the row before.
      from.pop();
      priorities.pop();
    }
    if (this.#head[member] === last + 1) this.#next.push(member, start);
    from.push(start, end);
    priorities.push(priority, IDLE);
    // The change at `end` may still be replaced by the next row.
    this.#known[member] = end;
    if (member === this.#slowest.peek()) this.#advance();
  }

  /** Merges everything and closes the line. */
  finish(begin: number, end: number): void {
    this.#merge(Number.POSITIVE_INFINITY);
    this.#open ??= { from: begin, state: IDLE };
    if (end > this.#open.from) this.#emit(this.#open.from, end, this.#open.state);
    this.#open = undefined;
    if (this.#first !== undefined && this.#first.from > begin) this.#lead(begin, this.#first);
    if (this.#at === end) this.stateAt = this.#last?.state ?? 'idle';
  }

  /** Adds idle time before the first span. */
  #lead(begin: number, first: StateSpan): void {
    this.seconds.idle += first.from - begin;
    if (this.#at !== undefined && begin <= this.#at && this.#at < first.from) this.stateAt = 'idle';
    const isIdle = first.state === NODE_STATES[IDLE];
    const added: StateSpan = { from: begin, to: isIdle ? first.to : first.from, state: 'idle' };
    if (!isIdle) this.spansCount++;
    if (this.spansCount > this.#maxSpans) this.spans = [];
    else this.spans.splice(0, isIdle ? 1 : 0, added);
    if (isIdle && this.#last === first) this.#last = added;
    this.#first = added;
  }

  /** Removes idle time before an instant and after another one. The line is complete and idle there. */
  clip(from: number, to: number): void {
    const before = this.#first;
    if (before !== undefined && before.from < from)
      this.#shorten(0, before, { ...before, from: Math.min(from, before.to) });
    const after = this.#last;
    if (after !== undefined && after.to > to) this.#shorten(-1, after, { ...after, to: Math.max(to, after.from) });
    if (this.#at !== undefined && !(from <= this.#at && this.#at <= to)) this.stateAt = undefined;
  }

  /** Removes idle time between two stays. The line is complete, clipped, and idle there. */
  away(from: number, to: number): void {
    if (!(to > from)) return;
    this.seconds.idle = Math.max(0, this.seconds.idle - (to - from));
    if (this.#at !== undefined && from < this.#at && this.#at < to) this.stateAt = undefined;
    const k = this.spans.findIndex((span) => span.from <= from && to <= span.to);
    const span = this.spans[k];
    // Where spans are not kept, the idle time is taken to be longer than the absence at both ends.
    if (span === undefined) {
      this.spansCount++;
      return;
    }
    const parts = [
      { ...span, to: from },
      { ...span, from: to },
    ].filter((part) => part.to > part.from);
    this.spans.splice(k, 1, ...parts);
    this.spansCount += parts.length - 1;
  }

  /** Replaces the first (0) or the last (−1) span, or removes it where nothing is left. */
  #shorten(which: 0 | -1, span: StateSpan, by: StateSpan): void {
    if (span.state !== NODE_STATES[IDLE]) throw new Error('a node works while it does not take part');
    const length = by.to - by.from;
    this.seconds.idle = Math.max(0, this.seconds.idle - (span.to - span.from - length));
    if (this.spans.length > 0) this.spans.splice(which, 1, ...(length > 0 ? [by] : []));
    if (length <= 0) this.spansCount--;
    if (this.#first === span) this.#first = by;
    if (this.#last === span) this.#last = by;
  }

  #advance(): void {
    const slowest = this.#slowest;
    let member = slowest.peek()!;
    while (slowest.peekValue() !== this.#known[member]) {
      slowest.pop();
      slowest.push(member, this.#known[member]!);
      member = slowest.peek()!;
    }
    this.#merge(this.#known[member]!);
  }

  /** Merges all changes before `until`, except a member's change at the end of its last row. */
  #merge(until: number): void {
    const next = this.#next;
    for (let time = next.peekValue(); time !== undefined && time < until; time = next.peekValue()) {
      const member = next.pop()!;
      this.#change(member, time);
      const following = this.#from[member]![this.#head[member]!];
      if (following !== undefined) next.push(member, following);
    }
  }

  #change(member: number, time: number): void {
    const head = this.#head[member]!;
    const priority = this.#priority[member]![head]!;
    this.#head[member] = head + 1;
    if (head > 1024) {
      this.#from[member]!.splice(0, head + 1);
      this.#priority[member]!.splice(0, head + 1);
      this.#head[member] = 0;
    }
    this.#members[this.#current[member]!]!--;
    this.#members[priority]!++;
    this.#current[member] = priority;
    let state = IDLE;
    for (let k = IDLE - 1; k >= 0; k--) if (this.#members[k]! > 0) state = k;
    if (this.#open === undefined) this.#open = { from: time, state };
    else if (this.#open.state !== state) {
      if (time > this.#open.from) this.#emit(this.#open.from, time, this.#open.state);
      this.#open = { from: time, state };
    }
  }

  #emit(from: number, to: number, state: number): void {
    const name = NODE_STATES[state]!;
    this.seconds[name] += to - from;
    if (this.#at !== undefined && from <= this.#at && this.#at < to) this.stateAt = name;
    const last = this.#last;
    if (last !== undefined && last.state === name && last.to === from) {
      this.#last = { from: last.from, to, state: name };
      if (this.spans.length > 0) this.spans[this.spans.length - 1] = this.#last;
    } else {
      this.#last = { from, to, state: name };
      this.spansCount++;
      if (this.spansCount <= this.#maxSpans) this.spans.push(this.#last);
      else this.spans = [];
    }
    if (this.spansCount === 1) this.#first = this.#last;
  }
}
