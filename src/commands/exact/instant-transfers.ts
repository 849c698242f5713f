import { IDEAL_BANDWIDTH } from '../../machine/ideal-network.ts';
import { isDistribution } from '../../net/distribution.ts';
import type { Expression } from '../../net/expression.ts';
import type { MaxMinService, Place, Transition } from '../../net/net.ts';
import type { Explorable } from './explorable.ts';

/**
 * The net with immediate steps instead of delays that are 0 for every binding, and of services over links of an ideal
 * network. Such a firing ends before anything else starts, so that its start and its end are one step. The same net if there is
 * nothing of that kind.
 */
export function withoutInstants<S extends Pick<Explorable, 'net' | 'activity'>>(subject: S): S {
  const { net, activity } = subject;
  const tables = new Map(net.tables.map((table) => [table.name, table]));
  const always = (e: Expression, holds: (value: number) => boolean): boolean => {
    if (e.op === 'const') return holds(e.value);
    const table = e.op === 'at' || e.op === 'step' ? tables.get(e.table) : undefined;
    if (table === undefined || table.kind === 'routes' || 'pages' in table.values) return false;
    return Array.from(table.values).every(holds);
  };
  const isZero = (e: Expression): boolean => {
    switch (e.op) {
      case 'mul':
        return isZero(e.a) || isZero(e.b);
      case 'div':
        return isZero(e.a);
      case 'add':
        return isZero(e.a) && isZero(e.b);
      default:
        return always(e, (value) => value === 0);
    }
  };
  const isInstant = ({ delay, timing }: Transition): boolean =>
    delay !== undefined && timing !== 'race' && !isDistribution(delay) && isZero(delay);
  const isIdeal = ({ links, bound }: MaxMinService): boolean =>
    links.every(({ capacity }) => capacity >= IDEAL_BANDWIDTH) && always(bound, (value) => value >= IDEAL_BANDWIDTH);
  const instant = new Set(net.transitions.flatMap((t, node) => (isInstant(t) ? [node] : [])));
  const ideal = net.places.filter(({ service }) => service?.kind === 'max-min' && isIdeal(service));
  if (instant.size === 0 && ideal.length === 0) return subject;
  return {
    ...subject,
    net: {
      ...net,
      places: net.places.map((place): Place => {
        if (!ideal.includes(place)) return place;
        const { service: _, ...others } = place;
        return others;
      }),
      transitions: net.transitions.map((transition, node): Transition => {
        if (!instant.has(node)) return transition;
        const { delay: _, ...others } = transition;
        return others;
      }),
    },
    ...(activity === undefined
      ? {}
      : {
          activity: {
            ...activity,
            nodes: activity.nodes.filter(({ kind, node }) => kind !== 'busy' || !instant.has(node)),
          },
        }),
  };
}
