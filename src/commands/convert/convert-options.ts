import {
  type KindOf,
  MACHINE_ROWS,
  MODEL,
  MODELS,
  type OptionRows,
  type OptionsFor,
  POOL_ROWS,
  RANKED,
  THREADS,
  WITH_NET,
} from '../inputs/option-rows.ts';
import type { MachineOptions } from '../inputs/target.ts';
import type { ThreadOptions } from '../inputs/thread-options.ts';

/** Options of `convert`. */
export interface ConvertOptions extends MachineOptions, ThreadOptions {
  /** Writes the unfolded place/transition net: one place per place and colour, one transition per transition and binding. */
  readonly unfold?: boolean;
  /**
   * Writes an equivalent safe net, in which no place ever holds more than one token. It has one place for each number of
   * tokens of a colour, and preserves the interleaving behaviour and times. A net that takes time and is safe already is
   * written unchanged.
   */
  readonly safe?: boolean;
  /** Values of its parameters. */
  readonly set?: Readonly<Record<string, number | string | boolean>>;
  /** Writes only the named module of its net. */
  readonly module?: string;
  /** Maximum number of places and transitions: of the unfolded net, default 10⁶; of the safe net, default 10⁵. */
  readonly limit?: number;
}

/** The kinds of input to which each option applies. */
export const CONVERT_ROWS = {
  ...MACHINE_ROWS,
  ...POOL_ROWS,
  cfg: [...RANKED, 'machine description'],
  workers: THREADS,
  unfold: WITH_NET,
  safe: WITH_NET,
  limit: WITH_NET,
  set: MODELS,
  module: MODEL,
} as const satisfies OptionRows<ConvertOptions>;

/** Options of `convert` that apply to an input. */
export type ConvertOptionsOf<I> = OptionsFor<ConvertOptions, typeof CONVERT_ROWS, KindOf<I>>;

/** The result of a conversion: the size of the file in words and bytes, and notes for the user as sentences. */
export interface Written {
  readonly contents: string;
  readonly bytes: number;
  readonly notes: readonly string[];
}
