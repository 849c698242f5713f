import type { CarrierSink } from '../../../models/threads/thread-states.ts';
import type { ChromeTrace } from '../../../trace/chrome.ts';
import type { RunRecorder } from '../../../trace/run/run-recorder.ts';
import type { IntervalPath } from '../../../trace/run/run-schema.ts';
import type { ThreadModelNet } from './thread-model-net.ts';

/** A region that is executed. */
interface Open {
  readonly region: number;
  readonly path: IntervalPath;
  readonly start: number;
}

/**
 * Records the activities of the carriers of a thread program: carriers are processes, regions are parallel intervals, operations of the
 * scheduler and of objects are calls. Memory: O(carriers).
 */
export class ThreadRecording implements CarrierSink {
  readonly #recorder: RunRecorder;
  readonly #names: readonly string[];
  readonly #poolOf: (carrier: number) => number;
  readonly #open: Open[][];
  readonly #executions: Int32Array;
  /** The region in which each carrier last had a span, by pool and execution. */
  readonly #in: (Open | undefined)[];

  constructor(recorder: RunRecorder, { net: { program, carriers, scheduler } }: ThreadModelNet) {
    this.#recorder = recorder;
    this.#names = program.regions;
    this.#poolOf = (carrier) => (program.pools === 1 || scheduler === 'os' ? 0 : Math.floor(carrier / program.workers));
    this.#open = Array.from({ length: program.pools }, () => []);
    this.#executions = new Int32Array(program.regions.length);
    this.#in = new Array<Open | undefined>(carriers).fill(undefined);
  }

  span: CarrierSink['span'] = (worker, state, start, end) => {
    if (state === 'absent') return;
    this.#enter(worker);
    this.#recorder.span(worker, state, start, end);
  };

  call: CarrierSink['call'] = (worker, name, time) => {
    this.#enter(worker);
    this.#recorder.begin(worker, time, name === undefined ? undefined : { name });
  };

  region: CarrierSink['region'] = (pool, region, enters, time) => {
    const open = this.#open[pool]!;
    if (enters) {
      const execution = ++this.#executions[region]!;
      const path = [...(open.at(-1)?.path ?? []), { name: this.#names[region]!, execution }];
      open.push({ region, path, start: time });
      return;
    }
    this.#leave(open.pop()!, time);
  };

  /** Carriers leave the regions that they are in; for runs that were cut short. */
  finish(time: number): void {
    for (const open of this.#open)
      for (let left = open.pop(); left !== undefined; left = open.pop()) this.#leave(left, time);
  }

  #enter(worker: number): void {
    const now = this.#open[this.#poolOf(worker)]!.at(-1);
    if (now === this.#in[worker]) return;
    this.#in[worker] = now;
    this.#recorder.enter(worker, now?.path ?? [], now === undefined ? undefined : 'parallel');
  }

  #leave(left: Open, time: number): void {
    this.#in.forEach((one, worker) => {
      if (one !== left) return;
      this.#recorder.begin(worker, time, undefined);
      this.#recorder.left(worker, left.path, left.start, time, 'parallel');
    });
  }
}

/** Writes the spans of carriers as slices of a Chrome trace; calls give them their names. */
export function chromeThreads(chrome: ChromeTrace, { node, net }: ThreadModelNet): CarrierSink {
  const one = net.scheduler === 'os' ? 'thread' : 'worker';
  const call = new Array<string | undefined>(net.carriers).fill(undefined);
  for (let w = 0; w < net.carriers; w++) chrome.thread(w, `${one} ${w} on ${node.name}`);
  return {
    span: (worker, state, start, end) => {
      if (state !== 'absent') chrome.slice(worker, call[worker] ?? state, state, start, end);
    },
    call: (worker, name) => {
      call[worker] = name;
    },
    region: () => undefined,
  };
}
