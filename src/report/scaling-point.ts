import type { Scaling, ScalingPoint, WhatIfScenario } from './whatif.ts';

/** Returns a function that finds a scenario's point in its series of ranks; undefined if it has none. */
export function scalingPointsOf(scaling: readonly Scaling[]): (scenario: WhatIfScenario) => ScalingPoint | undefined {
  const key = (others: object, ideal: string | undefined): string => JSON.stringify([others, ideal]);
  const all = new Map(scaling.map((s) => [key(s.values, s.ideal), new Map(s.points.map((p) => [p.ranks, p]))]));
  const axis = scaling[0]?.axis ?? 'ranks';
  return ({ values: { [axis]: ranks, ...others }, ideal }) =>
    typeof ranks === 'number' ? all.get(key(others, ideal))?.get(ranks) : undefined;
}
