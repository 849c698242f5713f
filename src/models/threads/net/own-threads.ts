import type { Colour, NumberTable, PlaceOf, TransitionBuilder } from '../../../net/builder/builder.ts';
import type { Term } from '../../../net/terms.ts';
import { ROW, TEAM } from '../program/rows.ts';
import type { WaitingStrands } from './levels.ts';
import { type HandOff, putRun, type Running, type RunTerms, type Scheduler, type ThreadPorts } from './ports.ts';

/**
 * Threads of the operating system: every strand is a separate thread, and its own carrier. Threads beyond the number of
 * cores share them evenly (processor sharing, SEMANTICS S4). A blocked thread leaves its core. Threads are created
 * and woken one after the other.
 */
export function ownThreads(ports: ThreadPorts): Scheduler & HandOff {
  return new OwnThreads(ports);
}

class OwnThreads implements Scheduler, HandOff {
  readonly carriers: number;
  readonly #ports: ThreadPorts;
  readonly #waking: PlaceOf<Running>;
  readonly #created: PlaceOf<Running>;
  /** Seconds of each thread from when it is ready until it runs; absent without costs. */
  readonly #starting: NumberTable | undefined;
  readonly readyTime: NonNullable<Scheduler['readyTime']>;
  readonly #waiting: WaitingStrands;

  constructor(ports: ThreadPorts) {
    this.#ports = ports;
    const { net, program, Worker, Strand, Row } = ports;
    this.carriers = program.strands.count;
    const running = { w: Worker, s: Strand, at: Row };
    this.#waking = net.place('waking', running, { kind: 'operation' });
    this.#created = net.place('created', running, { kind: 'operation' });
    const o = net.range('object waited for', 0, Math.max(0, program.objects.length - 1));
    this.#waiting = waitingStrands(ports, { o, ...running });
    const { rows } = program;
    const { create, wake, wakeUp, cacheLine } = ports.machine.costs;
    if (Math.max(create, wake, wakeUp, cacheLine) === 0 || program.strands.count === program.pools) {
      this.readyTime = 0;
      return;
    }
    const making = new Float64Array(Math.max(1, rows.count));
    const starting = new Float64Array(program.strands.count).fill(wakeUp);
    rows.op.forEach((op, k) => {
      if (op !== ROW.spawn && op !== ROW.meet) return;
      const team = op === ROW.spawn ? rows.b[k] : TEAM.new;
      // Threads that spin see one word change.
      if (team === TEAM.spin) starting[rows.a[k]!] = cacheLine;
      making[k] = team === TEAM.new ? create : team === TEAM.park ? wake : 0;
    });
    this.#starting = net.realTable('time until a thread runs', starting);
    const seconds = net.realTable('time of making threads', making);
    this.readyTime = ({ at }) => seconds.at(at);
  }

  ready(t: TransitionBuilder, _: RunTerms, s: Term<number>): void {
    t.put(this.#created, { w: s, s, at: this.#ports.start.at(s) });
  }

  block(t: TransitionBuilder, { w, s, at }: RunTerms, o: Term<number>): void {
    this.#leaves(t, s);
    this.#waiting.put(t, { w, s, at }, o);
  }

  waiter(t: TransitionBuilder, o: Term<number>): RunTerms {
    return this.#waiting.take(t, o);
  }

  resume(t: TransitionBuilder, { w, s }: RunTerms, at: Term<number>): void {
    t.put(this.#waking, { w, s, at });
  }

  end(t: TransitionBuilder, { s }: RunTerms): void {
    this.#leaves(t, s);
  }

  finish(t: TransitionBuilder, { s }: RunTerms): void {
    this.#leaves(t, s);
  }

  /** The thread waits or exits. */
  #leaves(t: TransitionBuilder, s: Term<number>): void {
    this.#ports.processors?.gives(t, s);
  }

  begin(_: TransitionBuilder, pool: Term<number>): Term<number> {
    return pool;
  }

  join(t: TransitionBuilder, ended: RunTerms, s: Term<number>, at: Term<number>): void {
    this.#leaves(t, ended.s);
    t.put(this.#waking, { w: s, s, at });
  }

  leave(t: TransitionBuilder, { s }: RunTerms): void {
    // The join place knows the owner.
    this.#leaves(t, s);
  }

  emit(): void {
    const { net, machine, processors, levels } = this.#ports;
    const { wakeUp } = machine.costs;
    const move = (name: string, from: PlaceOf<Running>, seconds: (s: Term<number>) => Term<number> | number): void =>
      net.transition(name, (t) => {
        const { w, s, at } = t.take(from);
        t.process(w);
        const delay = seconds(s);
        if (delay !== 0) t.delay(delay);
        if (processors === undefined) putRun(t, this.#ports, { w, s, at }, at);
        else processors.arrives(t, { w, s, at });
      });
    move('wakes', this.#waking, () => wakeUp);
    move('begins', this.#created, (s) => this.#starting?.at(s) ?? 0);
    processors?.emit();
    levels?.inherited?.emit(net);
  }
}

/** Blocked strands in the order of arrival or, if threads have priorities, of these. */
function waitingStrands(
  { net, levels }: ThreadPorts,
  fields: Readonly<Record<'o' | 'w' | 's' | 'at', Colour<number>>>,
): WaitingStrands {
  if (levels?.inherited !== undefined) return levels.inherited.waiting(net, fields);
  const order =
    levels === undefined
      ? { fifo: ['o' as const] }
      : { priority: ({ s }: { s: Term<number> }) => levels.own.at(s), key: ['o' as const] };
  const place = net.place('waiting', fields, { kind: 'synchronisation', order });
  return {
    put: (t, { w, s, at }, o) => t.put(place, { o, w, s, at }),
    take: (t, o) => t.take(place, { o }),
  };
}
