import { formatProblem, InputError } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import { flatten } from '../petri/flatten.ts';
import type { Petri } from '../petri/petri.ts';
import type { Extent, Helper, Open } from '../properties/formula-of.ts';
import type { FoundPath, Proof } from '../properties/proof.ts';
import type { Formula, Sum } from '../properties/property.ts';
import type { Unit } from '../properties/units.ts';
import { type Condition, holdsIn } from '../reduction/condition.ts';
import { conditionOf } from '../reduction/condition-of.ts';
import { hasOneLevel } from '../reduction/levels.ts';
import { PetriMoves } from '../reduction/petri-moves.ts';
import { petriPath } from '../reduction/reduced-answers.ts';
import { placeNames, weightsOf } from '../structure/prove-property.ts';
import { coverable } from './backward.ts';
import {
  type Boundedness,
  describedPlace,
  ENOUGH_STATES,
  MAX_CELLS,
  monotone,
  pump,
  semiBoundedness,
  type UnboundedPlace,
  unboundedText,
} from './boundedness.ts';
import { mayHold } from './cover-graph.ts';
import { demandsOf, isUpward } from './demands.ts';
import { type Coverability, karpMiller, MANY } from './karp-miller.ts';

export interface CoverabilityLimits {
  /** Condition on the markings in which a run may end. */
  readonly final?: Formula;
  readonly cancelled?: () => boolean;
  /** Memory available for a tree in bytes, queried before each tree is built. Default: only the node limit applies. */
  readonly bytes?: () => number;
  /** True if the user limited the exploration. */
  readonly limited: boolean;
}

/** Maximum number of tree nodes, and of demands. */
const MAX_SIZE = 20_000;
/** The next attempt is made when the number of states has grown by this factor. */
const RETRY_FACTOR = 16;
/** Work budget in marking comparisons: per explored state; minimum after the exploration; if no exploration can end. */
const WORK_PER_STATE = 200;
const LAST_WORK = 2e6;
const ENDLESS_WORK = 8e6;
/** Bytes per number of a tree, overhead included. */
const CELL_BYTES = 16;
/** Work of the search for an unbounded place that only explains an open question, in numbers compared: some milliseconds. */
const EXCUSE_WORK = 5e6;
/** Tokens that the witness brings to a place if no single loop shows that it is unbounded. */
const SHOWN_TOKENS = 10;

/**
 * Answers questions about maximum token counts while an exploration runs, for bounded and unbounded nets: safety, bounds,
 * largest sums, and reachability of upward-closed conditions. The Karp–Miller tree yields bounds and refutes reachability;
 * backward search decides reachability, also with resets.
 */
export class CoverabilityAnswers implements Helper {
  readonly #net: Net;
  readonly #limits: CoverabilityLimits;
  #flat: Petri | undefined;
  /** The unfolded net, set only if coverability is decidable for it. */
  #petri: Petri | undefined;
  /** Why bounds are undecidable, and why nothing can be decided. */
  #notBounds: string | undefined;
  #nothing: string | undefined;
  #begun = false;
  #bounds: Boundedness | undefined;
  /** Coverability graph, and the limit of nodes of the last attempt. */
  #graph: Coverability | undefined;
  #graphNodes = 0;
  #next = 0;
  /** By formula: its condition, or undefined if it cannot be expressed as demands. */
  readonly #conditions = new Map<Formula, Condition | undefined>();

  constructor(net: Net, limits: CoverabilityLimits) {
    this.#net = net;
    this.#limits = limits;
  }

