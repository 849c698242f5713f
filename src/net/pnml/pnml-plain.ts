import { type ColourSet, type Column, columnsOf, type ScalarSet } from '../colour.ts';
import type { MarkedPlace, Net, Place, Transition } from '../net.ts';
import { escaped, Ids, titlesOf } from './pnml-ids.ts';
import type { Balance } from './pnml-multiset.ts';
import { FINAL_MARKINGS, OWN_NAMES, OWN_NET, OWN_TOOL } from './pnml-reader.ts';
import { type Moved, movedArcs, type Tested } from './pnml-write-arcs.ts';
import { NotSymmetric, TermWriter, type VariableSets } from './pnml-write-terms.ts';
import { PTNET, SYMMETRICNET } from './tools/net-types.ts';

/** A written document and its properties. */
export interface PlainDocument {
  readonly text: string;
  readonly coloured: boolean;
  /** Arc kinds that are not part of the standard. */
  readonly extensions: readonly string[];
  /** True if ids are generated because names are not valid ids. */
  readonly namedByTitle: boolean;
}

const NO_VARIABLES: VariableSets = new Map();
const KINDS = { read: 'read', inhibit: 'inhibitor', reset: 'reset' } as const;

/**
 * The PNML document of a net without properties that PNML cannot represent (delays, orders etc.). `kept` is embedded as
 * tool-specific content. O(size).
 *
 * @throws NotSymmetric if a term cannot be expressed in symmetric nets
 */
export function plainPnml(net: Net, kept?: string): PlainDocument {
  return new PlainWriter(net).document(kept);
}

class PlainWriter {
  readonly #net: Net;
  readonly #columns: ReadonlyMap<string, readonly Column[]>;
  readonly #colours: ReadonlyMap<string, ColourSet>;
  readonly #coloured: boolean;
  readonly #ids = new Ids();
  readonly #terms: TermWriter;
  readonly #lines: string[] = [];
  readonly #extensions = new Set<string>();
  readonly #placeIds = new Map<string, string>();
  readonly #transitionIds = new Map<string, string>();
  readonly #placeTitles: ReadonlyMap<string, string>;
  readonly #transitionTitles: ReadonlyMap<string, string>;
  readonly #netId: string;
  readonly #namedByTitle: boolean;
  #arcs = 0;

