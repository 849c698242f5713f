import * as fc from 'fast-check';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { exponential } from '../../../src/net/builder/distributions.ts';
import { fcfs, infiniteServer, lcfsPr, priority, processorSharing } from '../../../src/net/builder/stations.ts';
import type { Net } from '../../../src/net/net.ts';
import { add, eq, floor, gt, mod, mul, sub, when } from '../../../src/net/terms.ts';

const SERVICES = { fcfs, lcfsPr, processorSharing, infiniteServer, priority } as const;

const rate = fc.constantFrom(1, 2, 0.5, 7);
const index = fc.integer({ min: 0, max: 2 });

const place = fc.record({
  tokens: fc.integer({ min: 0, max: 2 }),
  capacity: fc.option(fc.integer({ min: 0, max: 2 }), { freq: 2 }),
  service: fc.option(
    fc.record({
      kind: fc.constantFrom('fcfs', 'lcfsPr', 'processorSharing', 'infiniteServer', 'priority' as const),
      servers: fc.integer({ min: 1, max: 2 }),
      rate,
    }),
    { freq: 3 },
  ),
});

const transition = fc.record({
  from: index,
  takes: fc.integer({ min: 1, max: 2 }),
  to: index,
  read: fc.option(index),
  reset: fc.option(index, { freq: 8 }),
  inhibit: fc.option(index, { freq: 5 }),
  timing: fc.constantFrom('race', 'race', 'holding', 'immediate'),
  servers: fc.constantFrom('infinite', 'infinite', 'single', 2),
  rate,
  speed: fc.option(index),
  weight: fc.option(fc.integer({ min: 1, max: 3 })),
  priority: fc.integer({ min: 0, max: 1 }),
  swaps: fc.boolean(),
});

/** Nets of three places with capacities, services, read and reset arcs, rates and weights by formula, some of them with two colours. */
export const serviceNet: fc.Arbitrary<Net> = fc
  .record({
    isColoured: fc.boolean(),
    places: fc.array(place, { minLength: 3, maxLength: 3 }),
    transitions: fc.array(transition, { minLength: 2, maxLength: 5 }),
  })
  .map(({ isColoured, places, transitions }) => {
    const n = new NetBuilder('random: services');
    const fields = isColoured ? { c: n.range('Colour', 0, 1) } : {};
    const all = places.map(({ tokens, capacity, service }, k) => {
      const initial = isColoured ? Array.from({ length: tokens }, (_, c) => ({ c })) : tokens;
      const time = service === null ? undefined : exponential(service.rate);
      const { servers = 1 } = service ?? {};
      const options = { time: time!, servers };
      const made = {
        infiniteServer: () => infiniteServer({ time: time! }),
        priority: () => SERVICES.priority({ ...options, priority: 1 }),
        fcfs: () => fcfs(options),
        lcfsPr: () => lcfsPr(options),
        processorSharing: () => processorSharing(options),
      };
      return n.place(`place ${k}`, fields as { c: never }, {
        initial: initial as never,
        ...(capacity === null ? {} : { capacity: tokens + capacity }),
        ...(service === null ? {} : { service: made[service.kind]() }),
      });
    });
    for (const [k, t] of transitions.entries())
      n.transition(`t ${k}`, (b) => {
        const { c } = b.take(all[t.from]!, {}, t.takes) as { c: never };
        const same = isColoured ? { c } : {};
        if (t.read !== null) b.read(all[t.read]!, same as never);
        if (t.inhibit !== null) b.inhibit(all[t.inhibit]!, same as never, 2);
        if (t.reset !== null && t.reset !== t.from) b.reset(all[t.reset]!);
        b.put(all[t.to]!, (isColoured ? { c: t.swaps ? sub(1, c) : c } : {}) as never, t.takes);
        const counted = t.speed === null ? undefined : b.count(all[t.speed]!);
        if (t.timing === 'race')
          b.race({
            delay: exponential(t.rate),
            servers: t.servers as 'infinite',
            ...(counted === undefined
              ? {}
              : { speed: when(gt(counted, 1), mul(2, counted), when(eq(counted, 1), 1, 0)) }),
          });
        if (t.timing === 'holding') b.delay(exponential(t.rate));
        if (t.timing === 'race') return;
        b.priority(t.priority);
        if (t.weight === null) return;
        b.weight(counted === undefined ? t.weight : add(t.weight, add(mod(counted, 2), floor(mul(0.5, counted)))));
      });
    return n.build();
  });
