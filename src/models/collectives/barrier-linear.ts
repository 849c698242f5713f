import { collectiveTag } from './point-to-point.ts';
import type { Steps } from './steps.ts';

/**
 * All ranks report to rank 0, which then releases them, with empty messages.
 *
 * Two messages per rank, 2 (P − 1) at rank 0. Source: SimGrid `barrier-ompi.cpp` (`ompi_basic_linear`).
 */
export function barrierLinear(steps: Steps): void {
  const { rank, size } = steps;
  if (rank > 0) {
    steps.send(0, collectiveTag.barrier, 0);
    steps.recv(0, collectiveTag.barrier, 0);
    return;
  }
  for (let source = 1; source < size; source++) steps.irecv(source, collectiveTag.barrier, 0);
  steps.waitAll();
  for (let target = 1; target < size; target++) steps.isend(target, collectiveTag.barrier, 0);
  steps.waitAll();
}
