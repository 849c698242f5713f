import type { InputArc, Net } from '../../src/net/net.ts';

/** The same net in a different order of declaration; arcs from one place keep their relative order, which is significant. */
export function reordered(net: Net, turn: number): Net {
  const turned = <T>(items: readonly T[]): T[] => {
    const k = turn % Math.max(1, items.length);
    return [...items.slice(k), ...items.slice(0, k)].reverse();
  };
  const turnedMembers = <T>(members: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(turned(Object.entries(members)));
  const inputs = (arcs: readonly InputArc[]): InputArc[] =>
    turned([...new Set(arcs.map((a) => a.place))])
      .flatMap((place) => arcs.filter((a) => a.place === place))
      .map((a) => ({ ...a, pattern: turnedMembers(a.pattern) }));
  return {
    ...net,
    colours: turned(net.colours),
    tables: turned(net.tables),
    places: turned(net.places).map((p) => ({ ...p, key: turned(p.key), initial: turned(p.initial) })),
    transitions: turned(net.transitions).map((t) => ({
      ...t,
      inputs: inputs(t.inputs),
      outputs: turned(t.outputs).map((a) => ({ ...a, values: turnedMembers(a.values) })),
      ...(t.free === undefined ? {} : { free: turned(t.free) }),
      ...(t.label === undefined ? {} : { label: { ...t.label, exports: turnedMembers(t.label.exports) } }),
    })),
    ...(net.functions === undefined ? {} : { functions: turned(net.functions) }),
  };
}
