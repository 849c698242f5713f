import type { PlaceOf, TransitionBuilder } from '../../../../net/builder/builder.ts';
import type { Term } from '../../../../net/terms.ts';
import type { HandOff, Running, RunTerms, ThreadPorts } from '../ports.ts';
import {
  type Completed,
  type CooperativeOptions,
  CooperativeScheduler,
  ENDED,
  GOES_ON,
  type Numbers,
} from './cooperative.ts';

type Released = { readonly pool: Numbers; readonly s: Numbers; readonly at: Numbers; readonly how: Numbers };

/**
 * Scheduler A0: primitives of the operating system. Every operation on one is a call. Released threads come into one
 * completion list that all scheduler threads of a process share and that one at a time can use. A scheduler thread pulls a
 * thread from it, matches it to its user thread, marks that ready and appends it to a ready queue. The operating system
 * notifies scheduler threads that wait.
 */
export class OsPrimitives extends CooperativeScheduler implements HandOff {
  readonly #waiting: PlaceOf<Running & { readonly o: Numbers }>;
  readonly #released: PlaceOf<Released>;
  readonly #completions: PlaceOf<Released>;
  readonly #list: PlaceOf<{ readonly pool: Numbers }>;
  readonly #pulled: PlaceOf<Completed>;
  readonly #matched: PlaceOf<Completed>;

  constructor(ports: ThreadPorts, options: CooperativeOptions, isEmbedded: boolean) {
    super(ports, options, isEmbedded);
    const { net, program, Worker, Strand, Row } = ports;
    const running = { w: Worker, s: Strand, at: Row };
    const pool = net.range('pool', 0, program.pools - 1);
    const how = net.range('how', GOES_ON, ENDED);
    const released = { pool, s: Strand, at: Row, how };
    this.#waiting = net.place(
      'waiting',
      { o: net.range('object waited for', 0, Math.max(0, program.objects.length - 1)), ...running },
      { kind: 'synchronisation', ...this.queue('o') },
    );
    this.#released = net.place('released', released, { kind: 'message', ...this.queue('pool') });
    this.#completions = net.place('completion list', released, { kind: 'message', ...this.queue('pool') });
    this.#list = net.place(
      'completion list lock',
      { pool },
      { kind: 'resource', initial: Array.from({ length: program.pools }, (_, p) => ({ pool: p })) },
    );
    this.#pulled = net.place('pulled', { ...running, how }, { kind: 'operation' });
    this.#matched = net.place('matched', { ...running, how }, { kind: 'operation' });
  }

  block(t: TransitionBuilder, { w, s, at }: RunTerms, o: Term<number>): void {
    t.put(this.#waiting, { o, w, s, at });
    t.put(this.dispatching, { w });
  }

  waiter(t: TransitionBuilder, o: Term<number>): RunTerms {
    return t.take(this.#waiting, { o });
  }

  resume(t: TransitionBuilder, { w, s }: RunTerms, at: Term<number>): void {
    t.put(this.#released, { pool: this.poolOf(w), s, at, how: GOES_ON });
  }

  protected completes(t: TransitionBuilder, { w, s }: RunTerms, at: Term<number>, how: number): void {
    t.put(this.#released, { pool: this.poolOf(w), s, at, how });
  }

  emit(): void {
    const { net, machine } = this.ports;
    const { osCall, osNotify, match, enqueue } = machine.costs;
    // A scheduler thread does not wait while the list has entries.
    this.emitDispatch({}, osNotify, (t, w) => t.inhibit(this.#completions, { pool: this.poolOf(w) }));
    net.transition('appends to the completion list', (t) => {
      const { pool, ...thread } = t.take(this.#released);
      t.take(this.#list, { pool });
      this.after(t, enqueue);
      t.put(this.#completions, { pool, ...thread });
      t.put(this.#list, { pool });
    });
    net.transition('notifies an idle one', (t) => {
      const w = this.takeIdle(t);
      t.read(this.#completions, { pool: this.poolOf(w) });
      this.after(t, osNotify);
      t.put(this.dispatching, { w });
    });
    net.transition('pulls', (t) => {
      const { w } = t.take(this.dispatching);
      t.process(w);
      const pool = this.poolOf(w);
      const { s, at, how } = t.take(this.#completions, { pool });
      t.take(this.#list, { pool });
      this.afterRemote(t, osCall, w, this.firstOf(w));
      t.put(this.#list, { pool });
      t.put(this.#pulled, { w, s, at, how });
    });
    net.transition('matches', (t) => {
      const { w, s, at, how } = t.take(this.#pulled);
      t.process(w);
      this.after(t, match);
      t.put(this.#matched, { w, s, at, how });
    });
    net.transition('marks ready', (t) => {
      const { w, s, at } = t.take(this.#matched, { how: GOES_ON });
      t.process(w);
      this.afterRemote(t, enqueue, w, this.home.at(s));
      t.put(this.readyQueue, { w: this.home.at(s), s, at });
      t.put(this.dispatching, { w });
    });
    net.transition('removes an ended thread', (t) => {
      const { w } = t.take(this.#matched, { how: ENDED });
      t.process(w);
      t.put(this.dispatching, { w });
    });
  }
}
