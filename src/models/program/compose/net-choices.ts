import type { Net } from '../../../net/net.ts';

/** The models among which a composition of nets chooses. Nets have no parameters: whoever varies them asks for these. */
export interface NetChoices {
  /** Names of the models, by name of the module, `filter` or `stage.filter`; the first one is in the net. */
  readonly models: ReadonlyMap<string, readonly string[]>;
  /** The composition with other models; modules that are not named keep the first one. */
  with(chosen: Readonly<Record<string, string>>): Net;
}

/** By composition. Nets that are made from one, or read again from a file, have no choices. */
const choices = new WeakMap<Net, NetChoices>();

export const choicesOfNet = (net: Net): NetChoices | undefined => choices.get(net);

/** @returns the net */
export function withChoices(net: Net, { models, with: make }: NetChoices): Net {
  if (models.size > 0) choices.set(net, { models, with: make });
  return net;
}
