import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { flattenGeneral } from '../../../src/analysis/petri/flatten.ts';
import { flattenPlain } from '../../../src/analysis/petri/flatten-plain.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { exponential } from '../../../src/net/builder/distributions.ts';
import type { Net } from '../../../src/net/net.ts';
import { effort } from '../../effort.ts';

const arc = fc.record({ place: fc.nat(5), count: fc.integer({ min: 1, max: 3 }) });
const transition = fc.record({
  takes: fc.array(arc, { maxLength: 3 }),
  reads: fc.array(arc, { maxLength: 2 }),
  puts: fc.array(arc, { maxLength: 3 }),
  priority: fc.constantFrom(0, 0, 0, 1),
});
const plainNet = fc.record({
  marked: fc.array(fc.nat(2), { minLength: 6, maxLength: 6 }),
  transitions: fc.array(transition, { maxLength: 8 }),
});

function built({ marked, transitions }: typeof plainNet extends fc.Arbitrary<infer T> ? T : never): Net {
  const n = new NetBuilder('plain');
  const places = marked.map((initial, p) => n.place(`p${p}`, {}, { initial }));
  transitions.forEach(({ takes, reads, puts, priority }, t) => {
    n.transition(`t${t}`, (b) => {
      for (const { place, count } of takes) b.take(places[place]!, {}, count);
      for (const { place, count } of reads) b.read(places[place]!, {}, count);
      for (const { place, count } of puts) b.put(places[place]!, {}, count);
      if (takes.length === 0) b.race({ delay: exponential(1) });
      else b.priority(priority);
    });
  });
  return n.build();
}

test('a place/transition net unfolds to the result of the general unfolding', () => {
  let dropped = 0;
  fc.assert(
    fc.property(plainNet, (parts) => {
      const net = built(parts);
      const petri = flattenPlain(net)!;
      expect(petri).toEqual(flattenGeneral(net));
      if (petri.transitions.length < net.transitions.length) dropped++;
    }),
    { numRuns: Math.max(50, effort(2000)) },
  );
  expect(dropped).toBeGreaterThan(10);
});
