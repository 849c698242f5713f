import type { Steps } from './steps.ts';

/**
 * The root posts a send to every other rank in rank order and waits for all of them: scatter and scatterv.
 *
 * One message per rank, P − 1 at the root; the root's own part is not a message.
 * Source: SimGrid `smpi_nbc_impl.cpp` (`iscatter`, `iscatterv`).
 *
 * @param sendBytes bytes that the root sends to a rank
 * @param recvBytes bytes that this rank receives
 */
export function scatterLinear(
  steps: Steps,
  tag: number,
  root: number,
  sendBytes: (target: number) => number,
  recvBytes: number,
): void {
  const { rank, size } = steps;
  if (rank !== root) {
    steps.irecv(root, tag, recvBytes);
  } else {
    for (let target = 0; target < size; target++) {
      if (target !== root) steps.isend(target, tag, sendBytes(target));
    }
  }
  steps.waitAll();
}
