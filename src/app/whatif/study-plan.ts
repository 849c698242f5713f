import type { ScalingKind } from '../../report/whatif.ts';
import type { Axis } from './axes.ts';
import type { Ideal } from './grid.ts';

/** What a study asks. */
export interface StudyPlan {
  readonly axes: readonly Axis[];
  /** Idealised variants of every scenario. */
  readonly ideals?: readonly Ideal[];
  /** Most scenarios, default 100,000. */
  readonly limit?: number;
  /** How work depends on `ranks`, default `strong`: which speed-up, efficiency and law are computed. */
  readonly scaling?: ScalingKind;
  /** Instead of trying all values of this axis, its least that takes at most `target` seconds is searched for. */
  readonly find?: { readonly axis: string; readonly target: number };
  /** Parameters whose elasticity is asked for: axes that take a change such as `x1.01`. */
  readonly elasticity?: readonly string[];
}
