import { closeSync, readSync } from 'node:fs';
import { SaxesParser } from 'saxes';
import { openInput } from '../../base/input-file.ts';
import { ownOf } from '../../base/own.ts';
import { didYouMean, fail, type Place, quote } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import { type Colours, coloursOf } from './colours.ts';
import { type Formula, MAX_NESTING, normalised, type Property, type Sum, total } from './property.ts';

/** A property and the identifier under which its answer is reported. */
export interface NamedFormula {
  readonly id: string;
  readonly property: Property;
}

type Value =
  | { readonly formula: Formula; readonly depth: number }
  | { readonly sum: Sum }
  | { readonly path: 'next' | 'finally' | 'globally'; readonly formula: Formula; readonly depth: number }
  | { readonly path: 'until'; readonly a: Formula; readonly b: Formula; readonly depth: number }
  | { readonly side: 'before' | 'reach'; readonly formula: Formula; readonly depth: number }
  | { readonly place: string }
  | { readonly transition: string };

interface Open {
  readonly name: string;
  readonly place: Place;
  readonly values: Value[];
}

const RELATIONS = {
  'integer-le': '<=',
  'integer-lt': '<',
  'integer-ge': '>=',
  'integer-gt': '>',
  'integer-eq': '=',
  'integer-ne': '!=',
} as const;
const ELEMENTS = [
  'conjunction',
  'disjunction',
  'negation',
  'exclusive-disjunction',
  'implication',
  'equivalence',
  'all-paths',
  'exists-path',
  'next',
  'finally',
  'globally',
  'until',
  'before',
  'reach',
  'is-fireable',
  'transition',
  'tokens-count',
  'place',
  'integer-constant',
  'integer-sum',
  'integer-difference',
  'place-bound',
  'deadlock',
  'is-deadlock',
  'true',
  'false',
  ...Object.keys(RELATIONS),
];
/** Allowed child elements outside formulas. */
const INSIDE: Readonly<Record<string, readonly string[]>> = {
  'property-set': ['property'],
  property: ['id', 'formula'],
};
const ABOUT = ['description', 'tags', 'toolspecific'];

/**
 * Reads a property file in the XML format of the Model Checking Contest: ReachabilityCardinality, ReachabilityFireability,
 * CTLCardinality, CTLFireability, UpperBounds (contest manual, "property language"). Places and transitions are referenced by
 * id, which is their name in nets read from PNML. `tokens-count` counts tokens of all colours; `is-fireable` holds if some
 * binding is enabled. O(size of the file).
 *
 * @throws InputError PROP002, PROP003 (unknown nodes), PROP005, PROP006, PROP007 (no property), PROP010 (duplicate id),
 * PROP020 to PROP023, with file, line and column
 */
export function readFormulas(file: string, net: Net): NamedFormula[] {
  const reader = new FormulaReader(net);
  readElements(file, reader);
  if (reader.properties.length === 0) fail('PROP007', 'contains no properties', { file });
  return reader.properties;
}

class FormulaReader {
  readonly properties: NamedFormula[] = [];
  readonly #ids = new Set<string>();
  readonly #colours: Colours;
  readonly #open: Open[] = [];
  /** Names of the open elements outside formulas. */
  readonly #around: string[] = [];
  #id: string | undefined;
  #found: Property | undefined;
  /** Depth inside a skipped element; 0 outside. */
  #skipped = 0;

  constructor(net: Net) {
    this.#colours = coloursOf(net);
  }

