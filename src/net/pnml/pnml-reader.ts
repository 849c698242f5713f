import type { Code } from '../../base/codes.ts';
import { ownOf } from '../../base/own.ts';
import { didYouMean, fail, type Problems, quote } from '../../base/problem.ts';
import type {
  ArcRecord,
  At,
  Element,
  FinalRecord,
  PlaceRecord,
  PnmlDocument,
  ReferenceRecord,
  Scope,
  StochasticPart,
  Subprocess,
  TransitionRecord,
} from './pnml-document.ts';
import { Labels, numberIn, textOf } from './pnml-labels.ts';
import type { StartTag, XmlHandler } from './pnml-xml.ts';
import { type Attributed, attributeRemarks, DRAWN, FOREIGN } from './tools/additions.ts';
import { isStochasticPart, keepStochasticPart } from './tools/distributions.ts';
import { netKind } from './tools/net-types.ts';
import { withTokenClasses } from './tools/token-classes.ts';

/** Name and version of foretoken's tool-specific parts. */
export const OWN_TOOL = 'foretoken';
export const OWN_NAMES = 'names';
export const OWN_NET = 'net';
/** Final markings in the format of ProM and pm4py; not part of the standard. */
export const FINAL_MARKINGS = 'finalmarkings';

/** Elements without influence on a net's behaviour. */
const PASSED_OVER: ReadonlySet<string> = new Set(['graphics', 'toolspecific']);

