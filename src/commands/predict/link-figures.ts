import type { ServiceLink } from '../../net/net.ts';
import type { ResourceFigures } from './prediction.ts';

/** The links or memories that carried data within `time` (s), the busiest first. `carried` is in bytes. */
export function linkFigures(
  links: readonly ServiceLink[],
  carried: Float64Array,
  time: number,
  kind: 'link' | 'memory' = 'link',
): ResourceFigures[] {
  return links
    .map(
      (l, k): ResourceFigures => ({
        name: l.name,
        kind,
        utilisation: time > 0 ? carried[k]! / (l.capacity * time) : 0,
        amount: { value: carried[k]!, unit: 'B' },
        capacity: { value: l.capacity, unit: 'B/s' },
        ...(l.fatpipe ? { fatpipe: true as const } : {}),
      }),
    )
    .filter((l) => l.amount.value > 0)
    .sort((a, b) => b.utilisation - a.utilisation || (a.name < b.name ? -1 : 1));
}
