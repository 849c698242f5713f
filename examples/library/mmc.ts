/*
 * M/M/c queue: customers arrive at rate 2, three clerks serve at rate 1 each. Simulated mean number and utilization, with
 * 95 % confidence intervals from independent replications, compared with the closed formula (Erlang C).
 */
import { exponential, NetBuilder, replicate, summary } from 'foretoken';

const [LAMBDA, MU, SERVERS] = [2, 1, 3];

const n = new NetBuilder('bank');
const queue = n.place('queue', {});
const clerks = n.place('clerks', {}, { initial: SERVERS });
n.transition('arrive', (t) => {
  t.race({ delay: exponential(LAMBDA) });
  t.put(queue, {});
});
n.transition('serve', (t) => {
  t.take(queue);
  t.take(clerks);
  t.delay(exponential(MU));
  t.put(clerks, {});
});

const runs = await replicate(n.build(), {
  replications: 20,
  until: 20_000,
  workers: 1, // twenty short runs take less time than starting worker threads
  monitors: { queue: { tokens: 'queue' }, serving: { busy: 'serve' } },
});

/** The probability that a customer waits (Erlang 1917). */
function erlangC(servers: number, load: number): number {
  let term = 1;
  let sum = 0;
  for (let k = 0; k < servers; term *= load / ++k) sum += term;
  const all = term / (1 - load / servers);
  return all / (sum + all);
}

function report(what: string, values: readonly number[], exact: number): void {
  const { mean, half } = summary(values);
  const where = Math.abs(mean - exact) <= half ? 'inside' : 'outside';
  console.log(`${what}: ${mean.toFixed(3)} ± ${half.toFixed(3)}, exact ${exact.toFixed(3)}: ${where}`);
}

const means = runs.map(({ monitors }) => ({
  waiting: monitors['queue']!['mean']!,
  busy: monitors['serving']!['mean']!,
}));
const load = LAMBDA / MU;
const rho = load / SERVERS;
const customers = means.map(({ waiting, busy }) => waiting + busy);
report('customers', customers, load + (erlangC(SERVERS, load) * rho) / (1 - rho));
const utilisation = means.map(({ busy }) => busy / SERVERS);
report('utilisation', utilisation, rho);
