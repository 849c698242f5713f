import { counter, grid2d, spmd } from 'foretoken/models';
import { OUTPUT_BYTES, overlapped, parallel, sequential, sequentialAtEnd } from './figures.ts';

/**
 * Jacobi's method as C-DVM ran it on 16 processors, 3000 x 3000 points. Computing times are as measured; the costs of
 * messages and the waiting times are predicted.
 *
 * Intervals with an operation are the collective operations of the printed table: start and wait of the reduction and of
 * the shadow edges, and output.
 */
export default spmd({
  name: 'dvm-jacobi',
  params: { points: 3000, turns: 20 },
  vars: { turn: counter() },
  build(m) {
    // All processors copy four edges, also those at the border: see README.md.
    const g = grid2d(m.size, { periodic: true });
    const { points, turns } = m.p;
    const edges = [
      { to: g.east, from: g.west, bytes: (8 * points) / g.py },
      { to: g.west, from: g.east, bytes: (8 * points) / g.py },
      { to: g.south, from: g.north, bytes: (8 * points) / g.px },
      { to: g.north, from: g.south, bytes: (8 * points) / g.px },
    ];
    const parallelLoop = (name: string): void =>
      m.interval(name, { kind: 'parallel' }, () => m.compute({ seconds: (s) => parallel[s.rank]! / (2 * turns) }));
    const alike = (seconds: (rank: number) => number): void =>
      m.interval('sequential', { kind: 'sequential' }, () => m.compute({ seconds: (s) => seconds(s.rank) }));
    m.loop('turn', turns, () => {
      alike((rank) => sequential[rank]! / turns);
      parallelLoop('largest change');
      // The reduction starts when all have come to it; its wait is the messages.
      m.interval('start of reduction', { operation: 'reduction', phase: 'start' }, () => m.allreduce({ bytes: 1 }));
      alike(() => overlapped.reduction / turns);
      m.interval('wait for reduction', { operation: 'reduction', phase: 'wait' }, () => m.allreduce({ bytes: 8 }));
      let requests: ReturnType<typeof m.isend>[] = [];
      m.interval('start of shadow edges', { operation: 'shadow edges', phase: 'start' }, () => {
        requests = [
          ...edges.map(({ from }, tag) => m.irecv({ from: (s) => from(s.rank), tag })),
          ...edges.map(({ to, bytes }, tag) => m.isend({ to: (s) => to(s.rank), bytes, tag })),
        ];
      });
      alike(() => overlapped.shadow / turns);
      m.interval('wait for shadow edges', { operation: 'shadow edges', phase: 'wait' }, () => m.waitAll(requests));
      parallelLoop('four neighbours');
      m.interval('output', { operation: 'I/O' }, () =>
        m.when(
          (s) => s.rank === 0,
          () => m.writeFile({ bytes: OUTPUT_BYTES / turns }),
        ),
      );
    });
    alike((rank) => sequentialAtEnd[rank]!);
  },
});
