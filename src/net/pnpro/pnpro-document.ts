import { listing } from '../../base/listing.ts';
import { ownOf } from '../../base/own.ts';
import { didYouMean, nearest, quote } from '../../base/problem.ts';
import type { Context } from '../pnml/pnml-context.ts';
import type { At } from '../pnml/pnml-document.ts';
import type { StartTag, XmlHandler } from '../pnml/pnml-xml.ts';

/** A node or arc: its attributes and the position of its tag. */
export interface PnproElement extends At {
  readonly attributes: Readonly<Record<string, string>>;
}

/** The net of a project: the elements with a meaning, in document order. */
export interface PnproNetPage extends At {
  readonly name: string;
  readonly places: readonly PnproElement[];
  readonly transitions: readonly PnproElement[];
  /** Constants and parameters (templates). */
  readonly constants: readonly PnproElement[];
  readonly templates: readonly PnproElement[];
  readonly arcs: readonly PnproElement[];
}

type Kind = 'document' | 'project' | 'gspn' | 'nodes' | 'edges';
const READ = {
  place: 'places',
  transition: 'transitions',
  constant: 'constants',
  template: 'templates',
  arc: 'arcs',
} as const;
type Read = keyof typeof READ;

/** The elements that each element may contain: entered, read, skipped, or skipped with a warning. */
const CHILDREN: Readonly<
  Record<Kind, Readonly<Record<string, Kind | Read | 'skipped' | { readonly ignored: string }>>>
> = {
  document: { project: 'project' },
  project: {
    gspn: 'gspn',
    // Automata of queries, measures, logs and pictures: no part of the net.
    dta: 'skipped',
    measures: 'skipped',
    'resource-list': 'skipped',
    algebra: { ignored: 'compositions of nets are ignored' },
    multinet: { ignored: 'compositions of nets are ignored' },
    unfolding: { ignored: 'unfoldings of nets are ignored' },
  },
  gspn: { nodes: 'nodes', edges: 'edges' },
  nodes: {
    place: 'place',
    transition: 'transition',
    constant: 'constant',
    template: 'template',
    // Declarations: a place that uses a colour class is refused.
    'color-class': 'skipped',
    'color-var': 'skipped',
    'text-box': 'skipped',
  },
  edges: { arc: 'arc' },
};

/** Attributes with a meaning; `multiplicity` and `type` of arcs are those of older editors. */
const ATTRIBUTES: Readonly<Record<Read, readonly string[]>> = {
  place: ['name', 'marking', 'type', 'domain', 'superposition-tags'],
  transition: ['name', 'type', 'delay', 'weight', 'priority', 'nservers', 'guard', 'superposition-tags'],
  constant: ['name', 'consttype', 'value', 'domain'],
  template: ['name', 'type', 'value', 'last-binding'],
  arc: ['head', 'tail', 'kind', 'type', 'mult', 'multiplicity'],
};

/** Attributes of the drawing, and the partition of places by which a solver stores states. */
const DRAWN = /^(x|y|.*-[xyk]|width|height|rotation|magnets|(head|tail)-magnet|broken|shown-as|.*-fn|partition)$/;

/** The version of project files that this reader follows. */
const VERSION = 121;

/** SAX handler that collects the elements of the nets of a project, and reports those that are unknown. */
export class ProjectReader implements XmlHandler {
  readonly #ctx: Context;
  readonly #open: Kind[] = ['document'];
  /** Depth below a skipped element, or in an element that was read; 0 outside. */
  #skipping = 0;
  /** The element around the text is an arc, whose points are drawing, or another one that was read. */
  #inside: Read | undefined;
  readonly #nets: (PnproNetPage & { readonly [list in (typeof READ)[Read]]: PnproElement[] })[] = [];

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  /** The net of the project. Reports projects without a net, or with several, and returns undefined for them. */
  net(): PnproNetPage | undefined {
    const [net, ...more] = this.#nets;
    if (net !== undefined && more.length === 0) return net;
    const names = this.#nets.map(({ name }) => quote(name));
    const message =
      net === undefined
        ? 'the project has no <gspn>: expected one net'
        : `the project has ${names.length} nets, ${listing(names)}: expected one. Delete the others in a copy of the project`;
    this.#ctx.report('PNPRO001', message, more[0] ?? { line: 1, column: 1 });
    return undefined;
  }

  open(tag: StartTag): void {
    if (this.#skipping > 0) {
      this.#skipping++;
      if (this.#inside !== undefined && (this.#inside !== 'arc' || tag.name !== 'point'))
        this.#misplaced(tag, this.#inside, this.#inside === 'arc' ? ['point'] : []);
      return;
    }
    const parent = this.#open.at(-1)!;
    const children = CHILDREN[parent];
    const found = ownOf(children, tag.name);
    if (typeof found === 'string' && found in CHILDREN) {
      this.#enter(found as Kind, tag);
      return;
    }
    this.#skipping = 1;
    if (found === undefined) this.#misplaced(tag, parent, Object.keys(children));
    else if (typeof found === 'object') this.#ctx.warn(`<${tag.name}>: ${found.ignored}`);
    else if (found !== 'skipped') this.#read(found as Read, tag);
  }

  close(): void {
    if (this.#skipping === 0) this.#open.pop();
    else if (--this.#skipping === 0) this.#inside = undefined;
  }

  text(text: string, line: number, column: number): void {
    if (this.#skipping > 0 && this.#inside === undefined) return;
    this.#ctx.report('PNPRO002', `unexpected text ${quote(text.trim())}`, { line, column });
  }

  #enter(kind: Kind, tag: StartTag): void {
    this.#open.push(kind);
    const { line, column, attributes } = tag;
    if (kind === 'project') {
      const version = Number(attributes['version'] ?? VERSION);
      if (!(version <= VERSION))
        this.#ctx.warn(
          `the project has version ${quote(attributes['version']!)}: it is read as version ${VERSION}, the newest known one`,
        );
    }
    if (kind !== 'gspn') return;
    const name = attributes['name'] ?? '';
    this.#nets.push({ name, line, column, places: [], transitions: [], constants: [], templates: [], arcs: [] });
  }

  #read(kind: Read, tag: StartTag): void {
    const { line, column, attributes } = tag;
    this.#inside = kind;
    for (const [name, value] of Object.entries(attributes)) {
      if (ATTRIBUTES[kind].includes(name) || DRAWN.test(name) || name.includes(':') || name === 'xmlns') continue;
      const message = `the attribute ${name}=${quote(value)} of <${kind}> is unknown: it could change the meaning of the net.`;
      this.#ctx.report('PNPRO004', `${message}${didYouMean(name, ATTRIBUTES[kind])}`, tag);
    }
    if ((attributes['superposition-tags'] ?? '') !== '')
      this.#ctx.warn('superposition tags are ignored: they only matter when GreatSPN composes nets');
    this.#nets.at(-1)![READ[kind]].push({ attributes, line, column });
  }

  #misplaced(tag: StartTag, parent: Kind | Read, known: readonly string[]): void {
    const where = parent === 'document' ? 'as the root' : `in <${parent}>`;
    const expected = known.length === 0 ? '' : `${nearest(tag.name, known)} Expected: ${known.join(', ')}.`;
    this.#ctx.report('PNPRO002', `<${tag.name}> is not allowed ${where}.${expected}`, tag);
  }
}
