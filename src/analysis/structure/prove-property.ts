import { andMore } from '../../base/listing.ts';
import { InputError } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import type { SparseVector } from '../flows/elimination.ts';
import { tokensOf } from '../flows/place-flows.ts';
import { type PlaceProof, type PlaceProofs, placeProofs } from '../flows/place-proofs.ts';
import { shareOf } from '../flows/semiflows.ts';
import type { Petri } from '../petri/petri.ts';
import { coloursOf, valueText } from '../properties/colours.ts';
import type { Question } from '../properties/formula-of.ts';
import type { Formula, Sum } from '../properties/property.ts';
import { name } from '../properties/property-text.ts';
import { booleanOf, type Known, type Unit, unitsOf } from '../properties/units.ts';
import type { LinearSolver } from './linear-program.ts';
import { netClasses } from './net-classes.ts';
import { petriOf } from './plain-petri.ts';
import { type QuickProofs, quickProofs } from './quick-proofs.ts';
import { type SiphonProperty, siphonProperty } from './siphon-property.ts';
import { arcsOf } from './siphons.ts';
import { boundOfSum, checkedBound, type SumBound } from './state-equation.ts';
import { reachedSums } from './trial-run.ts';
import { type Impossible, provesUnreachable } from './unreachable.ts';

/** An answer derived from the structure of the net, without a state space. */
export interface StructuralProof {
  readonly value: boolean | number;
  /** For `bounds`: the maximum number of tokens of each place of the net, over all colours. */
  readonly bounds?: readonly number[];
  readonly by: 'bounds' | 'semiflow' | 'linear program' | 'siphons and traps';
  /** The reason in one line, for reports. */
  readonly because: string;
}

/** Options of {@link StructuralProver}. */
export interface ProveOptions {
  readonly solver?: LinearSolver;
  /** Work limit of each search. */
  readonly effort?: number;
  /** Called between parts of the work; `true` aborts. */
  readonly stop?: () => boolean;
}

/**
 * Answers questions from the structure of a net: unreachable markings (invariants, safety, mutual exclusion, bounds); absence
 * of deadlocks and liveness by siphons and traps; maxima of sums if a short run attains a proved bound. Intermediate results
 * are computed on demand and kept.
 */
export class StructuralProver {
  readonly #petri: Petri | undefined;
  readonly #options: ProveOptions;
  #proofs: PlaceProofs | undefined;
  #siphons: SiphonProperty | undefined;
  #quick: QuickProofs | undefined;
  #names: readonly string[] | undefined;

  /** A net that cannot be unfolded to a place/transition net gets no answers. */
  constructor(net: Net, options: ProveOptions = {}) {
    this.#options = options;
    this.#petri = petriUnlessRefused(net);
  }

  /** The answer to a question; undefined if the structure does not determine it. Names in the question must exist in the net. */
  prove(question: Question): StructuralProof | undefined {
    const petri = this.#petri;
    if (petri === undefined) return undefined;
    if (question.kind === 'most') return this.#most(petri, question.sum);
    if (question.kind === 'bounds') return this.#bounds(petri);
    return this.#formula(petri, question.formula);
  }

  #formula(petri: Petri, formula: Formula): StructuralProof | undefined {
    const known = new Map<Formula, Known>();
    let last: Omit<StructuralProof, 'value'> | undefined;
    for (const unit of unitsOf(formula).values()) {
      if (this.#options.stop?.() === true) return undefined;
      const proof = this.#unit(petri, unit);
      if (proof === undefined) continue;
      last ??= proof;
      known.set(unit.formula, { value: proof.value });
      const value = booleanOf(formula, known);
      if (value !== undefined) return { by: last.by, because: last.because, value };
    }
    return undefined;
  }

  #unit(petri: Petri, unit: Unit): (Omit<StructuralProof, 'value'> & { readonly value: boolean }) | undefined {
    if (unit.kind === 'home' && unit.goal.op === 'enabled') {
      const live = this.#quickProofs(petri).live ?? this.#siphonProperty(petri).live;
      return live.value === true ? { value: true, by: 'siphons and traps', because: live.because } : undefined;
    }
    if (unit.kind !== 'reach') return undefined;
    const { goal, found } = unit;
    if (isDead(goal)) {
      const deadlockFree = this.#quickProofs(petri).deadlockFree ?? this.#siphonProperty(petri).deadlockFree;
      return deadlockFree.value === true
        ? { value: !found, by: 'siphons and traps', because: deadlockFree.because }
        : undefined;
    }
    const { proofs, semiflows } = this.#placeProofs(petri);
    const never = provesUnreachable({ petri, proofs, placeSemiflows: semiflows }, goal, this.#options.solver);
    if (never === undefined) return undefined;
    const [first] = never.alternatives;
    const by = first === undefined ? 'bounds' : first.because.by;
    const because = first === undefined ? 'no marking satisfies it' : this.#reason(petri, first.because);
    const more = andMore(never.alternatives.length - 1);
    return { value: !found, by, because: more === '' ? because : `${because} (${more})` };
  }

