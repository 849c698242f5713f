import type { Colour, PlaceOf, TransitionBuilder } from '../../../net/builder/builder.ts';
import { add, eq, type Term, when } from '../../../net/terms.ts';
import { PRIORITIES } from './levels.ts';
import { type ProcessorsOfThreads, putRun, type Running, type RunTerms, type ThreadPorts } from './ports.ts';
import { PlainQueue, QueueOfLevels, type ReadyQueue } from './ready-queue.ts';

/** Above all steps of strands: processors change their threads before anything else happens. */
const CHANGES = 10;

/**
 * Relative excess of a slice. A thread whose work is a multiple of a slice ends within its last one, whatever the rounding of the
 * parts of its work.
 */
const EXCESS = 1e-9;

/** How a thread goes on that gets a processor: at its row, as one that is woken for a lock, or where it was preempted. */
const GOES = { begins: 0, retries: 1, betweenRows: 2, computing: 3, spinning: 4 } as const;
type Going = (typeof GOES)[keyof typeof GOES];

/** A transition by which threads of a level are preempted. */
export const atLevel = (name: string, level: number): string => (level === 0 ? name : `${name} (level ${level})`);

/**
 * Processors of threads of the operating system. A thread needs one for all but waiting and sleeping, and keeps it until its slice
 * is over and others wait, or one of a higher priority does. Threads wait in the order of priorities, then of arrival. A thread that had to wait begins with the time of
 * a switch, and if it was preempted also with that of filling its cache again.
 *
 * Approximations: a thread that moves bytes, is within an operation, or spins for a limited time is preempted at the end of that
 * step; processors are alike, whichever the thread had before.
 */
export class Processors implements ProcessorsOfThreads {
  readonly #ports: ThreadPorts;
  readonly #free: PlaceOf<Record<never, never>>;
  readonly #arrived: PlaceOf<Running & { readonly goes: Colour<number> }>;
  readonly #ready: ReadyQueue;
  /**
   * Threads that have a processor, after the switch, and whether their slice is over. Named so that it is the first place of the
   * transitions that preempt: the thread whose slice ended first is preempted (rule S10).
   */
  readonly #slices: PlaceOf<{ readonly s: Colour<number>; readonly over: Colour<number> }>;
  readonly #computing: PlaceOf<Running>;
  readonly #spinning: PlaceOf<Running>;
  /**
   * Threads that give their processors back, where the rest of a slice is kept: they take the time of the operation before, in which
   * the slice goes on.
   */
  readonly #leaving: PlaceOf<{ readonly s: Colour<number> }> | undefined;
  #woken: PlaceOf<Running> | undefined;
  #computes = false;
  #spins = false;

  constructor(ports: ThreadPorts) {
    this.#ports = ports;
    const { net, machine, program, Worker: w, Strand: s, Row: at } = ports;
    const running = { w, s, at };
    const goes = net.range('how a thread goes on', 0, Object.keys(GOES).length - 1);
    const over = net.range('whether a slice is over', 0, 1);
    this.#free = net.place('free processors', {}, { kind: 'resource', initial: machine.cores - program.pools });
    this.#arrived = net.place('arriving at processors', { ...running, goes }, { kind: 'resource' });
    this.#ready =
      ports.levels === undefined ? new PlainQueue(ports, goes) : new QueueOfLevels(ports, goes, ports.levels);
    const initial = Array.from({ length: program.pools }, (_, p) => ({ s: p, over: 0 }));
    this.#slices = net.place('begun slices', { s, over }, { kind: 'resource', initial });
    if (ports.levels !== undefined) this.#leaving = net.place('leaving a processor', { s }, { kind: 'resource' });
    this.#computing = net.place('computing on a processor', running, { kind: 'operation' });
    this.#spinning = net.place('spinning on a processor', running, { kind: 'operation' });
  }

