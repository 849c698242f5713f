import type { Code } from '../../base/codes.ts';
import { didYouMean, fail, type Problems, quote } from '../../base/problem.ts';
import {
  ARC_WORDS,
  type ArcRecord,
  type At,
  type Count,
  type Element,
  type FinalRecord,
  type PlaceRecord,
  type PnmlDocument,
  type ReferenceRecord,
  type TransitionRecord,
} from './pnml-document.ts';
import { integer } from './pnml-terms.ts';
import { tokenClasses, withTokenClasses } from './pnml-token-classes.ts';
import type { StartTag, XmlHandler } from './pnml-xml.ts';

/** Name and version of foretoken's tool-specific parts. */
export const OWN_TOOL = 'foretoken';
export const OWN_NAMES = 'names';
export const OWN_NET = 'net';
/** Final markings in the format of ProM and pm4py; not part of the standard. */
export const FINAL_MARKINGS = 'finalmarkings';

/** Elements without influence on a net's behaviour. */
const PASSED_OVER: ReadonlySet<string> = new Set(['graphics', 'toolspecific']);

/** Layout elements of editors, ignored with a warning. */
const DRAWN: ReadonlySet<string> = new Set(['arcpath', 'labels', 'orientation', 'tagged']);

/** Labels allowed for each kind of node, and elements allowed in pages. */
const LABELS = {
  net: ['name', 'declaration', FINAL_MARKINGS],
  page: ['name', 'declaration', FINAL_MARKINGS],
  place: ['name', 'type', 'initialMarking', 'hlinitialMarking', 'capacity'],
  transition: ['name', 'condition'],
  arc: ['name', 'inscription', 'hlinscription', 'type', 'arctype'],
  referencePlace: ['name'],
  referenceTransition: ['name'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
const NODES: readonly string[] = ['place', 'transition', 'arc', 'page', 'referencePlace', 'referenceTransition'];

/** Labels of coloured nets only. */
const COLOURED_LABELS: ReadonlySet<string> = new Set(['hlinitialMarking', 'hlinscription', 'condition', 'declaration']);

type Kind = 'document' | 'pnml' | keyof typeof LABELS;

/** A node being read. */
interface Frame {
  readonly kind: Kind;
  readonly record?: PlaceRecord | TransitionRecord | ArcRecord | ReferenceRecord;
  /** Labels read so far. */
  labels?: string[];
}

/** A label element being read. */
interface Building extends Element {
  readonly children: Building[];
  text: string;
}

/**
 * SAX handler that collects the nodes of a document. Labels of place/transition nets are converted at once; structures
 * of coloured nets are kept until the declarations are known, which may come last.
 */
export class DocumentReader implements XmlHandler {
  readonly warnings: string[] = [];
  readonly #file: string;
  readonly #problems: Problems;
  readonly #frames: Frame[] = [{ kind: 'document' }];
  readonly #building: Building[] = [];
  /** Depth below a skipped element; 0 outside. */
  #skipping = 0;
  readonly #warned = new Set<string>();

  #net: { readonly id: string; readonly coloured: boolean; readonly at: At } | undefined;
  #title: string | undefined;
  #own: Element | undefined;
  readonly #places: PlaceRecord[] = [];
  readonly #transitions: TransitionRecord[] = [];
  readonly #arcs: ArcRecord[] = [];
  readonly #references: ReferenceRecord[] = [];
  readonly #declarations: Element[] = [];
  readonly #finalMarkings: FinalRecord[][] = [];

  constructor(file: string, problems: Problems) {
    this.#file = file;
    this.#problems = problems;
  }

  open(tag: StartTag): void {
    if (this.#skipping > 0) {
      this.#skipping++;
      return;
    }
    const label = this.#building.at(-1);
    if (label !== undefined) {
      if (PASSED_OVER.has(tag.name)) this.#skipping = 1;
      else this.#build(tag, label.children);
      return;
    }
    const parent = this.#frames.at(-1)!;
    if (this.#enter(tag, parent)) return;
    if (parent.kind === 'document' || parent.kind === 'pnml') {
      this.#misplaced(tag, parent.kind === 'pnml' ? ['net'] : ['pnml']);
      return;
    }
    const foreign = FOREIGN[parent.kind === 'page' ? 'net' : parent.kind]?.[tag.name];
    if (tag.name === 'toolspecific' && parent.kind === 'net' && tag.attributes['tool'] === OWN_TOOL) this.#build(tag);
    else if (PASSED_OVER.has(tag.name)) {
      const tool = FOREIGN_TOOLS[tag.attributes['tool'] ?? ''];
      if (tag.name === 'toolspecific' && tool !== undefined) this.#warn(tool, tool);
      this.#skipping = 1;
    } else if (foreign !== undefined) {
      this.#warn(tag.name, `<${tag.name}>: ${foreign}`);
      this.#skipping = 1;
    } else if (DRAWN.has(tag.name)) {
      this.#warn(tag.name, `<${tag.name}> is ignored: it only describes how the net is drawn`);
      this.#skipping = 1;
    } else if ((LABELS[parent.kind] as readonly string[]).includes(tag.name)) this.#label(tag, parent);
    else
      this.#misplaced(tag, [...LABELS[parent.kind], ...(parent.kind === 'net' || parent.kind === 'page' ? NODES : [])]);
  }

  close(): void {
    if (this.#skipping > 0) {
      this.#skipping--;
      return;
    }
    const label = this.#building.pop();
    if (label === undefined) this.#frames.pop();
    else {
      label.text = label.text.trim();
      if (this.#building.length === 0) this.#labelled(this.#frames.at(-1)!, label);
    }
  }

  text(text: string, line: number, column: number): void {
    if (this.#skipping > 0) return;
    const label = this.#building.at(-1);
    if (label !== undefined) label.text += text;
    else this.#report('PNML005', `unexpected text ${quote(text.trim())}`, { line, column });
  }

  /** @throws InputError PNML009 if there is no net */
  document(): PnmlDocument {
    const net = this.#net;
    if (net === undefined) {
      this.#problems.end();
      fail('PNML009', 'the document has no <net>', { file: this.#file, line: 1, column: 1 });
    }
    const own = this.#own?.children.find((c) => c.name === OWN_NET);
    return withTokenClasses({
      ...net,
      ...(this.#title === undefined ? {} : { title: this.#title }),
      places: this.#places,
      transitions: this.#transitions,
      arcs: this.#arcs,
      references: this.#references,
      finalMarkings: this.#finalMarkings,
      declarations: this.#declarations,
      namedByTitle: this.#own?.children.some((c) => c.name === OWN_NAMES) === true,
      ...(own === undefined ? {} : { own }),
    });
  }

  /** Opens a container or node element; returns whether the element is one. */
  #enter(tag: StartTag, parent: Frame): boolean {
    const { name, line, column } = tag;
    const at = { line, column };
    if (name === 'pnml' && parent.kind === 'document') this.#frames.push({ kind: 'pnml' });
    else if (name === 'net' && parent.kind === 'pnml') this.#enterNet(tag);
    else if (parent.kind !== 'net' && parent.kind !== 'page') return false;
    else if (name === 'page') this.#frames.push({ kind: 'page' });
    else if (name === 'place') {
      const record: PlaceRecord = { id: this.#attribute(tag, 'id'), ...at };
      this.#places.push(record);
      this.#frames.push({ kind: name, record });
    } else if (name === 'transition') {
      const record: TransitionRecord = { id: this.#attribute(tag, 'id'), ...at };
      for (const [name, foreign] of Object.entries(FOREIGN_ATTRIBUTES))
        if (tag.attributes[name] !== undefined) this.#warn(`@${name}`, foreign);
      this.#transitions.push(record);
      this.#frames.push({ kind: name, record });
    } else if (name === 'arc') {
      const [id, source, target] = ['id', 'source', 'target'].map((a) => this.#attribute(tag, a));
      const record: ArcRecord = { id: id!, source: source!, target: target!, ...at };
      const word = tag.attributes['type'];
      if (word !== undefined) this.#arcKind(record, word, at);
      this.#arcs.push(record);
      this.#frames.push({ kind: name, record });
    } else if (name === 'referencePlace' || name === 'referenceTransition') {
      const of = name === 'referencePlace' ? 'place' : 'transition';
      const record: ReferenceRecord = { id: this.#attribute(tag, 'id'), of, ref: this.#attribute(tag, 'ref'), ...at };
      this.#references.push(record);
      this.#frames.push({ kind: name, record });
    } else return false;
    return true;
  }

  #enterNet(tag: StartTag): void {
    const { line, column, attributes } = tag;
    const at = { line, column };
    if (this.#net !== undefined)
      this.#report('PNML009', `a second net, ${quote(attributes['id'] ?? '')}: expected one`, at);
    const type = this.#attribute(tag, 'type');
    const kind = netKind(type);
    if ('wrong' in kind) this.#report('PNML009', kind.wrong, at);
    else if (kind.warning !== undefined) this.#warn(type, kind.warning);
    this.#net ??= { id: attributes['id'] ?? '', coloured: 'coloured' in kind && kind.coloured, at };
    this.#frames.push({ kind: 'net' });
  }

  #label(tag: StartTag, frame: Frame): void {
    const { name } = tag;
    if (COLOURED_LABELS.has(name) && this.#net?.coloured === false)
      this.#report('PNML005', `<${name}> belongs to coloured nets, but this is a place/transition net`, tag);
    const drawnTwice = name === 'declaration' && frame.kind !== 'place';
    if (frame.labels?.includes(name) === true && !drawnTwice)
      this.#report('PNML008', `duplicate <${name}> in one ${frame.kind}: expected one`, tag);
    frame.labels ??= [];
    frame.labels.push(name);
    this.#build(tag);
  }

  #build(tag: StartTag, among?: Building[]): void {
    const element: Building = { ...tag, children: [], text: '' };
    among?.push(element);
    this.#building.push(element);
  }

  /** Stores the content of a label. */
  #labelled({ kind, record }: Frame, label: Element): void {
    if (label.name === 'toolspecific') {
      if (this.#own === undefined) this.#own = label;
      for (const part of label.children) if (part.name === FINAL_MARKINGS) this.#keepFinalMarkings(part);
      return;
    }
    if (label.name === FINAL_MARKINGS) {
      this.#keepFinalMarkings(label);
      return;
    }
    switch (label.name) {
      case 'name': {
        const title = textOf(label);
        if (title === undefined) break;
        if (kind === 'net') this.#title = title;
        else if (kind === 'place' || kind === 'transition') (record as PlaceRecord).title = title;
        break;
      }
      case 'initialMarking':
        this.#count(label, 0, (count) => {
          (record as PlaceRecord).tokens = count;
        });
        break;
      case 'capacity':
        this.#count(label, 0, (count) => {
          (record as PlaceRecord).capacity = count;
        });
        break;
      case 'inscription':
        this.#count(label, 1, (count) => {
          (record as ArcRecord).weight = count;
        });
        break;
      case 'arctype':
        this.#arcKind(record as ArcRecord, textOf(label) ?? '', label);
        break;
      case 'type':
        if (kind === 'arc') this.#arcKind(record as ArcRecord, label.attributes['value'] ?? textOf(label) ?? '', label);
        else if (this.#net?.coloured === false)
          this.#report(
            'PNML005',
            '<type> of a place belongs to coloured nets, but this is a place/transition net',
            label,
          );
        else this.#structure(label, (e) => ((record as PlaceRecord).type = e));
        break;
      case 'hlinitialMarking':
        this.#structure(label, (e) => ((record as PlaceRecord).marking = e));
        break;
      case 'hlinscription':
        this.#structure(label, (e) => ((record as ArcRecord).inscription = e));
        break;
      case 'condition':
        this.#structure(label, (e) => ((record as TransitionRecord).condition = e));
        break;
      case 'declaration':
        this.#declaration(label);
        break;
    }
  }

  #count(label: Element, least: number, keep: (count: Count) => void): void {
    const { line, column } = label;
    const text = textOf(label) ?? '';
    const listed = tokenClasses(text);
    const counts = listed?.map(([name, count]) => [name, integer(count, 0)] as const);
    const wrong = counts?.find(([, count]) => typeof count !== 'number')?.[1];
    const classes = counts as [string, number][] | undefined;
    const value = wrong ?? integer(classes === undefined ? text : String(sumOf(classes)), least);
    if (typeof value === 'number') keep({ value, line, column, ...(classes === undefined ? {} : { classes }) });
    else this.#report('PNML007', `<${label.name}>: ${value.wrong}`, label);
  }

  #keepFinalMarkings(label: Element): void {
    for (const marking of label.children) {
      if (marking.name !== 'marking') {
        this.#misplaced(marking, ['marking'], false);
        continue;
      }
      const marked: FinalRecord[] = [];
      for (const place of marking.children) {
        const { line, column } = place;
        const idref = place.attributes['idref'];
        if (place.name !== 'place') this.#misplaced(place, ['place'], false);
        else if (idref === undefined)
          this.#report('PNML006', '<place> of a final marking has no attribute "idref"', place);
        else
          this.#count(place, 0, ({ value }) => {
            marked.push({ place: idref, count: value, line, column });
          });
      }
      this.#finalMarkings.push(marked);
    }
  }

  /** Passes on the single element in a label's structure. A label without text and structure is ignored. */
  #structure(label: Element, keep: (e: Element) => void): void {
    for (const c of label.children)
      if (c.name !== 'text' && c.name !== 'structure') this.#misplaced(c, ['text', 'structure'], false);
    const structures = label.children.filter((c) => c.name === 'structure');
    const [first, ...more] = structures.flatMap((s) => s.children);
    if (more.length > 0)
      this.#report('PNML015', `the structure of <${label.name}> has ${more.length + 1} parts: expected one`, more[0]!);
    else if (first !== undefined) keep(first);
    else if (label.text !== '' || (textOf(label) ?? '') !== '')
      this.#report('PNML019', `<${label.name}> has only <text>: expected a <structure>`, label);
  }

  #declaration(label: Element): void {
    for (const structure of label.children) {
      if (structure.name === 'text') continue;
      if (structure.name !== 'structure') this.#misplaced(structure, ['text', 'structure'], false);
      for (const list of structure.children) {
        if (list.name !== 'declarations') this.#misplaced(list, ['declarations'], false);
        else for (const d of list.children) this.#declarations.push(d);
      }
    }
  }

  #arcKind(arc: ArcRecord, word: string, at: At): void {
    const known = word.toLowerCase();
    const kind = Object.hasOwn(ARC_WORDS, known) ? ARC_WORDS[known as keyof typeof ARC_WORDS] : undefined;
    if (kind === undefined)
      this.#report(
        'PNML020',
        `an arc of kind ${quote(word)} is not supported.${didYouMean(known, Object.keys(ARC_WORDS))}`,
        at,
      );
    else if (arc.kind !== undefined && arc.kind !== kind)
      this.#report('PNML020', `the arc ${quote(arc.id)} has two kinds`, at);
    else arc.kind = kind;
  }

  #attribute(tag: StartTag, name: string): string {
    const value = tag.attributes[name];
    if (value === undefined) this.#report('PNML006', `<${tag.name}> has no attribute "${name}"`, tag);
    else if (value === '') this.#report('PNML006', `the attribute "${name}" of <${tag.name}> is empty`, tag);
    return value ?? '';
  }

  #misplaced(tag: { readonly name: string } & At, known: readonly string[], skip = true): void {
    const where = this.#frames.at(-1)!.kind;
    this.#report(
      'PNML005',
      `<${tag.name}> is not allowed ${where === 'document' ? 'here' : `in <${where}>`}.${didYouMean(tag.name, known)}`,
      tag,
    );
    if (skip) this.#skipping = 1;
  }

  #warn(key: string, message: string): void {
    if (this.#warned.has(key)) return;
    this.#warned.add(key);
    this.warnings.push(message);
  }

  #report(code: Code, message: string, { line, column }: At): void {
    this.#problems.add(code, message, { file: this.#file, line, column });
  }
}

