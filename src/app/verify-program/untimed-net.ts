import { ORDER_PRIORITY } from '../../models/program/wild-order.ts';
import type { Net, OutputArc, Place, Transition } from '../../net/net.ts';

/** The colour set of amounts. Under a protocol that treats all sizes alike, nothing but times depends on them. */
const AMOUNTS = 'Bytes';

/**
 * The net without its times: no firing lasts, no place serves, and messages have no sizes. What can happen one step after
 * another is what can happen when a firing is a start and an end, since what a firing holds nobody else can see
 * (docs/design.md, "One run decides").
 *
 * @param first transitions that come before all others wherever they are enabled: each before those that stand behind it, but
 *   ways of one draw together
 * @param sized whether sizes of messages count, since the protocol depends on them
 */
export function untimedNet(net: Net, first: (t: Transition) => boolean, sized = false): Net {
  const high = sized ? Number.MAX_SAFE_INTEGER : 0;
  const colours = net.colours.map((c) =>
    c.name === AMOUNTS ? ({ kind: 'range', name: AMOUNTS, low: 0, high } as const) : c,
  );
  const places = net.places.map(({ service: _, ...place }): Place => place);
  const amounts = new Map(
    places.map((p) => [p.name, sized ? [] : p.fields.filter((f) => f.colour === AMOUNTS).map((f) => f.name)] as const),
  );
  const sizeless = (arc: OutputArc): OutputArc => {
    const nothing = amounts.get(arc.place)!.map((field) => [field, { op: 'const', value: 0 }] as const);
    return nothing.length === 0 ? arc : { ...arc, values: { ...arc.values, ...Object.fromEntries(nothing) } };
  };
  const transitions = net.transitions.map((given, k): Transition => {
    const { delay: _, weight, timing: _t, priority, ...t } = { ...given, outputs: given.outputs.map(sizeless) };
    if (priority === ORDER_PRIORITY) return { ...t, priority: 3 + 2 * net.transitions.length - k };
    return first(given) ? { ...t, priority: weight === undefined ? 2 + net.transitions.length - k : 1 } : t;
  });
  return { ...net, colours, places, transitions };
}