  open(name: string, place: Place): void {
    const outside = this.#around.at(-1);
    if (this.#skipped > 0) this.#skipped++;
    else if (outside === 'formula') {
      if (!ELEMENTS.includes(name))
        fail('PROP023', `unknown element ${quote(name)} in a formula.${didYouMean(name, ELEMENTS)}`, place);
      this.#open.push({ name, place, values: [] });
    } else this.#enter(name, outside, place);
  }

  #enter(name: string, outside: string | undefined, place: Place): void {
    const expected = outside === undefined ? ['property-set'] : (ownOf(INSIDE, outside) ?? []);
    if (expected.length > 0 && !expected.includes(name) && (outside === 'property' || ABOUT.includes(name))) {
      // Descriptions and tool-specific elements are skipped.
      this.#skipped = 1;
      return;
    }
    if (!expected.includes(name)) {
      const what = expected.length === 0 ? 'text only' : expected.map((e) => quote(e)).join(' or ');
      fail('PROP023', `expected ${what}, got element ${quote(name)}`, place);
    }
    if (name === 'property') {
      this.#id = undefined;
      this.#found = undefined;
    }
    this.#around.push(name);
    if (name === 'formula') this.#open.push({ name, place, values: [] });
  }

  close(name: string, text: string, place: Place): void {
    if (this.#skipped > 0) {
      this.#skipped--;
      return;
    }
    const inner = this.#open.at(-1);
    if (inner !== undefined && inner.name !== 'formula') {
      this.#open.pop();
      this.#open.at(-1)!.values.push(this.#value(inner, text));
      return;
    }
    this.#around.pop();
    if (name === 'id') this.#id = text;
    else if (name === 'formula') this.#found = this.#property(this.#open.pop()!);
    else if (name === 'property') this.#add(place);
  }

