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
export function energyFigures({ hosts }: Platform, activity: HostActivity | undefined, time: number): EnergyFigures {
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
