import { assertNever, fail, quote } from '../../base/problem.ts';
import type { MarkedToken } from '../../engine/compile.ts';
import type { Measures } from '../../engine/observers.ts';
import { evaluator } from '../../net/evaluate.ts';
import type { Binary, Expression } from '../../net/expression.ts';
import type { Net } from '../../net/net.ts';
import { coloursOf } from '../properties/colours.ts';
import type { Formula, Relation, Sum } from '../properties/property.ts';
import type { RewardExpression } from '../reward.ts';

const RELATIONS: Readonly<Record<Relation, Binary>> = {
  '<': 'lt',
  '<=': 'le',
  '=': 'eq',
  '!=': 'ne',
  '>=': 'ge',
  '>': 'gt',
};

/** Rewards as terms that the compiled code integrates; those of firings are sums of throughputs and have none. */
export class MeasuredRewards {
  readonly measures: Measures;
  /** By reward: its value in {@link Measures}, or the transitions whose firings it counts, by their number in the net. */
  readonly sources: readonly ({ readonly value: number } | { readonly transitions: readonly number[] })[];

  /** @throws InputError STAT002 for functions, and for formulas about more than token counts */
  constructor(net: Net, rewards: readonly RewardExpression[]) {
    const counts: Measures['counts'][number][] = [];
    const values: Expression[] = [];
    const known = new Map<string, Expression>();
    const countOf = (place: string, colour?: readonly (number | string)[]): Expression => {
      const own = colour === undefined ? undefined : coloursOf(net).values(place, colour)!;
      const key = JSON.stringify([place, own]);
      const found = known.get(key) ?? { op: 'var', name: String(counts.length) };
      if (!known.has(key)) counts.push({ place, ...(own === undefined ? {} : { colour: own }) });
      known.set(key, found);
      return found;
    };
    const sum = ({ terms, constant }: Sum): Expression =>
      terms.reduce<Expression>(
        (all, { factor, place, colour }) => binary('add', all, binary('mul', number(factor), countOf(place, colour))),
        number(constant),
      );
    const transitions = new Map(net.transitions.map((t, k) => [t.name, k]));
    this.sources = rewards.map((reward) => {
      if (reward.kind === 'firings')
        return { transitions: [...new Set(reward.transitions)].map((name) => transitions.get(name)!) };
      if (reward.kind === 'function')
        return fail(
          'STAT002',
          `reward ${quote(reward.name)} is a function, which a simulation does not call: use method ctmc, or give it in text form`,
        );
      return { value: values.push(reward.kind === 'sum' ? sum(reward.sum) : truth(reward.formula, sum)) - 1 };
    });
    this.measures = { counts, values };
  }

  /** The rewards of one marking without firings; `tokensAt` gives the tokens of a place. */
  inMarking(tokensAt: (place: string) => readonly MarkedToken[]): number[] {
    const { counts, values } = this.measures;
    const slots = counts.map(({ place, colour = [] }) => {
      const tokens = tokensAt(place);
      return tokens.filter((t) => colour.every((v, k) => t.values[k] === v)).length;
    });
    const slotOf = new Map(counts.map((_, k) => [String(k), k]));
    const around = { tables: new Map(), functions: new Map() };
    const found = values.map((x) => evaluator(x, slotOf, around)(slots));
    return this.sources.map((source) => ('value' in source ? found[source.value]! : 0));
  }
}

const number = (value: number): Expression => ({ op: 'const', value });
const binary = (op: Binary, a: Expression, b: Expression): Expression => ({ op, a, b });

/** A formula as a term with the value 0 or 1. */
function truth(f: Formula, sum: (of: Sum) => Expression): Expression {
  const of = (part: Formula): Expression => truth(part, sum);
  switch (f.op) {
    case 'true':
      return number(1);
    case 'false':
      return number(0);
    case 'compare':
      return binary(RELATIONS[f.relation], sum(f.left), sum(f.right));
    case 'not':
      return { op: 'not', a: of(f.of) };
    case 'and':
    case 'or': {
      const { op } = f;
      return f.of.map(of).reduce((a, b) => binary(op, a, b));
    }
    case 'implies':
      return binary('or', { op: 'not', a: of(f.a) }, of(f.b));
    case 'dead':
    case 'deadlock':
    case 'initial':
    case 'within':
    case 'enabled':
      return fail('STAT002', `a simulated reward may compare token counts only, got "${f.op}": use method ctmc`);
    case 'AU':
    case 'EU':
    case 'AX':
    case 'EX':
    case 'AF':
    case 'EF':
    case 'AG':
    case 'EG':
      throw new Error(`${f.op} is not an operator on a single marking`);
    default:
      return assertNever(f);
  }
}
