import { disseminate } from '../doubling.ts';
import { barrierLinear } from '../linear.ts';
import { type Algorithm, collectiveTag, type Steps } from '../steps.ts';
import { powerBelow } from './elements.ts';

const tag: number = collectiveTag.barrier;

/** Algorithms of a barrier by SimGrid's names. Source: SimGrid `barrier-ompi.cpp`, `barrier-mvapich2-pair.cpp`. */
export const barrierAlgorithms = {
  ompi_basic_linear: barrierLinear,
  ompi_bruck: (steps) => disseminate(steps, tag),
  ompi_two_procs: (steps) => steps.sendrecv(1 - steps.rank, 0, 1 - steps.rank, 0, tag),
  ompi_recursivedoubling: doubling,
  mvapich2_pair: doubling,
  ompi_tree: tree,
  ompi_doublering: doubleRing,
} satisfies Record<string, Algorithm<'barrier'>>;

/** The ranks above the largest power of two report to a rank below before the exchanges, and hear from it afterwards. */
function doubling(steps: Steps): void {
  const { rank, size } = steps;
  const power = powerBelow(size);
  if (rank >= power) {
    steps.sendrecv(rank - power, 0, rank - power, 0, tag);
    return;
  }
  const follower = rank + power;
  if (follower < size) steps.recv(follower, tag, 0);
  for (let mask = 1; mask < power; mask *= 2) steps.sendrecv(rank ^ mask, 0, rank ^ mask, 0, tag);
  if (follower < size) steps.send(follower, tag, 0);
}

/** Up a binomial tree, and down again. */
function tree(steps: Steps): void {
  const { rank, size } = steps;
  let top = 1;
  while (top < size) top *= 2;
  const meets = (jump: number): number | undefined => {
    const partner = rank ^ jump;
    return (partner & (jump - 1)) === 0 && partner < size ? partner : undefined;
  };
  for (let jump = 1; jump < top; jump *= 2) {
    const partner = meets(jump);
    if (partner === undefined) continue;
    if (partner > rank) steps.recv(partner, tag, 0);
    else steps.send(partner, tag, 0);
  }
  for (let jump = top / 2; jump >= 1; jump /= 2) {
    const partner = meets(jump);
    if (partner === undefined) continue;
    if (partner > rank) steps.send(partner, tag, 0);
    else steps.recv(partner, tag, 0);
  }
}

/** A token passes all ranks twice: the first time it collects them, the second time it releases them. */
function doubleRing(steps: Steps): void {
  const { rank, size } = steps;
  const [left, right] = [(rank - 1 + size) % size, (rank + 1) % size];
  for (let lap = 0; lap < 2; lap++) {
    if (rank > 0) steps.recv(left, tag, 0);
    steps.send(right, tag, 0);
    if (rank === 0) steps.recv(left, tag, 0);
  }
}