/** The text of a label: in `text` as in the standard, or in `value` as in older files. */
function textOf(label: Element): string | undefined {
  const given = label.children.find((c) => c.name === 'text') ?? label.children.find((c) => c.name === 'value');
  return given?.text ?? (label.text === '' ? undefined : label.text);
}

const sumOf = (classes: readonly (readonly [string, number])[]): number =>
  classes.reduce((sum, [, count]) => sum + count, 0);

/** Non-standard elements of other tools, by parent element. They are ignored with this warning. */
const FOREIGN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  net: {
    token: 'token classes (PIPE) are read as colours if more than one is used',
    variables: 'the variables of a data Petri net are ignored',
    definition: 'a rate parameter (PIPE) is ignored',
    stategroup: 'state groups (PIPE) are ignored',
  },
  transition: {
    readVariable: 'variables read by transitions (data Petri net) are ignored, so transitions may fire more often',
    writeVariable: 'variables written by transitions (data Petri net) are ignored',
    rate: 'rates and weights of transitions (PIPE) are ignored: the net is untimed',
    timed: 'timed and immediate transitions (PIPE) are not distinguished: none has precedence',
    infiniteServer: 'the number of servers of transitions (PIPE) is ignored',
    priority: 'priorities of transitions (PIPE) are ignored: none has precedence',
  },
};

