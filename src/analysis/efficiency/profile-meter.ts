import type { Batch, RunConsumer } from '../../trace/run/batch.ts';
import { addStays, type NodeStay } from '../../trace/run/checks/node-stays.ts';
import { HostSpeeds } from '../../trace/run/host-speeds.ts';
import { type IntervalPath, PHASES, RUN_STATES, type RunEnd, type RunHead } from '../../trace/run/run-schema.ts';
import type { Window } from '../../trace/run/run-window.ts';
import { BlockedCalls } from './blocked-calls.ts';
import { CallMeter } from './calls.ts';
import { EfficiencyMeter } from './efficiency.ts';
import { messageWaits } from './message-waits.ts';
import { MessageMeter } from './messages.ts';
import { NodeStateMeter } from './node-states.ts';
import { collectivePattern, collectiveWaits, WAIT_STATES, type WaitSink, type WaitState } from './wait-states.ts';

/** Occurrences and seconds of a wait state, in total, by interval and by process. */
export interface WaitSums {
  readonly state: WaitState;
  count: number;
  seconds: number;
  readonly byInterval: Map<number, number>;
  readonly byProcess: Map<number, number>;
}

export interface ProfileMeterOptions {
  /** Maximum number of spans kept per node, socket or process. */
  readonly maxSpans: number;
  /** Instant whose states are recorded, in seconds. */
  readonly at?: number;
  /** Part of the run that is measured; rows are cut to it already. */
  readonly window?: Window;
  /** Several stays of nodes, from an earlier pass over the run. */
  readonly stays?: ReadonlyMap<number, readonly NodeStay[]>;
  /** Receives each wait state. */
  readonly waited?: WaitSink;
}

/** A process that goes on while its node does not take part: it is suspended with the node. */
export interface Suspended {
  readonly process: number;
  readonly state: string;
  readonly from: number;
  readonly to: number;
}

/** Maximum number of suspensions that are kept. */
const MAX_SUSPENDED = 20;

const MESSAGE_WAITS: ReadonlySet<WaitState> = new Set(['Late Sender', 'Late Sender/Wrong Order', 'Late Receiver']);

/** Takes a run and measures everything that a profile shows. Complete after {@link end}. */
export class ProfileMeter implements RunConsumer {
  readonly #options: ProfileMeterOptions;
  /** Time in which each node takes part, by its index; other nodes take part in the whole run. */
  readonly stays: Map<number, NodeStay[]> = new Map();
  readonly suspended: Suspended[] = [];
  readonly names: string[] = [];
  /** Speeds of the nodes, where the record has them. */
  readonly speeds: HostSpeeds = new HostSpeeds();
  head_!: RunHead;
  end_!: RunEnd;
  efficiency!: EfficiencyMeter;
  calls!: CallMeter;
  messages!: MessageMeter;
  #blocked!: BlockedCalls;
  nodeStates!: NodeStateMeter;
  readonly waits: WaitSums[] = WAIT_STATES.map((state) => ({
    state,
    count: 0,
    seconds: 0,
    byInterval: new Map(),
    byProcess: new Map(),
  }));
  /** Rows by table. */
  readonly rows: Map<string, number> = new Map();

  constructor(options: ProfileMeterOptions) {
    this.#options = options;
  }

  head(head: RunHead): void {
    this.head_ = head;
    this.speeds.head(head);
    this.efficiency = new EfficiencyMeter(head.program, head.processes);
    this.calls = new CallMeter(head.processes);
    this.messages = new MessageMeter(head.nodeOf);
    this.#blocked = new BlockedCalls(head.processes);
    if (this.#options.window !== undefined) this.efficiency.begin = this.#options.window.from;
    this.nodeStates = new NodeStateMeter(head, this.#options.maxSpans, this.#options.at, this.#options.stays);
  }

  name(name: string): void {
    this.names.push(name);
  }

  batch(batch: Batch): void {
    this.rows.set(batch.table, (this.rows.get(batch.table) ?? 0) + batch.count);
    this.speeds.batch(batch, this.names);
    if (batch.table === 'messages') this.messages.batch(batch);
    if (batch.table === 'nodes') addStays(this.stays, batch, this.names, this.head_.nodes);
    if (batch.table !== 'states') return;
    const intervals = this.efficiency.batch(batch);
    this.calls.batch(batch, intervals);
    this.#blocked.batch(batch, intervals);
    this.nodeStates.batch(batch);
    if (this.#options.stays !== undefined) this.#suspensions(batch, this.#options.stays);
  }

  goesOn(process: number, path: IntervalPath): void {
    const { window } = this.#options;
    if (window !== undefined) this.efficiency.goesOn(process, window.to, path);
  }

  /** The part of the run that is measured; undefined for the whole run. */
  get window(): Window | undefined {
    return this.#options.window;
  }

  /** Start of the first row, in seconds; 0 without rows. */
  get begin(): number {
    const { begin } = this.efficiency;
    return Number.isFinite(begin) ? begin : 0;
  }

  /** Seconds that processes wait for late senders and receivers of messages, by interval. */
  lateMessages(): Map<number, number> {
    const seconds = new Map<number, number>();
    for (const { state, byInterval } of this.waits)
      if (MESSAGE_WAITS.has(state))
        for (const [interval, waited] of byInterval) seconds.set(interval, (seconds.get(interval) ?? 0) + waited);
    return seconds;
  }

  /** Seconds that processes wait in input/output, by interval. */
  ioWaits(): Map<number, number> {
    return this.efficiency.ioWaits.seconds((index) => this.names[index]!);
  }

  #suspensions({ columns, count }: Batch, stays: ReadonlyMap<number, readonly NodeStay[]>): void {
    for (let row = 0; row < count && this.suspended.length < MAX_SUSPENDED; row++) {
      const process = columns['process']![row]!;
      const state = RUN_STATES[columns['state']![row]!]!;
      const of = state === 'idle' ? [] : (stays.get(this.head_.nodeOf[process]!) ?? []);
      of.slice(1).forEach(({ joined }, k) => {
        const { left } = of[k]!;
        if (columns['start']![row]! <= left && joined <= columns['end']![row]! && left < joined)
          this.suspended.push({ process, state, from: left, to: joined });
      });
    }
  }

  end(end: RunEnd): void {
    this.end_ = end;
    this.efficiency.finish();
    this.calls.finish();
    this.#blocked.finish();
    const { operations, parts } = this.efficiency;
    this.nodeStates.finish(this.begin, end.time, this.stays);
    const wait: WaitSink = (state, process, interval, seconds, start) => {
      this.#options.waited?.(state, process, interval, seconds, start);
      const sums = this.waits[WAIT_STATES.indexOf(state)]!;
      sums.count++;
      sums.seconds += seconds;
      sums.byInterval.set(interval, (sums.byInterval.get(interval) ?? 0) + seconds);
      sums.byProcess.set(process, (sums.byProcess.get(process) ?? 0) + seconds);
    };
    const waited = operations.map(({ name, phase }, operation) => ({
      pattern: collectivePattern(this.names[name]!),
      waits: PHASES[phase] !== 'start',
      starts: this.efficiency.startOf(operation),
    }));
    collectiveWaits(parts, (operation) => waited[operation]!, wait);
    messageWaits(this.#blocked, this.messages, (index) => this.names[index], wait);
  }
}
