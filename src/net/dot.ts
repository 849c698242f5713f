import type { Expression } from './expression.ts';
import type { InputArc, Net, OutputArc, Place, Transition } from './net.ts';
import { shownTitle, sortedByName, TextTerms } from './text-terms.ts';

/** Longest expression and longest name in a drawing, in characters. */
const LONGEST = 40;

/**
 * A valid net as a drawing in Graphviz DOT: places as ellipses (with a service: double), transitions as boxes (with a
 * delay: filled and heavier), arcs with what they take and bring; read arcs are dashed without head, inhibitor arcs end
 * in a circle. Long expressions are cut. The same net gives the same text whatever its order of declaration.
 */
export function netToDot(net: Net): string {
  return new Dot(net).lines().join('\n');
}

class Dot {
  readonly #terms: TextTerms;
  readonly #net: Net;
  readonly #places: readonly Place[];
  readonly #ids: ReadonlyMap<string, string>;

  constructor(net: Net) {
    this.#net = net;
    this.#terms = new TextTerms(net);
    this.#places = sortedByName(net.places);
    this.#ids = new Map(this.#places.map((p, k) => [p.name, `p${k}`]));
  }

  lines(): string[] {
    return [
      `digraph ${label(this.#net.name)} {`,
      '  graph [rankdir=LR];',
      '  node [fontname="Helvetica", fontsize=11];',
      '  edge [fontname="Helvetica", fontsize=9];',
      ...this.#places.map((p, k) => `  p${k} [${this.#place(p)}];`),
      ...sortedByName(this.#net.transitions).flatMap((t, k) => [
        `  t${k} [${this.#transition(t)}];`,
        ...t.inputs.map((a) => this.#input(a, `t${k}`)).sort(),
        ...t.outputs.map((a) => this.#output(a, `t${k}`)).sort(),
      ]),
      '}',
      '',
    ];
  }

  #place(p: Place): string {
    const fields = p.fields.length === 0 ? '' : `(${p.fields.map((f) => shownTitle(f.name)).join(', ')})`;
    const tokens = p.initial.reduce((sum, t) => sum + t.count, 0);
    const order = p.order === 'bag' ? '' : p.key.length === 0 ? 'fifo' : `fifo by ${p.key.map(shownTitle).join(', ')}`;
    const lines = [cut(shownTitle(p.name)), cut(fields), cut(order), tokens === 0 ? '' : `${tokens} •`];
    return `shape=ellipse, ${p.service === undefined ? '' : 'peripheries=2, '}label=${label(...lines)}`;
  }

  #transition(t: Transition): string {
    const lines = [
      cut(shownTitle(t.name)),
      t.guard === undefined ? '' : `[${this.#e(t.guard)}]`,
      t.delay === undefined ? '' : `${this.#e(t.delay)} s`,
    ];
    const timed = t.delay === undefined ? '' : 'style=filled, fillcolor=lightgrey, penwidth=2, ';
    return `shape=box, ${timed}label=${label(...lines)}`;
  }

  #input(arc: InputArc, transition: string): string {
    const text = this.#values(arc.place, arc.pattern);
    const shape = { take: '', read: ', style=dashed, arrowhead=none', inhibit: ', arrowhead=odot' }[arc.kind];
    const count = arc.count === 1 ? '' : `${arc.count} × `;
    return `  ${this.#ids.get(arc.place)} -> ${transition} [label=${label(`${count}${text}`.trim())}${shape}];`;
  }

  #output(arc: OutputArc, transition: string): string {
    const text = this.#values(arc.place, arc.values);
    const { count } = arc;
    const one = count.op === 'const' && count.value === 1;
    const times = one ? '' : `× ${count.op === 'const' ? count.value : `(${this.#e(count)})`}`;
    return `  ${transition} -> ${this.#ids.get(arc.place)} [label=${label(text, times)}];`;
  }

  #values(place: string, given: Readonly<Record<string, Expression>>): string {
    const values = this.#terms.values(this.#places[Number(this.#ids.get(place)!.slice(1))]!, given);
    return values.length === 0 ? '' : `(${values.map(cut).join(', ')})`;
  }

  #e(e: Expression): string {
    return cut(this.#terms.expression(e));
  }
}

function cut(text: string): string {
  const characters = [...text];
  return characters.length <= LONGEST ? text : `${characters.slice(0, LONGEST - 1).join('')}…`;
}

/** A quoted DOT string of the lines that are not empty. Graphviz reads backslashes and HTML entities in labels. */
function label(...lines: readonly string[]): string {
  const escaped = lines
    .filter((line) => line !== '')
    .map((line) =>
      line
        .replace(/\p{Cc}/gu, (c) => `\\u{${c.codePointAt(0)!.toString(16)}}`)
        .replaceAll('\\', '\\\\')
        .replaceAll('"', '\\"')
        .replaceAll('&', '&amp;'),
    );
  return `"${escaped.join('\\n')}"`;
}
