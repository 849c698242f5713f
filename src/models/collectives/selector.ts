import type { Collective } from '../../trace/collective.ts';
import type { Steps } from './steps.ts';

/**
 * A collective and, where it is known, the size of one element of its data in bytes: SimGrid's reducescatter decides by
 * the number of elements, not of bytes. Default: 1.
 */
export type SizedCollective = Collective & { readonly elementBytes?: number };

/** Which algorithm carries out each kind of collective: appends the steps of `steps.rank`, flops not included. */
export type Selector = {
  readonly [K in Collective['kind']]: (steps: Steps, collective: SizedCollective & { readonly kind: K }) => void;
};
