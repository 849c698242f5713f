import { counter, spmd } from 'foretoken/models';
import { calibrated, OUTPUT_BYTES, overlapped, PROCESSORS, repeated } from './figures.ts';

/**
 * Jacobi's method as C-DVM ran it on 16 processors, 3000 x 3000 points. The rows are dealt to a line of processors: the printed
 * numbers of loop iterations are those of this distribution. Costs of messages and loops are calibrated (`calibrated`).
 *
 * Intervals with an operation are the collective operations of the printed table: start and wait of the reduction and of
 * the shadow edges, and output.
 */
export default spmd({
  name: 'dvm-jacobi',
  params: { points: 3000, turns: 20 },
  vars: { turn: counter() },
  build(m) {
    const { points, turns } = m.p;
    const block = Math.ceil(points / m.size);
    const first = (rank: number): number => Math.min(points, rank * block);
    const last = (rank: number): number => Math.min(points, first(rank) + block);
    const rows = (rank: number): number => last(rank) - first(rank);
    /** Rows without those at the border, which do not change. */
    const inner = (rank: number): number => Math.max(0, Math.min(last(rank), points - 1) - Math.max(first(rank), 1));
    const upper = (rank: number): number | null => (rank > 0 ? rank - 1 : null);
    const lower = (rank: number): number | null => (rank < m.size - 1 ? rank + 1 : null);
    const edge = 8 * points;
    /** A parallel loop; one iteration is one flop. The printed table counts the iterations of a loop once, not in each turn. */
    const loop = (name: string): void =>
      m.interval(name, { kind: 'parallel', iterations: (s) => (s.turn === 0 ? inner(s.rank) * (points - 2) : 0) }, () =>
        m.compute({ flops: (s) => inner(s.rank) * (points - 2) }),
      );
    const alike = (seconds: (rank: number) => number): void =>
      m.interval('sequential', { kind: 'sequential' }, () => m.compute({ seconds: (s) => seconds(s.rank) }));
    const output = (): void =>
      m.interval('output', { operation: 'I/O' }, () =>
        m.when(
          (s) => s.rank === 0,
          () => m.writeFile({ bytes: OUTPUT_BYTES / (turns + 1) }),
        ),
      );
    const least = Math.min(...repeated);
    const between = overlapped.reduction + overlapped.shadow;

    m.interval('initial values', { kind: 'parallel', iterations: (s) => rows(s.rank) * points }, () =>
      m.compute({ flops: (s) => calibrated.initialFlops * rows(s.rank) * points }),
    );
    output();
    m.loop('turn', turns, () => {
      alike(() => (least - between) / turns);
      loop('largest change');
      m.interval('start of reduction', { operation: 'reduction', phase: 'start' }, () => {
        m.sleep(calibrated.startReduction);
        m.allreduce({ bytes: 1 });
      });
      alike(() => overlapped.reduction / turns);
      m.interval('wait for reduction', { operation: 'reduction', phase: 'wait' }, () => {
        m.sleep(calibrated.waitReduction);
        m.allreduce({ bytes: 1 });
      });
      let requests: ReturnType<typeof m.irecv>[] = [];
      m.interval('start of shadow edges', { operation: 'shadow edges', phase: 'start' }, () => {
        m.sleep((s) => (s.rank === 1 ? calibrated.startShadowSecond : calibrated.startShadow));
        requests = [
          ...[upper, lower].map((from, tag) => m.irecv({ from: (s) => from(s.rank), tag })),
          ...[upper, lower].map((to, tag) => m.isend({ to: (s) => to(s.rank), bytes: edge, tag: 1 - tag })),
        ];
      });
      alike(() => overlapped.shadow / turns);
      // One after the other, in the order of the rows.
      m.interval('wait for shadow edges', { operation: 'shadow edges', phase: 'wait' }, () => {
        for (const request of requests) m.wait(request);
      });
      loop('four neighbours');
      output();
    });
    // Processors that have more of this computing end later by as much: see README.md.
    alike((rank) => repeated[rank % PROCESSORS]! - least);
  },
});
