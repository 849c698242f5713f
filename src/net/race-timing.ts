import { type Expression, variablesOf } from './expression.ts';
import type { TokenCount, Transition } from './net.ts';

/** The maximum number of clocks of a race at a time (S9a). */
export function clocksOf({ servers = 'infinite' }: Pick<Transition, 'servers'>): number {
  if (typeof servers === 'number') return servers;
  return servers === 'single' ? 1 : Number.POSITIVE_INFINITY;
}

/** Servers and memory of a race for display, unless they are the default: `single server`, `3 servers`, `age memory`. */
export function raceWords({ timing, servers = 'infinite', memory = 'enabling' }: Transition): string[] {
  if (timing !== 'race') return [];
  const clocks = clocksOf({ servers });
  return [
    ...(clocks === 1 ? ['single server'] : Number.isFinite(clocks) ? [`${clocks} servers`] : []),
    ...(memory === 'enabling' ? [] : [memory === 'age' ? 'age memory' : memory]),
  ];
}

/** The counts that an expression of a transition uses, in the order of the net. */
export function countsIn({ counts = [] }: Pick<Transition, 'counts'>, e: Expression | undefined): TokenCount[] {
  if (e === undefined || counts.length === 0) return [];
  const used = variablesOf(e);
  return counts.filter((c) => used.has(c.name));
}
