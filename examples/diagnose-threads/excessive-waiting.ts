import { threads } from 'foretoken/models';

/** A loop in chunks, of which one takes ten times longer than the others. */
export default threads({
  name: 'excessive-waiting',
  params: { n: 3200, grain: 100 },
  build(t) {
    t.parallelFor({
      n: t.p.n,
      grain: t.p.grain,
      name: 'loop',
      // The last 100 iterations are ten times as expensive as the others.
      body: (b) =>
        b.compute({
          seconds: ({ first, count, p }) =>
            1e-4 * (count + 9 * Math.max(0, first + count - Math.max(first, p.n - 100))),
        }),
    });
  },
});
