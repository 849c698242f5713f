import type { Formula } from '../../../analysis/properties/property.ts';
import type { Method } from '../../../analysis/reduction/reduced-search.ts';
import type { ExploreOptions } from '../../../analysis/space/state-space.ts';
import type { ExploreProgress } from '../../explore/explore-document.ts';
import type { MachineOptions } from '../../inputs/target.ts';

/** Options and limits of `verify`. */
export interface VerifyOptions extends MachineOptions, Omit<ExploreOptions, 'progress' | 'order' | 'budget'> {
  /** Start of the command on the `performance.now()` clock, from which `seconds` count. Default: now. */
  readonly begun?: number;
  /** Property file in the XML format of the Model Checking Contest. */
  readonly formulas?: string;
  /**
   * Final markings: a dead marking that is not final is a deadlock. Default: those listed in the net; for a model, the
   * markings in which all ranks have ended.
   */
  readonly final?: string | Formula;
  /** Models only: parameter values. */
  readonly set?: Readonly<Record<string, number | string | boolean>>;
  /**
   * Search of a reduced net, for properties that the reduction preserves: reachable markings, invariants, safety, deadlock
   * freedom. `stubborn`, `structural`, `symmetry`, `all` (three together): use such searches only, and reject other
   * properties. `none`: never. Default `auto`: in parallel to the full exploration if that takes long.
   */
  readonly reduce?: Reduce;
  /** Called during the exploration. */
  readonly progress?: (p: ExploreProgress) => void;
}

/** Reduction of a net before its search; see `VerifyOptions.reduce`. */
export type Reduce = 'auto' | 'none' | Method;
