import type { Colour, PlaceOf, TransitionBuilder } from '../../../net/builder/builder.ts';
import { add, constant, ge, gt, lt, sub, type Term } from '../../../net/terms.ts';
import type { PoolQueues, Resize } from './pool-queues.ts';
import type { ThreadPorts } from './ports.ts';

type Number = Colour<number>;
type Workers = PlaceOf<{ readonly w: Number }>;

/**
 * The transitions by which a resource manager takes workers from a pool and gives them back. Worker w may run while w is less than the
 * permitted number. A worker that may not finishes its strand, keeps it while it is blocked, and then leaves the pool: its
 * queue stays open to thieves.
 */
export const WITHDRAWALS = ['leaves the pool', 'leaves the pool from a search', 'leaves the pool from sleep'] as const;
export const RETURN = 'comes back to the pool';

/** A resource manager that varies the number of workers of a pool at given times, as that of Pegushin and Kurylev, CN 102918501. */
export class ResourceManager {
  readonly #ports: ThreadPorts;
  readonly #resizes: readonly Resize[];
  readonly #permitted: PlaceOf<{ readonly n: Number }>;
  readonly #away: Workers;

  /** @returns undefined if the number of workers does not change */
  static of(ports: ThreadPorts, resizes: readonly Resize[]): ResourceManager | undefined {
    return resizes.length === 0 ? undefined : new ResourceManager(ports, resizes);
  }

  private constructor(ports: ThreadPorts, resizes: readonly Resize[]) {
    const { net, program, Worker } = ports;
    const { workers } = program;
    this.#ports = ports;
    this.#resizes = resizes;
    this.#permitted = net.place(
      'permitted workers',
      { n: net.range('permitted', 1, workers) },
      { kind: 'resource', initial: [{ n: workers }] },
    );
    this.#away = net.place('away', { w: Worker }, { kind: 'operation' });
  }

  /** Guard: a worker may run. */
  permits(t: TransitionBuilder, w: Term<number>): void {
    const { n } = t.read(this.#permitted);
    t.guard(lt(w, n));
  }

  /** @param searching workers by the number of their searches so far */
  emit(
    queues: PoolQueues,
    local: Workers,
    searching: PlaceOf<{ readonly w: Number; readonly k: Number }>,
    asleep: Workers,
  ): void {
    const { net, machine } = this.#ports;
    this.#emitChanges();
    const leaves = (name: string, take: (t: TransitionBuilder) => Term<number>): void =>
      net.transition(name, (t) => {
        // Before the worker looks for tasks.
        t.priority(2);
        const w = take(t);
        t.process(w);
        const { n } = t.read(this.#permitted);
        t.guard(ge(w, n));
        t.put(this.#away, { w });
      });
    const [fromLocal, fromSearch, fromSleep] = WITHDRAWALS;
    leaves(fromLocal, (t) => t.take(local).w);
    leaves(fromSearch, (t) => t.take(searching).w);
    leaves(fromSleep, (t) => {
      const { w } = t.take(asleep);
      const load = t.take(queues.load, { pool: 0 });
      // A sleeper that a task has been announced to is no longer counted.
      t.guard(gt(load.asleep, 0));
      t.put(queues.load, { pool: constant(0), queued: load.queued, asleep: sub(load.asleep, 1) });
      return w;
    });
    net.transition(RETURN, (t) => {
      const { w } = t.take(this.#away);
      t.process(w);
      this.permits(t, w);
      if (machine.costs.wakeUp > 0) t.delay(machine.costs.wakeUp);
      t.put(searching, { w, k: 0 });
    });
  }

  /** The permitted number changes at each time of the list. */
  #emitChanges(): void {
    const { net } = this.#ports;
    const resizes = this.#resizes;
    const Change = net.range('change', 0, resizes.length);
    const manager = net.place('resource manager', { k: Change }, { kind: 'operation', initial: [{ k: 0 }] });
    const due = net.place('change due', { k: Change }, { kind: 'operation' });
    const after = net.realTable(
      'time to the next change',
      Float64Array.from(resizes, ({ time }, k) => time - (resizes[k - 1]?.time ?? 0)),
    );
    const numbers = net.intTable(
      'workers after the change',
      Int32Array.from(resizes, ({ workers }) => workers),
    );
    net.transition('waits for the next change', (t) => {
      const { k } = t.take(manager);
      t.guard(lt(k, resizes.length));
      t.delay(after.at(k));
      t.put(due, { k });
    });
    net.transition('changes the number of workers', (t) => {
      t.priority(3);
      const { k } = t.take(due);
      t.inhibit(this.#ports.ended, { pool: 0 });
      t.take(this.#permitted);
      t.put(this.#permitted, { n: numbers.at(k) });
      t.put(manager, { k: add(k, 1) });
    });
  }
}
