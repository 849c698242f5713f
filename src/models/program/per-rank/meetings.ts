import type { Communicator } from '../record/communicator.ts';
import type { Statement } from '../record/statement.ts';
import { isBeside } from '../resolve/collective-threads.ts';
import { type Counts, plus, type Turns, ZERO_TIMES } from './execution-counts.ts';
import type { NetMaker } from './net-maker.ts';

/** A statement executed by all ranks of a group together. */
export type Meeting = Extract<Statement, { kind: 'collective' | 'fence' }>;

/** Places of a collective call: ranks put into `arrived` and take from `released`. */
export interface MeetingPlaces {
  readonly arrived: string;
  readonly released: string;
}

interface Gathering {
  readonly name: string;
  readonly parties: readonly string[];
  places: MeetingPlaces | undefined;
}

/**
 * Matches collective calls: the n-th calls of the ranks of a group belong together. A statement that all ranks of the
 * group execute equally often, as in SPMD programs, is one synchronisation. The other blocking statements of a group
 * share one synchronisation, and so do the other non-blocking ones.
 */
export class Meetings {
  readonly #of = new Map<Statement, Map<string, Gathering>>();
  readonly #gatherings = new Set<Gathering>();

  constructor(all: readonly Counts[]) {
    const groups = new Map<string, { comm: Communicator; rank: number; calls: Map<Meeting, Map<number, Turns>> }>();
    all.forEach((counts, rank) => {
      for (const [s, { turns }] of counts) {
        if ((s.kind !== 'collective' && s.kind !== 'fence') || !s.comm.has(rank)) continue;
        const key = groupKey(s, rank);
        const group = groups.get(key) ?? { comm: s.comm, rank, calls: new Map<Meeting, Map<number, Turns>>() };
        groups.set(key, group);
        const calls = group.calls.get(s) ?? new Map<number, Turns>();
        group.calls.set(s, calls);
        calls.set(rank, plus(calls.get(rank) ?? ZERO_TIMES, turns));
      }
    });
    for (const [key, { comm, rank, calls }] of groups) {
      const parties = Array.from({ length: comm.sizeOf(rank) }, (_, own) => `rank ${comm.worldRank(rank, own)}`);
      const where = `of ${comm.number === 0 ? '' : `communicator ${comm.number}, `}the group of rank ${comm.worldRank(rank, 0)}`;
      const rest = new Map<boolean, Gathering>();
      let number = 0;
      for (const [s, by] of calls) {
        const gathering = (what: string): Gathering => {
          const made = { name: `${what} ${where}`, parties, places: undefined };
          this.#gatherings.add(made);
          return made;
        };
        number++;
        const beside = isBeside(s);
        let at: Gathering | undefined;
        if (by.size === parties.length && allSame([...by.values()])) at = gathering(`call ${number}`);
        else {
          at = rest.get(beside) ?? gathering(`calls ${number}`);
          rest.set(beside, at);
        }
        this.#of.set(s, (this.#of.get(s) ?? new Map<string, Gathering>()).set(key, at));
      }
    }
  }

  /** Places of a call; undefined if the rank is not in the group. */
  of(s: Meeting, rank: number, maker: NetMaker): MeetingPlaces | undefined {
    const at = s.comm.has(rank) ? this.#of.get(s)?.get(groupKey(s, rank)) : undefined;
    if (at === undefined) return undefined;
    const shape = { kind: 'synchronisation', parties: at.parties.length, names: at.parties } as const;
    at.places ??= {
      arrived: maker.place(`${at.name}: arrived`, shape),
      released: maker.place(`${at.name}: released`, shape),
    };
    return at.places;
  }

  /** Adds the transitions that release the ranks when all have arrived. */
  build(maker: NetMaker): void {
    for (const { name, parties, places } of this.#gatherings) {
      if (places === undefined) continue;
      const all = (place: string): string[] => parties.map(() => place);
      const shape = { kind: 'barrier', parties: parties.length } as const;
      maker.transition(name, all(places.arrived), all(places.released), shape);
    }
  }

  /** The place that ranks leave from, by the place where they arrive. */
  get pairs(): ReadonlyMap<string, string> {
    const made = [...this.#gatherings].flatMap(({ places }) => (places === undefined ? [] : [places]));
    return new Map(made.map(({ arrived, released }) => [arrived, released]));
  }
}

function groupKey({ comm }: Meeting, rank: number): string {
  return `${comm.number} ${comm.worldRank(rank, 0)}`;
}

function allSame(times: readonly Turns[]): boolean {
  const [first] = times;
  return times.every(({ least, most }) => least === most && least === first!.least);
}
