import { InputError } from '../../base/problem.ts';
import type { FigureError } from '../inputs/document-parts.ts';
import { byBounds } from './by-bounds.ts';
import { byGrowingCapacity } from './chain/by-growing-capacity.ts';
import { bySimulation } from './simulated/by-simulation.ts';
import type { Question } from './steady-options.ts';
import type { MethodAnswer, SteadyFindings } from './steady-result.ts';

/** The methods in the order of preference, each with its share of the time that is left. */
const METHODS: readonly (readonly [MethodAnswer['method'], (question: Question) => SteadyFindings, share: number])[] = [
  ['ctmc', byGrowingCapacity, 0.4],
  ['bounds', byBounds, 0.4],
  ['simulate', bySimulation, 1],
];
/** Default maximum number of states of the chain: fewer than for the chain alone, because the other methods answer, too. */
const MAX_STATES = 1e6;

/** Figures by the first of these methods that has them; `methods` compares all. */
const FIRST: readonly MethodAnswer['method'][] = ['ctmc', 'simulate', 'bounds'];

/**
 * The figures by all methods that apply, and whether they agree.
 *
 * @throws InputError the refusal of the bounds, if no method applies
 */
export function byAll(question: Question): SteadyFindings {
  const found = new Map<MethodAnswer['method'], SteadyFindings>();
  const refused = new Map<MethodAnswer['method'], InputError>();
  for (const [method, run, share] of METHODS) {
    const { options, budget } = question;
    const limited = { ...question, options: { maxStates: MAX_STATES, ...options }, budget: budget.before(share) };
    try {
      found.set(method, run(limited));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      refused.set(method, error);
    }
  }
  const first = FIRST.find((method) => (found.get(method)?.places.length ?? 0) > 0) ?? [...found.keys()][0];
  if (first === undefined) throw refused.get('bounds')!;
  const own = found.get(first)!;
  // A run ends in one of several sets of states, but means are over all of them.
  const endsVary = (found.get('ctmc')?.components.length ?? 0) > 1;
  const methods = METHODS.map(([method]): MethodAnswer => {
    const one = found.get(method);
    if (one === undefined)
      return {
        method,
        complete: false,
        places: [],
        transitions: [],
        agree: null,
        because: reasonOf(refused.get(method)!),
      };
    const { complete, truncation, places, transitions, rewards } = one;
    const figures = {
      method,
      complete,
      ...(truncation === undefined ? {} : { truncation }),
      places,
      transitions,
      ...(rewards === undefined ? {} : { rewards }),
    };
    if (places.length + transitions.length === 0) return { ...figures, agree: null, because: 'it reached a limit' };
    if (method === 'simulate' && endsVary)
      return {
        ...figures,
        agree: null,
        because: 'the net ends in one of several sets of states, and a run in one of them',
      };
    const all = [...places, ...transitions];
    if (all.every(({ certainty }) => certainty === 0)) {
      const reasons = new Set(all.map(({ because }) => because));
      const [reason] = reasons;
      const why = reasons.size === 1 && reason !== undefined ? `: each is ${reason}` : '';
      return { ...figures, agree: null, because: `none of its figures has an interval${why}` };
    }
    const apart = differences(own, one);
    return { ...figures, agree: apart.length === 0, ...(apart.length === 0 ? {} : { apart }) };
  });
  return { ...own, complete: own.complete && methods.every(({ agree }) => agree !== false), methods };
}

function reasonOf({ problems: [problem] }: InputError): string {
  const part = problem?.place?.part;
  return `${part === undefined ? '' : `${part}: `}${problem?.message.split(/\.(?: |$)/)[0]}`;
}

type Figures = Pick<SteadyFindings, 'places' | 'transitions' | 'rewards' | 'runTime'>;

/** Figures of two methods whose intervals do not meet. */
function differences(a: Figures, b: Figures): string[] {
  const apart: string[] = [];
  const compare = (name: string, x: FigureError | undefined, y: FigureError | undefined): void => {
    if (x !== undefined && y !== undefined && !meet(x, y)) apart.push(name);
  };
  compare('run time', a.runTime, b.runTime);
  for (const [k, p] of a.places.entries()) compare(`place ${p.name}`, p, b.places[k]);
  for (const [k, t] of a.transitions.entries()) {
    compare(`transition ${t.name}`, t, b.transitions[k]);
    compare(`transition ${t.name} (enabled)`, t.enabled, b.transitions[k]?.enabled);
  }
  for (const [k, r] of (a.rewards ?? []).entries()) compare(`reward ${r.name}`, r, b.rewards?.[k]);
  return apart;
}

/**
 * Factor of the half-width of a confidence interval for a comparison: of thousands of figures, some lie outside their intervals of 95 %,
 * but about one of 10⁸ outside intervals three times as wide.
 */
const WIDER = 3;

function meet(x: FigureError, y: FigureError): boolean {
  const [a, b] = [widened(x), widened(y)];
  return a === undefined || b === undefined || (a[0] <= b[1] && b[0] <= a[1]);
}

function widened({ lower, upper, certainty }: FigureError): readonly [number, number] | undefined {
  if (certainty === 0) return undefined;
  const [low, high] = [lower ?? Number.NEGATIVE_INFINITY, upper ?? Number.POSITIVE_INFINITY];
  if (certainty === 1 || lower === null || upper === null) return [low, high];
  const more = ((WIDER - 1) * (high - low)) / 2;
  return [low - more, high + more];
}
