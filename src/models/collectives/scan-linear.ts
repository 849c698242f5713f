import { collectiveTag } from './point-to-point.ts';
import type { Steps } from './steps.ts';

/**
 * Prefix reduction (scan and exscan): a receive from every lower rank, and a send of the own part to every higher rank.
 *
 * P − 1 messages per rank, P (P − 1) / 2 in total. Source: SimGrid `smpi_nbc_impl.cpp` (`iscan`, `iexscan`).
 */
export function scanLinear(steps: Steps, bytes: number): void {
  const { rank, size } = steps;
  for (let source = 0; source < rank; source++) steps.irecv(source, collectiveTag.scan, bytes);
  for (let target = rank + 1; target < size; target++) steps.isend(target, collectiveTag.scan, bytes);
  steps.waitAll();
}
