import { InputError } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import { linearRows } from './linear-rows.ts';
import { provedBound } from './proved-bound.ts';
import { Simplex } from './simplex.ts';
import { timedNet, timeOfDelay } from './timed-net.ts';

/** A server that may be busy at all times: its transition or station, and its utilisation as a sum of means. */
interface Server {
  readonly name: string;
  readonly busy: ReadonlyMap<number, number>;
}

const MAX_ENTRIES = 500_000;
/** Maximum number of servers that are compared. */
const MAX_SERVERS = 12;
/** Utilisations that differ by less are equal. */
const ROUNDING = 1e-6;

/**
 * Names of two or more servers that have the same utilisation in every steady state, up to 1: equal bottlenecks, by linear programs over the
 * rows of `throughputBounds`. With many customers, their queues are a random walk that nothing pulls back, as those of a closed network
 * whose two slowest stations have the same demand. So their means take long to estimate.
 *
 * @returns an empty list if none are found, also for nets without bounds
 */
export function equalBottlenecks(net: Net, stop: () => boolean = () => false): readonly string[] {
  try {
    const timed = timedNet(net);
    const system = linearRows(timed, stop);
    const { petri, rows, variables, most, bounds } = system;
    if (rows.length * (variables + 2 * rows.length) > MAX_ENTRIES) return [];
    const servers: Server[] = [];
    const add = (name: string, variable: number | undefined, factor: number): void => {
      if (variable !== undefined && factor < Number.POSITIVE_INFINITY)
        servers.push({ name, busy: new Map([[variable, factor]]) });
    };
    for (const [t, { name, servers: clocks, delay }] of timed.transitions.entries()) {
      const time = clocks < Number.POSITIVE_INFINITY ? timeOfDelay(delay!) : undefined;
      if (time !== undefined) add(name, system.firings(t), time.high / time.rate / clocks);
    }
    for (const [p, { kind, node }] of petri.places.entries())
      if (kind === 'busy') add(timed.transitions[node]!.name, p, 1 / bounds[p]!);
    for (const [k, { kind, node }] of petri.transitions.entries()) {
      const service = kind === 'serve' ? timed.places[node]!.service : undefined;
      if (service === undefined || service.kind === 'max-min' || service.kind === 'is') continue;
      const time = timeOfDelay(service.time);
      if (time !== undefined) add(timed.places[node]!.name, system.flows[k], time.high / time.rate / service.servers);
    }
    const program = new Simplex(variables, rows, stop);
    const greatest = (sum: ReadonlyMap<number, number>): number => {
      const y = program.maximise(sum);
      return y === undefined ? Number.POSITIVE_INFINITY : provedBound(rows, sum, y, most);
    };
    const busiest = servers.filter(({ busy }) => greatest(busy) >= 1 - ROUNDING).slice(0, MAX_SERVERS);
    for (const one of busiest) {
      const equal = busiest.filter(
        (other) =>
          other === one ||
          (greatest(difference(one, other)) <= ROUNDING && greatest(difference(other, one)) <= ROUNDING),
      );
      if (equal.length > 1) return stop() ? [] : equal.map(({ name }) => name);
    }
    return [];
  } catch (error) {
    if (error instanceof InputError) return [];
    throw error;
  }
}

function difference({ busy: a }: Server, { busy: b }: Server): Map<number, number> {
  const sum = new Map(a);
  for (const [v, n] of b) sum.set(v, (sum.get(v) ?? 0) - n);
  return sum;
}
