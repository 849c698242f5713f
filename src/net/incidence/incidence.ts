import type { Expression } from '../expression.ts';
import type { InputArc, Net, OutputArc } from '../net.ts';
import { scalarNet } from '../scalar.ts';
import { Inscriptions } from '../text/inscription.ts';
import { byText } from '../text/text-terms.ts';
import { assertNet } from '../validation/validate-shape.ts';

/** Tokens of one inscription. */
export interface InscribedTokens {
  /** What the arc gives for the columns, as people write it: `(x, y)`; '' for a place without columns. */
  readonly text: string;
  /** The same as expressions; a column left out stands for any value. */
  readonly values: Readonly<Record<string, Expression>>;
  /** How many tokens; below zero for those taken in a change. */
  readonly count: Expression;
}

/** What a transition does at a place. */
export interface IncidenceEntry {
  readonly place: string;
  readonly transition: string;
  /** What it takes. */
  readonly pre: readonly InscribedTokens[];
  /** What it brings. */
  readonly post: readonly InscribedTokens[];
  /** Post − Pre: equal inscriptions with constant counts in one, none of count 0; what is brought comes first. */
  readonly change: readonly InscribedTokens[];
  /** Arcs that the difference does not show. */
  readonly tests: readonly (InscribedTokens & { readonly kind: 'read' | 'inhibit' | 'reset' })[];
}

/** The incidence matrix of a folded net: its rows, its columns, and the entries where there is an arc. */
export interface Incidence {
  readonly places: readonly string[];
  readonly transitions: readonly string[];
  /** By place, then by transition. */
  readonly entries: readonly IncidenceEntry[];
}

/**
 * The incidence matrix of a valid net, folded: an entry is a signed multiset of inscriptions (Jensen, _Coloured Petri
 * nets and the invariant-method_, 1981). Of a transition that lasts it is start and end together. An inscription that
 * leaves a column out is a token that the pattern does not tell, and cancels with nothing. Names are in natural order
 * (`p2` before `p10`). O(arcs · log arcs).
 *
 * @throws InputError NET037 for what is no net
 */
export function incidence(net: Net): Incidence {
  assertNet(net);
  const columns = new Map(scalarNet(net).places.map((p) => [p.name, p.fields.map((f) => f.name)]));
  const written = new Inscriptions(net);
  const entries: IncidenceEntry[] = [];
  for (const t of net.transitions) {
    const at = new Map<string, { inputs: InputArc[]; outputs: OutputArc[] }>();
    const arcs = (place: string): { inputs: InputArc[]; outputs: OutputArc[] } => {
      const found = at.get(place) ?? { inputs: [], outputs: [] };
      at.set(place, found);
      return found;
    };
    for (const a of t.inputs) arcs(a.place).inputs.push(a);
    for (const a of t.outputs) arcs(a.place).outputs.push(a);
    for (const [place, { inputs, outputs }] of at) {
      const told = (a: InputArc): InscribedTokens => ({
        text: written.tokens(place, a.pattern),
        values: a.pattern,
        count: { op: 'const', value: a.count },
      });
      const pre = inputs.filter((a) => a.kind === 'take').map(told);
      const post = outputs.map((a) => ({ text: written.tokens(place, a.values), values: a.values, count: a.count }));
      const tests = inputs.flatMap((a) => (a.kind === 'take' ? [] : [{ kind: a.kind, ...told(a) }]));
      const change = difference(post, pre, columns.get(place)!);
      entries.push({ place, transition: t.name, pre, post, change, tests });
    }
  }
  entries.sort((a, b) => naturally(a.place, b.place) || naturally(a.transition, b.transition));
  return {
    places: net.places.map((p) => p.name).sort(naturally),
    transitions: net.transitions.map((t) => t.name).sort(naturally),
    entries,
  };
}

function difference(
  post: readonly InscribedTokens[],
  pre: readonly InscribedTokens[],
  columns: readonly string[],
): InscribedTokens[] {
  const sums = new Map<string, { like: InscribedTokens; sum: number }>();
  const apart: { like: InscribedTokens; sign: number }[] = [];
  for (const [list, sign] of [
    [post, 1],
    [pre, -1],
  ] as const) {
    for (const like of list) {
      const exact = columns.every((c) => Object.hasOwn(like.values, c));
      if (like.count.op !== 'const' || !exact) {
        apart.push({ like, sign });
        continue;
      }
      const key = JSON.stringify(columns.map((c) => withoutColour(like.values[c]!)));
      const sum = (sums.get(key)?.sum ?? 0) + sign * like.count.value;
      sums.set(key, { like: sums.get(key)?.like ?? like, sum });
    }
  }
  const changed = [
    ...[...sums.values()].map(({ like, sum }): InscribedTokens => ({ ...like, count: { op: 'const', value: sum } })),
    ...apart.map(({ like, sign }) => (sign > 0 ? like : { ...like, count: negated(like.count) })),
  ].filter((c) => c.count.op !== 'const' || c.count.value !== 0);
  const below = (c: InscribedTokens): number => Number(c.count.op === 'const' && c.count.value < 0);
  const count = (c: InscribedTokens): string => JSON.stringify(c.count);
  return changed.sort((a, b) => below(a) - below(b) || byText(a.text, b.text) || byText(count(a), count(b)));
}

/** The place says which enumeration a constant belongs to. */
function withoutColour(e: Expression): Expression {
  return e.op === 'const' ? { op: 'const', value: e.value } : e;
}

function negated(count: Expression): Expression {
  return count.op === 'const' ? { op: 'const', value: -count.value } : { op: 'neg', a: count };
}

/** Texts by code unit, but runs of digits by number. */
function naturally(a: string, b: string): number {
  const [x, y] = [a.split(/(\d+)/), b.split(/(\d+)/)];
  for (let k = 0; k < Math.min(x.length, y.length); k++) {
    const order = (k % 2 === 1 ? Number(x[k]) - Number(y[k]) : 0) || byText(x[k]!, y[k]!);
    if (order !== 0) return order;
  }
  return x.length - y.length;
}
