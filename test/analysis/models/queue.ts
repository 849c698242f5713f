import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { exponential } from '../../../src/net/builder/distributions.ts';
import type { Net } from '../../../src/net/net.ts';
import { add, gt } from '../../../src/net/terms.ts';

/** A queue of numbered jobs. If `fragile`, about one job in a hundred breaks the machine. */
function queue(fragile: boolean, wear: 'function' | 'constant'): Net {
  const n = new NetBuilder('queue');
  const Job = n.integer('Job');
  const Low = n.range('Low', 0, 99);
  const next = n.place('next', { job: Job }, { initial: [{ job: 1 }] });
  const waiting = n.place('waiting', { job: Job }, { order: 'fifo' });
  const done = n.place('done', { sort: Low });
  n.transition('come', (t) => {
    const { job } = t.take(next);
    t.delay(exponential(1));
    t.put(next, { job: add(job, 1) });
    t.put(waiting, { job });
  });
  n.transition('work', (t) => {
    const { job } = t.take(waiting);
    // The colour set is infinite, so the function cannot become a table.
    t.delay(wear === 'function' ? t.fn({ job }, (s) => 0.5 + 1 / (1 + Math.sqrt(s.job))) : 0.5);
    t.weight(99);
    t.put(done, { sort: 0 });
  });
  if (fragile)
    n.transition('break', (t) => {
      const { job } = t.take(waiting);
      t.guard(gt(job, 0));
      t.weight(1);
      t.put(done, { sort: add(job, 100) });
    });
  return n.build();
}

export const net: Net = queue(false, 'function');
export const plain: Net = queue(false, 'constant');
export const fragile: Net = queue(true, 'function');
export const number = 5;
/** An export that is not a net, but returns one. */
export const shop = (): Net => plain;
export const invalid: Net = { ...plain, places: [] };
export default plain;
