import { fail } from '../../base/problem.ts';
import type { Weighted } from '../petri/petri.ts';
import type { Condition } from '../reduction/condition.ts';

/** Minimum token counts of some places. */
export type Demand = ReadonlyMap<number, number>;

/** Maximum number of demands per condition. */
const MAX_DEMANDS = 10_000;

/** True if the condition is upward closed: if it holds in a marking, it also holds with more tokens. */
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
 * The minimal demands of an upward-closed condition: it holds if and only if one of them is met.
 *
 * @throws InputError COV003 if the condition is not upward closed or has more than 10 000 demands
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
        if (a.length * b.length > MAX_DEMANDS) tooMany();
        return a.flatMap((x) => b.map((y) => joint(x, y)));
      });
    default:
      return [];
  }
}

function ofSum({ sum, relation, than }: Condition & { op: 'sum' }): Demand[] {
  const up = relation === '>=' || relation === '>';
  const terms = sum.map(([p, n]): Weighted => [p, Math.abs(n)]);
  const min = (up ? than : -than) + (relation === '>' || relation === '<' ? 1 : 0);
  let found: { readonly demand: Demand; readonly left: number }[] = [{ demand: new Map(), left: min }];
  for (const [k, [p, n]] of terms.entries()) {
    const next: typeof found = [];
    for (const { demand, left } of found) {
      const max = Math.max(0, Math.ceil(left / n));
      // The last place has to supply the remainder.
      for (let tokens = k === terms.length - 1 ? max : 0; tokens <= max; tokens++) {
        next.push({ demand: tokens === 0 ? demand : new Map([...demand, [p, tokens]]), left: left - n * tokens });
        if (next.length > MAX_DEMANDS) tooMany();
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
  if (all.length > MAX_DEMANDS) tooMany();
  return all;
}

function tooMany(): never {
  fail('COV003', `condition has more than ${MAX_DEMANDS} minimal markings`, { part: 'condition' });
}
