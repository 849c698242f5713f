import { spelledOut } from '../../base/spelled-out.ts';
import type { Expression } from '../expression.ts';
import type { InputArc, Net, OutputArc, Place, Transition } from '../net.ts';
import { raceWords } from '../race-timing.ts';
import { byText, counted, orderText, shownName, shownTitle, sortedByName, TextTerms } from '../text/text-terms.ts';
import { withoutAssumedDelays } from '../untimed.ts';
import { assertNet } from '../validation/validate-shape.ts';

/** Maximum length of an expression or name in a drawing, in characters. */
const LONGEST = 40;

/** Arrow heads of arcs in the customary notation (Ajmone Marsan et al. 1995; Murata 1989 for inhibitors). */
const HEADS: Readonly<Record<InputArc['kind'], string>> = {
  take: '',
  read: ', style=dashed, arrowhead=none',
  inhibit: ', arrowhead=odot',
  reset: ', arrowhead=normalnormal',
};

/**
 * A valid net as a Graphviz DOT drawing. Places are ellipses (double with a service). Transitions are boxes, with a
 * heavier border if timed and filled if they hold tokens while firing. Arcs carry their inscriptions; read arcs are
 * dashed without head, inhibitor arcs end in a circle, reset arcs have a double head. Nodes of exactly one module are
 * drawn in its frame, shared nodes between the frames. Long expressions are shortened. The text does not depend on
 * declaration order.
 *
 * @throws InputError NET037 if the value is not a net
 */
export function netToDot(net: Net): string {
  assertNet(net);
  return new Dot(withoutAssumedDelays(net)).lines().join('\n');
}

class Dot {
  readonly #terms: TextTerms;
  readonly #net: Net;
  readonly #places: readonly Place[];
  readonly #transitions: readonly Transition[];
  readonly #ids: ReadonlyMap<string, string>;

  constructor(net: Net) {
    this.#net = net;
    this.#terms = new TextTerms(net);
    this.#places = sortedByName(net.places);
    this.#transitions = sortedByName(net.transitions);
    this.#ids = new Map(this.#places.map((p, k) => [p.name, `p${k}`]));
  }

  lines(): string[] {
    const clusters = new Map<string, string[]>();
    /** The line of a node; empty if the node was added to the frame of its module. */
    const node = (modules: readonly string[] | undefined, line: string): string[] => {
      if (modules?.length !== 1) return [`  ${line}`];
      const [name] = modules as [string];
      const frame = clusters.get(name);
      if (frame === undefined) clusters.set(name, [line]);
      else frame.push(line);
      return [];
    };
    const places = this.#places.flatMap((p, k) => node(p.modules, `p${k} [${this.#place(p)}];`));
    const transitions = this.#transitions.flatMap((t, k) => [
      ...node(t.modules, `t${k} [${this.#transition(t)}];`),
      ...t.inputs.map((a) => this.#input(a, `t${k}`)).sort(),
      ...t.outputs.map((a) => this.#output(a, `t${k}`)).sort(),
    ]);
    const frames = [...clusters].sort(([a], [b]) => byText(a, b));
    return [
      `digraph ${label(this.#net.name)} {`,
      '  graph [rankdir=LR];',
      '  node [fontname="Helvetica", fontsize=11];',
      '  edge [fontname="Helvetica", fontsize=9];',
      ...frames.flatMap(([name, nodes], k) => [
        `  subgraph cluster_${k} {`,
        `    graph [label=${label(cut(shownTitle(name)))}, style=rounded, fontname="Helvetica", fontsize=11];`,
        ...nodes.map((line) => `    ${line}`),
        '  }',
      ]),
      ...places,
      ...transitions,
      '}',
      '',
    ];
  }

  #place(p: Place): string {
    const fields = p.fields.length === 0 ? '' : `(${p.fields.map((f) => shownTitle(f.name)).join(', ')})`;
    const tokens = p.initial.reduce((sum, t) => sum + t.count, 0);
    const lines = [
      cut(shownTitle(p.name)),
      cut(fields),
      p.order === 'bag' ? '' : cut(orderText(p)),
      p.priority === undefined ? '' : `priority ${this.#e(p.priority)}`,
      ...this.#service(p),
      p.capacity === undefined ? '' : `at most ${p.capacity}`,
      tokens === 0 ? '' : `${tokens} •`,
      shared(p.modules),
    ];
    return `shape=ellipse, ${p.service === undefined ? '' : 'peripheries=2, '}label=${label(...lines)}`;
  }

  #service({ service: s }: Place): string[] {
    if (s === undefined) return [];
    if (s.kind === 'max-min') return ['max-min'];
    const servers = s.kind === 'is' ? '' : `, ${counted(s.servers, 'server')}`;
    const lines = [`${s.kind}${servers}`, cut(this.#terms.delay(s.time))];
    return s.kind === 'priority' ? [...lines, `priority ${this.#e(s.priority)}`] : lines;
  }

  #transition(t: Transition): string {
    const lines = [
      cut(shownTitle(t.name)),
      ...sortedByName(t.free ?? []).map((f) => cut(`any ${shownName(f.name)}: ${shownName(f.colour)}`)),
      t.guard === undefined ? '' : `[${this.#e(t.guard)}]`,
      t.priority === undefined || t.priority === 0 ? '' : `priority ${t.priority}`,
      t.weight === undefined ? '' : `weight ${this.#e(t.weight)}`,
      t.delay === undefined ? '' : cut(this.#terms.delay(t.delay)),
      ...raceWords(t),
      ...(t.counts ?? []).map((c) => cut(`${shownName(c.name)} = #${shownTitle(c.place)}`)),
      t.speed === undefined ? '' : `speed ${this.#e(t.speed)}`,
      t.label === undefined ? '' : cut(`label ${shownTitle(t.label.name)}`),
      shared(t.modules),
    ];
    const filled = t.timing === 'race' ? '' : 'style=filled, fillcolor=lightgrey, ';
    const timed = t.delay === undefined ? '' : `${filled}penwidth=2, `;
    return `shape=box, ${timed}label=${label(...lines)}`;
  }

  #input(arc: InputArc, transition: string): string {
    const text = this.#values(arc.place, arc.pattern);
    const count = arc.count === 1 ? '' : `${arc.count} × `;
    return `  ${this.#ids.get(arc.place)} -> ${transition} [label=${label(`${count}${text}`.trim())}${HEADS[arc.kind]}];`;
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

/** The module names of a node shared by several modules, which is drawn outside the frames. */
function shared(modules: readonly string[] | undefined): string {
  return modules === undefined || modules.length < 2 ? '' : cut(`of ${modules.map(shownName).join(', ')}`);
}

function cut(text: string): string {
  const characters = [...text];
  return characters.length <= LONGEST ? text : `${characters.slice(0, LONGEST - 1).join('')}…`;
}

/** A quoted DOT string of the non-empty lines. Graphviz interprets backslashes and HTML entities in labels. */
function label(...lines: readonly string[]): string {
  const escaped = lines
    .filter((line) => line !== '')
    .map((line) => spelledOut(line).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('&', '&amp;'));
  return `"${escaped.join('\\n')}"`;
}
