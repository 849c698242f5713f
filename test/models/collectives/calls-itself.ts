import { type CollectiveSelector, chooseAlgorithm, selectorChoice } from '../../../src/models/collectives/choice.ts';
import { Steps } from '../../../src/models/collectives/steps.ts';
import type { Collective } from '../../../src/trace/collective.ts';

/**
 * True if the algorithm that a selector takes makes a call of the same operation on this rank, as for the rest of a message that it
 * splits. An algorithm given by name is that of the inner call, too, as SimGrid's `smpi/bcast` is; a selector chooses again by
 * size.
 */
export function callsItself(
  collective: Collective,
  rank: number,
  ranks: number,
  selector: CollectiveSelector,
): boolean {
  const kinds: string[] = [];
  const run = (steps: Steps, inner: Collective): void => {
    kinds.push(inner.kind);
    chooseAlgorithm(selectorChoice(selector), inner, ranks, false).run(steps);
  };
  run(new Steps(rank, ranks, run), collective);
  return kinds.slice(1).includes(collective.kind);
}