  arrives(t: TransitionBuilder, { w, s, at }: RunTerms): void {
    t.put(this.#arrived, { w, s, at, goes: GOES.begins });
  }

  retries(t: TransitionBuilder, { w, s, at }: RunTerms, woken: PlaceOf<Running>): void {
    this.#woken = woken;
    t.put(this.#arrived, { w, s, at, goes: GOES.retries });
  }

  gives(t: TransitionBuilder, s: Term<number>): void {
    if (this.#leaving !== undefined) {
      t.put(this.#leaving, { s });
      return;
    }
    t.take(this.#slices, { s });
    t.put(this.#free, {});
  }

  computes(t: TransitionBuilder, { w, s, at }: RunTerms): void {
    this.#computes = true;
    t.put(this.#computing, { w, s, at });
  }

  spins(t: TransitionBuilder, { w, s, at }: RunTerms): void {
    this.#spins = true;
    t.put(this.#spinning, { w, s, at });
  }

  stopsSpinning(t: TransitionBuilder, { w, s, at }: RunTerms): void {
    t.take(this.#spinning, { w, s, at });
  }

  emit(): void {
    const { net, time, machine, run, Worker, Strand, Row } = this.#ports;
    const { timeSlice, contextSwitch, cacheRefill } = machine.costs;
    const ready = this.#ready;
    ready.emit(net);
    // Above all preemptions, of which there is one for each level.
    const arrival = CHANGES + ready.levels - 1;
    const leaving = this.#leaving;
    if (leaving !== undefined)
      net.transition('leaves a processor', (t) => {
        t.priority(PRIORITIES);
        const { s } = t.take(leaving);
        t.process(s);
        t.take(this.#slices, { s });
        t.put(this.#free, {});
      });
    net.transition('takes a processor', (t) => {
      t.priority(arrival);
      const { w, s, at, goes } = t.take(this.#arrived);
      t.process(w);
      t.take(this.#free);
      t.put(this.#slices, { s, over: 0 });
      if (this.#woken === undefined) {
        t.put(run, { w, s, at });
        return;
      }
      const retries = eq(goes, GOES.retries);
      t.put(this.#woken, { w, s, at }, when(retries, 1, 0));
      t.put(run, { w, s, at }, when(retries, 0, 1));
    });
    net.transition('queues for a processor', (t) => {
      t.priority(arrival);
      const { w, s, at, goes } = t.take(this.#arrived);
      t.process(w);
      t.inhibit(this.#free);
      ready.put(t, { w, s, at }, goes, 0);
    });
    const resumes = (name: string, goes: Going, to: PlaceOf<Running>, seconds: number): void =>
      net.transition(name, (t) => {
        t.priority(arrival + 1);
        const { w, s, at } = ready.take(t, goes);
        t.process(w);
        t.take(this.#free);
        if (seconds > 0) t.delay(seconds);
        t.put(this.#slices, { s, over: 0 });
        t.put(to, { w, s, at });
      });
    resumes('gets a processor', GOES.begins, run, contextSwitch);
    if (this.#woken !== undefined) resumes('gets a processor for a lock', GOES.retries, this.#woken, contextSwitch);
    if (this.#computes) {
      const computed = net.place('computed on a processor', { w: Worker, s: Strand, at: Row }, { kind: 'operation' });
      net.transition('has computed', (t) => {
        // Before the end of a slice at the same instant.
        t.priority(1);
        const { w, s, at } = t.take(this.#computing);
        t.process(w);
        t.race({ delay: time.at(at), memory: 'age' });
        t.put(computed, { w, s, at });
      });
      net.transition('computes', (t) => {
        t.priority(arrival + 2);
        const one = t.take(computed);
        t.process(one.w);
        putRun(t, this.#ports, one, add(one.at, 1));
      });
    }
    if (timeSlice === 0) return;
    net.transition('slice ends', (t) => {
      const { s } = t.take(this.#slices, { over: 0 });
      t.process(s);
      t.race({ delay: timeSlice * (1 + EXCESS), memory: ready.memory });
      t.put(this.#slices, { s, over: 1 });
    });
    const preempts = (name: string, place: PlaceOf<Running>, goes: Going): void => {
      for (let level = 0; level < ready.levels; level++)
        net.transition(atLevel(name, level), (t) => {
          // The lowest level first.
          t.priority(arrival - level);
          const { w, s, at } = t.take(place);
          t.process(w);
          const isAhead = ready.yields(t, s, level, (pattern) => t.take(this.#slices, { s, ...pattern }).over);
          t.inhibit(this.#free);
          ready.put(t, { w, s, at }, goes, isAhead);
          t.put(this.#free, {});
        });
    };
    const refill = contextSwitch + cacheRefill;
    preempts('is preempted between rows', run, GOES.betweenRows);
    resumes('goes on after preemption', GOES.betweenRows, run, refill);
    if (this.#computes) {
      preempts('is preempted', this.#computing, GOES.computing);
      resumes('goes on computing', GOES.computing, this.#computing, refill);
    }
    if (this.#spins) {
      // A thread that spins uses one word.
      preempts('is preempted spinning', this.#spinning, GOES.spinning);
      resumes('goes on spinning', GOES.spinning, this.#spinning, contextSwitch);
    }
  }
}
