import { didYouMean, fail, quote, shown } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import type { Truncation } from '../space/state-space.ts';
import { coloursOf } from './colours.ts';
import { parseProperty } from './parse-property.ts';
import type { Proof } from './proof.ts';
import {
  type Formula,
  isStateFormula,
  MAX_NESTING,
  NAMED,
  nesting,
  noPaths,
  normalised,
  type Property,
  partsOf,
  type Sum,
} from './property.ts';
import type { Known, Unit } from './units.ts';
import { type Soundness, soundness } from './workflow.ts';

/** A property with named properties replaced by formulas. */
export type Question =
  | {
      readonly kind: 'formula';
      readonly formula: Formula;
      /** Set for the soundness of a workflow net. */
      readonly sound?: Soundness;
    }
  | { readonly kind: 'most'; readonly sum: Sum }
  | { readonly kind: 'bounds' };

const atMostOne = (places: readonly string[]): Formula => ({
  op: 'compare',
  relation: '<=',
  left: normalised(
    places.map((place) => ({ factor: 1, place })),
    0,
  ),
  right: { terms: [], constant: 1 },
});

const always = (of: Formula): Formula => ({ op: 'AG', of });
const possible = (of: Formula): Formula => ({ op: 'EF', of });

/**
 * Translates a property into a question; checks that every name in it exists in the net.
 *
 * @throws InputError PROP001 to PROP006, PROP009, PROP011
 */
export function questionOf(net: Net, property: Property): Question {
  switch (property.kind) {
    case 'formula':
      checkFormula(net, property.formula);
      return property;
    case 'upper-bound':
      checkSum(net, property.sum);
      return { kind: 'most', sum: property.sum };
    case 'bounds':
      return { kind: 'bounds' };
    case 'sound': {
      const sound = soundness(net);
      return { kind: 'formula', formula: sound.formula, sound };
    }
    default: {
      const formula = formulaOf(net, property);
      checkFormula(net, formula);
      return { kind: 'formula', formula };
    }
  }
}

/** The transitions that `live` or `quasi-live` names; undefined if all are meant. */
function namedIn(property: Property): readonly string[] | undefined {
  return property.kind === 'live' || property.kind === 'quasi-live' ? property.transitions : undefined;
}

function formulaOf(net: Net, property: Exclude<Property, { kind: 'formula' | 'upper-bound' }>): Formula {
  const named = namedIn(property) ?? net.transitions.map((t) => t.name);
  const transitions = named.map((t): Formula => ({ op: 'enabled', transitions: [t] }));
  switch (property.kind) {
    case 'deadlock-free':
      return always({ op: 'not', of: { op: 'deadlock' } });
    case 'safe':
      return always({ op: 'within', tokens: 1 });
    case 'bounded':
      return always({ op: 'within', tokens: property.tokens });
    case 'one-safe':
      return always({ op: 'and', of: net.places.map((p) => atMostOne([p.name])) });
    case 'mutex':
      return always(atMostOne(property.places));
    case 'invariant':
    case 'home':
      if (!isStateFormula(property.formula)) fail('PROP001', noPaths(property.kind));
      return always(property.kind === 'home' ? possible(property.formula) : property.formula);
    case 'reversible':
      return always(possible({ op: 'initial' }));
    case 'live':
      return { op: 'and', of: transitions.map((t) => always(possible(t))) };
    case 'quasi-live':
      return { op: 'and', of: transitions.map(possible) };
    default: {
      const { kind } = property as { readonly kind?: unknown };
      const known = [...NAMED, 'formula', 'upper-bound', 'bounded', 'mutex', 'invariant', 'home'];
      return fail('PROP009', `unknown kind of property ${shown(kind)}.${didYouMean(String(kind), known)}`);
    }
  }
}

/**
 * Checks the formula of final markings: it has no path operators and does not contain `deadlock`.
 *
 * @throws InputError PROP008, and all problems of formulas
 */
