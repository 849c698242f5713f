import type { ExploreOptions } from '../../analysis/space/state-space.ts';
import type { MachineOptions } from '../target.ts';

/** How far an exploration is. */
export interface ExploreProgress {
  readonly states: number;
  readonly expanded: number;
  /** Seconds spent on exploring. */
  readonly seconds: number;
}

/** What `foretoken explore` is asked. Of a model also the machine, whose ranks it takes. */
export interface SpaceOptions extends MachineOptions, Omit<ExploreOptions, 'progress' | 'budget'> {
  /** Of a model: values of its parameters. */
  readonly set?: Readonly<Record<string, number | string | boolean>>;
  /** Groups of places whose largest sum of tokens is wanted: `p1,p2;p3`, or lists of names. */
  readonly bounds?: string | readonly (readonly string[])[];
  /** Writes the graph of a small space to this file: .svg, .html or .dot. */
  readonly graph?: string;
  readonly progress?: (p: ExploreProgress) => void;
  /** When the command began, by `performance.now()`: `seconds` count from there. Default: now. */
  readonly begun?: number;
}
