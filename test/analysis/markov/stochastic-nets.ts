import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { exponential } from '../../../src/net/builder/distributions.ts';
import type { Distribution } from '../../../src/net/distribution.ts';
import type { Net } from '../../../src/net/net.ts';
import { add, mul } from '../../../src/net/terms.ts';

/** A transition: the places that it takes from and puts to, separated by spaces, and what else it has. */
export interface Arcs {
  readonly take: string;
  readonly put: string;
  /** Rate of an exponential race; absent: immediate, or holding. */
  readonly race?: number;
  /** Rate of an exponential holding firing. */
  readonly holding?: number;
  /** Delay of a race, or of a holding firing, that is not exponential. */
  readonly raceDelay?: Distribution;
  readonly holdingDelay?: Distribution;
  readonly single?: boolean;
  /** Number of servers of a race. */
  readonly servers?: number;
  readonly memory?: 'enabling' | 'age' | 'resampling';
  /** Places whose tokens are added up: the speed of a race. */
  readonly speed?: string;
  readonly weight?: number;
  readonly priority?: number;
  readonly inhibit?: string;
  /** Places that are read. */
  readonly read?: string;
}

/** A net without colours from its initial tokens and transitions. */
export function stochasticNet(
  name: string,
  initial: Readonly<Record<string, number>>,
  transitions: Readonly<Record<string, Arcs>>,
): Net {
  const n = new NetBuilder(name);
  const places = new Map(Object.entries(initial).map(([p, tokens]) => [p, n.place(p, {}, { initial: tokens })]));
  const listed = (text: string): [string, number][] => {
    const counts = new Map<string, number>();
    for (const p of text.split(' ').filter((word) => word !== '')) counts.set(p, (counts.get(p) ?? 0) + 1);
    return [...counts];
  };
  for (const [id, arcs] of Object.entries(transitions))
    n.transition(id, (t) => {
      for (const [p, count] of listed(arcs.take)) t.take(places.get(p)!, {}, count);
      for (const [p, count] of listed(arcs.put)) t.put(places.get(p)!, {}, count);
      for (const [p, count] of listed(arcs.inhibit ?? '')) t.inhibit(places.get(p)!, {}, count);
      for (const [p, count] of listed(arcs.read ?? '')) t.read(places.get(p)!, {}, count);
      const servers = arcs.servers ?? (arcs.single === true ? 'single' : 'infinite');
      const memory = arcs.memory === undefined ? {} : { memory: arcs.memory };
      const counted = listed(arcs.speed ?? '').map(([p, times]) => mul(times, t.count(places.get(p)!)));
      const speed = counted.length === 0 ? {} : { speed: counted.reduce((a, b) => add(a, b)) };
      const { raceDelay = arcs.race === undefined ? undefined : exponential(arcs.race) } = arcs;
      const { holdingDelay = arcs.holding === undefined ? undefined : exponential(arcs.holding) } = arcs;
      if (raceDelay !== undefined) t.race({ delay: raceDelay, servers, ...memory, ...speed });
      if (holdingDelay !== undefined) t.delay(holdingDelay);
      if (arcs.weight !== undefined) t.weight(arcs.weight);
      if (arcs.priority !== undefined) t.priority(arcs.priority);
    });
  return n.build();
}

/** M/M/1/K: a queue with one server and room for `room` customers. */
export function queue(arrivals: number, service: number, room: number): Net {
  return stochasticNet(
    'M/M/1/K',
    { free: room, waiting: 0 },
    {
      arrive: { take: 'free', put: 'waiting', race: arrivals, single: true },
      serve: { take: 'waiting', put: 'free', race: service, single: true },
    },
  );
}

/** The rates of the Kanban net: in, then ok, redo, back of each cell, 1 → 2 and 3, 2 and 3 → 4, out. */
export interface KanbanRates {
  readonly in: number;
  readonly ok: readonly number[];
  readonly redo: readonly number[];
  readonly back: readonly number[];
  readonly sync: readonly [number, number];
  readonly out: number;
}

/** The rates of the reference values. */
export const KANBAN_RATES: KanbanRates = {
  in: 1,
  ok: [0.84, 0.6, 0.5, 0.33],
  redo: [0.36, 0.4, 0.39, 0.4],
  back: [0.3, 0.3, 0.3, 0.9],
  sync: [0.4, 0.5],
  out: 0.9,
};

/** The Kanban net of four cells with `cards` cards each (Ciardo & Tilgner 1996). */
export function kanban(cards: number, rates: KanbanRates): Net {
  const initial: Record<string, number> = {};
  const transitions: Record<string, Arcs> = {};
  const race = (take: string, put: string, rate: number): Arcs => ({ take, put, race: rate, single: true });
  for (let i = 1; i <= 4; i++)
    Object.assign(initial, { [`pm${i}`]: 0, [`pback${i}`]: 0, [`pkan${i}`]: cards, [`pout${i}`]: 0 });
  transitions['tin1'] = race('pkan1', 'pm1', rates.in);
  for (let i = 1; i <= 4; i++) {
    transitions[`tok${i}`] = race(`pm${i}`, `pout${i}`, rates.ok[i - 1]!);
    transitions[`tredo${i}`] = race(`pm${i}`, `pback${i}`, rates.redo[i - 1]!);
    transitions[`tback${i}`] = race(`pback${i}`, `pm${i}`, rates.back[i - 1]!);
  }
  transitions['t1_23'] = race('pout1 pkan2 pkan3', 'pkan1 pm2 pm3', rates.sync[0]);
  transitions['t23_4'] = race('pout2 pout3 pkan4', 'pkan2 pkan3 pm4', rates.sync[1]);
  transitions['tout4'] = race('pout4', 'pkan4', rates.out);
  return stochasticNet('kanban', initial, transitions);
}

/**
 * Two clusters of workstations, joined by two switches and a line, with one repair unit (Haverkort, Hermanns & Katoen, SRDS 2000; rates of
 * the Quantitative Verification Benchmark Set).
 */
export function cluster(workstations: number): Net {
  const initial: Record<string, number> = { idle: 1 };
  const transitions: Record<string, Arcs> = {};
  const parts = [
    ['Left', workstations, 1 / 500, 2],
    ['Right', workstations, 1 / 500, 2],
    ['ToLeft', 1, 1 / 4000, 0.25],
    ['ToRight', 1, 1 / 4000, 0.25],
    ['Line', 1, 1 / 5000, 0.125],
  ] as const;
  for (const [part, count, failing, repairing] of parts) {
    Object.assign(initial, { [`up${part}`]: count, [`down${part}`]: 0, [`inRepair${part}`]: 0 });
    transitions[`fail${part}`] = { take: `up${part}`, put: `down${part}`, race: failing };
    transitions[`inspect${part}`] = {
      take: `idle down${part}`,
      put: `inRepair${part} down${part}`,
      race: 10,
      single: true,
    };
    transitions[`repair${part}`] = {
      take: `inRepair${part} down${part}`,
      put: `idle up${part}`,
      race: repairing,
      single: true,
    };
  }
  return stochasticNet('cluster', initial, transitions);
}

/** Ends in c with probability 3/4, and otherwise goes between b and d for ever. */
export const mixed: Net = stochasticNet(
  'mixed',
  { a: 1, b: 0, c: 0, d: 0 },
  {
    ab: { take: 'a', put: 'b', race: 1 },
    ac: { take: 'a', put: 'c', race: 3 },
    bd: { take: 'b', put: 'd', race: 1 },
    db: { take: 'd', put: 'b', race: 2 },
  },
);
