import type { ServiceLink } from '../../src/net/net.ts';

export interface Flow {
  readonly weight: number;
  readonly bound: number;
  readonly crosses: readonly { readonly link: number; readonly coefficient: number }[];
}

/**
 * Weighted bounded max-min rates by progressive filling: all flows grow in proportion to their weights. When a link or a
 * bound is exhausted, its flows are fixed and the others continue to grow. A fatpipe with a level is exhausted as soon as
 * one of its flows alone exhausts it; then all its flows are fixed. The capacity of a link may depend on the number of crossings.
 */
export function maxMinRates(flows: readonly Flow[], links: readonly ServiceLink[]): number[] {
  const bounds = flows.map((f) =>
    Math.min(
      f.bound,
      ...f.crosses.filter((c) => links[c.link]!.fatpipe).map((c) => links[c.link]!.capacity / c.coefficient),
    ),
  );
  const rates = flows.map(() => Number.NaN);
  for (;;) {
    const open = flows.map((_, k) => k).filter((k) => Number.isNaN(rates[k]!));
    if (open.length === 0) return rates;
    const uses = (k: number, l: number): number =>
      flows[k]!.crosses.filter((c) => c.link === l).reduce((sum, c) => sum + c.coefficient, 0);
    const levels = links.map((link, l) => {
      if (link.fatpipe && link.level !== true) return Number.POSITIVE_INFINITY;
      if (link.fatpipe) {
        const most = Math.max(0, ...open.map((k) => flows[k]!.weight * uses(k, l)));
        return most > 0 ? link.capacity / most : Number.POSITIVE_INFINITY;
      }
      const on = flows.reduce((sum, f) => sum + f.crosses.filter((c) => c.link === l).length, 0);
      let rest = link.byTokens?.[Math.min(on, link.byTokens.length) - 1] ?? link.capacity;
      let weights = 0;
      flows.forEach((f, k) => {
        if (open.includes(k)) weights += f.weight * uses(k, l);
        else rest -= rates[k]! * uses(k, l);
      });
      return weights > 0 ? Math.max(rest, 0) / weights : Number.POSITIVE_INFINITY;
    });
    const own = open.map((k) => bounds[k]! / flows[k]!.weight);
    const level = Math.min(...levels, ...own);
    if (level === Number.POSITIVE_INFINITY) {
      for (const k of open) rates[k] = Number.POSITIVE_INFINITY;
      return rates;
    }
    const full = new Set(links.map((_, l) => l).filter((l) => levels[l]! <= level * (1 + 1e-12)));
    for (const k of open) {
      if (bounds[k]! / flows[k]!.weight <= level * (1 + 1e-12)) rates[k] = bounds[k]!;
      else if (flows[k]!.crosses.some((c) => full.has(c.link))) rates[k] = flows[k]!.weight * level;
    }
  }
}
