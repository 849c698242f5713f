import { threads } from 'foretoken/models';

/** A loop that is cut into fewer chunks than workers, repeated in time steps. */
export default threads({
  name: 'too-few-tasks',
  params: { steps: 50, n: 1000, grain: 250 },
  build(t) {
    t.loop('step', t.p.steps, () => {
      t.compute({ seconds: 20e-6 });
      t.parallelFor({
        n: t.p.n,
        grain: t.p.grain,
        name: 'loop',
        body: (b) => b.compute({ seconds: ({ count }) => count * 4e-6 }),
      });
    });
  },
});
