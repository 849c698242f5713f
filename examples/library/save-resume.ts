/*
 * Save and resume: a run is stopped, its state is saved as bytes, and the run is resumed later. Events, figures and random
 * numbers are identical to those of one uninterrupted run, down to the last bit.
 */
import { deepStrictEqual } from 'node:assert';
import { erlang, exponential, fcfs, NetBuilder, type SimulateOptions, simulate } from 'foretoken';

const n = new NetBuilder('bank');
const counter = n.place('counter', {}, { service: fcfs({ servers: 2, time: erlang(3, 2) }) });
n.transition('arrive', (t) => {
  t.race({ delay: exponential(1) });
  t.put(counter, {});
});
n.transition('leave', (t) => {
  t.take(counter);
});
const net = n.build();
const watch: SimulateOptions = { record: ['leave'], monitors: { there: { tokens: 'counter' } } };

const whole = simulate(net, { ...watch, until: 1000, seed: 'bank' });

const firstHalf = simulate(net, { ...watch, until: 500, seed: 'bank' });
const saved: Uint8Array = firstHalf.save(); // contents of a file, for example
const resumed = simulate(net, { ...watch, until: 1000, from: saved });

console.log(`first half: ${firstHalf.events.length} customers, until ${firstHalf.time} s`);
console.log(`resumed: ${resumed.events.length} customers, until ${resumed.time} s`);
deepStrictEqual(resumed.events, whole.events);
deepStrictEqual(resumed.monitors, whole.monitors);
console.log('the same as in one run');

// A saved run can be resumed any number of times, with other limits: here until the counter is empty.
const empty = simulate(net, { ...watch, from: saved, stopWhen: (run) => run.tokens('counter').length === 0 });
console.log(`empty again after ${(empty.time - firstHalf.time).toFixed(1)} s`);