  #add(place: Place): void {
    const id = this.#id;
    if (id === undefined || id === '') fail('PROP023', 'a property without id', place);
    if (this.#ids.has(id)) fail('PROP010', `two properties have the id ${quote(id)}`, place);
    if (this.#found === undefined) fail('PROP023', `property ${quote(id)} has no formula`, place);
    this.#ids.add(id);
    this.properties.push({ id, property: this.#found });
  }

  #property({ place, values }: Open): Property {
    const [value] = values;
    if (values.length !== 1 || value === undefined)
      return fail('PROP023', `expected one element in a formula, got ${values.length}`, place);
    if ('sum' in value) return { kind: 'upper-bound', sum: value.sum };
    if (isFormula(value)) return { kind: 'formula', formula: value.formula };
    return fail('PROP023', 'expected a formula or a bound of places', place);
  }

  #value(element: Open, text: string): Value {
    const { name, place } = element;
    switch (name) {
      case 'place': {
        const message = this.#colours.unknownPlace(text);
        return message === undefined ? { place: text } : fail('PROP002', message, place);
      }
      case 'transition': {
        const message = this.#colours.unknownTransition(text);
        return message === undefined ? { transition: text } : fail('PROP003', message, place);
      }
      case 'integer-constant':
        if (!/^-?\d+$/.test(text)) fail('PROP006', `expected an integer, got ${quote(text)}`, place);
        return { sum: at(place, () => normalised([], Number(text))) };
      case 'tokens-count':
      case 'place-bound': {
        const terms = this.#some(element, (v) => ('place' in v ? { factor: 1, place: v.place } : undefined), '<place>');
        return { sum: at(place, () => normalised(terms, 0)) };
      }
      case 'integer-sum':
        return { sum: at(place, () => total(this.#sums(element))) };
      case 'integer-difference': {
        const [a, ...rest] = this.#sums(element, 2);
        const minus = rest.map((s) => ({
          terms: s.terms.map((t) => ({ ...t, factor: -t.factor })),
          constant: -s.constant,
        }));
        return { sum: at(place, () => total([a!, ...minus])) };
      }
      default:
        return this.#logical(element);
    }
  }

  #logical(element: Open): Value {
    const { name, place } = element;
    const formula = (f: Formula, depth: number): Value => {
      if (depth > MAX_NESTING) fail('PROP005', `the formula is nested deeper than ${MAX_NESTING}`, place);
      return { formula: f, depth };
    };
    switch (name) {
      case 'true':
      case 'false':
        return formula({ op: name }, 1);
      case 'deadlock':
      case 'is-deadlock':
        return formula({ op: 'deadlock' }, 1);
      case 'is-fireable': {
        const transitions = this.#some(element, (v) => ('transition' in v ? v.transition : undefined), '<transition>');
        return formula({ op: 'enabled', transitions }, 1);
      }
      case 'conjunction':
      case 'disjunction': {
        const { of, depth } = this.#formulas(element, 1, Number.POSITIVE_INFINITY);
        if (of.length === 1) return formula(of[0]!, depth);
        return formula({ op: name === 'conjunction' ? 'and' : 'or', of }, depth + 1);
      }
      case 'negation': {
        const { of, depth } = this.#formulas(element, 1, 1);
        return formula({ op: 'not', of: of[0]! }, depth + 1);
      }
      case 'implication': {
        const { of, depth } = this.#formulas(element, 2, 2);
        return formula({ op: 'implies', a: of[0]!, b: of[1]! }, depth + 1);
      }
      case 'equivalence':
      case 'exclusive-disjunction': {
        const { of, depth } = this.#formulas(element, 2, 2);
        const [a, b] = of as [Formula, Formula];
        const same: Formula = {
          op: 'or',
          of: [
            { op: 'and', of: [a, b] },
            {
              op: 'and',
              of: [
                { op: 'not', of: a },
                { op: 'not', of: b },
              ],
            },
          ],
        };
        return name === 'equivalence' ? formula(same, depth + 3) : formula({ op: 'not', of: same }, depth + 4);
      }
      case 'next':
      case 'finally':
      case 'globally': {
        const { of, depth } = this.#formulas(element, 1, 1);
        return { path: name, formula: of[0]!, depth };
      }
      case 'before':
      case 'reach': {
        const { of, depth } = this.#formulas(element, 1, 1);
        return { side: name, formula: of[0]!, depth };
      }
      case 'until': {
        const [a, b] = element.values;
        if (element.values.length !== 2 || !a || !b || !('side' in a) || !('side' in b) || a.side === b.side)
          return fail('PROP023', 'expected one <before> and one <reach> in <until>', place);
        const [before, reach] = a.side === 'before' ? [a, b] : [b, a];
        return { path: 'until', a: before.formula, b: reach.formula, depth: Math.max(a.depth, b.depth) };
      }
      case 'all-paths':
      case 'exists-path': {
        const [value] = element.values;
        if (element.values.length !== 1 || value === undefined || !('path' in value))
          return fail('PROP023', `expected one of <next>, <finally>, <globally>, <until> in <${name}>`, place);
        const quantifier = name === 'all-paths' ? 'A' : 'E';
        if (value.path === 'until') return formula({ op: `${quantifier}U`, a: value.a, b: value.b }, value.depth + 1);
        const letter = ({ next: 'X', finally: 'F', globally: 'G' } as const)[value.path];
        return formula({ op: `${quantifier}${letter}`, of: value.formula }, value.depth + 1);
      }
      default: {
        const [left, right] = this.#sums(element, 2);
        if (element.values.length !== 2) fail('PROP023', `expected two numbers in <${name}>`, place);
        const relation = RELATIONS[name as keyof typeof RELATIONS];
        return formula({ op: 'compare', relation, left: left!, right: right! }, 1);
      }
    }
  }

  #formulas({ name, place, values }: Open, min: number, max: number): { of: Formula[]; depth: number } {
    const of: Formula[] = [];
    let depth = 0;
    for (const value of values) {
      if (!isFormula(value)) fail('PROP023', `expected only formulas in <${name}>`, place);
      of.push(value.formula);
      depth = Math.max(depth, value.depth);
    }
    if (of.length < min || of.length > max)
      fail('PROP023', `expected ${min}${max > min ? ' or more' : ''} formulas in <${name}>, got ${of.length}`, place);
    return { of, depth };
  }

  #sums(element: Open, min = 1): Sum[] {
    const sums = this.#some(element, (v) => ('sum' in v ? v.sum : undefined), 'a number or <tokens-count>');
    if (sums.length < min) fail('PROP023', `expected ${min} numbers in <${element.name}>, got 1`, element.place);
    return sums;
  }

  #some<T>({ name, place, values }: Open, pick: (value: Value) => T | undefined, what: string): T[] {
    const picked = values.map((v) => pick(v) ?? fail('PROP023', `expected only ${what} in <${name}>`, place));
    if (picked.length === 0) fail('PROP023', `expected ${what} in <${name}>, got nothing`, place);
    return picked;
  }
}

