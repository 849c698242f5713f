import type { ArcRecord, At, Count, Element, PlaceRecord, PnmlDocument } from '../pnml-document.ts';

/** Name of the colour set of token classes. */
const CLASSES = 'class';
/** The class of a plain number (PIPE). */
const DEFAULT = 'Default';

/** The numbers of a list of token classes (PIPE), as in `Default,2,red,0`; undefined for other text. */
export function tokenClasses(text: string): [name: string, count: string][] | undefined {
  if (!/^\s*[^,]+,\s*\d+\s*(,[^,]+,\s*\d+\s*)*$/.test(text)) return undefined;
  const parts = text.split(',').map((part) => part.trim());
  return parts.flatMap((name, k) => (k % 2 === 0 ? [[name, parts[k + 1]!] as [string, string]] : []));
}

/**
 * A place/transition net with tokens of several classes (PIPE) as a coloured net: the classes become an enumeration, the
 * sort of every place. A net of one class stays as it is.
 */
export function withTokenClasses(document: PnmlDocument): PnmlDocument {
  const { places, arcs, at } = document;
  const counts = [...places.map((p) => p.tokens), ...arcs.map((a) => a.weight)];
  if (document.coloured || counts.every((c) => c?.classes === undefined)) return document;
  const names = new Set<string>();
  for (const count of counts) if (count !== undefined) for (const [name] of classesOf(count)) names.add(name);
  // An arc without an inscription takes or puts one token of the default class.
  if (arcs.some((a) => a.weight === undefined)) names.add(DEFAULT);
  if (names.size < 2) return document;
  const values = [...names].map((name) => element('feconstant', at, { id: name, name }));
  return {
    ...document,
    coloured: true,
    declarations: [
      ...document.declarations,
      element('namedsort', at, { id: CLASSES, name: CLASSES }, [element('finiteenumeration', at, {}, values)]),
    ],
    places: places.map(classedPlace),
    arcs: arcs.map(classedArc),
  };
}

function classesOf({ classes, value }: Count): (readonly [string, number])[] {
  return (classes ?? [[DEFAULT, value] as const]).filter(([, count]) => count > 0);
}

function classedPlace({ tokens, ...place }: PlaceRecord): PlaceRecord {
  const type = element('usersort', place, { declaration: CLASSES });
  const marking = tokens === undefined ? undefined : multiset(tokens);
  return { ...place, type, ...(marking === undefined ? {} : { marking }) };
}

function classedArc({ weight, ...arc }: ArcRecord): ArcRecord {
  const { line, column } = arc;
  if (weight === undefined && arc.kind === 'reset') return arc;
  return { ...arc, inscription: multiset(weight ?? { value: 1, line, column })! };
}

/** The term of a number of tokens of each class; undefined without tokens. */
function multiset(count: Count): Element | undefined {
  const terms = classesOf(count).map(([name, value]) =>
    element('numberof', count, {}, [
      element('subterm', count, {}, [element('numberconstant', count, { value: String(value) })]),
      element('subterm', count, {}, [element('useroperator', count, { declaration: name })]),
    ]),
  );
  if (terms.length < 2) return terms[0];
  const parts = terms.map((term) => element('subterm', count, {}, [term]));
  return element('add', count, {}, parts);
}

function element(
  name: string,
  { line, column }: At,
  attributes: Element['attributes'],
  children: readonly Element[] = [],
): Element {
  return { name, attributes, line, column, children, text: '' };
}
