import type { Collective } from '../../trace/collective.ts';
import type { Steps } from './steps.ts';

/** Which algorithm carries out each kind of collective: appends the steps of `steps.rank`, flops not included. */
export type Selector = {
  readonly [K in Collective['kind']]: (steps: Steps, collective: Collective & { readonly kind: K }) => void;
};
