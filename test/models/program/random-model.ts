import * as fc from 'fast-check';
import { counter, flag, oneOf, type ProgramModel, range, spmd } from '../../../src/models.ts';

const part = fc.record({
  kind: fc.constantFrom(
    'compute',
    'compute',
    'sleep',
    'shift',
    'shift',
    'line',
    'collective',
    'branch',
    'choose',
    'loop',
    'plain',
    'while',
    'let',
    'interval',
  ),
  a: fc.nat({ max: 50 }),
  b: fc.nat({ max: 50 }),
  bytes: fc.constantFrom(0, 8, 4095, 4096, 65535, 65536, 300_000),
  inside: fc.nat({ max: 4 }),
});
export type Part = typeof part extends fc.Arbitrary<infer T> ? T : never;
/** Models of computing, messages, collectives and control flow that end; with their number of ranks. */
export const arbitrary: fc.Arbitrary<{ readonly ranks: number; readonly parts: Part[] }> = fc.record({
  ranks: fc.integer({ min: 1, max: 7 }),
  parts: fc.array(part, { maxLength: 14 }),
});

export const modelOf = (parts: readonly Part[]): ProgramModel =>
  spmd({
    name: 'random',
    params: { grain: 1000 },
    vars: { i: counter(), j: counter(), k: range(0, 60), colour: oneOf('red', 'green'), odd: flag() },
    build(m) {
      const left = [...parts];
      const some = (count: number, depth: number): void => {
        for (let n = 0; n < count && left.length > 0; n++) say(left.shift()!, depth);
      };
      const say = ({ kind, a, b, bytes, inside }: Part, depth: number): void => {
        switch (kind) {
          case 'compute':
            // Odd amounts, so that what is independent does not fall on one instant by chance.
            m.compute({ flops: (s) => s.p.grain * (a + 1) + 997 * s.rank + 131 * s.i + 17 * s.j + s.k });
            break;
          case 'sleep':
            m.sleep((s) => (a + s.rank) * 1.37e-7);
            break;
          case 'shift': {
            const d = 1 + (a % m.size);
            const sent = m.isend({ to: (s) => (s.rank + d) % s.size, bytes: (s) => bytes + (s.i % 3), tag: b % 3 });
            const received = m.irecv({ from: (s) => (s.rank - d + 2 * s.size) % s.size, tag: b % 3 });
            if (a % 2 === 0) m.compute({ flops: (s) => 31 * s.rank + 7 * b });
            m.waitAll(b % 2 === 0 ? [sent, received] : [received, sent]);
            break;
          }
          case 'line':
            // A chain from rank 0 up: every rank receives from the one before it, then sends.
            m.recv({ from: (s) => (s.rank === 0 ? null : s.rank - 1), tag: 7 });
            m.compute({ flops: 1000 + a });
            m.send({ to: (s) => (s.rank === s.size - 1 ? null : s.rank + 1), bytes, tag: 7 });
            break;
          case 'collective': {
            const root = a % m.size;
            const all = [
              () => m.barrier(),
              () => m.bcast({ bytes, root }),
              () => m.reduce({ bytes, flops: 100 * b, root }),
              () => m.allreduce({ bytes: (s) => bytes + s.i, flops: b }),
              () => m.alltoall({ bytes: bytes % 70_000 }),
              () => m.allgather({ bytes: bytes % 70_000 }),
              () => m.gather({ bytes, root: (s) => (root + s.i) % s.size }),
              () => m.scatter({ bytes, root }),
              () => m.scan({ bytes, flops: b }),
            ];
            all[b % all.length]!();
            break;
          }
          case 'branch':
            m.when(
              (s) => s.rank % 2 === a % 2,
              () => m.compute({ flops: (s) => 10 * a + s.rank }),
              () => m.sleep(1e-6 * b),
            );
            break;
          case 'choose':
            m.when(
              (s) => (s.i + s.k) % 3 === 0 || (s.odd && s.colour === 'green'),
              () => some(inside, depth),
            );
            break;
          case 'loop':
            if (depth < 2)
              m.loop(
                depth === 0 ? 'i' : 'j',
                (s) => (a % 4) + (depth === 0 ? 0 : s.i % 2),
                () => some(inside, depth + 1),
              );
            break;
          case 'interval':
            m.interval(
              `part ${a % 3}`,
              {
                ...(b % 3 === 0 ? {} : { kind: b % 3 === 1 ? 'sequential' : 'parallel' }),
                ...(b % 2 === 0 ? {} : { expression: (s: { readonly i: number }) => (s.i % 2) - 1 }),
                ...(b % 5 === 0 ? { iterations: a } : {}),
              },
              () => some(inside, depth),
            );
            break;
          case 'plain':
            m.loop(a % 4, () => some(inside, 2));
            break;
          case 'while':
            m.let('k', 0);
            m.while(
              (s) => s.k < b % 5,
              () => {
                m.compute({ flops: (s) => 100 + s.k });
                m.let('k', (s) => s.k + 1);
              },
            );
            break;
          case 'let':
            m.let('odd', (s) => (s.i + a) % 2 === 1);
            m.let('colour', (s) => (s.odd ? 'green' : 'red'));
            break;
        }
      };
      some(Number.POSITIVE_INFINITY, 0);
    },
  });
