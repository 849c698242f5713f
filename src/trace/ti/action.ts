import type { Collective } from '../collective.ts';

/**
 * An action of a time-independent (TI) trace from the view of its rank, without its amount (flops of a compute, seconds
 * of a sleep, bytes of a message). Amounts are stored in a separate column so that equal actions share one code. `peer:
 * null` is any source, `tag: null` any tag. `request` is the number of the (rank, source, destination, tag).
 */
export type TiAction =
  | { readonly kind: 'compute' | 'sleep' | 'waitall' | 'end' }
  | { readonly kind: 'send'; readonly peer: number; readonly tag: number }
  | { readonly kind: 'isend'; readonly peer: number; readonly tag: number; readonly request: number }
  | { readonly kind: 'recv'; readonly peer: number | null; readonly tag: number | null }
  | { readonly kind: 'irecv'; readonly peer: number | null; readonly tag: number | null; readonly request: number }
  | { readonly kind: 'wait' | 'test'; readonly request: number }
  | {
      readonly kind: 'sendRecv';
      readonly to: number;
      readonly sendBytes: number;
      readonly from: number | null;
      readonly recvBytes: number;
    }
  | Collective;
