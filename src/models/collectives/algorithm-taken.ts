import type { Collective } from '../../trace/collective.ts';
import { type CollectiveChoice, type CollectiveSelector, choiceFor, chooseAlgorithm, isLeftOut } from './choice.ts';
import type { NodesSeen } from './nodes.ts';
import { SELECTABLE, type Selectable } from './selectors/decision.ts';
import { isPowerOfTwo } from './smpi/elements.ts';

/** The algorithm of a call, and how to ask for it. */
export interface AlgorithmTaken {
  /** SimGrid's name, or of the set `logarithmic` the one in docs/collectives.md. */
  readonly name: string;
  /**
   * `OPERATION=NAME` as `--collectives` takes it: the same messages, unless the algorithm makes a call of this operation itself,
   * as for the rest of a message that is split: that one follows the name, too. Absent for a call without a choice, and for one that the
   * selector leaves out.
   */
  readonly option?: string;
  /** The selector that took it; absent if the option or a rule names the algorithm. */
  readonly selector?: CollectiveSelector;
}

/**
 * The algorithm of a call on P ranks.
 *
 * @param nonblocking a non-blocking call of a trace, which posts all its messages whatever the choice is
 */
export function algorithmTaken(
  choice: CollectiveChoice,
  collective: Collective,
  size: number,
  nonblocking: boolean,
  nodes?: NodesSeen,
): AlgorithmTaken {
  const { kind } = collective;
  if (nonblocking) return { name: 'posted', selector: 'simgrid' };
  const { name } = chooseAlgorithm(choice, collective, size, false, nodes);
  if (!isSelectable(kind)) return { name, selector: choice.selector };
  const own = choiceFor(choice, collective, size);
  if (own?.kind === 'algorithm') return { name, option: `${kind}=${name}` };
  const selector = own?.name ?? choice.selector;
  if (isLeftOut(selector, collective, size, nodes)) return { name, selector };
  if (selector === 'logarithmic') return { name, option: `${kind}=logarithmic`, selector };
  // Where a selector takes `pair` for other ranks than a power of two, they exchange in a ring; by name it is refused.
  const possible = name === 'pair' && !isPowerOfTwo(size) ? 'ring' : name;
  return { name: possible, option: `${kind}=${possible}`, selector };
}

function isSelectable(kind: Collective['kind']): kind is Selectable {
  return (SELECTABLE as readonly string[]).includes(kind);
}
