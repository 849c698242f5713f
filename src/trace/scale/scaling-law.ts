import type { ArgumentKind } from '../ti/grammar.ts';
import { type Grid, type Offset, ranksOf } from './process-grid.ts';

/** `weak`: the work of each process stays. `strong`: that of the whole program stays. */
export type Scaling = 'weak' | 'strong';

export const SCALINGS: readonly Scaling[] = ['weak', 'strong'];

/** Collectives whose amounts are those of one rank. */
const OF_ONE_RANK: ReadonlySet<string> = new Set([
  ...['gather', 'scatter', 'allgather', 'gatherv', 'scatterv', 'allgatherv', 'reducescatter'],
]);
/** Collectives whose amounts are those of a pair of ranks. */
const OF_A_PAIR: ReadonlySet<string> = new Set(['alltoall', 'alltoallv']);
const COUNTS: ReadonlySet<ArgumentKind> = new Set(['count', 'sendcount', 'recvcount', 'sendbuf', 'recvbuf']);

/** How the amounts of a trace change with the number of processes. */
export class ScalingLaw {
  readonly scaling: Scaling;
  readonly #from: Grid;
  readonly #to: Grid;

  constructor(scaling: Scaling, from: Grid, to: Grid) {
    this.scaling = scaling;
    this.#from = from;
    this.#to = to;
  }

  /** Factor of the flops of a process. */
  get work(): number {
    return this.scaling === 'weak' ? 1 : ranksOf(this.#from) / ranksOf(this.#to);
  }

  /** Factor of the part of one rank in a collective such as allgather. */
  get block(): number {
    return this.work;
  }

  /** Factor of the part of a pair of ranks in an alltoall: the data of each rank, divided among more. */
  get pair(): number {
    return this.work * (ranksOf(this.#from) / ranksOf(this.#to));
  }

  /**
   * Factor of a message with a process at an offset: the size of the face between them. Along the dimensions that it crosses, a part
   * of the grid becomes thinner with strong scaling, along the others its face becomes smaller.
   */
  face(offset: Offset | undefined): number {
    if (this.scaling === 'weak') return 1;
    const sides = this.#from.map((n, k) => n / this.#to[k]!);
    // A receive from any source takes the mean face.
    if (offset === undefined) return this.work ** ((sides.length - 1) / sides.length);
    return sides.reduce((face, side, k) => (offset[k] === 0 ? face * side : face), 1);
  }

  /** Factor of an argument of an action. */
  of(action: string, kind: ArgumentKind, offset: Offset | undefined): number {
    if (kind === 'flops') return action === 'compute' ? this.work : 1;
    if (!COUNTS.has(kind)) return 1;
    // The whole buffer of a rank, with the parts of all pairs.
    if (kind === 'sendbuf' || kind === 'recvbuf') return this.work;
    if (OF_A_PAIR.has(action)) return this.pair;
    if (OF_ONE_RANK.has(action)) return this.block;
    return /^(?:i?send|i?recv|sendRecv)$/.test(action) ? this.face(offset) : 1;
  }

  /** The law in words: the factors that differ from 1, of the actions that the trace has. */
  text(actions: ReadonlySet<string>, offsets: readonly Offset[]): string[] {
    const factor = (value: number): string => `× ${Number(value.toPrecision(6))}`;
    const faces = [...new Set(offsets.map((offset) => this.face(offset)))].sort((a, b) => a - b);
    const has = (names: ReadonlySet<string>): boolean => [...names].some((name) => actions.has(name));
    return [
      ...(actions.has('compute') ? [`flops of compute ${factor(this.work)}`] : []),
      ...(faces.length === 0 ? [] : [`messages ${faces.map(factor).join(' or ')}, by their direction`]),
      ...(has(OF_ONE_RANK) ? [`the part of a rank in gather, scatter and allgather ${factor(this.block)}`] : []),
      ...(has(OF_A_PAIR) ? [`the part of a pair of ranks in alltoall ${factor(this.pair)}`] : []),
      ...(['bcast', 'reduce', 'allreduce', 'scan', 'exscan'].some((name) => actions.has(name))
        ? ['amounts of bcast, reduce, allreduce and scan × 1']
        : []),
    ];
  }
}
