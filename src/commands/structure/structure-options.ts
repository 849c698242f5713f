import type { Formula } from '../../analysis/properties/property.ts';
import type { BudgetOptions } from '../../analysis/space/budget.ts';
import {
  ANALYSED,
  ANALYSIS_ROWS,
  type InputKind,
  type KindOf,
  type OptionRows,
  type OptionsFor,
  THREADS,
} from '../inputs/option-rows.ts';
import type { MachineOptions } from '../inputs/target.ts';
import type { ThreadOptions } from '../inputs/thread-options.ts';

/** Options of `foretoken structure`. For models also the machine and the number of ranks. */
export interface StructureOptions extends MachineOptions, ThreadOptions, BudgetOptions {
  /** Called once the input is read and the analysis begins: from then on, an interruption returns the parts found. */
  readonly analysing?: () => void;
  /** Values of its parameters. */
  readonly set?: Readonly<Record<string, number | string | boolean>>;
  /** Targets to be proved unreachable: `tokens(a) >= 2 & tokens(b) >= 1`, or short `a >= 2 & b >= 1`; or state formulas. */
  readonly unreachable?: readonly (string | Formula)[];
  /** Maximum number of siphons and of traps listed, default 1000. */
  readonly sets?: number;
  /** False: no linear programs, even if HiGHS is installed. */
  readonly linearPrograms?: boolean;
}

/** The kinds of input to which each option applies. */
export const STRUCTURE_ROWS = {
  ...ANALYSIS_ROWS,
  workers: THREADS,
  seconds: ANALYSED,
  memory: ANALYSED,
  cancelled: ANALYSED,
  begun: ANALYSED,
  analysing: ANALYSED,
  unreachable: ANALYSED,
  sets: ANALYSED,
  linearPrograms: ANALYSED,
} as const satisfies OptionRows<StructureOptions>;

/** Options of `structure` that apply to an input. */
export type StructureOptionsOf<I> = OptionsFor<StructureOptions, typeof STRUCTURE_ROWS, KindOf<I, InputKind>>;
