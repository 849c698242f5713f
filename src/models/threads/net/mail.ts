import type { Colour, PlaceOf } from '../../../net/builder/builder.ts';
import { add, sub } from '../../../net/terms.ts';
import type { Affinity } from './affinity.ts';
import type { PoolQueues } from './pool-queues.ts';
import { putRun, type ThreadPorts } from './ports.ts';
import type { QueueHoles } from './worker-stacks.ts';

type Number = Colour<number>;

/** Places of workers without work. */
interface Idle {
  /** Gaps in the queues from which tasks are taken. */
  readonly holes: QueueHoles;
  readonly searching: PlaceOf<{ readonly w: Number; readonly k: Number }>;
  readonly asleep: PlaceOf<{ readonly w: Number }>;
}

/**
 * A worker without work takes a task that is mailed to it, wherever it is queued, before it searches. Its lines come from the caches of
 * its maker, as in a steal.
 */
export function emitMail(
  ports: ThreadPorts,
  affinity: Affinity,
  queues: PoolQueues,
  { holes, searching, asleep }: Idle,
): void {
  const { net, machine, Worker, Strand, Row } = ports;
  const mail = net.place('mail', { w: Worker, s: Strand, at: Row }, { kind: 'operation' });
  net.transition('finds mail', (t) => {
    t.priority(1);
    const { w } = t.take(searching);
    t.process(w);
    const { s } = t.read(affinity.mailed, { to: add(w, 1) });
    const { at, w: queue, i } = t.take(queues.slot, { s });
    const pool = queues.poolOf(w);
    const { queued, asleep: sleepers } = t.take(queues.load, { pool });
    t.put(queues.load, { pool, queued: sub(queued, 1), asleep: sleepers });
    holes.put(t, queue, i);
    affinity.idles(t, w, 0);
    t.put(mail, { w, s, at });
  });
  net.transition('is woken by mail', (t) => {
    t.priority(1);
    const { w } = t.take(asleep);
    t.process(w);
    const { s } = t.read(affinity.mailed, { to: add(w, 1) });
    t.read(queues.slot, { s });
    queues.wakes(t, w);
    if (machine.costs.wakeUp > 0) t.delay(machine.costs.wakeUp);
    t.put(searching, { w, k: 0 });
  });
  net.transition('takes mail', (t) => {
    const { w, s, at } = t.take(mail);
    t.process(w);
    if (machine.costs.steal > 0) t.delay(machine.costs.steal);
    putRun(t, ports, { w, s, at }, at);
  });
}
