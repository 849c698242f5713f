import { compile } from '../src/engine/compile.ts';
import { NetBuilder } from '../src/net/builder/builder.ts';
import { exponential } from '../src/net/builder/distributions.ts';
import type { Net } from '../src/net/net.ts';
import { add, and, eq, lt, mod, mul } from '../src/net/terms.ts';

/**
 * `node queueing-net.js STATIONS CUSTOMERS STEPS [plain|classes|guards]`: a closed queueing network as a net, the same
 * as that of the C++ program it is compared with. After an exponential service time a customer moves to one of four
 * stations. Prints the median of five runs in one process, in millions of starts and ends per second.
 *
 * `classes`: four classes of customers with different rates. `guards`: the next station is a guarded choice.
 */
function queueingNet(stations: number, customers: number, variant: string): Net {
  const n = new NetBuilder('queueing');
  const Station = n.range('Station', 0, stations - 1);
  const Customer = n.range('Customer', 0, customers - 1);
  const Class = n.range('Class', 0, 3);
  const Route = n.range('Way', 0, 3);
  const classes = variant === 'classes';
  const start = Array.from({ length: customers }, (_, k) => ({ s: k % stations, k, c: classes ? k % 4 : 0 }));
  const rates = n.realTable('rates', Float64Array.of(1, 0.9, 1.1, 1.05));
  const queue = n.place('queue', { s: Station, k: Customer, c: Class }, { order: { fifo: ['s'] }, initial: start });
  const idle = n.place('idle', { s: Station }, { initial: Array.from({ length: stations }, (_, s) => ({ s })) });
  n.transition('serve', (t) => {
    const { s } = t.take(idle);
    const { k, c } = t.take(queue, { s });
    const route = t.free('way', Route);
    t.weight(1);
    t.delay(exponential(classes ? rates.at(c) : 1));
    t.put(idle, { s });
    if (variant === 'guards') t.guard(and(lt(route, 3), eq(mod(add(s, route), 2), mod(k, 2))));
    t.put(queue, { s: mod(add(add(mul(s, 7), 1), mul(route, 13)), stations), k, c });
  });
  return n.build();
}

const [stations, customers, steps] = process.argv.slice(2, 5).map(Number) as [number, number, number];
const variant = process.argv[5] ?? 'plain';
const compiled = compile(queueingNet(stations, customers, variant));
const seconds: number[] = [];
let time = 0;
for (let run = 0; run < 5; run++) {
  const run = compiled.start();
  const start = performance.now();
  for (let left = steps; left > 0; left -= 4096)
    if (!run.run(Math.min(left, 4096))) throw new Error('it came to an end');
  seconds.push((performance.now() - start) / 1000);
  time = run.now;
}
const median = seconds.sort((a, b) => a - b)[2]!;
console.log(
  JSON.stringify({ variant, stations, customers, steps, time, seconds: median, millions: steps / median / 1e6 }),
);
