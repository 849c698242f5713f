import type { Net } from '../../net/net.ts';

/** The colour set of amounts in the nets of models. */
const AMOUNTS = 'Bytes';

/** Amounts are unbounded integers. As a range, of which only the values that occur are used, they allow the net to be unfolded. */
export function withFiniteAmounts(net: Net): Net {
  const colours = net.colours.map((c) =>
    c.kind === 'integer' && c.name === AMOUNTS
      ? ({ kind: 'range', name: AMOUNTS, low: 0, high: Number.MAX_SAFE_INTEGER } as const)
      : c,
  );
  return { ...net, colours };
}