  #reason(petri: Petri, because: Impossible): string {
    const names = this.#placeNames(petri);
    if (because.by === 'bounds') {
      const places = [...because.demand.weights].filter(([, w]) => w > 0).map(([p]) => p);
      const proof = places.length === 1 ? this.#placeProofs(petri).proofs[places[0]!] : undefined;
      if (proof !== undefined) return proofText(petri, names, proof);
      return `${weightsText(because.demand.weights, names)} ≤ ${because.most} by the bounds of its places`;
    }
    const { weights, tokens } = because.refutation;
    const never = because.by === 'semiflow' ? `= ${tokens} in every marking` : `never exceeds ${tokens}`;
    return `${weightsText(weights, names)} ${never}`;
  }

  /** The maximum of a sum, if some run attains a proved bound. */
  #most(petri: Petri, sum: Sum): StructuralProof | undefined {
    const weights = weightsOf(petri, sum);
    const [reached] = reachedSums(petri, [weights], undefined, this.#options.stop);
    const bound = this.#boundOf(petri, weights, reached!);
    if (bound === undefined || bound.bound !== reached) return undefined;
    return {
      value: bound.bound + sum.constant,
      by: bound.by,
      because: `${bound.because}, and a run reaches this bound`,
    };
  }

  #bounds(petri: Petri): StructuralProof | undefined {
    const { proofs } = this.#placeProofs(petri);
    // Bounds add tokens in the place and in service per place; the maximum per colour is not known for services.
    if (petri.places.some((p) => p.kind === 'service')) return undefined;
    const sums = petri.net.places.map(({ name }) =>
      weightsOf(petri, { terms: [{ factor: 1, place: name }], constant: 0 }),
    );
    const own = petri.places.flatMap(({ kind }, p) => (kind === 'place' ? [new Map([[p, 1]])] : []));
    const reached = reachedSums(petri, [...sums, ...own], undefined, this.#options.stop);
    const largest = Math.max(0, ...reached.slice(sums.length));
    if (
      petri.places.some(({ kind }, p) => kind === 'place' && (proofs[p]?.bound ?? Number.POSITIVE_INFINITY) > largest)
    )
      return undefined;
    if (sums.some((sum, k) => this.#boundOf(petri, sum, reached[k]!)?.bound !== reached[k])) return undefined;
    return {
      value: largest,
      bounds: reached.slice(0, sums.length),
      by: 'bounds',
      because: 'every place has a proved bound, and runs reach these bounds',
    };
  }

  /** The smallest proved bound of a sum; it is at least `reached`. */
  #boundOf(
    petri: Petri,
    sum: ReadonlyMap<number, number>,
    reached: number,
  ): { readonly bound: number; readonly by: StructuralProof['by']; readonly because: string } | undefined {
    const names = this.#placeNames(petri);
    const { proofs, semiflows } = this.#placeProofs(petri);
    let best: { bound: number; by: StructuralProof['by']; because: string } | undefined;
    const offer = (bound: number, by: StructuralProof['by'], because: string): void => {
      if (Number.isFinite(bound) && bound < (best?.bound ?? Number.POSITIVE_INFINITY)) best = { bound, by, because };
    };
    let total = 0;
    for (const [p, w] of sum) if (w > 0) total += w * (proofs[p]?.bound ?? Number.POSITIVE_INFINITY);
    offer(total, 'bounds', 'the bounds of its places are proved');
    for (const flow of semiflows.flows) {
      const found = bySemiflow(petri, flow, sum);
      if (found !== undefined)
        offer(found.bound, 'semiflow', `${weightsText(flow, names)} is the same in every marking`);
    }
    const { solver } = this.#options;
    const found = solver === undefined || best?.bound === reached ? undefined : boundOfSum(petri, sum, solver);
    if (found !== undefined) offer(found.bound, 'linear program', `${weightsText(found.weights, names)} never grows`);
    return best;
  }

  #placeProofs(petri: Petri): PlaceProofs {
    this.#proofs ??= placeProofs(petri, this.#options.effort);
    return this.#proofs;
  }

  /** These come before the search for siphons, which large nets may not afford. */
  #quickProofs(petri: Petri): QuickProofs {
    this.#quick ??= quickProofs(petri, arcsOf(petri), this.#options.stop);
    return this.#quick;
  }

  #siphonProperty(petri: Petri): SiphonProperty {
    this.#siphons ??= siphonProperty(
      petri,
      netClasses(petri),
      this.#placeProofs(petri).proofs.every((proof) => proof !== undefined),
      this.#options.stop === undefined ? {} : { stop: this.#options.stop },
      this.#quickProofs(petri),
    );
    return this.#siphons;
  }

  #placeNames(petri: Petri): readonly string[] {
    this.#names ??= placeNames(petri);
    return this.#names;
  }
}

