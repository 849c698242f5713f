import type { Batch, RunConsumer } from '../run/batch.ts';
import { readRun } from '../run/read-run.ts';
import { ABSENT, RUN_STATES, type RunHead } from '../run/run-schema.ts';
import { WHOLE_RUN } from './worker-csv.ts';
import { type SpanNames, WorkerSpans } from './worker-spans.ts';
import { OTHER_QUEUES, OWN_QUEUE, type WorkerConsumer, type WorkerState } from './worker-states.ts';

/**
 * Reads the workers of a run record: each process is a worker. The state of a row is that of the first of these names that
 * `states` contains: its call, its innermost interval, its state. Other rows are ignored. The region is the outermost
 * interval.
 *
 * In the record of a thread model, calls by which workers look for tasks are LOCAL and GLOBAL; a worker that does anything else
 * executes a task (EXEC) until the next of these calls, unless it waits or is idle (WAIT).
 *
 * @returns names of the workers
 * @throws InputError REC001 to REC010 for the record, WRK001 for states that cannot follow each other
 */
export function readWorkerRecord(
  path: string,
  product: string,
  states: SpanNames,
  gap: WorkerState,
  consumer: WorkerConsumer,
): readonly string[] {
  const reader = new RecordedWorkers(path, states, new WorkerSpans(consumer, gap));
  readRun(path, undefined, product, reader);
  return Array.from({ length: reader.processes }, (_, process) => String(process));
}

/** A span that may go on. */
interface Pending {
  readonly region: string;
  readonly state: WorkerState;
  readonly start: number;
  end: number;
}

class RecordedWorkers implements RunConsumer {
  processes = 0;
  readonly #file: string;
  readonly #states: SpanNames;
  readonly #spans: WorkerSpans;
  readonly #names: string[] = [];
  /** Whether the record is that of a thread model. */
  #isPool = false;
  readonly #pending = new Map<number, Pending>();

  constructor(file: string, states: SpanNames, spans: WorkerSpans) {
    this.#file = file;
    this.#states = states;
    this.#spans = spans;
  }

  head(head: RunHead): void {
    this.processes = head.processes;
  }

  name(name: string): void {
    this.#names.push(name);
    this.#isPool ||= name === OWN_QUEUE || name === OTHER_QUEUES;
  }

  batch({ table, count, columns, paths }: Batch): void {
    if (table !== 'states') return;
    const { process, start, end, state, call, interval } = columns as Record<string, Float64Array>;
    for (let row = 0; row < count; row++) {
      const path = interval![row] === ABSENT ? [] : paths[interval![row]!]!;
      const names = [
        call![row] === ABSENT ? undefined : this.#names[call![row]!],
        path.at(-1)?.name,
        RUN_STATES[state![row]!],
      ];
      const found = names.find((name) => name !== undefined && Object.hasOwn(this.#states, name));
      const isKnown = found !== undefined;
      if (!isKnown && !this.#isPool) continue;
      const known = isKnown ? this.#states[found]! : ofPool(names[0], names[2]!);
      const region = path[0]?.name ?? WHOLE_RUN;
      const span = { region, state: known, start: start![row]!, end: end![row]! };
      if (this.#isPool) this.#join(process![row]!, span);
      else this.#add(process![row]!, span);
    }
  }

  end(): void {
    for (const [worker, span] of this.#pending) this.#add(worker, span);
  }

  /** A worker executes one task until it looks for another one. */
  #join(worker: number, span: Pending): void {
    const last = this.#pending.get(worker);
    if (last !== undefined && last.region === span.region && last.state === span.state && span.state !== 'GLOBAL') {
      last.end = span.end;
      return;
    }
    if (last !== undefined) this.#add(worker, last);
    this.#pending.set(worker, span);
  }

  #add(worker: number, { region, state, start, end }: Pending): void {
    this.#spans.add(worker, String(worker), region, state, start, end, { file: this.#file });
  }
}

/** The state of a row in the record of a thread model. */
function ofPool(call: string | undefined, state: string): WorkerState {
  if (call === OWN_QUEUE) return 'LOCAL';
  if (call === OTHER_QUEUES) return 'GLOBAL';
  return state === 'waiting' || state === 'idle' ? 'WAIT' : 'EXEC';
}
