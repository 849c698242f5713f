import { NetBuilder } from '../../../src/net/builder/builder.ts';
import type { Net } from '../../../src/net/net.ts';

/** A producer and a consumer with a buffer of the given number of slots. */
export function buffer(slots: number): Net {
  const n = new NetBuilder('buffer');
  const free = n.place('free', {}, { initial: slots });
  const full = n.place('full', {});
  n.transition('produce', (t) => {
    t.take(free);
    t.put(full, {});
  });
  n.transition('consume', (t) => {
    t.take(full);
    t.put(free, {});
  });
  return n.build();
}

/** Two processes with a mutual-exclusion lock; if timed, the lock is held for one second. */
export function mutex(timed: boolean): Net {
  const n = new NetBuilder('mutex');
  const Process = n.range('Process', 0, 1);
  const lock = n.place('lock', {}, { initial: 1 });
  const idle = n.place('idle', { p: Process }, { initial: [{ p: 0 }, { p: 1 }] });
  const critical = n.place('critical', { p: Process });
  n.transition('enter', (t) => {
    t.take(lock);
    const { p } = t.take(idle);
    t.put(critical, { p });
  });
  n.transition('leave', (t) => {
    const { p } = t.take(critical);
    if (timed) t.delay(1);
    t.put(lock, {});
    t.put(idle, { p });
  });
  return n.build();
}
