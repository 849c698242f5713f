import type { Batch, RunConsumer } from '../run/batch.ts';
import { HostSpeeds } from '../run/host-speeds.ts';
import { readRun } from '../run/read-run.ts';
import { ABSENT, RUN_STATES, type RunHead } from '../run/run-schema.ts';
import { type SpanNames, SpanStates } from './span-states.ts';
import { WHOLE_RUN } from './worker-csv.ts';
import { type ReadWorkers, WorkerSpans } from './worker-spans.ts';
import {
  ACTIVITIES,
  ACTIVITY_OF,
  OTHER_QUEUES,
  OWN_QUEUE,
  WORKER_STATES,
  type WorkerConsumer,
  type WorkerState,
} from './worker-states.ts';

/**
 * Reads the workers of a run record: each process is a worker. The state of a row is that of the first of these names that
 * `states` contains: its call, its innermost interval, its state. Other rows are ignored. The region is the outermost
 * interval.
 *
 * In the record of a thread model, calls by which workers look for tasks are LOCAL and GLOBAL; a worker that does anything else
 * executes a task (EXEC) until the next of these calls, unless it waits or is idle (WAIT).
 *
 * @param isGiven whether a user names `states`: there is then a warning for names that match no row
 * @throws InputError REC001 to REC010 for the record, WRK001 for states that cannot follow each other
 */
export function readWorkerRecord(
  path: string,
  product: string,
  states: SpanNames,
  gap: WorkerState,
  consumer: WorkerConsumer,
  isGiven = true,
): ReadWorkers {
  const reader = new RecordedWorkers(path, states, new WorkerSpans(consumer, gap));
  readRun(path, undefined, product, reader);
  return {
    names: Array.from({ length: reader.processes }, (_, process) => String(process)),
    origin: reader.origin,
    warnings: isGiven ? reader.states.unmatched() : [],
    ...reader.nodes(),
  };
}

class RecordedWorkers implements RunConsumer {
  processes = 0;
  origin: RunHead['origin'] = 'recorded';
  readonly #file: string;
  readonly states: SpanStates;
  readonly #spans: WorkerSpans;
  readonly #names: string[] = [];
  readonly #speeds = new HostSpeeds();
  /** True if the record is that of a thread model. */
  #isPool = false;

  constructor(file: string, states: SpanNames, spans: WorkerSpans) {
    this.#file = file;
    this.states = new SpanStates(states, { file });
    this.#spans = spans;
  }

  head(head: RunHead): void {
    this.processes = head.processes;
    this.origin = head.origin;
    this.#speeds.head(head);
  }

  nodes(): Pick<ReadWorkers, 'nodes'> {
    const speeds = this.#speeds.ofNodes();
    const { nodes, nodeOf } = this.#speeds.head_!;
    return speeds === undefined ? {} : { nodes: { nodeOf, names: nodes.map(({ name }) => name), speeds } };
  }

  name(name: string): void {
    this.#names.push(name);
    this.#isPool ||= name === OWN_QUEUE || name === OTHER_QUEUES;
  }

  batch(batch: Batch): void {
    this.#speeds.batch(batch, this.#names);
    const { table, count, columns, paths } = batch;
    if (table !== 'states') return;
    const { process, start, end, state, call, interval } = columns as Record<string, Float64Array>;
    for (let row = 0; row < count; row++) {
      const path = interval![row] === ABSENT ? [] : paths[interval![row]!]!;
      const names = [
        call![row] === ABSENT ? undefined : this.#names[call![row]!],
        path.at(-1)?.name,
        RUN_STATES[state![row]!],
      ];
      const found = this.states.of({ names: names.filter((name) => name !== undefined) });
      const isKnown = found !== undefined;
      if (!isKnown && !this.#isPool) continue;
      const known = isKnown ? found.state : ofPool(names[0], names[2]!);
      const { name: region = WHOLE_RUN, execution } = path[0] ?? {};
      const worker = process![row]!;
      const activity = isKnown ? ACTIVITY_OF[WORKER_STATES.indexOf(known)]! : activityOf(names[2]!);
      this.#spans.add(
        worker,
        String(worker),
        region,
        known,
        start![row]!,
        end![row]!,
        { file: this.#file },
        this.#isPool ? { activity, execution } : undefined,
        found?.own,
      );
    }
  }

  end(): void {
    // Each span has been passed on.
  }
}

/** The activity of a row of the record of a thread model. */
function activityOf(state: string): number {
  if (state === 'computing' || state === 'memory' || state === 'io') return ACTIVITIES.indexOf('computing');
  return ACTIVITIES.indexOf(state === 'waiting' || state === 'idle' ? state : 'overhead');
}

/** The state of a row in the record of a thread model. */
function ofPool(call: string | undefined, state: string): WorkerState {
  if (call === OWN_QUEUE) return 'LOCAL';
  if (call === OTHER_QUEUES) return 'GLOBAL';
  return state === 'waiting' || state === 'idle' ? 'WAIT' : 'EXEC';
}
