import type { Net } from '../../net/net.ts';
import { questionOf } from '../properties/formula-of.ts';
import { parseProperty } from '../properties/parse-property.ts';
import type { Formula } from '../properties/property.ts';
import { holdsIn, type SeenMarking } from './seen-marking.ts';

/** Places and transitions on which a verdict rests. */
export interface Subjects {
  readonly places: ReadonlySet<string>;
  readonly transitions: ReadonlySet<string>;
}

/**
 * Places and transitions that show the value of a property at the end of its witness: those of the parts of the formula that decide it
 * there. In a dead marking these are the places whose tokens some transition takes. Empty for properties that the net does not have.
 * O(size of the formula × places).
 */
export function shownBy(net: Net, property: string, end: SeenMarking): Subjects {
  const places = new Set<string>();
  const transitions = new Set<string>();
  try {
    const question = questionOf(net, parseProperty(property, net));
    if (question.kind === 'formula') collect(question.formula);
    else if (question.kind === 'most') for (const { place } of question.sum.terms) places.add(place);
  } catch {
    // A document may be of another net: its steps are checked, its formula is only marked.
  }
  return { places, transitions };

  function holds(f: Formula): boolean {
    return holdsIn(net, f, end);
  }

  /** Adds the subjects of the parts that decide the value. */
  function collect(f: Formula): void {
    const value = holds(f);
    switch (f.op) {
      case 'and':
      case 'or': {
        const deciding = f.of.filter((part) => holds(part) === value);
        for (const part of deciding) collect(part);
        return;
      }
      case 'implies': {
        const parts = value ? [f.b, f.a].filter((part) => holds(part) === (part === f.b)) : [f.a, f.b];
        for (const part of parts) collect(part);
        return;
      }
      case 'AU':
      case 'EU':
        collect(f.a);
        collect(f.b);
        return;
      case 'compare':
        for (const { place } of [...f.left.terms, ...f.right.terms]) places.add(place);
        return;
      case 'enabled':
        for (const transition of f.transitions) transitions.add(transition);
        return;
      case 'within':
        for (const { name } of net.places) if (end.largest(name) > f.tokens) places.add(name);
        return;
      case 'dead':
      case 'deadlock':
        for (const { inputs } of net.transitions)
          for (const { kind, place } of inputs) if (kind === 'take' && end.count(place) > 0) places.add(place);
        return;
      case 'initial':
        for (const { name } of net.places) if (end.count(name) !== end.initially(name)) places.add(name);
        return;
      case 'true':
      case 'false':
        return;
      default:
        collect(f.of);
    }
  }
}
