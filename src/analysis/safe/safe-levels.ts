import { fail } from '../../base/problem.ts';
import type { Petri } from '../space/petri.ts';

/**
 * The priority of each transition of the safe net: the position of its level in ascending order. Undefined for all if there is
 * only one level.
 *
 * @throws InputError SAFE003 if the net has several levels and also ends of firings or services, which priorities do not
 *   affect: priorities of an untimed net cannot express that
 */
export function levelsOf({ net, transitions }: Petri): (number | undefined)[] {
  const levels = [...new Set(transitions.flatMap((t) => (t.level === undefined ? [] : [t.level])))].sort(
    (a, b) => a - b,
  );
  if (levels.length <= 1) return transitions.map(() => undefined);
  const beside = transitions.find((t) => t.level === undefined);
  if (beside !== undefined) {
    const { kind, node } = beside;
    fail(
      'SAFE003',
      `${kind === 'serve' ? 'has a service' : 'has a delay'}, in a net with different priorities: an untimed net cannot express that they do not block its end`,
      {
        part: kind === 'serve' ? `place ${net.places[node]!.name}` : `transition ${net.transitions[node]!.name}`,
      },
    );
  }
  return transitions.map((t) => levels.indexOf(t.level!));
}