export function checkFinal(net: Net, final: string | Formula): Formula {
  const property =
    typeof final === 'string' ? parseProperty(final, net, 'formula') : ({ kind: 'formula', formula: final } as const);
  if (property.kind !== 'formula') return fail('PROP008', 'expected a formula as the final marking', { part: 'final' });
  const { formula } = property;
  checkFormula(net, formula);
  const all = [formula];
  for (let f = all.pop(); f !== undefined; f = all.pop()) {
    if (f.op === 'deadlock')
      fail('PROP008', 'a final marking cannot depend on "deadlock", which depends on the final markings', {
        part: 'final',
      });
    all.push(...partsOf(f));
  }
  if (!isStateFormula(formula))
    fail('PROP008', 'expected a formula without path operators as the final marking', { part: 'final' });
  return formula;
}

const OPERATORS = 'true false dead deadlock initial within compare enabled not and or implies AX EX AF EF AG EG AU EU';

function checkFormula(net: Net, formula: Formula): void {
  const part = 'property';
  if (nesting(formula) > MAX_NESTING) fail('PROP005', `the formula is nested deeper than ${MAX_NESTING}`, { part });
  const colours = coloursOf(net);
  const left = [formula];
  for (let f = left.pop(); f !== undefined; f = left.pop()) {
    const { op } = f;
    if (!OPERATORS.split(' ').includes(op))
      fail('PROP009', `unknown operator ${shown(op)}.${didYouMean(String(op), OPERATORS.split(' '))}`, { part });
    if (f.op === 'within' && !(Number.isSafeInteger(f.tokens) && f.tokens >= 0))
      fail('PROP006', `within: expected an integer >= 0, got ${shown(f.tokens)}`, { part });
    if (f.op === 'compare') {
      if (!['<', '<=', '=', '!=', '>=', '>'].includes(f.relation))
        fail('PROP009', `unknown relation ${quote(String(f.relation))}`, { part });
      checkSum(net, f.left);
      checkSum(net, f.right);
    }
    if (f.op === 'enabled')
      for (const name of f.transitions) {
        const message = colours.unknownTransition(name);
        if (message !== undefined) fail('PROP003', message, { part });
      }
    left.push(...partsOf(f));
  }
}

function checkSum(net: Net, { terms, constant }: Sum): void {
  const part = 'property';
  const colours = coloursOf(net);
  normalised(terms, constant);
  for (const { place, colour } of terms) {
    const message = colours.unknownPlace(place);
    if (message !== undefined) fail('PROP002', message, { part });
    const wrong = colour === undefined ? undefined : colours.problem(place, colour);
    if (wrong !== undefined) fail('PROP004', wrong, { part });
  }
}

/** The result for a question and for the units it consists of. */
export interface Decision {
  readonly question: Question;
  /** Boolean for formulas, number for upper bounds (Infinity if unbounded); undefined if unknown. */
  readonly value: boolean | number | undefined;
  readonly units: ReadonlyMap<Formula, Unit>;
  readonly known: ReadonlyMap<Formula, Known>;
  /** Lower bound of an unknown maximum: the largest value found. */
  readonly atLeast?: number;
  /** For `bounds`: the maximum number of tokens of each place, in the order of the net. */
  readonly bounds?: readonly number[];
  /** Number of states found when the question was decided. */
  readonly states: number;
  /** Why the value is unknown, unless the limit of the exploration is the only reason. */
  readonly reason?: string;
  /** The proof of a value that was not derived from states. */
  readonly proof?: Proof;
}

/** An open question, as helpers see it. */
export interface Open {
  readonly question: Question;
  /** The units of the formula that are still unknown. */
  readonly units: readonly Unit[];
  /** True once the question is answered. */
  readonly settled: boolean;
  /** Records the value of a unit. */
  know(unit: Unit, known: Known): void;
  /** Records the answer to the whole question. */
  answer(proof: Proof): void;
  /** Records why the question stays open, and after how many markings. */
  because(reason: string, states?: number): void;
}

/** The progress of the exploration. */
export interface Extent {
  readonly states: number;
  /** Why the exploration was truncated; undefined if it was not. */
  readonly ended: Truncation | undefined;
}

/** Answers questions by other means than exploration; called once many states have been found. */
export interface Helper {
  /** Works on the open questions, with effort proportional to the number of explored states. */
  work(open: readonly Open[], extent: Extent): void;
  /** Why exploration beyond this number of states is useless; undefined if it is not. */
  stops?(states: number): string | undefined;
}
