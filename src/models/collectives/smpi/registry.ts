import type { Collective } from '../../../trace/collective.ts';
import { gatherLinear, scanLinear, scatterLinear } from '../linear.ts';
import { type Algorithm, collectiveTag } from '../steps.ts';
import { allgatherAlgorithms } from './allgather.ts';
import { allgathervAlgorithms } from './allgatherv.ts';
import { allreduceAlgorithms } from './allreduce.ts';
import { alltoallAlgorithms, alltoallvAlgorithms } from './alltoall.ts';
import { barrierAlgorithms } from './barrier.ts';
import { bcastAlgorithms } from './bcast.ts';
import { gatherAlgorithms, scatterAlgorithms } from './gather-scatter.ts';
import { reduceAlgorithms } from './reduce.ts';
import { reduceScatterAlgorithms } from './reduce-scatter.ts';

/**
 * SimGrid's algorithms by collective and name: the values of `smpi/NAME` (`smpi/reduce_scatter` for a reducescatter).
 * Collectives with one algorithm have only `default`.
 */
export const smpiAlgorithms: { readonly [K in Collective['kind']]: Readonly<Record<string, Algorithm<K>>> } = {
  barrier: barrierAlgorithms,
  bcast: bcastAlgorithms,
  reduce: reduceAlgorithms,
  allreduce: allreduceAlgorithms,
  gather: gatherAlgorithms,
  scatter: scatterAlgorithms,
  allgather: allgatherAlgorithms,
  allgatherv: allgathervAlgorithms,
  alltoall: alltoallAlgorithms,
  alltoallv: alltoallvAlgorithms,
  reducescatter: reduceScatterAlgorithms,
  scan: { default: (steps, c) => scanLinear(steps, c.bytes) },
  exscan: { default: (steps, c) => scanLinear(steps, c.bytes) },
  gatherv: {
    default: (steps, c) => gatherLinear(steps, collectiveTag.gatherv, c.root, c.sendBytes, (i) => c.recvBytes[i]!),
  },
  scatterv: {
    default: (steps, c) => scatterLinear(steps, collectiveTag.scatterv, c.root, (i) => c.sendBytes[i]!, c.recvBytes),
  },
};
