import type { Field } from '../colour.ts';
import type { Expression } from '../expression.ts';
import type { InputArc, OutputArc, Transition } from '../net.ts';
import { type ArcPlace, bringingArcs, takingArcs, testingArc } from './pnml-arcs.ts';
import type { Context } from './pnml-context.ts';
import type { Declarations, Variable } from './pnml-declarations.ts';
import { type Sort, setsOf, sortText } from './pnml-declarations.ts';
import { conditionOf } from './pnml-difference.ts';
import type { ArcRecord, TransitionRecord } from './pnml-document.ts';
import { type Difference, type Multiset, sum, tokens as tokensIn } from './pnml-multiset.ts';
import { Terms } from './pnml-terms.ts';

/** A place with its sort, for arcs and markings. */
export interface SortedPlace extends ArcPlace {
  readonly sort: Sort;
}

/** An arc of a transition, with the place at its other end. */
export interface EndedArc {
  readonly arc: ArcRecord;
  readonly place: SortedPlace;
  readonly takes: boolean;
}

/**
 * Builds a transition. Variables that occur in an arc or the condition but are not bound by an arc become free, because
 * a binding assigns every variable.
 */
export function transitionOf(
  ctx: Context,
  declarations: Declarations,
  name: string,
  record: TransitionRecord,
  arcs: readonly EndedArc[],
): Transition {
  const variables = new Variables();
  const terms = new Terms(ctx, declarations, (v) => variables.columns(v));
  const inputs: InputArc[] = [];
  const outputs: OutputArc[] = [];
  const differences: Difference[] = [];
  for (const { arcs: together, place, takes } of joinedArcs(arcs))
    ctx.attempt(() => {
      const arc = together[0]!;
      if (arc.kind !== undefined && arc.kind !== 'take') {
        const given = arc.inscription !== undefined || arc.weight !== undefined;
        inputs.push(testingArc(ctx, place, arc, given ? tokensOf(ctx, terms, arc, place) : undefined));
        return;
      }
      for (const tokens of summed(together.map((a) => tokensOf(ctx, terms, a, place)))) {
        const at = arc.inscription ?? arc;
        if (takes) for (const a of takingArcs(ctx, place, tokens, at)) inputs.push(a);
        else for (const a of bringingArcs(ctx, place, tokens, at)) outputs.push(a);
        differences.push(...tokens.differences);
      }
    });
  const { condition } = record;
  const own = condition === undefined ? undefined : ctx.attempt(() => terms.condition(condition));
  const needed = conditionOf(differences);
  const guard: Expression | undefined =
    needed.op === 'const' && needed.value === 1 ? own : own === undefined ? needed : { op: 'and', a: own, b: needed };
  const free = variables.free(inputs);
  return {
    name,
    inputs,
    outputs,
    ...(free.length === 0 ? {} : { free }),
    ...(guard === undefined ? {} : { guard }),
  };
}

/**
 * Combines take arcs from the same place, and put arcs to the same place. Input arcs come first; otherwise document
 * order is kept.
 */
function joinedArcs(
  arcs: readonly EndedArc[],
): { readonly arcs: ArcRecord[]; readonly place: SortedPlace; readonly takes: boolean }[] {
  const inputs: { arcs: ArcRecord[]; place: SortedPlace; takes: boolean }[] = [];
  const outputs: typeof inputs = [];
  const known = new Map<string, ArcRecord[]>();
  for (const { arc, place, takes } of arcs) {
    const normal = arc.kind === undefined || arc.kind === 'take';
    const key = `${takes} ${place.name}`;
    const same = normal ? known.get(key) : undefined;
    if (same !== undefined) {
      same.push(arc);
      continue;
    }
    const one = { arcs: [arc], place, takes };
    if (normal) known.set(key, one.arcs);
    (takes ? inputs : outputs).push(one);
  }
  return [...inputs, ...outputs];
}

/**
 * Sums the multisets without subtraction. The others stay separate, because each is defined or undefined separately.
 */
function summed(parts: readonly Multiset[]): Multiset[] {
  if (parts.length === 1) return [...parts];
  const plain = parts.filter((m) => m.minus.length === 0);
  return [...(plain.length === 0 ? [] : [sum(plain)]), ...parts.filter((m) => m.minus.length > 0)];
}

function tokensOf(ctx: Context, terms: Terms, arc: ArcRecord, place: SortedPlace): Multiset {
  if (arc.inscription !== undefined) return terms.tokens(arc.inscription, place.sort);
  if (place.columns.length > 0)
    ctx.giveUp('PNML019', `the arc has no <hlinscription>, but place ${place.name} holds ${sortText(place.sort)}`, arc);
  return tokensIn([{ columns: [], count: arc.weight?.value ?? 1 }]);
}

/** The variables of one transition and their unique names. */
class Variables {
  readonly #known = new Map<string, { readonly fields: readonly Field[]; readonly columns: readonly Expression[] }>();
  readonly #names = new Set<string>();

  columns(variable: Variable): readonly Expression[] {
    let known = this.#known.get(variable.id);
    if (known === undefined) {
      const sets = setsOf(variable.sort);
      const fields = sets.map((set, k) => ({
        name: this.#unique(sets.length === 1 ? variable.name : `${variable.name}.${k + 1}`),
        colour: set.name,
      }));
      known = { fields, columns: fields.map(({ name }) => ({ op: 'var', name })) };
      this.#known.set(variable.id, known);
    }
    return known.columns;
  }

  /** The variables not bound by an arc. */
  free(inputs: readonly InputArc[]): Field[] {
    const bound = new Set<string>();
    for (const arc of inputs)
      if (arc.kind === 'take' || arc.kind === 'read')
        for (const e of Object.values(arc.pattern)) if (e.op === 'var') bound.add(e.name);
    return [...this.#known.values()].flatMap(({ fields }) => fields.filter((f) => !bound.has(f.name)));
  }

  /** Names must be unique in a transition, and not be inherited members of JavaScript objects. */
  #unique(name: string): string {
    let free = name;
    while (this.#names.has(free) || free in OBJECT) free += "'";
    this.#names.add(free);
    return free;
  }
}

const OBJECT = {};
