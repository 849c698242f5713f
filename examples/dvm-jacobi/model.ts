import { counter, grid2d, spmd } from 'foretoken/models';
import { output, parallel, sequential, sequentialAtEnd } from './figures.ts';

/**
 * Jacobi's method as C-DVM ran it on 16 processors, 3000 x 3000 points. An iteration has computing that all processors
 * repeat, a parallel loop with the reduction of the largest change, a line of output, the exchange of shadow edges, and a
 * second parallel loop. Computing times are as measured; the costs of messages and the waiting times are predicted.
 */
export default spmd({
  name: 'dvm-jacobi',
  params: { points: 3000, turns: 20 },
  vars: { turn: counter() },
  build(m) {
    const g = grid2d(m.size);
    const { points, turns } = m.p;
    const edges = [
      { to: g.east, from: g.west, bytes: (8 * points) / g.py },
      { to: g.west, from: g.east, bytes: (8 * points) / g.py },
      { to: g.south, from: g.north, bytes: (8 * points) / g.px },
      { to: g.north, from: g.south, bytes: (8 * points) / g.px },
    ];
    const parallelLoop = (name: string): void =>
      m.interval(name, () => m.compute({ seconds: (s) => parallel[s.rank]! / (2 * turns) }));
    m.loop('turn', turns, () => {
      m.interval('sequential', () => m.compute({ seconds: (s) => sequential[s.rank]! / turns }));
      parallelLoop('largest change');
      m.interval('reduction', () => m.allreduce({ bytes: 8 }));
      m.interval('output', () => m.sleep((s) => output[s.rank]! / turns));
      m.interval('shadow edges', () => {
        const received = edges.map(({ from }, tag) => m.irecv({ from: (s) => from(s.rank), tag }));
        const sent = edges.map(({ to, bytes }, tag) => m.isend({ to: (s) => to(s.rank), bytes, tag }));
        m.waitAll([...received, ...sent]);
      });
      parallelLoop('four neighbours');
    });
    m.interval('sequential', () => m.compute({ seconds: (s) => sequentialAtEnd[s.rank]! }));
  },
});
