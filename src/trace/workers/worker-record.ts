import type { Batch, RunConsumer } from '../run/batch.ts';
import { readRun } from '../run/read-run.ts';
import { ABSENT, RUN_STATES, type RunHead } from '../run/run-schema.ts';
import { WHOLE_RUN } from './worker-csv.ts';
import { type SpanNames, WorkerSpans } from './worker-spans.ts';
import type { WorkerConsumer, WorkerState } from './worker-states.ts';

/**
 * Reads the workers of a run record: each process is a worker. The state of a row is that of the first of these names that
 * `states` contains: its call, its innermost interval, its state. Other rows are ignored. The region is the outermost
 * interval.
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

class RecordedWorkers implements RunConsumer {
  processes = 0;
  readonly #file: string;
  readonly #states: SpanNames;
  readonly #spans: WorkerSpans;
  readonly #names: string[] = [];

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
      if (found === undefined) continue;
      const worker = process![row]!;
      const region = path[0]?.name ?? WHOLE_RUN;
      this.#spans.add(worker, String(worker), region, this.#states[found]!, start![row]!, end![row]!, {
        file: this.#file,
      });
    }
  }

  end(): void {
    // Workers end with their last rows.
  }
}
