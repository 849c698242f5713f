import { threads } from 'foretoken/models';

/** A loop that spawns N tasks from one thread only. */
export default threads({
  name: 'linear-spawning',
  params: { tasks: 10_000, recursive: false },
  build(t) {
    t.task('work', {}, (b) => b.compute({ seconds: 3e-6 }));
    t.region('spawn', () => {
      if (t.p.recursive)
        t.parallelFor({ n: t.p.tasks, spawning: 'recursive', body: (b) => b.compute({ seconds: 3e-6 }) });
      else {
        t.loop('k', t.p.tasks, () => t.spawn('work'));
        t.sync();
      }
    });
  },
  // The state space of the whole program is too large.
  verifyWith: { workers: 2, tasks: 6 },
});
