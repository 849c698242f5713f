import type { Steps } from './steps.ts';

/**
 * All ranks send to the root, which posts all receives in rank order: gather, gatherv and the linear reduce.
 *
 * One message per rank, P − 1 at the root; the root's own part is not a message.
 * Source: SimGrid `smpi_nbc_impl.cpp` (`igather`, `igatherv`, `ireduce`).
 *
 * @param sendBytes bytes that this rank sends
 * @param recvBytes bytes that the root receives from a rank
 */
export function gatherLinear(
  steps: Steps,
  tag: number,
  root: number,
  sendBytes: number,
  recvBytes: (source: number) => number,
): void {
  const { rank, size } = steps;
  if (rank !== root) {
    steps.isend(root, tag, sendBytes);
  } else {
    for (let source = 0; source < size; source++) {
      if (source !== root) steps.irecv(source, tag, recvBytes(source));
    }
  }
  steps.waitAll();
}
