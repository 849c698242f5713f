import { hostEnergy, type Platform } from '../../machine/platform.ts';
import { failsAt, timeOn } from '../../machine/profile.ts';
import type { Figure } from '../inputs/document-parts.ts';

/** Hosts of ranks, as plain data. */
export interface RankHosts {
  /** The host of each rank. */
  readonly hostOf: Int32Array;
  /** Cores of each host. */
  readonly cores: Int32Array;
  /** When each host fails (s); infinite if it does not. Its ranks compute no more then. */
  readonly until: Float64Array;
}

/** The state of a {@link HostActivity} as plain data. */
export interface HostActivityState {
  readonly busy: Float64Array;
  readonly coreSeconds: Float64Array;
  /** Ranks that compute now, and since when their number is known. */
  readonly computing: Int32Array;
  readonly since: Float64Array;
}

/** Seconds in which ranks of each host compute, and the integral of its busy cores. */
export class HostActivity {
  busy: Float64Array;
  coreSeconds: Float64Array;
  readonly #hosts: RankHosts;
  #computing: Int32Array;
  #since: Float64Array;

  constructor(hosts: RankHosts) {
    const { length } = hosts.cores;
    this.#hosts = hosts;
    this.busy = new Float64Array(length);
    this.coreSeconds = new Float64Array(length);
    this.#computing = new Int32Array(length);
    this.#since = new Float64Array(length);
  }

  /** The number of computing ranks on the host of a rank changes. */
  change(time: number, rank: number, by: number): void {
    const host = this.#hosts.hostOf[rank]!;
    this.#advance(host, time);
    this.#computing[host]! += by;
  }

  /** The run has ended. */
  finish(time: number): void {
    for (let host = 0; host < this.busy.length; host++) this.#advance(host, time);
  }

  state(): HostActivityState {
    return { busy: this.busy, coreSeconds: this.coreSeconds, computing: this.#computing, since: this.#since };
  }

  restore({ busy, coreSeconds, computing, since }: HostActivityState): void {
    this.busy = busy;
    this.coreSeconds = coreSeconds;
    this.#computing = computing;
    this.#since = since;
  }

  #advance(host: number, time: number): void {
    const computing = this.#computing[host]!;
    const until = this.#hosts.until[host]!;
    const elapsed = Math.min(time, until) - Math.min(this.#since[host]!, until);
    this.#since[host] = time;
    if (computing === 0 || !(elapsed > 0)) return;
    this.busy[host]! += elapsed;
    this.coreSeconds[host]! += elapsed * Math.min(computing, this.#hosts.cores[host]!);
  }
}

/**
 * Activity of hosts in a run of one rank of each class: hosts whose ranks are of the same classes, in the same order, share their figures.
 * O(ranks) to build, O(kinds of hosts of the class) for a change.
 */
export class LumpedHosts {
  /** The kind of each host. */
  readonly #kindOf: Int32Array;
  /** By class: the kinds of hosts that have ranks of it, and their number there. */
  readonly #hostsOf: (readonly [kind: number, ranks: number][])[];
  readonly #activity: HostActivity;

  /** @param ofRank the class of each rank */
  constructor({ hosts }: Pick<Platform, 'hosts'>, placement: Int32Array, ofRank: Int32Array, classes: number) {
    this.#kindOf = new Int32Array(hosts.length);
    const next = new Map<number, number>();
    const before: { readonly kind: number; readonly of: number }[] = [{ kind: 0, of: -1 }];
    ofRank.forEach((of, rank) => {
      const kind = this.#kindOf[placement[rank]!]!;
      const key = kind * classes + of;
      const known = next.get(key) ?? before.push({ kind, of }) - 1;
      next.set(key, known);
      this.#kindOf[placement[rank]!] = known;
    });
    const counts = Array.from({ length: classes }, () => new Map<number, number>());
    for (const kind of new Set(this.#kindOf))
      for (let k = kind; k > 0; k = before[k]!.kind) {
        const own = counts[before[k]!.of]!;
        own.set(kind, (own.get(kind) ?? 0) + 1);
      }
    this.#hostsOf = counts.map((own) => [...own]);
    const kinds = Int32Array.from(before, (_, kind) => kind);
    this.#activity = new HostActivity({
      hostOf: kinds,
      // Ranks that share cores are not lumped, and neither are hosts that fail.
      cores: new Int32Array(kinds.length).fill(2 ** 31 - 1),
      until: new Float64Array(kinds.length).fill(Infinity),
    });
  }

  /** The ranks of a class begin or end to compute. */
  change(time: number, of: number, by: number): void {
    for (const [kind, ranks] of this.#hostsOf[of]!) this.#activity.change(time, kind, by * ranks);
  }

  /** The run has ended: seconds and core seconds of each host. */
  finish(time: number): Pick<HostActivity, 'busy' | 'coreSeconds'> {
    this.#activity.finish(time);
    const ofHosts = (column: Float64Array): Float64Array => Float64Array.from(this.#kindOf, (kind) => column[kind]!);
    return { busy: ofHosts(this.#activity.busy), coreSeconds: ofHosts(this.#activity.coreSeconds) };
  }
}

/** The hosts of the ranks, if the power of some host is known. */
export function poweredHosts({ hosts }: Platform, placement: Int32Array): RankHosts | undefined {
  if (hosts.every(({ power }) => power === undefined)) return undefined;
  return {
    hostOf: placement,
    cores: Int32Array.from(hosts, ({ cores }) => cores),
    until: Float64Array.from(hosts, ({ profiles }) => failsAt(profiles?.state, Infinity) ?? Infinity),
  };
}

/** Energy in joules: of each host whose power is known, and of all of these. */
export interface EnergyFigures {
  readonly ofHost: (host: number) => { readonly energy?: Figure };
  readonly all: { readonly energy?: Figure };
}

/** Energy of the hosts in a run of `time` seconds; none without an activity. */
export function energyFigures(
  { hosts }: Pick<Platform, 'hosts'>,
  activity: Pick<HostActivity, 'busy' | 'coreSeconds'> | undefined,
  time: number,
): EnergyFigures {
  if (activity === undefined) return { ofHost: () => ({}), all: {} };
  const joules = hosts.map(({ power, cores, profiles }, h) => {
    if (power === undefined) return undefined;
    const on = timeOn(profiles?.state, time);
    return hostEnergy(power, cores, {
      on,
      off: time - on,
      busy: activity.busy[h]!,
      coreSeconds: activity.coreSeconds[h]!,
    });
  });
  const figure = (value: number): { readonly energy: Figure } => ({ energy: { value, unit: 'J' } });
  return {
    ofHost: (host) => (joules[host] === undefined ? {} : figure(joules[host])),
    all: figure(joules.reduce<number>((sum, own) => sum + (own ?? 0), 0)),
  };
}
