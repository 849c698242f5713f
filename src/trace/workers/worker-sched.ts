import { readInput } from '../../base/input-file.ts';
import { fail, type Place, quote } from '../../base/problem.ts';
import { type SpanNames, SpanStates } from './span-states.ts';
import { WHOLE_RUN } from './worker-csv.ts';
import { type ReadWorkers, WorkerSpans } from './worker-spans.ts';
import type { WorkerConsumer } from './worker-states.ts';

/** Maximum file size in bytes: the limit of JavaScript strings. */
const MAX_BYTES = 2 ** 29 - 1;

/** A line of `perf script`: command, thread (maybe PID/TID), CPU, seconds, event, and its fields. */
const LINE =
  /^\s*(?<comm>.*?)\s+(?:\d+\/)?(?<tid>-?\d+)\s+(?:\[\d+\]\s+)?(?:\S{4,5}\s+)?(?<time>\d+\.\d+):\s+(?:\d+\s+)?(?:sched:)?(?<event>sched_[a-z_]+):\s*(?<fields>.*)$/;
/** Fields of a switch, by name or in the short form `app:2001 [120] S ==> app:2002 [120]`. */
const SWITCH = [
  /prev_comm=(?<out>.*?) prev_pid=(?<outId>\d+) prev_prio=-?\d+ prev_state=(?<state>\S+) ==> next_comm=(?<in>.*?) next_pid=(?<inId>\d+)/,
  /^(?<out>.*?):(?<outId>\d+) \[-?\d+\] (?<state>\S+) ==> (?<in>.*?):(?<inId>\d+) \[/,
];
const WAKEUP = [/\bpid=(?<id>\d+)/, /^.*?:(?<id>\d+) \[/];
/** The idle task of a processor. */
const IDLE_TASK = '0';

/** User states of the time without a processor. */
const RUNNABLE = 'runnable';
const SLEEPING = 'sleeping';
const UNINTERRUPTIBLE = 'uninterruptible';

interface Thread {
  readonly worker: number;
  readonly name: string;
  /** Since when, and how: on a processor, or in a state without one. */
  since: number;
  on: boolean;
  state: string;
}

/**
 * Reads the text of `perf sched script` (or `perf script` of sched events). Each thread whose command has a state is a worker;
 * without `states`, each thread but the idle tasks. From a sched_switch to a thread until the switch away from it, it is in
 * that state (EXEC); otherwise in WAIT, refined to `runnable` after a preemption (state R) or a wake-up, `uninterruptible` (D),
 * or `sleeping`. Before its first event, a thread is in the state that this event implies; it lasts from the first event of
 * the file until the last one. The run is one region. O(size of the file).
 *
 * Workers are named `COMMAND:TID`.
 *
 * @throws InputError REC001 not readable, REC002 no events of the scheduler, REC005 a switch that cannot be read, WRK002 for
 * a thread on two processors at a time or times that run backwards, WRK005 without a worker
 */
export function readWorkerSched(path: string, states: SpanNames | undefined, consumer: WorkerConsumer): ReadWorkers {
  const file: Place = { file: path };
  const lines = readInput(path, { code: 'REC001', limit: MAX_BYTES }).toString('utf8').split('\n');
  const events = lines.flatMap((text, k) => {
    const found = LINE.exec(text)?.groups;
    return found === undefined ? [] : [{ ...(found as unknown as Fields), line: k + 1 }];
  });
  const times = events.map(({ time }) => Number(time));
  const switches = events.some(({ event }) => event === 'sched_switch');
  if (!switches) fail('REC002', 'has no events sched_switch: expected the text of perf sched script', file);
  const names = new SpanStates(states ?? { '*': 'EXEC' }, file);
  const spans = new WorkerSpans(consumer, 'WAIT');
  const threads = new Map<string, Thread | undefined>();
  const workers: string[] = [];
  const begin = times[0]!;
  const thread = (id: string, name: string, on: boolean, state: string): Thread | undefined => {
    if (threads.has(id)) return threads.get(id);
    const isWorker = id !== IDLE_TASK && names.of({ names: [name] }) !== undefined;
    const made = isWorker ? { worker: workers.push(`${name}:${id}`) - 1, name, since: begin, on, state } : undefined;
    threads.set(id, made);
    return made;
  };
  const close = (of: Thread, time: number, place: Place): void => {
    const { worker, since, on, state, name } = of;
    if (time < since)
      fail('WRK002', `worker ${quote(workers[worker]!)}: an event at ${time} s is before one at ${since} s`, place);
    const found = on ? names.of({ names: [name] })! : { state: 'WAIT' as const, own: state };
    // A thread that was never seen before has done nothing yet.
    spans.add(worker, workers[worker]!, WHOLE_RUN, found.state, since, time, place, undefined, found.own);
    of.since = time;
  };
  for (const [k, { event, fields, line }] of events.entries()) {
    const place = { file: path, line };
    const time = times[k]!;
    if (event === 'sched_switch') {
      const found = SWITCH.map((form) => form.exec(fields)?.groups).find((groups) => groups !== undefined);
      if (found === undefined)
        return fail('REC005', `sched_switch: expected prev_comm=… ==> next_comm=…, got ${quote(fields)}`, place);
      const out = thread(found['outId']!, found['out']!, true, '');
      if (out !== undefined) {
        if (out.on) close(out, time, place);
        else
          fail(
            'WRK002',
            `worker ${quote(workers[out.worker]!)} leaves a processor at ${time} s, but is on none`,
            place,
          );
        out.on = false;
        out.state = withoutProcessor(found['state']!);
      }
      const next = thread(found['inId']!, found['in']!, false, SLEEPING);
      if (next !== undefined) {
        if (next.on)
          fail(
            'WRK002',
            `worker ${quote(workers[next.worker]!)} comes to a processor at ${time} s, but is on one`,
            place,
          );
        close(next, time, place);
        next.on = true;
      }
    } else if (event === 'sched_wakeup' || event === 'sched_wakeup_new' || event === 'sched_waking') {
      const id = WAKEUP.map((form) => form.exec(fields)?.groups?.['id']).find((found) => found !== undefined);
      const woken = id === undefined ? undefined : threads.get(id);
      if (woken === undefined || woken.on || woken.state === RUNNABLE) continue;
      close(woken, time, place);
      woken.state = RUNNABLE;
    }
  }
  const end = times.at(-1)!;
  for (const of of threads.values()) if (of !== undefined && end > of.since) close(of, end, file);
  if (workers.length === 0)
    fail(
      'WRK005',
      `has no threads of workers: expected one of the commands ${Object.keys(states ?? {}).join(', ')}`,
      file,
    );
  return { names: workers, warnings: states === undefined ? [] : names.unmatched() };
}

interface Fields {
  readonly comm: string;
  readonly tid: string;
  readonly time: string;
  readonly event: string;
  readonly fields: string;
}

/** R, or R+ of a thread that was preempted; D, or DK; all other states are sleep. */
function withoutProcessor(state: string): string {
  if (state.startsWith('R')) return RUNNABLE;
  return state.startsWith('D') ? UNINTERRUPTIBLE : SLEEPING;
}