/** Labels allowed for each kind of node, and elements allowed in pages. */
const LABELS = {
  net: ['name', 'declaration', FINAL_MARKINGS],
  page: ['name', 'declaration', FINAL_MARKINGS],
  place: ['name', 'type', 'initialMarking', 'hlinitialMarking', 'capacity'],
  transition: ['name', 'condition', 'rate', 'weight', 'timed', 'infiniteServer', 'priority'],
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
  /** The net in a page that contains the node; undefined in the outermost net. */
  readonly scope?: Scope | undefined;
  /** Id of a page. */
  readonly id?: string;
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
  /** The node whose graphics are passed over. */
  #drawn: PlaceRecord | TransitionRecord | undefined;
  readonly #warned = new Set<string>();
  readonly #labels: Labels;

  #net: { readonly id: string; readonly coloured: boolean; readonly at: At } | undefined;
  #title: string | undefined;
  #own: Element | undefined;
  readonly #places: PlaceRecord[] = [];
  readonly #transitions: TransitionRecord[] = [];
  readonly #arcs: ArcRecord[] = [];
  readonly #references: ReferenceRecord[] = [];
  readonly #declarations: Element[] = [];
  readonly #finalMarkings: FinalRecord[][] = [];
  readonly #subprocesses: Subprocess[] = [];
  readonly #parameters = new Map<string, string>();
  readonly #timing: { stochastic?: StochasticPart } = {};

  constructor(file: string, problems: Problems) {
    this.#file = file;
    this.#problems = problems;
    this.#labels = new Labels(
      (code, message, at) => this.#report(code, message, at),
      (element, known) => this.#misplaced(element, known, false),
    );
  }

  open(tag: StartTag): void {
    if (this.#skipping > 0) {
      const { x, y } = tag.attributes;
      if (this.#skipping === 1 && this.#drawn !== undefined && tag.name === 'position')
        this.#drawnAt(this.#drawn, x, y);
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
    const foreign = ownOf(FOREIGN[parent.kind === 'page' ? 'net' : parent.kind] ?? {}, tag.name);
    if (parent.kind === 'document' || parent.kind === 'pnml') {
      if (foreign === undefined) this.#misplaced(tag, parent.kind === 'pnml' ? ['net'] : ['pnml']);
      else this.#passOver(tag.name, `<${tag.name}>: ${foreign}`);
    } else if (tag.name === 'toolspecific' && parent.kind === 'net' && tag.attributes['tool'] === OWN_TOOL)
      this.#build(tag);
    else if (isStochasticPart(tag) && parent.kind !== 'place' && parent.kind !== 'arc') this.#build(tag);
    else if (PASSED_OVER.has(tag.name)) {
      if (tag.name === 'toolspecific') this.#toolPart(tag, parent);
      else if (parent.kind === 'place' || parent.kind === 'transition')
        this.#drawn = parent.record as PlaceRecord | TransitionRecord;
      this.#skipping = 1;
    } else if (foreign !== undefined) this.#passOver(tag.name, `<${tag.name}>: ${foreign}`);
    else if (DRAWN.has(tag.name))
      this.#passOver(tag.name, `<${tag.name}> is ignored: it only describes how the net is drawn`);
    else if (tag.name === 'definition' && (parent.kind === 'net' || parent.kind === 'page')) {
      this.#parameter(tag);
      this.#skipping = 1;
    } else if ((LABELS[parent.kind] as readonly string[]).includes(tag.name)) this.#label(tag, parent);
    else
      this.#misplaced(tag, [...LABELS[parent.kind], ...(parent.kind === 'net' || parent.kind === 'page' ? NODES : [])]);
  }

  close(): void {
    if (this.#skipping > 0) {
      this.#skipping--;
      if (this.#skipping === 0) this.#drawn = undefined;
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
      subprocesses: this.#subprocesses,
      parameters: this.#parameters,
      ...this.#timing,
      finalMarkings: this.#finalMarkings,
      declarations: this.#declarations,
      namedByTitle: this.#own?.children.some((c) => c.name === OWN_NAMES) === true,
      ...(own === undefined ? {} : { own }),
    });
  }

  /** Opens a container or node element; returns whether the element is one. */
  #enter(tag: StartTag, parent: Frame): boolean {
    const { name, attributes, line, column } = tag;
    const { scope } = parent;
    const at = { line, column };
    const record = { ...at, ...(scope === undefined ? {} : { scope }) };
    if (name === 'pnml' && parent.kind === 'document') {
      this.#remarks(tag, 'container');
      this.#frames.push({ kind: 'pnml' });
    } else if (name === 'net' && (parent.kind === 'pnml' || parent.kind === 'page')) {
      this.#remarks(tag, 'container');
      if (parent.kind === 'pnml') this.#enterNet(tag);
      else {
        const inner: Scope = { parent: scope, depth: (scope?.depth ?? 0) + 1 };
        this.#subprocesses.push({ id: parent.id ?? '', scope, inner, ...at });
        this.#frames.push({ kind: 'net', scope: inner });
      }
    } else if (parent.kind !== 'net' && parent.kind !== 'page') return false;
    else if (name === 'page') {
      this.#remarks(tag, 'container');
      this.#frames.push({ kind: 'page', scope, id: attributes['id'] ?? '' });
    } else if (name === 'place') this.#enterPlace(tag, { id: this.#attribute(tag, 'id'), ...record });
    else if (name === 'transition') this.#enterTransition(tag, { id: this.#attribute(tag, 'id'), ...record });
    else if (name === 'arc') {
      const [source, target] = ['source', 'target'].map((a) => this.#attribute(tag, a));
      this.#enterArc(tag, { id: attributes['id'] ?? '', source: source!, target: target!, ...at });
    } else if (name === 'referencePlace' || name === 'referenceTransition') {
      const of = name === 'referencePlace' ? 'place' : 'transition';
      const record: ReferenceRecord = { id: this.#attribute(tag, 'id'), of, ref: this.#attribute(tag, 'ref'), ...at };
      this.#references.push(record);
      this.#enterNode(tag, name, record);
    } else return false;
    return true;
  }

  #enterNode(tag: StartTag, kind: Attributed, record: NonNullable<Frame['record']>): void {
    this.#remarks(tag, 'node');
    this.#frames.push({ kind, record });
  }

  #enterPlace(tag: StartTag, record: PlaceRecord): void {
    this.#places.push(record);
    this.#enterNode(tag, 'place', record);
    this.#drawnAt(record, tag.attributes['positionX'], tag.attributes['positionY']);
    this.#labels.placeAttributes(record, tag);
  }

  #enterTransition(tag: StartTag, record: TransitionRecord): void {
    this.#transitions.push(record);
    this.#enterNode(tag, 'transition', record);
    this.#drawnAt(record, tag.attributes['positionX'], tag.attributes['positionY']);
    this.#labels.transitionAttributes(record, tag);
  }

  #enterArc(tag: StartTag, record: ArcRecord): void {
    this.#arcs.push(record);
    this.#enterNode(tag, 'arc', record);
    this.#labels.arcAttributes(record, tag, this.#net?.coloured === true);
  }

  #remarks(tag: StartTag, role: 'node' | 'container' | 'label'): void {
    for (const { error, message } of attributeRemarks(tag.name, tag.attributes, role))
      if (error) this.#report('PNML021', message, tag);
      else this.#warn(message, message);
  }

  /** Reads a `<toolspecific>` element whose attributes have a meaning. */
  #toolPart({ attributes, line, column }: StartTag, { kind, record }: Frame): void {
    const { tool, rateDefinition, markingDefinition } = attributes;
    if (tool !== 'PIPE') return;
    if (kind === 'transition' && rateDefinition !== undefined)
      this.#labels.rateParameter(record as TransitionRecord, rateDefinition);
    if (kind === 'place' && markingDefinition !== undefined)
      (record as PlaceRecord).parameter = { name: markingDefinition, line, column };
  }

  /** The first position of a node; one that is no pair of numbers is left out, because it describes only the drawing. */
  #drawnAt(record: PlaceRecord | TransitionRecord, ...texts: readonly (string | undefined)[]): void {
    const [x = Number.NaN, y = Number.NaN] = texts.map((text) => numberIn(text ?? ''));
    if (Number.isFinite(x) && Number.isFinite(y)) record.position ??= { x, y };
  }

  /** A rate or marking parameter (PIPE); its value is examined where it is used. */
  #parameter({ attributes: { name, id, expression } }: StartTag): void {
    for (const known of [id, name]) if (known !== undefined) this.#parameters.set(known, expression ?? '');
  }

  #passOver(key: string, message: string): void {
    this.#warn(key, message);
    this.#skipping = 1;
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
    this.#remarks(tag, 'label');
    this.#build(tag);
  }

  #build(tag: StartTag, among?: Building[]): void {
    const element: Building = { ...tag, children: [], text: '' };
    among?.push(element);
    this.#building.push(element);
  }

  /** Stores the content of a label. */
  #labelled({ kind, record }: Frame, label: Element): void {
    if (isStochasticPart(label)) {
      const holder = kind === 'transition' ? (record as TransitionRecord) : this.#timing;
      keepStochasticPart(holder, label, (code, message, at) => this.#report(code, message, at));
      return;
    }
    if (label.name === 'toolspecific') {
      if (this.#own === undefined) this.#own = label;
      for (const part of label.children)
        if (part.name === FINAL_MARKINGS) this.#finalMarkings.push(...this.#labels.finalMarkings(part));
      return;
    }
    if (label.name === FINAL_MARKINGS) {
      this.#finalMarkings.push(...this.#labels.finalMarkings(label));
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
        this.#labels.count(label, 0, (count) => this.#labels.mark(record as PlaceRecord, count));
        break;
      case 'capacity':
        this.#labels.count(label, 0, (count) => {
          (record as PlaceRecord).capacity = count;
        });
        break;
      case 'inscription':
        this.#labels.count(label, 1, (count) => this.#labels.weigh(record as ArcRecord, count));
        break;
      case 'rate':
      case 'weight':
      case 'timed':
      case 'infiniteServer':
      case 'priority':
        this.#labels.timing(record as TransitionRecord, label.name, textOf(label) ?? '', label);
        break;
      case 'arctype':
        this.#labels.arcKind(record as ArcRecord, textOf(label) ?? '', label);
        break;
      case 'type':
        if (kind === 'arc')
          this.#labels.arcKind(record as ArcRecord, label.attributes['value'] ?? textOf(label) ?? '', label);
        else if (this.#net?.coloured === false)
          this.#report(
            'PNML005',
            '<type> of a place belongs to coloured nets, but this is a place/transition net',
            label,
          );
        else this.#labels.structure(label, (e) => ((record as PlaceRecord).type = e));
        break;
      case 'hlinitialMarking':
        this.#labels.structure(label, (e) => ((record as PlaceRecord).marking = e));
        break;
      case 'hlinscription':
        this.#labels.structure(label, (e) => ((record as ArcRecord).inscription = e));
        break;
      case 'condition':
        this.#labels.structure(label, (e) => ((record as TransitionRecord).condition = e));
        break;
      case 'declaration':
        for (const d of this.#labels.declarations(label)) this.#declarations.push(d);
        break;
    }
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
