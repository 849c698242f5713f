import type { Collective } from '../../../trace/collective.ts';
import type { Call } from '../steps.ts';

/** Collectives for which SMPI has several algorithms. The others (scan, exscan, gatherv, scatterv) have one, `default`. */
export const SELECTABLE = [
  'allgather',
  'allgatherv',
  'allreduce',
  'alltoall',
  'alltoallv',
  'barrier',
  'bcast',
  'gather',
  'reduce',
  'reducescatter',
  'scatter',
] as const satisfies readonly Collective['kind'][];
export type Selectable = (typeof SELECTABLE)[number];

/** The name of the algorithm that a selector takes for a call on P ranks. */
export type AlgorithmNames = {
  readonly [K in Selectable]: (collective: Call<K>, size: number) => string;
};