/**
 * The answer to one question from the structure of a net; undefined if the structure does not determine it. For several
 * questions about one net use {@link StructuralProver}.
 */
export function proveByStructure(
  net: Net,
  question: Question,
  options: ProveOptions = {},
): StructuralProof | undefined {
  return new StructuralProver(net, options).prove(question);
}

function petriUnlessRefused(net: Net): Petri | undefined {
  try {
    return petriOf(net);
  } catch (e) {
    if (e instanceof InputError) return undefined;
    throw e;
  }
}

/** True if the goal is `dead` or `deadlock`: a net without dead markings has no deadlocks either. */
function isDead(goal: Formula): boolean {
  let f = goal;
  while (f.op === 'not' && f.of.op === 'not') f = f.of.of;
  return f.op === 'dead' || f.op === 'deadlock';
}

/** The bound of a sum by a semiflow whose support contains the places with positive weight. */
function bySemiflow(petri: Petri, flow: SparseVector, sum: SparseVector): SumBound | undefined {
  const share = shareOf(sum, flow);
  if (share === undefined) return undefined;
  const weights = petri.places.map((_, p) => BigInt(share.times) * BigInt(flow.get(p) ?? 0));
  return checkedBound(petri, sum, weights, BigInt(share.of));
}

/** Maximum number of terms shown in a sum. */
const MAX_TERMS = 8;

/** The proof of a place's bound in one line. */
export function proofText(petri: Petri, names: readonly string[], proof: PlaceProof): string {
  if (proof.by === 'capacity') return 'every transition that adds to it checks its capacity';
  if (proof.by === 'never') return 'no transition that adds to it can ever fire';
  const { weights, constant } = proof;
  const tokens = tokensOf(weights, petri);
  if (weights.size === 1 && !constant) return `nothing adds to its ${tokens}`;
  return constant
    ? `${weightsText(weights, names)} = ${tokens} in every marking`
    : `${weightsText(weights, names)} never exceeds ${tokens}`;
}

/** `2·a + b + …`. */
export function weightsText(weights: SparseVector, names: readonly string[]): string {
  let text = '';
  const terms = [...weights].sort(([a], [b]) => a - b);
  for (const [p, weight] of terms.slice(0, MAX_TERMS)) {
    const sign = text === '' ? (weight < 0 ? '−' : '') : weight < 0 ? ' − ' : ' + ';
    text += `${sign}${Math.abs(weight) === 1 ? '' : `${Math.abs(weight)}·`}${names[p]!}`;
  }
  return terms.length > MAX_TERMS ? `${text} + … (${terms.length} places)` : text;
}

/** The factors of a sum by place of the unfolded net; places of tokens in service are included. O(terms × places). */
export function weightsOf(petri: Petri, { terms }: Sum): Map<number, number> {
  const colours = coloursOf(petri.net);
  const weights = new Map<number, number>();
  for (const { factor, place, colour } of terms) {
    const node = colours.places.get(place)!;
    const values = colour === undefined ? undefined : colours.values(place, colour);
    petri.places.forEach((p, k) => {
      if (p.kind !== 'busy' && p.node === node && (values === undefined || p.values.every((v, i) => v === values[i])))
        weights.set(k, (weights.get(k) ?? 0) + factor);
    });
  }
  return weights;
}

/** Names of the places of an unfolded net: `Fork[3]` as in properties, `queue[0] in service`, `busy send[x 1]`. O(places). */
export function placeNames({ net, columns, places }: Petri): string[] {
  return places.map(({ kind, node, values }) => {
    if (kind === 'busy') {
      const { name: transition } = net.transitions[node]!;
      return `busy ${transition}${values.length === 0 ? '' : `[${values.join(', ')}]`}`;
    }
    const words = values.map((v, k) => name(valueText(columns[node]![k], v)).replace(/^"(-?\d+)"$/, '$1'));
    const token = words.length === 0 ? '' : `[${words.join(', ')}]`;
    return `${net.places[node]!.name}${token}${kind === 'service' ? ' in service' : ''}`;
  });
}

/** Places of the net that can never hold a token of any colour: they have no place in the unfolded net. O(places). */
export function neverMarked({ net, places }: Petri): string[] {
  const possible = new Set(places.flatMap(({ kind, node }) => (kind === 'busy' ? [] : [node])));
  return net.places.flatMap(({ name }, node) => (possible.has(node) ? [] : [name]));
}

/** Names of the transitions of an unfolded net: `send[x 1]`, `end of send[x 1]`. O(transitions). */
export function transitionNames({ net, transitions }: Petri): string[] {
  return transitions.map(({ kind, node, binding }) => {
    const values = Object.entries(binding).map(([variable, value]) => `${variable} ${value}`);
    const words = values.length === 0 ? '' : `[${values.join(', ')}]`;
    if (kind === 'serve') return `${net.places[node]!.name} serves${words}`;
    return `${kind === 'end' ? 'end of ' : ''}${net.transitions[node]!.name}${words}`;
  });
}
