import { ANY, counter, noise, oneOf, rankVar, spmd } from 'foretoken/models';

/**
 * Rank 0 hands out tasks in the order of requests, and a stop message when no tasks are left. A worker requests a task,
 * computes for a random time, and requests the next one.
 */
export default spmd({
  name: 'master-worker',
  params: { tasks: 200, flops: 2e8, input: 4096 },
  vars: { task: counter(), worker: counter(), who: rankVar(), order: oneOf('work', 'stop') },
  build(m) {
    m.when(
      (s) => s.rank === 0,
      () => {
        m.interval('hand out', () => {
          m.loop('task', m.p.tasks, () => {
            m.recv({ from: ANY, into: { source: 'who' } });
            m.send({ to: (s) => s.who, bytes: m.p.input, carry: { order: 'work' } });
          });
        });
        m.interval('stop', () => {
          m.loop('worker', m.size - 1, () => {
            m.recv({ from: ANY, into: { source: 'who' } });
            m.send({ to: (s) => s.who, bytes: 0, carry: { order: 'stop' } });
          });
        });
      },
      () => {
        m.let('order', 'work');
        m.while(
          (s) => s.order === 'work',
          () => {
            m.send({ to: 0, bytes: 64 });
            m.recv({ from: 0, into: { carry: ['order'] } });
            m.when(
              (s) => s.order === 'work',
              () => m.compute({ flops: m.p.flops, noise: noise.exponential() }),
            );
          },
        );
      },
    );
  },
});
