import { expect, test } from 'vitest';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import { fcfs, infiniteServer, priority } from '../../src/net/builder/stations.ts';
import { rename } from '../../src/net/merge/rename.ts';

// Invalid arguments from JavaScript or unchecked TypeScript.
// biome-ignore lint/suspicious/noExplicitAny: passes values that the types reject
const untyped = (x: unknown): any => x;

const CASES: Readonly<Record<string, readonly [() => unknown, string]>> = {
  'a place': [
    () => new NetBuilder('n').place('desk', {}, untyped({ capcity: 1 })),
    'NET058 place desk: options: unknown member "capcity". Did you mean "capacity"?',
  ],
  'options that are none': [
    () => new NetBuilder('n').place('desk', {}, untyped(3)),
    'NET040 place desk: options: expected an object with',
  ],
  'an order': [
    () => {
      const n = new NetBuilder('n');
      return n.place('desk', { k: n.range('K', 0, 3) }, untyped({ order: { fifo: ['k'], kay: [] } }));
    },
    'NET058 place desk: order: unknown member "kay". Did you mean "key"?',
  ],
  'a station': [
    () => fcfs(untyped({ server: 2, time: 1 })),
    'NET058 service: fcfs: unknown member "server". Did you mean "servers"?',
  ],
  'a server for all': [
    () => infiniteServer(untyped({ time: 1, servers: 2 })),
    'NET058 service: infiniteServer: unknown member "servers"',
  ],
  'a priority station': [
    () => priority(untyped({ time: 1, priority: 1, premptive: true })),
    'NET058 service: priority: unknown member "premptive". Did you mean "preemptive"?',
  ],
  'a race': [
    () => {
      const n = new NetBuilder('n');
      const p = n.place('p', {}, { initial: 1 });
      n.transition('go', (t) => {
        t.take(p);
        t.race(untyped({ delay: 1, server: 'single' }));
      });
    },
    'NET058 transition go: race: unknown member "server". Did you mean "servers"?',
  ],
  'a race without anything': [
    () => new NetBuilder('n').transition('go', (t) => t.race(untyped(undefined))),
    'NET040 transition go: race: expected an object with delay, servers, memory, speed, got undefined',
  ],
  'a builder': [
    () => new NetBuilder('n', untyped({ tablelimit: 3 })),
    'NET058 net n: options: unknown member "tablelimit"',
  ],
  'bounds of a table': [
    () => new NetBuilder('n').intTable('t', Int32Array.of(1), untyped({ low: 0, hihg: 1 })),
    'NET058 table t: bounds: unknown member "hihg". Did you mean "high"?',
  ],
  'new names': [
    () => rename(new NetBuilder('n').build(), untyped({ label: {} })),
    'NET075 names of kind label: unknown name. Did you mean "labels"?',
  ],
};

test.each(Object.entries(CASES))('a misspelt word of %s is refused', (_, [act, message]) => {
  expect(act).toThrow(message);
});
