import type { Formula } from '../../analysis/properties/property.ts';
import type { MachineOptions } from '../target.ts';

/** What `foretoken structure` is asked. Of a model also the machine, whose ranks it takes. */
export interface StructureOptions extends MachineOptions {
  /** Of a model: values of its parameters. */
  readonly set?: Readonly<Record<string, number | string | boolean>>;
  /** Targets to be proved unreachable: `tokens(a) >= 2 & tokens(b) >= 1`, or short `a >= 2 & b >= 1`; or formulas of one marking. */
  readonly unreachable?: readonly (string | Formula)[];
  /** Siphons, and traps, that are listed at most (default 1000). */
  readonly sets?: number;
  /** False: no linear programs, even where HiGHS is installed. */
  readonly linearPrograms?: boolean;
}
