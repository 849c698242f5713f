import { listing } from '../../../base/listing.ts';
import { quote } from '../../../base/problem.ts';
import { columnsOf } from '../../../net/colour.ts';
import { largestSums } from '../bounds.ts';
import { type Degrees, degrees, FIRST_DEAD } from '../degrees.ts';
import type { DeadState, Findings, FindingsOptions } from '../findings.ts';
import { inStatesFound } from '../liveness.ts';
import type { MarkingView, StateSpace } from '../state-space.ts';
import { depthProfile, levelOf } from '../statistics.ts';
import { changedPlaces, type Verdict, type Verdicts } from '../verdicts.ts';

/** Names of transitions in a reason. */
const MAX_NAMES = 5;
const NO_EDGES = 'hash compaction keeps no edges';

/** Results about states whose markings are held only temporarily: `look` must follow each call of `advance`. */
export class CompactFindings {
  readonly #space: StateSpace;
  readonly #options: FindingsOptions;
  readonly #stop: () => boolean;
  readonly #sums: number[];
  /** Transitions that no state enables, and places whose number of tokens has not changed, so far. */
  #idle: number[];
  #constant: number[];
  /** Places with colours: others are covered by the maximum of equal tokens. */
  readonly #coloured: readonly number[];
  readonly #byArcs: number | undefined;
  readonly #initial: readonly number[];
  #crowded: string | undefined;
  #degrees: Degrees | undefined;
  readonly #markings = new Map<number, MarkingView>();
  #seen = 0;

  constructor(space: StateSpace, options: FindingsOptions = {}) {
    this.#space = space;
    this.#options = options;
    this.#stop = options.stop ?? (() => false);
    this.#sums = (options.groups ?? []).map(() => 0);
    const { net } = space;
    const colours = new Map(net.colours.map((c) => [c.name, c]));
    const places = [...net.places.keys()];
    this.#coloured = places.filter((p) => columnsOf(net.places[p]!.fields, colours).length > 0);
    const changed = new Set(net.transitions.flatMap(changedPlaces));
    const byArcs = net.places.findIndex(({ name }) => !changed.has(name));
    this.#byArcs = byArcs < 0 ? undefined : byArcs;
    this.#idle = [...net.transitions.keys()];
    this.#constant = byArcs < 0 ? places : [];
    this.#initial = places.map((p) => space.tokens([p], 0, 1)[0]!);
    this.look();
  }

  /** Examines the states found since the last call; false if `stop` ended that. */
  look(): boolean {
    const space = this.#space;
    const [from, to] = [this.#seen, space.states];
    if (from === to) return true;
    const { groups = [], final } = this.#options;
    const found = degrees(space, undefined, final, this.#stop, from);
    const sums = largestSums(space, groups, this.#stop, from);
    if (found === undefined || sums === undefined) return false;
    this.#degrees = joined(this.#degrees, found, from, to);
    for (const state of [...this.#degrees.firstDead, ...this.#degrees.firstStuck])
      if (state >= from) this.#markings.set(state, space.marking(state));
    for (const [g, sum] of sums.entries()) this.#sums[g] = Math.max(this.#sums[g]!, sum);
    // The maxima of states are computed while their markings are held.
    void space.maxTokensInPlace;
    this.#idle = space.neverEnabled(this.#idle, from, to);
    this.#constant = this.#constant.filter((p) =>
      space.tokens([p], from, to).every((count) => count === this.#initial[p]),
    );
    if (this.#crowded === undefined && space.maxTokensInPlace <= 1)
      for (const p of this.#coloured) {
        const counts = space.tokens([p], from, to);
        const hit = counts.findIndex((count) => count > 1);
        if (hit < 0) continue;
        this.#crowded = `${quote(space.net.places[p]!.name)} holds ${counts[hit]} tokens in state ${from + hit}`;
        break;
      }
    this.#seen = to;
    return true;
  }

  findings(): Findings {
    const space = this.#space;
    const found = this.#degrees;
    return {
      verdicts: this.#verdicts(),
      degrees: found,
      components: undefined,
      missing: NO_EDGES,
      sizes: undefined,
      bounds: this.#sums,
      depths: depthProfile(space, undefined),
      names: { marking: (state) => this.#markings.get(state)! },
      dead: found === undefined ? [] : this.#dead(found),
      graph: undefined,
    };
  }

  #dead({ firstDead, firstStuck }: Degrees): DeadState[] {
    const stuck = new Set(firstStuck);
    return [...stuck, ...firstDead.filter((s) => !stuck.has(s))]
      .slice(0, firstDead.length)
      .map((state) => ({ state, distance: levelOf(this.#space.levels, state), final: !stuck.has(state) }));
  }

  #verdicts(): Verdicts {
    const space = this.#space;
    const { net, states, maxTokensInPlace } = space;
    const missed = unknown(`not ${inStatesFound(space)}`);
    const { dead = 0, stuck = 0, firstDead = [], firstStuck = [] } = this.#degrees ?? {};
    const crowded = maxTokensInPlace > 1 ? `a place holds ${maxTokensInPlace} equal tokens` : this.#crowded;
    const idle = this.#idle.slice(0, MAX_NAMES).map((t) => quote(net.transitions[t]!.name));
    const never = `${listing(idle, { count: this.#idle.length })} never possible ${inStatesFound(space)}`;
    const end = firstDead.find((s) => s !== 0);
    return {
      deadlock: stuck > 0 ? yes(`no step is possible in state ${firstStuck[0]}`) : missed,
      oneSafe: crowded === undefined ? missed : no(crowded),
      quasiLive: this.#idle.length === 0 ? yes('every transition is possible somewhere') : unknown(never),
      live:
        net.transitions.length === 0
          ? yes('the net has no transitions')
          : dead > 0
            ? no(`no step is possible in state ${firstDead[0]}`)
            : unknown(NO_EDGES),
      stableMarking: this.#stable(),
      reversible: end !== undefined && states > 1 ? no(`no step is possible in state ${end}`) : unknown(NO_EDGES),
    };
  }

  #stable(): Verdict {
    const space = this.#space;
    if (this.#byArcs !== undefined)
      return yes(`${quote(space.net.places[this.#byArcs]!.name)} always has the same number of tokens`);
    return this.#constant.length === 0
      ? no('the number of tokens changes in every place')
      : unknown(`some place has the same number of tokens ${inStatesFound(space)}`);
  }
}

const yes = (because: string): Verdict => ({ value: true, because });
const no = (because: string): Verdict => ({ value: false, because });
const unknown = (because: string): Verdict => ({ value: null, because });

/** The out-degrees of the states before `from` together with those of the states from … to − 1. */
function joined(
  before: Degrees | undefined,
  { least, most, mean, ...dead }: Degrees,
  from: number,
  to: number,
): Degrees {
  if (before === undefined) return { least, most, mean, ...dead };
  const first = (a: readonly number[], b: readonly number[]): number[] => [...a, ...b].slice(0, FIRST_DEAD);
  return {
    least: Math.min(before.least, least),
    most: Math.max(before.most, most),
    mean: (before.mean * from + mean * (to - from)) / to,
    dead: before.dead + dead.dead,
    firstDead: first(before.firstDead, dead.firstDead),
    stuck: before.stuck + dead.stuck,
    firstStuck: first(before.firstStuck, dead.firstStuck),
  };
}
