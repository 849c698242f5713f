import type { SparseVector } from '../../analysis/flows/elimination.ts';
import { tokensOf } from '../../analysis/flows/place-flows.ts';
import type { PlaceProof } from '../../analysis/flows/place-proofs.ts';
import { neverMarked, placeNames, proofText, transitionNames } from '../../analysis/structure/prove-property.ts';
import type { Finding } from '../../analysis/structure/quick-proofs.ts';
import type { Structure } from '../../analysis/structure/structure.ts';
import { finiteDocument } from '../../base/finite-figures.ts';
import { PRODUCT } from '../../base/version.ts';
import type { SpaceFigure } from '../explore/space.ts';
import type {
  ProvedPlace,
  ShownSemiflow,
  ShownSiphon,
  StructureDocument,
  StructureFinding,
  Weights,
} from './structure-result.ts';

/** The members of the result document that do not depend on the origin of the net. */
export function structureDocument(
  found: Structure,
): Omit<StructureDocument, 'inputs' | 'options' | 'truncation' | 'solver' | 'seconds' | 'warnings'> {
  const { petri, placeSemiflows, transitionSemiflows, siphons, proofs, dead, verdicts } = found;
  const places = placeNames(petri);
  const transitions = transitionNames(petri);
  const sums = new Sums(places, found);
  const proved = [
    ...proofs.map((proof, p) => provedPlace(proof, places, p, sums)),
    ...neverMarked(petri).map(unmarked),
  ];
  const bounds = proved.flatMap(({ bound }) => (bound === null ? [] : [bound]));
  const largest = bounds.length < proved.length ? undefined : bounds.reduce((a, b) => Math.max(a, b), 0);
  const set = (own: readonly number[]): ShownSiphon => ({
    places: own.map((p) => places[p]!),
    tokens: own.reduce((sum, p) => sum + petri.places[p]!.initial, 0),
  });
  return finiteDocument({
    format: 'foretoken',
    version: 1,
    kind: 'structure',
    product: PRODUCT,
    figures: {
      places: plain(proved.length),
      transitions: plain(petri.transitions.length),
      placeSemiflows: plain(placeSemiflows.flows.length),
      transitionSemiflows: plain(transitionSemiflows.flows.length),
      siphons: plain(siphons.siphons.sets.length),
      traps: plain(siphons.traps.sets.length),
      boundedPlaces: plain(bounds.length),
      largestBound: plain(largest),
      deadTransitions: plain(dead.length),
    },
    complete: {
      placeSemiflows: placeSemiflows.complete,
      transitionSemiflows: transitionSemiflows.complete,
      siphons: siphons.siphons.complete,
      traps: siphons.traps.complete,
    },
    classes: found.classes === undefined ? null : { ...found.classes },
    verdicts: {
      safe: finding(verdicts.safe),
      bounded: finding(verdicts.bounded),
      structurallyBounded: finding(verdicts.structurallyBounded),
      conservative: finding(verdicts.conservative),
      consistent: finding(verdicts.consistent),
      deadlockFree: finding(verdicts.deadlockFree),
      live: finding(verdicts.live),
    },
    proved,
    ...(sums.long.length === 0 ? {} : { sums: sums.long }),
    placeSemiflows: placeSemiflows.flows.map((flow) => ({
      weights: named(flow, places),
      tokens: tokensOf(flow, petri),
    })),
    transitionSemiflows: transitionSemiflows.flows.map(
      (flow): ShownSemiflow => ({ weights: named(flow, transitions) }),
    ),
    siphons: siphons.siphons.sets.map((own, k) => ({
      ...set(own),
      trap: siphons.markedTraps[k]?.map((p) => places[p]!) ?? null,
    })),
    traps: siphons.traps.sets.map(set),
    deadTransitions: dead.map((t) => transitions[t]!),
  });
}

/** Weights by name, in the order of the places. Without a prototype: V8 then makes no hidden class for each of many names. */
export function named(weights: SparseVector, names: readonly string[]): Weights {
  const shown = Object.create(null) as Record<string, number>;
  for (const k of Int32Array.from(weights.keys()).sort()) shown[names[k]!] = weights.get(k)!;
  return shown;
}

/** Longer sums are written once and not for each place that they bound. */
const MAX_OWN_TERMS = 1000;
/** After this number of terms in all places, sums of more than a few terms are written once, too. */
const MAX_TERMS = 200_000;
const FEW_TERMS = 8;

/** Texts of the sums that bound places. Many places share a sum, and a sum may have as many terms as there are places. */
class Sums {
  readonly long: Weights[] = [];
  readonly petri: Structure['petri'];
  readonly #names: readonly string[];
  readonly #known = new Map<SparseVector, Pick<ProvedPlace, 'weights' | 'tokens'>>();
  readonly #indexed = new Map<SparseVector, Pick<ProvedPlace, 'sum' | 'tokens'>>();
  readonly #reasons = new Map<SparseVector, string>();
  #written = 0;

  constructor(names: readonly string[], { petri }: Structure) {
    this.#names = names;
    this.petri = petri;
  }

  of(weights: SparseVector): Pick<ProvedPlace, 'weights' | 'sum' | 'tokens'> {
    const own = this.#written + weights.size > MAX_TERMS ? FEW_TERMS : MAX_OWN_TERMS;
    if (weights.size > own) return kept(this.#indexed, weights, () => this.#index(weights));
    this.#written += weights.size;
    return kept(this.#known, weights, () => ({
      weights: named(weights, this.#names),
      tokens: tokensOf(weights, this.petri),
    }));
  }

  #index(weights: SparseVector): Pick<ProvedPlace, 'sum' | 'tokens'> {
    return { sum: this.long.push(named(weights, this.#names)) - 1, tokens: tokensOf(weights, this.petri) };
  }

  because(proof: PlaceProof): string {
    if (proof.by !== 'weights') return proofText(this.petri, this.#names, proof);
    return kept(this.#reasons, proof.weights, () => proofText(this.petri, this.#names, proof));
  }
}

/** The value of a key, made once. */
function kept<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

function provedPlace(proof: PlaceProof | undefined, names: readonly string[], p: number, sums: Sums): ProvedPlace {
  const common = { place: names[p]!, initial: sums.petri.places[p]!.initial };
  if (proof === undefined) return { ...common, bound: null, by: null, because: 'no bound proved' };
  const proved = { ...common, bound: proof.bound, because: sums.because(proof) };
  if (proof.by !== 'weights') return { ...proved, by: proof.by };
  const by = proof.from === 'linear program' ? 'linear program' : proof.constant ? 'semiflow' : 'weights';
  return { ...proved, by, ...sums.of(proof.weights) };
}

/** A place of which no colour can ever be marked; the net without colours has no place for it. */
function unmarked(place: string): ProvedPlace {
  return { place, initial: 0, bound: 0, by: 'never', because: 'no token can ever reach it' };
}

function plain(value: number | undefined): SpaceFigure {
  return { value: value ?? null, unit: '1' };
}

function finding({ value, because }: Finding): StructureFinding {
  return { value: value ?? null, because };
}
