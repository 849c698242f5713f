import { threads } from 'foretoken/models';

/**
 * Block-parallel Gaussian elimination of a system of n linear equations by `threads` threads in `blocks` pivot blocks, and
 * back substitution. Method 1 deals rows to the threads cyclically and has one event for each pivot block. Method 2 gives
 * each thread neighbouring columns; threads meet at two barriers for each pivot block, and in back substitution a sum
 * travels from thread to thread.
 */
export default threads({
  name: 'gauss',
  params: { method: 1, threads: 256, blocks: 64, n: 20_544, element: 1.71e-7, forward: true },
  vars: ['k', 'm'],
  build(t) {
    const { method, threads: count, blocks, n, element, forward } = t.p;
    const b = n / blocks;
    const last = blocks - 1;
    /** Number of rows (method 1) or columns (method 2) from a number on that a thread owns. */
    const from = (thread: number, first: number): number =>
      method === 1
        ? Math.max(0, Math.ceil((n - thread) / count)) - Math.max(0, Math.ceil((first - thread) / count))
        : Math.max(0, (n * (thread + 1)) / count - Math.max(first, (n * thread) / count));
    /** Those in pivot block k. */
    const inBlock = (thread: number, k: number): number => from(thread, k * b) - from(thread, (k + 1) * b);
    /** Operations that eliminate pivot block k from a row or column, and that reduce the pivot block. */
    const eliminate = (k: number): number => 2 * b * (n - (k + 0.5) * b);
    const reduce = (k: number): number => b * b * (n - (k + 0.5) * b);

    if (method === 1) {
      /** One of the owners of block k, another one for each block; it reduces the block. */
      const leader = (k: number): number => (Math.ceil(k * b) + (k % Math.floor(b))) % count;
      /** A barrier of the owners of each block. */
      const meetings = (name: string) =>
        Array.from({ length: blocks }, (_, k) => {
          let owners = 0;
          for (let thread = 0; thread < count; thread++) if (inBlock(thread, k) > 0) owners++;
          return t.barriers(`${name} ${k}`, owners);
        });
      const reduced = t.events('reduced', blocks);
      const solved = t.events('solved', blocks);
      const updated = meetings('updated');
      const summed = meetings('summed');
      const eliminates = (): void => {
        t.when(
          (s) => s.thread === leader(0),
          () => {
            t.compute({ flops: reduce(0) });
            t.set(reduced, 0);
          },
        );
        for (let k = 0; k < last; k++)
          t.when(
            (s) => from(s.thread, (k + 1) * b) > 0,
            () => {
              t.wait(reduced, k);
              t.when(
                (s) => inBlock(s.thread, k + 1) > 0,
                () => {
                  t.compute({ flops: (s) => eliminate(k) * inBlock(s.thread, k + 1) });
                  t.barrier(updated[k + 1]!);
                },
              );
              t.when(
                (s) => s.thread === leader(k + 1),
                () => {
                  t.compute({ flops: reduce(k + 1) });
                  t.set(reduced, k + 1);
                },
              );
              t.compute({ flops: (s) => eliminate(k) * from(s.thread, (k + 2) * b) });
            },
          );
      };
      const solve = (k: number): void =>
        t.when(
          (s) => s.thread === leader(k),
          () => {
            t.compute({ seconds: (element * b * b) / 2 });
            t.set(solved, k);
          },
        );
      const substitutes = (): void => {
        solve(last);
        for (let k = last; k > 0; k--)
          t.when(
            (s) => from(s.thread, 0) > from(s.thread, k * b),
            () => {
              t.wait(solved, k);
              t.when(
                (s) => inBlock(s.thread, k - 1) > 0,
                () => {
                  t.compute({ seconds: (s) => element * b * inBlock(s.thread, k - 1) });
                  t.barrier(summed[k - 1]!);
                },
              );
              solve(k - 1);
              t.compute({ seconds: (s) => element * b * (from(s.thread, 0) - from(s.thread, (k - 1) * b)) });
            },
          );
      };
      phases(eliminates, substitutes);
      return;
    }

    const meeting = t.barriers('meeting', count);
    const sum = t.semaphore('sum', 0, count);
    const eliminates = (): void =>
      t.loop('k', last, () => {
        t.when(
          (s) => inBlock(s.thread, s.k) > 0,
          () => t.compute({ flops: (s) => (reduce(s.k) * inBlock(s.thread, s.k)) / b }),
        );
        t.barrier(meeting);
        t.when(
          (s) => from(s.thread, (s.k + 1) * b) > 0,
          () => t.compute({ flops: (s) => eliminate(s.k) * from(s.thread, (s.k + 1) * b) }),
        );
        t.barrier(meeting);
      });
    /** Block last − m, from the last to the first. */
    const substitutes = (): void =>
      t.loop('m', blocks, () =>
        t.when(
          (s) => from(s.thread, (last - s.m) * b) > 0,
          () => {
            t.when(
              (s) => s.thread < count - 1,
              () => t.acquire(sum, (s) => s.thread),
            );
            t.compute({
              seconds: ({ thread, m }) =>
                element * b * (from(thread, (last - m + 1) * b) + inBlock(thread, last - m) / 2),
            });
            t.when(
              (s) => s.thread > 0 && from(s.thread - 1, (last - s.m) * b) > 0,
              () => t.release(sum, (s) => s.thread - 1),
            );
          },
        ),
      );
    phases(eliminates, substitutes);

    /** The two phases, timed separately; the threads of each phase end before the next one begins. */
    function phases(first: () => void, second: () => void): void {
      if (forward) t.parallel(count, first, { name: 'forward elimination' });
      t.parallel(count, second, { name: 'back substitution' });
    }
  },
  // The state space of the whole program is too large.
  verifyWith: { workers: 3, threads: 3, blocks: 2, n: 6 },
});
