import type { Net, Place, Transition } from '../../net/net.ts';

/**
 * The net without its times: no firing lasts, and no place serves. What can happen one step after another is what can
 * happen when a firing is a start and an end, since what a firing holds nobody else can see (docs/design.md, "One run
 * decides").
 *
 * @param first transitions that come before all others wherever they are enabled: each before those that stand behind it, but
 *   ways of one draw together
 */
export function untimedNet(net: Net, first: (t: Transition) => boolean): Net {
  const places = net.places.map(({ service: _, ...place }): Place => place);
  const transitions = net.transitions.map(({ delay: _, weight, timing: _t, priority: _p, ...t }, k): Transition => {
    return first(t) ? { ...t, priority: weight === undefined ? 2 + net.transitions.length - k : 1 } : t;
  });
  return { ...net, places, transitions };
}