  constructor(net: Net) {
    this.#net = net;
    this.#colours = new Map(net.colours.map((c) => [c.name, c]));
    this.#columns = new Map(net.places.map((p) => [p.name, columnsOf(p.fields, this.#colours)]));
    this.#coloured = !isPlaceTransitionNet(net, this.#columns);
    // Names that are valid ids are reserved first; generated ids avoid them.
    const places = net.places.map((p) => this.#ids.own(p.name));
    const transitions = net.transitions.map((t) => this.#ids.own(t.name));
    net.places.forEach((p, k) => {
      this.#placeIds.set(p.name, places[k] ?? this.#ids.like(p.name, 'p'));
    });
    net.transitions.forEach((t, k) => {
      this.#transitionIds.set(t.name, transitions[k] ?? this.#ids.like(t.name, 't'));
    });
    this.#netId = this.#ids.own(net.name) ?? this.#ids.like(net.name, 'net');
    this.#namedByTitle = this.#netId !== net.name || [...places, ...transitions].some((id) => id === undefined);
    this.#terms = new TermWriter(net, this.#ids);
    this.#placeTitles = titlesOf(net.places.map((p) => p.name));
    this.#transitionTitles = titlesOf(net.transitions.map((t) => t.name));
  }

  document(kept?: string): PlainDocument {
    const { name, places, transitions } = this.#net;
    const lines = this.#lines;
    lines.push(
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">',
      `  <net id="${this.#netId}" type="${this.#coloured ? SYMMETRICNET : PTNET}">`,
      `    <name><text>${escaped(titlesOf([name]).get(name)!)}</text></name>`,
    );
    lines.push(`    <page id="${this.#ids.like('page', 'page')}">`);
    for (const p of places) this.#place(p);
    for (const t of transitions) this.#transition(t);
    lines.push('    </page>');
    if (this.#coloured) {
      const declarations = this.#terms.declarations().map((d) => `        ${d}`);
      lines.push(
        '    <declaration><structure><declarations>',
        ...declarations,
        '    </declarations></structure></declaration>',
      );
    }
    const finals = this.#net.finalMarkings ?? [];
    if (this.#namedByTitle || kept !== undefined || finals.length > 0)
      lines.push(
        `    <toolspecific tool="${OWN_TOOL}" version="1">`,
        ...(this.#namedByTitle ? [`      <${OWN_NAMES}/>`] : []),
        ...(finals.length === 0
          ? []
          : [`      <${FINAL_MARKINGS}>${finals.map((m) => this.#finalMarking(m)).join('')}</${FINAL_MARKINGS}>`]),
        ...(kept === undefined ? [] : [`      <${OWN_NET}>${keptText(kept)}</${OWN_NET}>`]),
        '    </toolspecific>',
      );
    lines.push('  </net>', '</pnml>', '');
    return {
      text: lines.join('\n'),
      coloured: this.#coloured,
      extensions: [...this.#extensions],
      namedByTitle: this.#namedByTitle,
    };
  }

  #finalMarking(marked: readonly MarkedPlace[]): string {
    const places = marked.map(
      ({ place, count }) => `<place idref="${this.#placeIds.get(place)!}"><text>${count}</text></place>`,
    );
    return `<marking>${places.join('')}</marking>`;
  }

  #sets(place: string): ScalarSet[] {
    return this.#columns.get(place)!.map((c) => c.colour);
  }

  #place(p: Place): void {
    const parts = [`<name><text>${escaped(this.#placeTitles.get(p.name)!)}</text></name>`];
    const tokens = p.initial.filter((t) => t.count > 0);
    if (this.#coloured) {
      const sets = this.#sets(p.name);
      parts.push(`<type><structure>${this.#terms.sort(sets)}</structure></type>`);
      const plus = tokens.map(({ values, count }) => ({
        columns: values.map((value) => ({ op: 'const', value }) as const),
        count,
      }));
      if (tokens.length > 0)
        parts.push(this.#label('hlinitialMarking', this.#terms.tokens({ plus, minus: [] }, sets, NO_VARIABLES)));
    } else if (tokens.length > 0) {
      const total = tokens.reduce((n, t) => n + t.count, 0);
      parts.push(`<initialMarking><text>${total}</text></initialMarking>`);
    }
    this.#lines.push(`      <place id="${this.#placeIds.get(p.name)!}">${parts.join('')}</place>`);
  }

  #transition(t: Transition): void {
    const variables = this.#variables(t);
    const { arcs, guard } = movedArcs(t, {
      columnsOf: (place) => this.#columns.get(place)!,
      unnamed: (place, column) => {
        let name = `${place}.${column.name}`;
        while (variables.has(name)) name += "'";
        variables.set(name, column.colour);
        return { op: 'var', name };
      },
    });
    const id = this.#transitionIds.get(t.name)!;
    const name = `<name><text>${escaped(this.#transitionTitles.get(t.name)!)}</text></name>`;
    // Terms are written in the order in which they are read, so that variables are declared in that order.
    const written = arcs.map((arc) => this.#arc(id, arc, variables));
    const condition = guard === undefined ? '' : this.#label('condition', this.#terms.condition(guard, variables));
    this.#lines.push(`      <transition id="${id}">${name}${condition}</transition>`);
    for (const line of written) this.#lines.push(line);
  }

  #arc(transition: string, arc: Moved | Tested, variables: VariableSets): string {
    const place = this.#placeIds.get(arc.place)!;
    const takes = !('takes' in arc) || arc.takes;
    const ends = takes ? `source="${place}" target="${transition}"` : `source="${transition}" target="${place}"`;
    this.#arcs++;
    const id = this.#ids.like(`a${this.#arcs}`, 'a');
    let inside = '';
    if ('kind' in arc) {
      this.#extensions.add(KINDS[arc.kind]);
      inside += `<type value="${KINDS[arc.kind]}"/>`;
    }
    const { tokens } = arc;
    if (tokens !== undefined) inside += this.#inscription(tokens, this.#sets(arc.place), variables);
    return `      <arc id="${id}" ${ends}${inside === '' ? '/>' : `>${inside}</arc>`}`;
  }

  #inscription(tokens: Balance, sets: readonly ScalarSet[], variables: VariableSets): string {
    if (this.#coloured) return this.#label('hlinscription', this.#terms.tokens(tokens, sets, variables));
    const count = tokens.plus.reduce((n, t) => n + t.count, 0);
    if (count === 0) throw new NotSymmetric('an output arc of a place/transition net adds no token');
    return count === 1 ? '' : `<inscription><text>${count}</text></inscription>`;
  }

  #label(name: string, structure: string): string {
    return `<${name}><structure>${structure}</structure></${name}>`;
  }

  /** The colour sets of a transition's variables, each from the column that binds it first. */
  #variables(t: Transition): Map<string, ScalarSet> {
    const sets = new Map<string, ScalarSet>();
    for (const arc of t.inputs) {
      if (arc.kind !== 'take' && arc.kind !== 'read') continue;
      for (const { name, colour } of this.#columns.get(arc.place)!) {
        const e = Object.hasOwn(arc.pattern, name) ? arc.pattern[name] : undefined;
        if (e?.op === 'var' && !sets.has(e.name)) sets.set(e.name, colour);
      }
    }
    for (const c of columnsOf(t.free ?? [], this.#colours)) if (!sets.has(c.name)) sets.set(c.name, c.colour);
    return sets;
  }
}

/** True if a net is uncoloured: no columns, variables or guards, and constant token counts. */
function isPlaceTransitionNet(net: Net, columns: ReadonlyMap<string, readonly Column[]>): boolean {
  return (
    [...columns.values()].every((c) => c.length === 0) &&
    net.transitions.every(
      (t) =>
        t.guard === undefined &&
        (t.free ?? []).length === 0 &&
        t.outputs.every((a) => a.count.op === 'const' && Number.isSafeInteger(a.count.value) && a.count.value > 0),
    )
  );
}

/**
 * JSON as element content. The characters that XML cannot represent occur only inside JSON strings and are escaped
 * there.
 */
function keptText(json: string): string {
  return json
    .replace(/[\uFFFE\uFFFF]/g, (c) => `\\u${c.charCodeAt(0).toString(16)}`)
    .replace(/[&<>]/g, (c) => (c === '&' ? '&amp;' : c === '<' ? '&lt;' : '&gt;'));
}
