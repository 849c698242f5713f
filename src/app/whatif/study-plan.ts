import type { ScalingKind } from '../../report/whatif.ts';
import type { Axis } from './axes.ts';
import type { Ideal } from './grid.ts';

/** Plan of a what-if study. */
export interface StudyPlan {
  /** The axes, in the given order. */
  readonly axes: readonly Axis[];
  /** Idealised variants of every scenario. */
  readonly ideals?: readonly Ideal[];
  /** Maximum number of scenarios, default 100,000. */
  readonly limit?: number;
  /** Dependence of the work on `ranks`, default `strong`; selects the definitions of speed-up, efficiency and fitted law. */
  readonly scaling?: ScalingKind;
  /** Searches this axis for its smallest value with a run time of at most `target` seconds, instead of trying all values. */
  readonly find?: { readonly axis: string; readonly target: number };
  /** Parameters whose elasticities are computed: axes that accept relative changes such as `x1.01`. */
  readonly elasticity?: readonly string[];
}
