import { initialOf, nextChange, profileValue } from '../../net/link-profile.ts';
import type { Follow, LinkProfile, ServiceLink } from '../../net/net.ts';
import { type Flow, type FlowWait, SAME } from './services.ts';

/** The links of a service at given times: their capacities, latencies and states, and the demands that follow them (S5a). */
export class ChangingLinks {
  readonly #links: readonly ServiceLink[];
  readonly #follow: Follow | undefined;
  readonly #profiles: readonly LinkProfile[];

  constructor(links: readonly ServiceLink[], follow?: Follow) {
    this.#links = links;
    this.#follow = follow;
    this.#profiles = links.flatMap(({ profiles = [] }) => profiles);
  }

  /** False if all links remain as they are. */
  get change(): boolean {
    return this.#profiles.length > 0;
  }

  /** The links with their capacities at a time. O(links × entries). */
  at(time: number): readonly ServiceLink[] {
    if (!this.change) return this.#links;
    return this.#links.map((link, l) => {
      const factor = this.#value(l, 'capacity', time);
      const byTokens = link.byTokens === undefined ? {} : { byTokens: link.byTokens.map((c) => c * factor) };
      return { ...link, capacity: link.capacity * factor, ...byTokens };
    });
  }

  /** The first change after a time; infinity if none follows. */
  next(time: number): number {
    return this.#profiles.reduce(
      (first, profile) => Math.min(first, nextChange(profile, time * (1 + SAME))),
      Number.POSITIVE_INFINITY,
    );
  }

  /**
   * The wait of a token that arrives: `latency`, and `factor` times the latencies of the profiles of its links. Links of
   * acknowledgements, with coefficients below 1, do not count.
   */
  arrival({ crosses }: Flow, now: number, latency: number, factor: number): FlowWait {
    let late = 0;
    let cap = Number.POSITIVE_INFINITY;
    for (const { link, coefficient } of crosses) {
      const whole = Math.floor(coefficient);
      if (whole === 0) continue;
      late += whole * this.#value(link, 'latency', now);
      if (this.#follow?.capped === true) cap = Math.min(cap, this.#capacity(link, now));
    }
    const wait = latency + factor * late;
    return {
      until: now + Math.max(0, wait),
      pending: wait > 0,
      lost: crosses.some(({ link }) => this.#value(link, 'state', now) === 0),
      cap,
    };
  }

  /** True if a link of the token fails after `from`, up to `to`. */
  fails({ crosses }: Flow, from: number, to: number): boolean {
    return crosses.some(({ link }) => {
      const state = this.#profile(link, 'state');
      if (state === undefined) return false;
      for (let at = nextChange(state, from * (1 + SAME)); at <= to * (1 + SAME); at = nextChange(state, at))
        if (profileValue(state, at) === 0) return true;
      return false;
    });
  }

  /** The demand of a token at a time: its weight and bound follow the changes of its links. */
  demand(flow: Flow, time: number): Flow {
    const { crosses, wait } = flow;
    const follow = this.#follow;
    if (follow === undefined || wait === undefined) return flow;
    const later = (link: number, at: number): number =>
      this.#value(link, 'latency', at) - this.#initial(link, 'latency');
    const penaltyOf = (link: number, at: number): number =>
      follow.weightByLatency * later(link, at) +
      follow.weightByCapacity *
        (1 / this.#capacity(link, at) - 1 / (this.#links[link]!.capacity * this.#initial(link, 'capacity')));
    let penalty = 1 / flow.weight;
    let slowness = 1 / flow.bound;
    for (const { link, coefficient } of crosses) {
      const whole = Math.floor(coefficient);
      const [begun, slowBegun] = [penaltyOf(link, wait.until), follow.boundByLatency * later(link, wait.until)];
      penalty += whole * begun + penaltyOf(link, time) - begun;
      slowness += whole * slowBegun + follow.boundByLatency * later(link, time) - slowBegun;
    }
    return {
      ...flow,
      weight: 1 / Math.max(penalty, MIN_PENALTY),
      bound: Math.min(wait.cap, 1 / Math.max(slowness, 0)),
    };
  }

  #profile(link: number, of: LinkProfile['of']): LinkProfile | undefined {
    return this.#links[link]!.profiles?.find((profile) => profile.of === of);
  }

  #value(link: number, of: LinkProfile['of'], time: number): number {
    const profile = this.#profile(link, of);
    if (profile === undefined) return of === 'latency' ? 0 : 1;
    return profileValue(profile, time * (1 + SAME));
  }

  #initial(link: number, of: LinkProfile['of']): number {
    const profile = this.#profile(link, of);
    if (profile === undefined) return of === 'latency' ? 0 : 1;
    return initialOf(profile);
  }

  #capacity(link: number, time: number): number {
    return this.#links[link]!.capacity * this.#value(link, 'capacity', time);
  }
}

/** Lower limit of 1 / weight, so that rounding of increments gives no negative weight. */
const MIN_PENALTY = 1e-12;
