import type { AtMost, Petri, PetriTransition, Weighted } from '../petri/petri.ts';
import { coloursOf } from '../properties/colours.ts';
import type { Formula, Relation, Sum } from '../properties/property.ts';
import { asksDead, type Condition, compared, FALSE, joined, OPPOSITE, TRUE } from './condition.ts';
import type { Goal } from './reduced-exploration.ts';

/**
 * Translates a formula without path operators to the places of the unfolded net, equivalent in every marking. Tokens of a
 * place are summed over all its colours, including tokens in service; `enabled` means that the tests of some binding hold. The
 * net must have no priorities, because enabledness would then depend on more than a transition's own tests.
 * O(size of formula × net).
 *
 * @param final condition on the markings in which a run may end
 */
export function conditionOf(petri: Petri, formula: Formula, final?: Formula): Condition {
  return new Conditions(petri, final).of(formula, true);
}

/** The condition that a transition is enabled, or that it is disabled. */
export function enabledCondition(t: PetriTransition, enabled: boolean): Condition {
  const need = ([p, n]: Weighted): Condition => compared([[p, 1]], enabled ? '>=' : '<', n);
  const limit = ({ sum, most }: AtMost): Condition => compared(sum, enabled ? '<=' : '>', most);
  return joined(enabled ? 'and' : 'or', [...t.needs.map(need), ...t.limits.map(limit)]);
}

class Conditions {
  readonly #petri: Petri;
  readonly #final: Formula | undefined;
  /** Places of the unfolded net, by place of the coloured net. */
  readonly #of = new Map<number, number[]>();

  constructor(petri: Petri, final: Formula | undefined) {
    this.#petri = petri;
    this.#final = final;
    for (const [k, p] of petri.places.entries()) {
      if (p.kind === 'busy') continue;
      const list = this.#of.get(p.node);
      if (list === undefined) this.#of.set(p.node, [k]);
      else list.push(k);
    }
  }

  of(f: Formula, positive: boolean): Condition {
    switch (f.op) {
      case 'true':
      case 'false':
        return (f.op === 'true') === positive ? TRUE : FALSE;
      case 'dead':
        return { op: positive ? 'dead' : 'alive' };
      case 'deadlock': {
        const dead: Condition = { op: positive ? 'dead' : 'alive' };
        if (this.#final === undefined) return dead;
        return joined(positive ? 'and' : 'or', [dead, this.of(this.#final, !positive)]);
      }
      case 'initial':
        return joined(
          positive ? 'and' : 'or',
          this.#petri.places.map((p, k) => compared([[k, 1]], positive ? '=' : '!=', p.initial)),
        );
      case 'within':
        return joined(
          positive ? 'and' : 'or',
          this.#perColour().map((places) =>
            compared(
              places.map((p): Weighted => [p, 1]),
              positive ? '<=' : '>',
              f.tokens,
            ),
          ),
        );
      case 'enabled':
        return this.#enabled(f.transitions, positive);
      case 'compare':
        return this.#compare(f.left, positive ? f.relation : OPPOSITE[f.relation], f.right);
      case 'not':
        return this.of(f.of, !positive);
      case 'and':
      case 'or':
        return joined(
          (f.op === 'and') === positive ? 'and' : 'or',
          f.of.map((part) => this.of(part, positive)),
        );
      case 'implies':
        return joined(positive ? 'or' : 'and', [this.of(f.a, !positive), this.of(f.b, positive)]);
      default:
        throw new Error(`internal error: ${f.op} is not an operator on a single marking`);
    }
  }

  /** For every place and colour: the storage places, including the one for tokens in service. */
  #perColour(): number[][] {
    const groups = new Map<string, number[]>();
    for (const [k, p] of this.#petri.places.entries()) {
      if (p.kind === 'busy') continue;
      const key = `${p.node}:${p.values}`;
      groups.set(key, [...(groups.get(key) ?? []), k]);
    }
    return [...groups.values()];
  }

  #enabled(names: readonly string[], positive: boolean): Condition {
    const known = coloursOf(this.#petri.net).transitions;
    const nodes = new Set(names.map((name) => known.get(name)));
    const bindings = this.#petri.transitions.filter(
      (t) => (t.kind === 'fire' || t.kind === 'start') && nodes.has(t.node),
    );
    return joined(
      positive ? 'or' : 'and',
      bindings.map((t) => enabledCondition(t, positive)),
    );
  }

  #compare(left: Sum, relation: Relation, right: Sum): Condition {
    const factors = new Map<number, number>();
    const add = (sum: Sum, sign: 1 | -1): void => {
      for (const term of sum.terms)
        for (const p of this.#counted(term)) factors.set(p, (factors.get(p) ?? 0) + sign * term.factor);
    };
    add(left, 1);
    add(right, -1);
    return compared([...factors], relation, right.constant - left.constant);
  }

  #counted({ place, colour }: Sum['terms'][number]): number[] {
    const colours = coloursOf(this.#petri.net);
    const all = this.#of.get(colours.places.get(place)!) ?? [];
    if (colour === undefined) return all;
    const values = colours.values(place, colour)!;
    return all.filter((k) => this.#petri.places[k]!.values.every((v, i) => v === values[i]));
  }
}

/**
 * The search goal for reaching a marking that satisfies a formula without path operators. If the formula is a conjunction of
 * `dead` and a condition on places, the goal is a deadlock, for which reductions can omit more. O(size of formula × net).
 *
 * @param final condition on the markings in which a run may end
 */
export function goalOf(petri: Petri, formula: Formula, final?: Formula): Goal {
  const condition = conditionOf(petri, formula, final);
  const parts = condition.op === 'and' ? condition.of : [condition];
  if (!parts.some((part) => part.op === 'dead')) return { kind: 'reach', condition };
  const rest = joined(
    'and',
    parts.filter((part) => part.op !== 'dead'),
  );
  if (asksDead(rest)) return { kind: 'reach', condition };
  return rest.op === 'true' ? { kind: 'deadlock' } : { kind: 'deadlock', unless: negated(rest) };
}

/** The negation of a condition. O(size of the condition). */
function negated(c: Condition): Condition {
  switch (c.op) {
    case 'true':
      return { op: 'false' };
    case 'false':
      return { op: 'true' };
    case 'dead':
      return { op: 'alive' };
    case 'alive':
      return { op: 'dead' };
    case 'sum':
      return compared(c.sum, OPPOSITE[c.relation], c.than);
    case 'and':
    case 'or':
      return joined(c.op === 'and' ? 'or' : 'and', c.of.map(negated));
  }
}
