import type { Collective } from '../../trace/collective.ts';
import type { Steps } from './steps.ts';

/** The algorithm of each kind of collective: appends the steps of `steps.rank`, without flops. */
export type Selector = {
  readonly [K in Collective['kind']]: (steps: Steps, collective: Collective & { readonly kind: K }) => void;
};
