import { threads } from 'foretoken/models';

/** The tasks of pool.cpp: `tasks` tasks of `seconds`, spawned by one task, or by tasks that split their range in halves. */
export default threads({
  name: 'worker-pool',
  params: { tasks: 1000, seconds: 1e-5, recursive: false },
  build(t) {
    t.task('leaf', {}, (b) => b.compute({ seconds: ({ p }) => p.seconds }));
    t.task('split', { size: 1 }, (b) =>
      b.when(
        ({ size }) => size === 1,
        () => b.compute({ seconds: ({ p }) => p.seconds }),
        () => {
          b.spawn('split', { size: ({ size }) => size - Math.floor(size / 2) });
          b.spawn('split', { size: ({ size }) => Math.floor(size / 2) });
        },
      ),
    );
    if (t.p.recursive) t.spawn('split', { size: t.p.tasks });
    else t.loop('k', t.p.tasks, () => t.spawn('leaf'));
    t.sync();
  },
  // The state space of the whole program is too large.
  verifyWith: { workers: 2, tasks: 6 },
});
