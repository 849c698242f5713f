import { ORDER_PRIORITY } from '../../models/program/wild-order.ts';
import type { Net, OutputArc, Place, Transition } from '../../net/net.ts';

/** Colour set of message sizes. Unless the protocol depends on them, they affect times only and are dropped. */
const AMOUNTS = 'Bytes';

/**
 * Removes times from a net: firings have no duration, places have no service, and messages have no sizes. Atomic firings
 * reach the same outcomes as firings with a separate start and end, because no other transition observes the tokens that a
 * firing holds (docs/design.md, "One run decides").
 *
 * @param first selects transitions that fire before all others when enabled, in the order of the net; the alternatives of a
 *   random draw share one priority
 * @param sized keep message sizes, because the protocol depends on them
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
