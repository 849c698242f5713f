import { type ThreadModel, threads } from '../../../../src/models/threads/program/threads.ts';

type Build = Parameters<typeof threads>[0]['build'];

/** A model with this program. */
export const model = (build: Build): ThreadModel => threads({ name: 'case', build }) as unknown as ThreadModel;

/** Dining philosophers: each takes the fork on the left, then the one on the right; `ordered`: the lower number first. */
export const philosophers = (n: number, ordered: boolean): ThreadModel =>
  model((t) => {
    const fork = t.mutex('fork', n);
    t.parallel(n, () => {
      t.compute({ seconds: 1 });
      t.lock(fork, ({ thread }) => (ordered ? Math.min(thread, (thread + 1) % n) : thread));
      t.lock(fork, ({ thread }) => (ordered ? Math.max(thread, (thread + 1) % n) : (thread + 1) % n));
      t.compute({ seconds: 1 });
      t.unlock(fork, ({ thread }) => (thread + 1) % n);
      t.unlock(fork, ({ thread }) => thread);
    });
  });
