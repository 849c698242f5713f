import type { Colour, PlaceOf, TransitionBuilder } from '../../../net/builder/builder.ts';
import type { Term } from '../../../net/terms.ts';
import { type HandOff, putRun, type Running, type RunTerms, type Scheduler, type ThreadPorts } from './ports.ts';

/**
 * Threads of the operating system: every strand is a thread of its own, and its own carrier. Threads beyond the number of
 * cores share them evenly (processor sharing, SEMANTICS S4). A blocked thread leaves its core.
 */
export function ownThreads(ports: ThreadPorts): Scheduler & HandOff {
  return new OwnThreads(ports);
}

class OwnThreads implements Scheduler, HandOff {
  readonly carriers: number;
  readonly #ports: ThreadPorts;
  readonly #waking: PlaceOf<Running>;
  readonly #created: PlaceOf<Running>;
  readonly #waiting: PlaceOf<Running & { readonly o: Colour<number> }>;

  constructor(ports: ThreadPorts) {
    this.#ports = ports;
    const { net, program, Worker, Strand, Row } = ports;
    this.carriers = program.strands.count;
    const running = { w: Worker, s: Strand, at: Row };
    this.#waking = net.place('waking', running, { kind: 'operation' });
    this.#created = net.place('created', running, { kind: 'operation' });
    this.#waiting = net.place(
      'waiting',
      { o: net.range('object waited for', 0, Math.max(0, program.objects.length - 1)), ...running },
      { kind: 'synchronisation', order: { fifo: ['o'] } },
    );
  }

  ready(t: TransitionBuilder, _: RunTerms, s: Term<number>): void {
    t.put(this.#created, { w: s, s, at: this.#ports.start.at(s) });
  }

  block(t: TransitionBuilder, { w, s, at }: RunTerms, o: Term<number>): void {
    t.put(this.#waiting, { o, w, s, at });
  }

  waiter(t: TransitionBuilder, o: Term<number>): RunTerms {
    return t.take(this.#waiting, { o });
  }

  resume(t: TransitionBuilder, { w, s }: RunTerms, at: Term<number>): void {
    t.put(this.#waking, { w, s, at });
  }

  end(): void {
    // The thread exits.
  }

  finish(): void {
    // The thread exits.
  }

  begin(_: TransitionBuilder, pool: Term<number>): Term<number> {
    return pool;
  }

  join(t: TransitionBuilder, _: RunTerms, s: Term<number>, at: Term<number>): void {
    t.put(this.#waking, { w: s, s, at });
  }

  leave(): void {
    // The join place knows the owner.
  }

  emit(): void {
    const { net, machine } = this.#ports;
    const { wakeUp, create } = machine.costs;
    const move = (name: string, from: PlaceOf<Running>, seconds: number): void =>
      net.transition(name, (t) => {
        const { w, s, at } = t.take(from);
        t.process(w);
        if (seconds > 0) t.delay(seconds);
        putRun(t, this.#ports, { w, s, at }, at);
      });
    move('wakes', this.#waking, wakeUp);
    move('begins', this.#created, create);
  }
}