/** Non-standard attributes that affect the behaviour of a transition. */
const FOREIGN_ATTRIBUTES: Readonly<Record<string, string>> = {
  guard: 'guards over variables (data Petri net) are ignored, so transitions may fire more often',
};

/** `toolspecific` parts of tools that hold more than graphics. */
const FOREIGN_TOOLS: Readonly<Record<string, string>> = {
  StochasticPetriNet: 'distributions and weights of a stochastic net are ignored: the net is untimed',
};

const GRAMMAR = 'http://www.pnml.org/version-2009/grammar/';
export const PTNET: string = `${GRAMMAR}ptnet`;
export const SYMMETRICNET: string = `${GRAMMAR}symmetricnet`;

/** Net types of ISO/IEC 15909-2; true: coloured. */
const TYPES: Readonly<Record<string, boolean>> = {
  [PTNET]: false,
  [`${GRAMMAR}pnmlcoremodel`]: false,
  [SYMMETRICNET]: true,
  [`${GRAMMAR}pt-hlpng`]: true,
  [`${GRAMMAR}highlevelnet`]: true,
  // P/T nets with special arcs (J. M. van der Werf, pnml.org/version-2009/extensions).
  'http://www.pnml.org/version-2009/extensions/inhibitorptnet': false,
  'http://www.pnml.org/version-2009/extensions/resetptnet': false,
  'http://www.pnml.org/version-2009/extensions/resetinhibitorptnet': false,
};

/** Names of place/transition nets in editors older than the standard. */
const OLDER =
  /^(p\/?t[ -]?net|(.*\/)?(pt-?net[bd]?|pnmlcoremodel)(\.pntd)?|.*yasper.*\/(pnml\.net|epnml[-.\d]*)|(.*\/)?epnml[-.\d]*)$/i;

/** For a net type: `coloured` tells coloured from place/transition nets; `wrong` is the reason for rejecting the type. */
function netKind(type: string): { readonly coloured: boolean; readonly warning?: string } | { readonly wrong: string } {
  if (Object.hasOwn(TYPES, type)) return { coloured: TYPES[type]! };
  if (OLDER.test(type))
    return {
      coloured: false,
      warning: `the net type ${quote(type)} is not in the standard: it is read as a place/transition net`,
    };
  return { wrong: `the net type ${quote(type, 100)} is not supported.${didYouMean(type, Object.keys(TYPES))}` };
}
