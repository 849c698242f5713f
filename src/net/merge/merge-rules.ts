import { fail, shown } from '../../base/problem.ts';
import { evaluator } from '../evaluate.ts';
import { type Expression, operands, variablesOf } from '../expression.ts';
import { assertGiven } from '../members.ts';

/**
 * Rules for combining the delays, weights and priorities of partners. Each must be associative and commutative, so that
 * the order of merging does not matter. Partners without a delay or weight are skipped.
 */
export interface CombineRules {
  /** For deterministic delays; default: maximum. */
  readonly delay: (a: Expression, b: Expression) => Expression;
  /** Default: product. */
  readonly weight: (a: Expression, b: Expression) => Expression;
  /** Default: maximum; an undefined priority is 0. */
  readonly priority: (a: number, b: number) => number;
}

/** Sample values for testing rules; sums and products of three of them are exact in binary. */
const DELAYS: readonly number[] = [0, 0.5, 1, 2, 3, 7, 1024];
const WEIGHTS: readonly number[] = [0.25, 0.5, 1, 2, 3, 7, 1024];
const PRIORITIES: readonly number[] = [-5, -1, 0, 1, 2, 3, 100];
/** Relative tolerance for equal results, because rules may divide. */
const SAME = 1e-9;

/**
 * The rules with defaults for those not given. Given rules are tested on all pairs and triples of sample values.
 *
 * @throws InputError NET077 with a counter-example if a rule is not associative or not commutative, gives no number, or
 * uses tables or functions, which cannot be tested; NET040, NET058 if a rule is not a function or unknown
 */
export function combineRules(given: Partial<CombineRules>): CombineRules {
  assertGiven('merge', 'combine', given, { delay: 'a function', weight: 'a function', priority: 'a function' });
  if (given.delay !== undefined) check('delay', onNumbers('delay', given.delay), DELAYS);
  if (given.weight !== undefined) check('weight', onNumbers('weight', given.weight), WEIGHTS);
  if (given.priority !== undefined) check('priority', given.priority, PRIORITIES);
  return {
    delay: given.delay ?? ((a, b) => ({ op: 'max', a, b })),
    weight: given.weight ?? ((a, b) => ({ op: 'mul', a, b })),
    priority: given.priority ?? Math.max,
  };
}

type OnNumbers = (a: number, b: number) => number;

/** The rule as a function of two numbers; it is called once, with two variables. */
function onNumbers(what: keyof CombineRules, rule: CombineRules['delay' | 'weight']): OnNumbers {
  const slots = new Map([
    ['a', 0],
    ['b', 1],
  ]);
  const e = rule({ op: 'var', name: 'a' }, { op: 'var', name: 'b' });
  if (typeof e !== 'object' || e === null)
    fail('NET077', `returns ${shown(e)}: expected an expression of its operands`, partOf(what));
  if (looksUp(e) || [...variablesOf(e)].some((v) => !slots.has(v)))
    fail('NET077', 'depends on more than its operands: expected arithmetic on both operands', partOf(what));
  const value = evaluator(e, slots, { tables: new Map(), functions: new Map() });
  return (a, b) => value([a, b]);
}

function looksUp(e: Expression): boolean {
  return e.op === 'at' || e.op === 'step' || e.op === 'call' || operands(e).some(looksUp);
}

function partOf(what: keyof CombineRules): { part: string } {
  return { part: `rule for ${what}` };
}

function check(what: keyof CombineRules, rule: OnNumbers, samples: readonly number[]): void {
  const part = partOf(what);
  const f = (a: number, b: number): number => {
    const value = rule(a, b);
    if (!Number.isFinite(value) || (what === 'priority' && !Number.isSafeInteger(value)))
      fail(
        'NET077',
        `f(${a}, ${b}) = ${value}: expected ${what === 'priority' ? 'an integer' : 'a finite number'}`,
        part,
      );
    return value;
  };
  const same = (a: number, b: number): boolean => Math.abs(a - b) <= SAME * Math.max(Math.abs(a), Math.abs(b));
  for (const a of samples)
    for (const b of samples) {
      const [ab, ba] = [f(a, b), f(b, a)];
      if (!same(ab, ba)) fail('NET077', `is not commutative: f(${a}, ${b}) = ${ab}, f(${b}, ${a}) = ${ba}`, part);
    }
  for (const a of samples)
    for (const b of samples)
      for (const c of samples) {
        const [left, right] = [f(f(a, b), c), f(a, f(b, c))];
        const texts = `f(f(${a}, ${b}), ${c}) = ${left}, f(${a}, f(${b}, ${c})) = ${right}`;
        if (!same(left, right)) fail('NET077', `is not associative: ${texts}`, part);
      }
}