function isFormula(value: Value): value is { readonly formula: Formula; readonly depth: number } {
  return 'formula' in value && !('path' in value) && !('side' in value);
}

/** Runs `make` and reports numbers out of range with their place. */
function at<T>(place: Place, make: () => T): T {
  try {
    return make();
  } catch (e) {
    return fail('PROP006', (e as Error).message.replace(/^\S+ property: /, ''), place);
  }
}

/** Receives the elements of a document in order. Names have no namespace prefix. */
interface ElementHandler {
  open(name: string, place: Place): void;
  /** `text`: the text directly in the element, trimmed. */
  close(name: string, text: string, place: Place): void;
}

/** Bytes read and parsed at once. */
const PIECE = 1 << 16;
const MAX_BYTES = 256 * 2 ** 20;
/** Maximum number of characters of text in one element. */
const MAX_TEXT = 1 << 16;
/** Maximum nesting depth: a formula needs up to three elements per level. */
const MAX_DEPTH = 1600;

/**
 * Reads an XML file piece by piece. Only the five predefined entities are expanded; a DOCTYPE with declarations is rejected.
 * O(size of the file) time, O(depth) memory.
 *
 * @throws InputError PROP020 (cannot be read, empty, too large), PROP021 (not well-formed), PROP022 (a DOCTYPE with
 * declarations, nested too deep), with file, line and column
 */
function readElements(file: string, handler: ElementHandler): void {
  const parser = new SaxesParser({ xmlns: true });
  const here = (): Place => ({ file, line: parser.line, column: parser.columnIndex + 1 });
  const texts: string[] = [];
  let start: Place = { file };
  parser.on('error', (error) =>
    fail('PROP021', `not well-formed XML: ${error.message.replace(/^[\d:]+\s*/, '')}`, here()),
  );
  parser.on('doctype', (doctype) => {
    if (doctype.includes('[')) fail('PROP022', 'declarations in the DOCTYPE are not supported', here());
  });
  parser.on('opentagstart', (tag) => {
    start = { file, line: parser.line, column: Math.max(1, parser.columnIndex - tag.name.length - 1) };
  });
  parser.on('opentag', (tag) => {
    if (texts.length >= MAX_DEPTH) fail('PROP022', `elements are nested deeper than ${MAX_DEPTH}`, start);
    texts.push('');
    handler.open(tag.local, start);
  });
  const text = (more: string): void => {
    const last = texts.length - 1;
    if (last < 0) return;
    texts[last] += texts[last] === '' ? more.trimStart() : more;
    if (texts[last]!.length > MAX_TEXT) fail('PROP022', `more than ${MAX_TEXT} characters in one element`, here());
  };
  parser.on('text', text);
  parser.on('cdata', text);
  parser.on('closetag', (tag) => handler.close(tag.local, texts.pop()!.trim(), here()));
  for (const piece of piecesOf(file)) parser.write(piece);
  parser.close();
}

function* piecesOf(file: string): Generator<string> {
  const { fd: handle, size } = openInput(file, { code: 'PROP020', limit: MAX_BYTES });
  try {
    if (size === 0) fail('PROP020', 'is empty: expected properties in XML', { file });
    const decoder = new TextDecoder('utf-8', { fatal: true });
    const buffer = new Uint8Array(PIECE);
    for (let n = readSync(handle, buffer); n > 0; n = readSync(handle, buffer)) {
      const bytes = buffer.subarray(0, n);
      if (bytes.includes(0)) fail('PROP020', 'is binary: expected properties in XML', { file });
      yield decoded(decoder, bytes, true, file);
    }
    yield decoded(decoder, buffer.subarray(0, 0), false, file);
  } finally {
    closeSync(handle);
  }
}

function decoded(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array, stream: boolean, file: string): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch {
    return fail('PROP020', `is not UTF-8 text: expected properties in XML`, { file });
  }
}