  work(open: readonly Open[], { states, ended }: Extent): void {
    if (ended === 'interrupted') return;
    const wanted = open.filter(
      (asked) => asked.question.kind !== 'formula' || asked.units.some((u) => u.kind === 'reach'),
    );
    this.#excuse(
      open.filter((asked) => !asked.settled && !wanted.includes(asked)),
      ended !== undefined,
    );
    if (wanted.length === 0) return;
    this.#begin();
    const over = ended !== undefined || this.stops(states) !== undefined;
    if (this.#petri !== undefined && (states >= this.#next || over)) {
      this.#next = states * RETRY_FACTOR;
      this.#attempt(this.#petri, wanted, Math.max(WORK_PER_STATE * states, over ? LAST_WORK : 0), over);
      // No exploration can end, so the full work budget is spent now.
      if (this.#place !== undefined) {
        const left = wanted.filter((asked) => !asked.settled);
        if (left.length > 0) this.#attempt(this.#petri, left, ENDLESS_WORK, over);
        this.#next = Number.POSITIVE_INFINITY;
      }
    }
    if (ended !== undefined) for (const asked of wanted) if (!asked.settled) this.#explain(asked, LIMITS[ended]);
  }

  /**
   * Gives the reason for questions that coverability cannot answer; it does not depend on the limit that was reached. The
   * search for it is short, and is made even if no time is left.
   */
  #excuse(left: readonly Open[], ended: boolean): void {
    if (left.length === 0) return;
    this.#begin();
    if (this.#petri !== undefined)
      this.#bounds ??= semiBoundedness(this.#petri, {
        maxNodes: Math.ceil(Math.sqrt(EXCUSE_WORK / Math.max(1, this.#petri.places.length))),
        untilUnbounded: true,
      });
    if (ended && this.#place !== undefined) for (const asked of left) asked.because(endless(this.#place));
  }

  stops(states: number): string | undefined {
    if (this.#limits.limited || states < ENOUGH_STATES || this.#place === undefined) return undefined;
    return endless(this.#place);
  }

  /** A place known to be unbounded. */
  get #place(): UnboundedPlace | undefined {
    const { unbounded } = this.#bounds ?? {};
    return unbounded === undefined ? undefined : this.#described(this.#petri!, unbounded);
  }

  #described(petri: Petri, place: number): UnboundedPlace {
    return describedPlace(petri, place, pump(this.#bounds!, place, 1));
  }

  #begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    try {
      const petri = flatten(this.#net);
      this.#flat = petri;
      if (!hasOneLevel(petri)) {
        this.#nothing = 'transitions have different priorities, so coverability is undecided';
        return;
      }
      monotone(petri, true);
      this.#petri = petri;
      this.#notBounds = problemOf(() => monotone(petri, false));
    } catch (e) {
      if (!(e instanceof InputError)) throw e;
      const [problem] = e.problems;
      if (this.#flat !== undefined || problem!.code === 'UNF001') this.#nothing = formatProblem(problem!);
    }
  }

  /**
   * @param work budget in marking comparisons, for the tree and for the backward searches each
   * @param over true if the exploration has ended, so it can no longer find a path
   */
  #attempt(petri: Petri, open: readonly Open[], work: number, over: boolean): void {
    const { cancelled } = this.#limits;
    const { places, transitions } = petri;
    const last = work >= ENDLESS_WORK;
    const cells = Math.min(MAX_CELLS, (this.#limits.bytes?.() ?? Number.POSITIVE_INFINITY) / CELL_BYTES);
    const size = (share: number): number => {
      const max = Math.sqrt(transitions.length ** 2 + (2 * work) / share) - transitions.length;
      return Math.ceil(Math.min(MAX_SIZE, max, cells / Math.max(1, places.length)));
    };
    const units = open.reduce((n, asked) => n + asked.units.filter((u) => u.kind === 'reach').length, 0);
    if (this.#bounds?.tree.complete !== true)
      this.#bounds = semiBoundedness(petri, {
        maxNodes: size(1),
        ...(cancelled === undefined ? {} : { cancelled }),
      });
    for (const asked of open) {
      const { question } = asked;
      if (asked.settled) continue;
      const proof =
        question.kind === 'most'
          ? this.#most(petri, question.sum)
          : question.kind === 'bounds'
            ? this.#places(petri, last)
            : question.kind === 'formula' && question.sound !== undefined
              ? this.#unsound(petri)
              : undefined;
      if (proof !== undefined) asked.answer(proof);
      for (const unit of asked.units)
        if (unit.kind === 'reach' && !asked.settled) this.#unit(petri, asked, unit, size(units), last && over);
    }
  }

  /** Maximum tokens of the places: Infinity if one is unbounded, otherwise read from the complete tree. */
  #places(petri: Petri, last: boolean): Proof | undefined {
    const bounds = this.#bounds;
    if (bounds === undefined) return undefined;
    const { tree } = bounds;
    const own = petri.places.findIndex(({ kind }, p) => kind !== 'busy' && isMany(bounds, p));
    if (!tree.complete && (own < 0 || !last)) return undefined;
    const found = tree.complete ? largestTokens(petri, tree) : undefined;
    const proof = {
      value: own < 0 ? found!.ofOneColour : Number.POSITIVE_INFINITY,
      ...(found === undefined ? { bounds: null } : { bounds: found.ofPlaces }),
      by: 'coverability',
    };
    return own < 0
      ? { ...proof, ...this.#ground(`a tree of ${nodes(tree.nodes.length)} covers all markings`) }
      : { ...proof, ...this.#unbounded(petri, own) };
  }

  /**
   * A sound workflow net is bounded: if a sequence of firings adds tokens to a marking, the firings that complete the case from
   * the first marking leave the added ones behind (van der Aalst 1997). Resets could remove them.
   */
  #unsound(petri: Petri): Proof | undefined {
    const { unbounded } = this.#bounds ?? {};
    if (unbounded === undefined || this.#notBounds !== undefined) return undefined;
    const { because, ...shown } = this.#unbounded(petri, unbounded);
    const why = `${because}. It is so in the short-circuited net, too, and a sound net is bounded`;
    return { value: false, by: 'coverability', ...shown, ...this.#ground(why) };
  }

  #most(petri: Petri, sum: Sum): Proof | undefined {
    const bounds = this.#bounds;
    const weights = weightsOf(petri, sum);
    if (bounds === undefined || [...weights.values()].some((w) => w < 0)) return undefined;
    const many = [...weights.keys()].find((p) => isMany(bounds, p));
    if (many !== undefined)
      return { value: Number.POSITIVE_INFINITY, by: 'coverability', ...this.#unbounded(petri, many) };
    if (!bounds.tree.complete) return undefined;
    return {
      value: largest(bounds.tree, weights) + sum.constant,
      by: 'coverability',
      ...this.#ground(`a tree of ${nodes(bounds.tree.nodes.length)} covers all markings`),
    };
  }

  #unbounded(petri: Petri, place: number): Pick<Proof, 'because' | 'ground' | 'path'> {
    const name = placeNames(petri)[place]!;
    const found = pump(this.#bounds!, place, SHOWN_TOKENS);
    return {
      ...this.#ground(unboundedText(this.#described(petri, place))),
      ...(found === undefined ? {} : { path: shown(petri, place, name, found) }),
    };
  }

  #ground(because: string): Pick<Proof, 'because' | 'ground'> {
    return { because, ground: { kind: 'coverability', because } };
  }

  /** Decides a reachability unit whose condition is upward closed. */
  #unit(petri: Petri, asked: Open, unit: Unit & { readonly kind: 'reach' }, maxDemands: number, last: boolean): void {
    const condition = this.#condition(petri, unit);
    if (condition === undefined) {
      this.#excluded(petri, asked, unit, maxDemands);
      return;
    }
    const tree = this.#bounds?.tree;
    const moves = tree === undefined ? undefined : new PetriMoves(tree.petri);
    if (tree?.complete === true && !tree.nodes.some(({ marking }) => holdsIn(condition, marking, moves!))) {
      const { ground } = this.#ground(`no node of a tree of ${nodes(tree.nodes.length)} covers such a marking`);
      asked.know(unit, { value: !unit.found, ground: ground! });
      return;
    }
    const { cancelled, final } = this.#limits;
    const { petri: unlimited } = monotone(petri, true);
    const found = coverable(unlimited, demandsOf(condition), {
      maxDemands,
      ...(cancelled === undefined ? {} : { cancelled }),
    });
    if (found.covered === undefined) {
      // The path is too long for backward search, and no exploration of an unbounded net is certain to find it.
      if (last && tree?.complete === true) {
        const { ground } = this.#ground(`a node of a tree of ${nodes(tree.nodes.length)} covers such a marking`);
        asked.know(unit, { value: unit.found, ground: ground! });
      }
      return;
    }
    const looked = `${found.demands} demand${found.demands === 1 ? '' : 's'} in backward search`;
    const { ground } = this.#ground(found.covered ? `found by ${looked}` : `${looked}: the initial marking meets none`);
    asked.know(unit, {
      value: found.covered === unit.found,
      ground: ground!,
      ...(found.path === undefined ? {} : { path: petriPath(petri, found.path, { final, shortest: true }) }),
    });
  }

  /**
   * Excludes a condition that is not upward closed, such as a deadlock, if it holds for no node of a coverability graph of an
   * unbounded net. Exploration decides bounded nets.
   */
  #excluded(petri: Petri, asked: Open, unit: Unit & { readonly kind: 'reach' }, maxNodes: number): void {
    if (this.#place === undefined || petri.transitions.some((t) => t.resets.length > 0)) return;
    if (this.#graph?.complete !== true && maxNodes > this.#graphNodes) {
      const { cancelled } = this.#limits;
      this.#graphNodes = maxNodes;
      this.#graph = karpMiller(monotone(petri, false).petri, {
        maxNodes,
        equalOnly: true,
        ...(cancelled === undefined ? {} : { cancelled }),
      });
    }
    const graph = this.#graph;
    if (graph?.complete !== true) return;
    const condition = conditionOf(petri, unit.goal, this.#limits.final);
    const moves = new PetriMoves(graph.petri);
    if (graph.nodes.some(({ marking }) => mayHold(condition, marking, moves))) return;
    const { ground } = this.#ground(
      `no node of a coverability graph of ${nodes(graph.nodes.length)} allows such a marking`,
    );
    asked.know(unit, { value: !unit.found, ground: ground! });
  }

  /** The condition to be covered; undefined if it is not upward closed or has too many minimal demands. */
  #condition(petri: Petri, { formula, goal }: Unit & { readonly kind: 'reach' }): Condition | undefined {
    if (this.#conditions.has(formula)) return this.#conditions.get(formula);
    let condition: Condition | undefined = conditionOf(petri, goal, this.#limits.final);
    if (!isUpward(condition) || problemOf(() => demandsOf(condition!)) !== undefined) condition = undefined;
    this.#conditions.set(formula, condition);
    return condition;
  }

  /** Gives the reason why a question remains open. */
  #explain(asked: Open, limit: string): void {
    const { question, units } = asked;
    const covers =
      question.kind !== 'formula' ||
      (this.#flat !== undefined &&
        units.some((u) => u.kind === 'reach' && this.#condition(this.#flat!, u) !== undefined));
    const why = this.#nothing ?? (question.kind === 'formula' ? undefined : this.#notBounds);
    if (why !== undefined && (covers || this.#flat === undefined)) asked.because(`${limit}; ${why}`);
    else if (this.#place !== undefined) asked.because(endless(this.#place));
  }
}

/** The reason why no limit suffices; the same for each limit, since none of them is the cause. */
const endless = (place: UnboundedPlace): string => unboundedText(place, ', so no exploration ends');

const LIMITS = {
  states: 'the state limit was reached',
  memory: 'the memory limit was reached',
  time: 'the time limit was reached',
} as const;

const nodes = (n: number): string => `${n} node${n === 1 ? '' : 's'}`;

function isMany({ tree }: Boundedness, place: number): boolean {
  return tree.nodes.some(({ pumps }) => pumps.some(({ places }) => places.includes(place)));
}

function problemOf(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (e) {
    if (e instanceof InputError) return formatProblem(e.problems[0]!);
    throw e;
  }
}

/** The path to a loop and one iteration of it, or to many tokens. Fires it again to check that the place grows. */
function shown(
  petri: Petri,
  place: number,
  name: string,
  { path, loop }: NonNullable<ReturnType<typeof pump>>,
): FoundPath {
  const moves = new PetriMoves(petri);
  if (loop === undefined) {
    const tokens = moves.fireSequence(path)?.[place] ?? 0;
    if (tokens < SHOWN_TOKENS) throw new Error('internal error: the sequence found does not produce the tokens');
    return petriPath(petri, path, { shows: `${name} holds ${tokens} tokens, and repetition reaches any number` });
  }
  const before = moves.fireSequence(path.slice(0, loop))!;
  const after = moves.fireSequence(path);
  const again = moves.fireSequence([...path, ...path.slice(loop)])?.[place];
  const more = (after?.[place] ?? 0) - before[place]!;
  if (after === undefined || more <= 0 || again !== after[place]! + more || after.some((n, p) => n < before[p]!))
    throw new Error('internal error: the loop found does not produce tokens');
  return petriPath(petri, path, { loop, shows: `each iteration adds ${more} to ${name}` });
}

/** Maximum of a sum with non-negative factors over a complete tree; Infinity if unbounded. O(nodes × terms). */
function largest({ nodes }: Coverability, weights: ReadonlyMap<number, number>): number {
  let max = 0;
  for (const { marking } of nodes) {
    let value = 0;
    for (const [p, w] of weights) if (w > 0) value += marking[p] === MANY ? Number.POSITIVE_INFINITY : w * marking[p]!;
    if (value > max) max = value;
  }
  return max;
}

/** Maximum tokens of each net place over all colours, and maximum tokens of any one colour in one place. O(nodes × places). */
function largestTokens(
  { net, places }: Petri,
  tree: Coverability,
): { readonly ofPlaces: number[]; readonly ofOneColour: number } {
  const ofPlaces = net.places.map(() => new Map<number, number>());
  const colours = new Map<string, Map<number, number>>();
  for (const [k, { kind, node, values }] of places.entries()) {
    if (kind === 'busy') continue;
    ofPlaces[node]!.set(k, 1);
    const key = `${node}:${values}`;
    colours.set(key, (colours.get(key) ?? new Map<number, number>()).set(k, 1));
  }
  return {
    ofPlaces: ofPlaces.map((weights) => largest(tree, weights)),
    ofOneColour: Math.max(0, ...[...colours.values()].map((weights) => largest(tree, weights))),
  };
}
