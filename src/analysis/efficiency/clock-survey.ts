import type { Batch, RunConsumer } from '../../trace/run/batch.ts';
import { ABSENT, type RunEnd, type RunHead } from '../../trace/run/run-schema.ts';
import { type ClockEdge, clockShifts } from './clock-shifts.ts';
import { collectivePattern } from './wait-states.ts';

/** The part of a process in a collective operation in which it waits for others. */
interface Part {
  readonly process: number;
  readonly start: number;
  end: number;
}

/** An execution of a collective operation of known pattern. */
interface Execution {
  readonly pattern: string;
  root: number;
  readonly parts: Map<number, Part>;
}

/** Shifts of the clocks of a run. */
export interface ClockAlignment {
  /** Seconds to add to the times of each process. */
  readonly shifts: readonly number[];
  /** Seconds by which messages and operations still contradict each other at most. */
  readonly residual: number;
  /** Messages that are received before they are sent, without the shifts. */
  readonly skewed: number;
}

/**
 * Collects what messages and collective operations say about the clocks of processes: a message is received after it is sent;
 * no process leaves a barrier or an operation of all with all before the last one comes, a broadcast before the root comes;
 * the root leaves a reduction after all others have come. Executions of asynchronous operations are left out.
 * Memory: O(communicating pairs + parts of collective operations).
 */
export class ClockSurvey implements RunConsumer {
  readonly #names: string[] = [];
  #processes = 0;
  #skewed = 0;
  /** Least seconds from sending to receipt, by source × processes + destination. */
  readonly #delays = new Map<number, number>();
  readonly #executions = new Map<number, Map<number, Execution>>();
  readonly #patterns = new Map<number, string | undefined>();

  head(head: RunHead): void {
    this.#processes = head.processes;
  }

  name(name: string): void {
    this.#names.push(name);
  }

  end(_end: RunEnd): void {}

  batch({ table, columns, count }: Batch): void {
    if (table === 'messages')
      for (let row = 0; row < count; row++) {
        const key = columns['source']![row]! * this.#processes + columns['destination']![row]!;
        const delay = columns['received']![row]! - columns['sent']![row]!;
        if (delay < 0) this.#skewed++;
        if (!(this.#delays.get(key)! <= delay)) this.#delays.set(key, delay);
      }
    else if (table === 'states')
      for (let row = 0; row < count; row++)
        if (columns['collective']![row] !== ABSENT && columns['phase']![row] === ABSENT) this.#part(columns, row);
  }

  /** The shifts of all processes. */
  alignment(): ClockAlignment {
    const processes = this.#processes;
    const edges: ClockEdge[] = [];
    for (const [key, delay] of this.#delays) {
      const [from, to] = [Math.floor(key / processes), key % processes];
      if (from !== to) edges.push({ from, to, seconds: -delay, share: 1 });
    }
    let nodes = processes;
    for (const executions of this.#executions.values())
      for (const { pattern, root, parts } of executions.values()) {
        if (parts.size < 2) continue;
        const own = parts.get(root);
        for (const { process, start, end } of parts.values()) {
          if (pattern === 'Late Broadcast') {
            if (own !== undefined && process !== root)
              edges.push({ from: root, to: process, seconds: own.start - end, share: 1 });
          } else if (pattern === 'Early Reduce') {
            if (own !== undefined && process !== root)
              edges.push({ from: process, to: root, seconds: start - own.end, share: 1 });
          } else {
            edges.push({ from: process, to: nodes, seconds: start, share: 0.5 });
            edges.push({ from: nodes, to: process, seconds: -end, share: 0.5 });
          }
        }
        nodes++;
      }
    const { shifts, residual } = clockShifts(nodes, edges);
    return { shifts: Array.from(shifts.subarray(0, processes)), residual, skewed: this.#skewed };
  }

  #part(columns: Batch['columns'], row: number): void {
    const name = columns['collective']![row]!;
    if (!this.#patterns.has(name)) this.#patterns.set(name, collectivePattern(this.#names[name]!));
    const pattern = this.#patterns.get(name);
    if (pattern === undefined) return;
    let executions = this.#executions.get(name);
    if (executions === undefined) {
      executions = new Map();
      this.#executions.set(name, executions);
    }
    const number = columns['execution']![row]!;
    let execution = executions.get(number);
    if (execution === undefined) {
      execution = { pattern, root: ABSENT, parts: new Map() };
      executions.set(number, execution);
    }
    if (columns['peer']![row] !== ABSENT) execution.root = columns['peer']![row]!;
    const process = columns['process']![row]!;
    const part = execution.parts.get(process);
    const end = columns['end']![row]!;
    if (part === undefined) execution.parts.set(process, { process, start: columns['start']![row]!, end });
    else part.end = Math.max(part.end, end);
  }
}
