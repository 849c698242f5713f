import type { ExploreOptions } from '../../analysis/space/state-space.ts';
import type { MachineOptions } from '../target.ts';

/** Progress of an exploration. */
export interface ExploreProgress {
  /** Number of states found. */
  readonly states: number;
  /** Number of states whose successors are known. */
  readonly expanded: number;
  /** Seconds spent on exploring. */
  readonly seconds: number;
}

/** Options of `foretoken explore`. For models also the machine and the number of ranks. */
export interface SpaceOptions extends MachineOptions, Omit<ExploreOptions, 'progress' | 'budget'> {
  /** Models only: values of its parameters. */
  readonly set?: Readonly<Record<string, number | string | boolean>>;
  /** Groups of places whose maximum token sum is wanted: `p1,p2;p3`, or lists of names. */
  readonly bounds?: string | readonly (readonly string[])[];
  /** Writes the graph of a small space to this file: .svg, .html or .dot. */
  readonly graph?: string;
  /** Called repeatedly during the exploration. */
  readonly progress?: (p: ExploreProgress) => void;
  /** Start time of the command by `performance.now()`; `seconds` count from there. Default: now. */
  readonly begun?: number;
}
