import type { ActivityMeter } from '../../analysis/activity-meter.ts';
import type { Estimate } from '../../analysis/long-run/long-run.ts';
import type { Gauges } from '../../analysis/long-run/restarted-runs.ts';
import { largestFirst } from '../../analysis/space/reachable-fragments.ts';
import { named, nodeFigures, type PartFigures } from './chain-parts.ts';
import type { Valued } from './steady-figures.ts';
import type { Question } from './steady-options.ts';
import type { SteadyFragment } from './steady-result.ts';

/** Maximum number of fragments listed, as in `explore`. */
const LISTED = 1000;
const DEGREE = 'degree';
const FRAGMENT = 'fragment ';
const NODE = 'node ';

/** Names of the activity of processes as gauges of restarted runs. */
export function gaugesOf(meter: ActivityMeter, nodes: Question['nodes'] = []): Gauges {
  return {
    begin: () => meter.begin(),
    integrals: (time) => {
      meter.finish(time);
      const { low, seconds } = meter;
      return new Map<string, number>([
        [DEGREE, meter.degree],
        ...meter.fragments
          .fragments()
          .map(({ processes, seconds: own }) => [FRAGMENT + processes.map((p) => low + p).join(), own] as const),
        ...nodes.map(
          ({ name, ranks }) => [NODE + name, [...ranks].reduce((sum, rank) => sum + seconds[rank - low]!, 0)] as const,
        ),
      ]);
    },
  };
}

/** What the gauges of restarted runs tell. */
export function gaugedParts(
  { nodes = [] }: Question,
  gauged: ReadonlyMap<string, Estimate>,
  valued: (found: Estimate) => Valued,
): PartFigures {
  const fragments = [...gauged].flatMap(([name, found]): SteadyFragment[] => {
    if (!name.startsWith(FRAGMENT)) return [];
    const list = name.slice(FRAGMENT.length);
    return [{ processes: list === '' ? [] : list.split(',').map(Number), ...named('probability', valued(found)) }];
  });
  const loads = nodes.map(({ name }) => valued(gauged.get(NODE + name)!));
  return {
    parallelism: named('mean', valued(gauged.get(DEGREE)!)),
    fragments: fragments.sort(largestFirst).slice(0, LISTED),
    ...(nodes.length === 0 ? {} : nodeFigures(nodes, loads)),
  };
}
