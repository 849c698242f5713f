import { compile } from '../src/engine/compile.ts';
import { NetBuilder } from '../src/net/builder/builder.ts';
import type { Net } from '../src/net/net.ts';
import { add, eq, mod, mul } from '../src/net/terms.ts';

/**
 * `npx tsx bench/functions.ts [STEPS]`: the same net with expressions, with functions that are converted to tables, and
 * with functions that remain calls because their variables are unbounded. Prints millions of starts and ends per second
 * of CPU time, and the slowdown relative to expressions.
 */
const STATES = 1000;

function walk(form: 'expressions' | 'tables' | 'calls'): Net {
  const n = new NetBuilder('walk');
  const State = form === 'calls' ? n.integer('State') : n.range('State', 0, STATES - 1);
  const at = n.place('at', { s: State }, { initial: Array.from({ length: 64 }, (_, s) => ({ s })) });
  for (const parity of [0, 1])
    n.transition(`go${parity}`, (t) => {
      const { s } = t.take(at);
      if (form === 'expressions') {
        t.guard(eq(mod(s, 2), parity));
        t.put(at, { s: mod(add(mul(s, 7), 3), STATES) });
      } else {
        t.guard(t.fn({ s }, (x) => x.s % 2 === parity));
        t.put(at, { s: t.fn({ s }, (x) => (x.s * 7 + 3) % STATES) });
      }
      t.delay(1);
    });
  return n.build();
}

const steps = Number(process.argv[2] ?? 4e6);
let fastest = 0;
for (const form of ['expressions', 'tables', 'calls'] as const) {
  const compiled = compile(walk(form));
  const rates = Array.from({ length: 5 }, () => {
    const run = compiled.start();
    const start = process.cpuUsage();
    for (let left = steps; left > 0; left -= 4096) run.run(4096);
    const { user, system } = process.cpuUsage(start);
    return steps / (user + system);
  });
  const rate = rates.sort((a, b) => a - b)[2]!;
  fastest ||= rate;
  console.log(`${form}: ${rate.toFixed(1)} M/s, ${(fastest / rate).toFixed(2)} times slower than expressions`);
}
