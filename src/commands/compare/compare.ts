import { finiteDocument } from '../../base/finite-figures.ts';
import { assertIs } from '../../base/options.ts';
import { PRODUCT } from '../../base/version.ts';
import { notesOf } from '../predict/document.ts';
import type { PredictionDocument } from '../predict/prediction.ts';
import { assertPrediction } from '../rerun/result-file.ts';
import type { ComparedFigure, ComparedRank, ComparedResource, ComparedSide, ComparisonDocument } from './comparison.ts';

/** A prediction and the input it came from, as given by the user. */
export interface Given {
  /** Path of the file, or a name for the result. */
  readonly input: string;
  readonly document: PredictionDocument;
}

const STATES = ['computing', 'communicating', 'waiting', 'idle'] as const;
/** States of workers of thread models. */
const WORKER_STATES = ['computing', 'memory', 'overhead', 'waiting', 'idle'] as const;

/**
 * Compares two predictions: of two traces, of one trace on two machines, or before and after a change. All differences are b
 * minus a. O(ranks + resources), plus sorting.
 *
 * @throws InputError APP061 and APP010 for a document that is not the result of a prediction
 */
export function compare(a: Given, b: Given): ComparisonDocument {
  for (const [name, side] of [
    ['a', a],
    ['b', b],
  ] as const) {
    assertIs('compare', name, side, 'an object', 'APP061');
    assertIs('compare', `${name}.input`, side.input, 'a string', 'APP061');
    assertPrediction(side.document, side.input);
  }
  return finiteDocument({
    format: 'foretoken',
    version: 1,
    kind: 'comparison',
    product: PRODUCT,
    a: sideOf(a),
    b: sideOf(b),
    figures: figures(a.document, b.document),
    ranks: ranks(a.document, b.document),
    resources: resources(a.document, b.document),
    ...notesOf([a.document, b.document].flatMap(({ because = [], notes = [] }) => [...because, ...notes])),
  });
}

function sideOf({ input, document }: Given): ComparedSide {
  const { members: _, ...inputs } = document.inputs;
  return {
    input,
    inputs,
    options: document.options,
    complete: document.complete,
    deadlocked: document.deadlock.length,
  };
}

function figures(a: PredictionDocument, b: PredictionDocument): ComparedFigure[] {
  const compared = (name: string, unit: string, of: (d: PredictionDocument) => number | undefined): ComparedFigure => {
    const [x = null, y = null] = [of(a), of(b)];
    const difference = x === null || y === null ? null : finite(y - x);
    const relative = difference === null || x === null || x === 0 ? null : finite(difference / Math.abs(x));
    return { name, unit, a: x, b: y, difference, relative };
  };
  const all = [
    compared('runTime', 's', (d) => d.figures.runTime.value),
    compared('parallelism', '1', (d) => d.figures.parallelism?.mean.value),
    compared('mostParallelism', '1', (d) => d.figures.parallelism?.max.value),
    compared('loadBalance', '1', (d) => d.figures.loadBalance?.value),
    ...(a.workers === undefined || b.workers === undefined
      ? STATES.map((state) => compared(state, 'rank s', (d) => total(d.ranks, state)))
      : WORKER_STATES.map((state) => compared(state, 'worker s', (d) => total(d.workers!, state)))),
    compared('ranks', '1', (d) => (d.workers === undefined ? d.ranks.length : undefined)),
    compared('workers', '1', (d) => d.workers?.length),
    compared('energy', 'J', (d) => d.figures.energy?.value),
    compared('actions', '1', (d) => d.figures.actions?.value),
    ...namesOf(a.places, b.places).map((name) =>
      compared(`tokens ${name}`, '1', (d) => d.places?.find((p) => p.name === name)?.mean ?? undefined),
    ),
    ...namesOf(a.transitions, b.transitions).map((name) =>
      compared(`rate ${name}`, '1/s', (d) => d.transitions?.find((t) => t.name === name)?.rate ?? undefined),
    ),
  ];
  return all.filter((f) => f.a !== null || f.b !== null);
}

type Named = readonly { readonly name: string }[];

/** Names of the parts of two nets, in their order; empty unless both are nets without processes. Those can differ with equal run times. */
const namesOf = (a: Named | undefined, b: Named | undefined): string[] =>
  a === undefined || b === undefined ? [] : [...new Set([...a, ...b].map(({ name }) => name))];

/** Replaces infinite and NaN values by null: results may contain any number. */
function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** Clamps a change that overflows to the largest double of its sign. */
function largest(change: number): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, change));
}

/** Seconds summed over all ranks or workers; undefined for an empty list, an unknown time, or a sum that overflows. */
function total<S extends string>(all: readonly { readonly [K in S]: number | null }[], state: S): number | undefined {
  if (all.length === 0 || all.some((one) => one[state] === null)) return undefined;
  return finite(all.reduce((sum, one) => sum + one[state]!, 0)) ?? undefined;
}

function ranks(a: PredictionDocument, b: PredictionDocument): ComparedRank[] {
  const before = new Map(a.ranks.map((rank) => [rank.rank, rank]));
  const found = b.ranks.flatMap((after): ComparedRank[] => {
    const rank = before.get(after.rank);
    if (rank === undefined) return [];
    let [state, change]: [(typeof STATES)[number], number] = ['computing', 0];
    for (const one of STATES) {
      const by = largest((after[one] ?? 0) - (rank[one] ?? 0));
      if (Math.abs(by) > Math.abs(change)) [state, change] = [one, by];
    }
    return [{ rank: rank.rank, endTime: { a: rank.endTime, b: after.endTime }, state, change }];
  });
  return found.sort((x, y) => Math.abs(y.change) - Math.abs(x.change) || x.rank - y.rank);
}

function resources(a: PredictionDocument, b: PredictionDocument): ComparedResource[] {
  const all = new Map<string, { name: string; kind: 'host' | 'memory' | 'link'; a: number | null; b: number | null }>();
  for (const side of ['a', 'b'] as const)
    for (const { name, kind, utilisation, fatpipe } of (side === 'a' ? a : b).resources) {
      if (fatpipe) continue;
      const key = `${kind} ${name}`;
      const one = all.get(key) ?? { name, kind, a: null, b: null };
      one[side] = utilisation;
      all.set(key, one);
    }
  return [...all.values()]
    .map((r) => ({ ...r, change: largest((r.b ?? 0) - (r.a ?? 0)) }))
    .sort((x, y) => Math.abs(y.change) - Math.abs(x.change) || (x.name < y.name ? -1 : 1));
}
