import type { Expression } from '../expression.ts';
import { scalarNet } from '../expressions.ts';
import type { InputArc, Net, OutputArc } from '../net.ts';
import { byText, Inscriptions } from '../text/text-terms.ts';
import { assertNet } from '../validation/validate-shape.ts';

/** Tokens with the same inscription. */
export interface InscribedTokens {
  /** The inscription as text: `(x, y)`; '' for a place without columns. */
  readonly text: string;
  /** The inscription as expressions; an omitted column matches every value. */
  readonly values: Readonly<Record<string, Expression>>;
  /** Number of tokens; negative for tokens taken, in a change. */
  readonly count: Expression;
}

/** Effect of one transition on one place. */
export interface IncidenceEntry {
  /** Row of the matrix. */
  readonly place: string;
  /** Column of the matrix. */
  readonly transition: string;
  /** Tokens taken. */
  readonly pre: readonly InscribedTokens[];
  /** Tokens put. */
  readonly post: readonly InscribedTokens[];
  /** Post − Pre. Equal inscriptions with constant counts are combined and zeros omitted; put tokens come first. */
  readonly change: readonly InscribedTokens[];
  /** Arcs that the change does not show. */
  readonly tests: readonly (InscribedTokens & { readonly kind: 'read' | 'inhibit' | 'reset' })[];
}

/** The incidence matrix of a folded net: rows, columns, and the entries that have an arc. */
export interface Incidence {
  /** Names of the places (rows), in natural order. */
  readonly places: readonly string[];
  /** Names of the transitions (columns), in natural order. */
  readonly transitions: readonly string[];
  /** Sorted by place, then by transition. */
  readonly entries: readonly IncidenceEntry[];
}

/**
 * The folded incidence matrix of a valid net: an entry is a signed multiset of inscriptions (Jensen, _Coloured Petri
 * nets and the invariant-method_, 1981). For a timed transition it combines start and end. An inscription with an
 * omitted column matches an unknown token, so it never cancels. Names are in natural order (`p2` before `p10`). O(arcs
 * · log arcs).
 *
 * @throws InputError NET037 if the value is not a net
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
      const inscribed = (a: InputArc): InscribedTokens => ({
        text: written.tokens(place, a.pattern),
        values: a.pattern,
        count: { op: 'const', value: a.count },
      });
      const pre = inputs.filter((a) => a.kind === 'take').map(inscribed);
      const post = outputs.map((a) => ({ text: written.tokens(place, a.values), values: a.values, count: a.count }));
      const tests = inputs.flatMap((a) => (a.kind === 'take' ? [] : [{ kind: a.kind, ...inscribed(a) }]));
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
  const terms: { like: InscribedTokens; sign: number }[] = [];
  for (const [list, sign] of [
    [post, 1],
    [pre, -1],
  ] as const) {
    for (const like of list) {
      const exact = columns.every((c) => Object.hasOwn(like.values, c));
      if (like.count.op !== 'const' || !exact) {
        terms.push({ like, sign });
        continue;
      }
      const key = JSON.stringify(columns.map((c) => withoutColour(like.values[c]!)));
      const sum = (sums.get(key)?.sum ?? 0) + sign * like.count.value;
      sums.set(key, { like: sums.get(key)?.like ?? like, sum });
    }
  }
  const changed = [
    ...[...sums.values()].map(({ like, sum }): InscribedTokens => ({ ...like, count: { op: 'const', value: sum } })),
    ...terms.map(({ like, sign }) => (sign > 0 ? like : { ...like, count: negated(like.count) })),
  ].filter((c) => c.count.op !== 'const' || c.count.value !== 0);
  const below = (c: InscribedTokens): number => Number(c.count.op === 'const' && c.count.value < 0);
  const count = (c: InscribedTokens): string => JSON.stringify(c.count);
  return changed.sort((a, b) => below(a) - below(b) || byText(a.text, b.text) || byText(count(a), count(b)));
}

/** The expression without the enumeration of a constant, which the place determines. */
function withoutColour(e: Expression): Expression {
  return e.op === 'const' ? { op: 'const', value: e.value } : e;
}

function negated(count: Expression): Expression {
  return count.op === 'const' ? { op: 'const', value: -count.value } : { op: 'neg', a: count };
}

/** Natural order: by code unit, but runs of digits by number. */
function naturally(a: string, b: string): number {
  const [x, y] = [a.split(/(\d+)/), b.split(/(\d+)/)];
  for (let k = 0; k < Math.min(x.length, y.length); k++) {
    const order = (k % 2 === 1 ? Number(x[k]) - Number(y[k]) : 0) || byText(x[k]!, y[k]!);
    if (order !== 0) return order;
  }
  return x.length - y.length;
}
