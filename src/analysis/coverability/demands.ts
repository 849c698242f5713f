import { fail } from '../../base/problem.ts';
import type { Condition } from '../reduction/condition.ts';
import type { Weighted } from '../space/petri.ts';

/** Least tokens of some places. */
export type Demand = ReadonlyMap<number, number>;

/** Demands of one condition at most. */
const MOST = 10_000;

/** Whether a condition that holds in a marking holds with more tokens, too. */
export function isUpward(condition: Condition): boolean {
  const left = [condition];
  for (let c = left.pop(); c !== undefined; c = left.pop()) {
    if (c.op === 'dead' || c.op === 'alive') return false;
    if (c.op === 'sum') {
      const up = c.relation === '>=' || c.relation === '>';
      const down = c.relation === '<=' || c.relation === '<';
      if (!(up || down) || c.sum.some(([, n]) => n > 0 !== up)) return false;
    } else if ('of' in c) left.push(...c.of);
  }
  return true;
}

/**
 * The least demands of a condition that more tokens keep: it holds where one of them is met.
 *
 * @throws InputError COV003 where it is no such condition, or they are too many
 */
export function demandsOf(condition: Condition): Demand[] {
  if (!isUpward(condition)) fail('COV003', 'more tokens may make the condition false', { part: 'condition' });
  return demands(condition);
}

function demands(c: Condition): Demand[] {
  switch (c.op) {
    case 'true':
      return [new Map()];
    case 'sum':
      return ofSum(c);
    case 'or':
      return limited(c.of.flatMap(demands));
    case 'and':
      return c.of.map(demands).reduce((a, b) => {
        if (a.length * b.length > MOST) tooMany();
        return a.flatMap((x) => b.map((y) => joint(x, y)));
      });
    default:
      return [];
  }
}

function ofSum({ sum, relation, than }: Condition & { op: 'sum' }): Demand[] {
  const up = relation === '>=' || relation === '>';
  const terms = sum.map(([p, n]): Weighted => [p, Math.abs(n)]);
  const least = (up ? than : -than) + (relation === '>' || relation === '<' ? 1 : 0);
  let found: { readonly demand: Demand; readonly left: number }[] = [{ demand: new Map(), left: least }];
  for (const [k, [p, n]] of terms.entries()) {
    const next: typeof found = [];
    for (const { demand, left } of found) {
      const most = Math.max(0, Math.ceil(left / n));
      // The last place has to bring what is left.
      for (let tokens = k === terms.length - 1 ? most : 0; tokens <= most; tokens++) {
        next.push({ demand: tokens === 0 ? demand : new Map([...demand, [p, tokens]]), left: left - n * tokens });
        if (next.length > MOST) tooMany();
      }
    }
    found = next;
  }
  return found.map((f) => f.demand);
}

function joint(a: Demand, b: Demand): Demand {
  const all = new Map(a);
  for (const [p, n] of b) all.set(p, Math.max(all.get(p) ?? 0, n));
  return all;
}

function limited(all: Demand[]): Demand[] {
  if (all.length > MOST) tooMany();
  return all;
}

function tooMany(): never {
  fail('COV003', `more than ${MOST} least markings meet the condition`, { part: 'condition' });
}
