import { questionOf } from '../../analysis/properties/formula-of.ts';
import { parseProperty } from '../../analysis/properties/parse-property.ts';
import { type Formula, isStateFormula } from '../../analysis/properties/property.ts';
import { formulaText } from '../../analysis/properties/property-text.ts';
import type { LinearSolver } from '../../analysis/structure/linear-program.ts';
import { placeNames, weightsText } from '../../analysis/structure/prove-property.ts';
import type { Demand } from '../../analysis/structure/state-equation.ts';
import type { Structure } from '../../analysis/structure/structure.ts';
import { type Impossible, provesUnreachable } from '../../analysis/structure/unreachable.ts';
import { fail, InputError, shown } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import { named } from './structure-document.ts';
import type { TargetCertificate, UnreachableTarget } from './structure-result.ts';

/** Targets are parsed inside an invariant, where a bare name means the tokens of a place. */
const BEFORE = 'invariant(';

/** Maximum number of certificates listed per target. */
const MAX_CERTIFICATES = 100;

/**
 * Parses targets as state formulas.
 *
 * @throws InputError STR002 a target with path operators, or not a target at all; PROP001 … a syntax error
 */
export function targetsOf(net: Net, given: readonly (string | Formula)[]): Formula[] {
  return given.map((target, k) => {
    const part = `target ${k + 1}`;
    if (typeof target !== 'string' && !(typeof target === 'object' && target !== null && 'op' in target))
      fail('STR002', `expected a string or a formula, got ${shown(target)}`, { part });
    const formula = typeof target === 'string' ? parsed(net, target, part) : target;
    const question = inPart(part, 0, () => questionOf(net, { kind: 'formula', formula }));
    if (question.kind !== 'formula' || !isStateFormula(formula))
      fail('STR002', 'expected a formula of one marking, without path operators', { part });
    return formula;
  });
}

function parsed(net: Net, text: string, part: string): Formula {
  if (text.trim() === '') fail('STR002', 'the target is empty', { part });
  const property = inPart(part, BEFORE.length, () => parseProperty(`${BEFORE}${text})`, net));
  return property.kind === 'invariant' ? property.formula : fail('STR002', 'expected a formula', { part });
}

/** Runs a function whose problems then name the target and columns within its text. */
function inPart<T>(part: string, before: number, run: () => T): T {
  try {
    return run();
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    throw new InputError(
      e.problems.map((p) => {
        const { column, ...rest } = p.place ?? {};
        const own = column === undefined ? {} : { column: rest.line === 1 ? Math.max(1, column - before) : column };
        return { ...p, place: { ...rest, ...own, part } };
      }),
    );
  }
}

/** The proof result for each target. */
export function unreachableTargets(
  found: Structure,
  targets: readonly Formula[],
  solver: LinearSolver | undefined,
): UnreachableTarget[] {
  const names = placeNames(found.petri);
  return targets.map((target): UnreachableTarget => {
    const text = formulaText(target);
    const proof = provesUnreachable(found, target, solver);
    if (proof === undefined) {
      const without = solver === undefined ? '; the state equation was not solved' : '';
      return { target: text, unreachable: null, because: `not proved${without}`, certificates: [] };
    }
    const certificates = proof.alternatives.map(({ demands, because }) => certificate(names, demands, because));
    const [first] = certificates;
    return {
      target: text,
      unreachable: true,
      because: first === undefined ? 'no marking satisfies it' : first.because,
      certificates: certificates.slice(0, MAX_CERTIFICATES),
    };
  });
}

function certificate(names: readonly string[], demands: readonly Demand[], because: Impossible): TargetCertificate {
  const alternative = demands.map((d) => demandText(d, names)).join(' & ');
  if (because.by === 'bounds')
    return {
      alternative,
      by: 'bounds',
      because: `${demandText(because.demand, names)}, but the bounds allow ${because.most}`,
    };
  const { multipliers, weights, tokens, demanded } = because.refutation;
  const never = because.by === 'semiflow' ? `= ${tokens} in every marking` : `never exceeds ${tokens}`;
  // The proof may also use bounds of places.
  const used = because.demands.flatMap((demand, k) =>
    k < demands.length || multipliers[k] === 0 ? [] : [{ demand, multiplier: multipliers[k]! }],
  );
  const bounds = used.map(({ demand }) => demandText(demand, names));
  const using = bounds.length === 0 ? '' : ` with ${bounds.slice(0, 4).join(', ')}${bounds.length > 4 ? ' …' : ''}`;
  return {
    alternative,
    by: because.by,
    because: `${weightsText(weights, names)} ${never}, but ${demanded} is needed${using}`,
    multipliers: multipliers.slice(0, demands.length),
    ...(used.length === 0
      ? {}
      : {
          bounds: used.map(({ demand, multiplier }) => ({
            place: names[[...demand.weights.keys()][0]!]!,
            most: -demand.least,
            multiplier,
          })),
        }),
    weights: named(weights, names),
    tokens,
    demanded,
  };
}

function demandText({ weights, least }: Demand, names: readonly string[]): string {
  const negative = [...weights.values()].every((w) => w < 0);
  if (!negative) return `${weightsText(weights, names)} ≥ ${least}`;
  return `${weightsText(new Map([...weights].map(([p, w]) => [p, -w])), names)} ≤ ${-least}`;
}
