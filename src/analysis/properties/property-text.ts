import type { Formula, Property, Sum, Term } from './property.ts';

/** Names that need no quotes. */
const PLAIN = /^[A-Za-z_][\w.-]*$/;

/** The text form of a property. `parseProperty` reads it back as an equal property. O(size of the property). */
export function propertyText(property: Property): string {
  switch (property.kind) {
    case 'formula':
      return formulaText(property.formula);
    case 'upper-bound':
      return `upper-bound(${sumText(property.sum)})`;
    case 'bounded':
      return `bounded(${property.tokens})`;
    case 'mutex':
      return `mutex(${property.places.map(name).join(', ')})`;
    case 'invariant':
    case 'home':
      return `${property.kind}(${formulaText(property.formula)})`;
    default:
      return property.transitions === undefined
        ? property.kind
        : `${property.kind}(${property.transitions.map(name).join(', ')})`;
  }
}

/** Binding strength of the operators; larger numbers bind tighter. */
const BINDS: Readonly<Partial<Record<Formula['op'], number>>> = { implies: 1, or: 2, and: 3 };
const SIGN = { implies: ' -> ', or: ' | ', and: ' & ' } as const;

export function formulaText(f: Formula): string {
  switch (f.op) {
    case 'within':
      return `within(${f.tokens})`;
    case 'compare':
      return `${sumText(f.left)} ${f.relation} ${sumText(f.right)}`;
    case 'enabled':
      return `enabled(${f.transitions.map(name).join(', ')})`;
    case 'not':
      return `!${operand(f.of)}`;
    case 'and':
    case 'or':
      // Conjunctions and disjunctions of fewer than two operands have no operator in the text form.
      if (f.of.length < 2) return f.of.length === 1 ? formulaText(f.of[0]!) : f.op === 'and' ? 'true' : 'false';
      return f.of.map((part) => within(part, f.op)).join(SIGN[f.op]);
    case 'implies':
      return `${within(f.a, 'implies')}${SIGN.implies}${f.b.op === 'implies' ? formulaText(f.b) : within(f.b, 'implies')}`;
    case 'AU':
    case 'EU':
      return `${f.op[0]}[${formulaText(f.a)} U ${formulaText(f.b)}]`;
    case 'AX':
    case 'EX':
    case 'AF':
    case 'EF':
    case 'AG':
    case 'EG': {
      const text = operand(f.of);
      return text.startsWith('(') ? f.op + text : `${f.op} ${text}`;
    }
    default:
      return f.op;
  }
}

function operand(f: Formula): string {
  return f.op === 'compare' || BINDS[f.op] !== undefined ? `(${formulaText(f)})` : formulaText(f);
}

/** The text of an operand of `and`, `or` or `implies`, in brackets if it does not bind tighter. */
function within(f: Formula, op: 'and' | 'or' | 'implies'): string {
  const text = formulaText(f);
  return (BINDS[f.op] ?? 9) <= BINDS[op]! ? `(${text})` : text;
}

/** `2*tokens(p, q) - tokens(r) + 1`: adjacent terms with the same factor are joined. */
export function sumText({ terms, constant }: Sum): string {
  const groups: { factor: number; terms: Term[] }[] = [];
  for (const term of terms) {
    const last = groups.at(-1);
    if (last !== undefined && last.factor === term.factor) last.terms.push(term);
    else groups.push({ factor: term.factor, terms: [term] });
  }
  let text = '';
  const add = (value: number, body: string): void => {
    const sign = text === '' ? (value < 0 ? '-' : '') : value < 0 ? ' - ' : ' + ';
    text += sign + body;
  };
  for (const { factor, terms } of groups) {
    const many = Math.abs(factor) === 1 ? '' : `${Math.abs(factor)}*`;
    add(factor, `${many}tokens(${terms.map(counted).join(', ')})`);
  }
  if (constant !== 0 || text === '') add(constant, String(Math.abs(constant)));
  return text;
}

function counted({ place, colour }: Term): string {
  return colour === undefined ? name(place) : `${name(place)}[${colour.map(value).join(', ')}]`;
}

const value = (v: number | string): string => (typeof v === 'number' ? String(v) : name(v));

/** A name in the text form: quoted if it contains characters with a meaning in the language. */
export function name(text: string): string {
  return PLAIN.test(text) ? text : JSON.stringify(text);
}
