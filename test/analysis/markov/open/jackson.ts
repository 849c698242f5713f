import type { Net } from '../../../../src/net/net.ts';
import { type Arcs, stochasticNet } from '../stochastic-nets.ts';

/** Stations of an open Jackson network: arrivals from outside, weights of the ways to all stations and out, load. */
export interface Station {
  readonly arrivals: number;
  readonly ways: readonly number[];
  readonly load: number;
  readonly isHolding: boolean;
}

/** Customers per second at each station: x = arrivals + x P, by elimination. */
function traffic(stations: readonly Station[]): readonly number[] {
  const n = stations.length;
  const share = (i: number, j: number): number => stations[i]!.ways[j]! / stations[i]!.ways.reduce((a, b) => a + b, 0);
  const rows = stations.map(({ arrivals }, j) => [
    ...stations.map((_, i) => (i === j ? 1 : 0) - share(i, j)),
    arrivals,
  ]);
  for (let k = 0; k < n; k++)
    for (let i = 0; i < n; i++) {
      if (i === k) continue;
      const by = rows[i]![k]! / rows[k]![k]!;
      for (let c = 0; c <= n; c++) rows[i]![c]! -= by * rows[k]![c]!;
    }
  return rows.map((row, k) => row[n]! / row[k]!);
}

/** The network, whose customers choose their way in places that take no time. */
export function jackson(stations: readonly Station[]): Net {
  const places: Record<string, number> = {};
  const transitions: Record<string, Arcs> = {};
  const flows = traffic(stations);
  stations.forEach(({ arrivals, ways, load, isHolding }, k) => {
    places[`queue${k}`] = 0;
    places[`done${k}`] = 0;
    if (arrivals > 0) transitions[`arrive${k}`] = { take: '', put: `queue${k}`, race: arrivals };
    const rate = flows[k]! / load;
    if (isHolding) {
      places[`server${k}`] = 1;
      transitions[`serve${k}`] = {
        take: `queue${k} server${k}`,
        put: `done${k} server${k}`,
        holding: rate,
      };
    } else transitions[`serve${k}`] = { take: `queue${k}`, put: `done${k}`, race: rate, single: true };
    ways.forEach((weight, to) => {
      const put = to === stations.length ? '' : `queue${to}`;
      if (weight > 0) transitions[`go${k} ${to}`] = { take: `done${k}`, put, weight };
    });
  });
  return stochasticNet('open', places, transitions);
}
