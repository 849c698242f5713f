import type { Expression } from './expression.ts';
import type { ColourSet, InputArc, Net, OutputArc, Place, Table, Tokens, Transition } from './net.ts';
import { columnText, Digest } from './text-column.ts';
import { byText, shownName, shownTitle, sortedByName, TextTerms } from './text-terms.ts';

/** Longest lists of links, routes and tokens that are written in full. */
const MOST = 16;

/**
 * The canonical text of a valid net, for reading and for diffs; it is written only. Everything is in the order of its name,
 * so that nets that differ only in the order of declaration have the same text; long tables and markings are shown by
 * their first entries and a digest of all.
 *
 * An arc is written as the colour of the tokens it moves: `at(r, i, o)` takes or brings a token of the place `at` with
 * these values for its fields; `_` matches everything. `op[o]` is an entry of a table, `factor{x}` of a step table.
 */
export function netToText(net: Net): string {
  return new Text(net).lines().join('\n');
}

class Text {
  readonly #net: Net;
  readonly #terms: TextTerms;
  readonly #places: ReadonlyMap<string, Place>;

  constructor(net: Net) {
    this.#net = net;
    this.#terms = new TextTerms(net);
    this.#places = new Map(net.places.map((p) => [p.name, p]));
  }

  lines(): string[] {
    const { name, colours, tables, places, transitions, processes } = this.#net;
    return [
      `net ${shownTitle(name)}`,
      '',
      ...sortedByName(colours).map(colourSet),
      ...(tables.length === 0 ? [] : ['', ...sortedByName(tables).flatMap(table)]),
      ...(processes === undefined
        ? []
        : ['', `processes ${shownName(processes.colour)}, each ends in ${shownName(processes.ended)}`]),
      ...sortedByName(places).flatMap((p) => ['', ...this.#place(p)]),
      ...sortedByName(transitions).flatMap((t) => ['', ...this.#transition(t)]),
      '',
    ];
  }

  #place(p: Place): string[] {
    const fields = p.fields.map((f) => `${shownName(f.name)}: ${shownName(f.colour)}`).join(', ');
    const order =
      p.order === 'bag' ? 'bag' : p.key.length === 0 ? 'fifo' : `fifo by ${p.key.map(shownName).join(', ')}`;
    const lines = [`place ${shownTitle(p.name)}(${fields}): ${p.kind === undefined ? '' : `${p.kind}, `}${order}`];
    if (p.service !== undefined) {
      const s = p.service;
      lines.push(
        '  service max-min',
        `    amount ${this.#e(s.amount)}`,
        `    weight ${this.#e(s.weight)}`,
        `    bound ${this.#e(s.bound)}`,
        `    route ${shownName(s.routes)}[${this.#e(s.route)}]`,
      );
      const links = s.links.map(
        (l, k) =>
          `link ${k} ${shownTitle(l.name)}: ${l.capacity}${l.fatpipe ? ', fatpipe' : ''}${l.level === true ? ', level' : ''}`,
      );
      for (const line of shortened(links)) lines.push(`    ${line}`);
    }
    return [...lines, ...this.#initial(p)];
  }

  #initial(p: Place): string[] {
    if (p.initial.length === 0) return [];
    const order = (a: Tokens, b: Tokens): number => {
      const k = a.values.findIndex((v, i) => v !== b.values[i]);
      return k < 0 ? 0 : a.values[k]! - b.values[k]!;
    };
    const counts = new Map<string, number>();
    for (const t of [...p.initial].sort(order)) {
      const text = `(${t.values.map((v, k) => this.#terms.value(p.fields[k]?.colour ?? '', v)).join(', ')})`;
      counts.set(text, (counts.get(text) ?? 0) + t.count);
    }
    const total = p.initial.reduce((sum, t) => sum + t.count, 0);
    const tokens = [...counts].filter(([, n]) => n > 0).map(([text, n]) => (n === 1 ? text : `${n} × ${text}`));
    return [`  initial ${total}`, ...shortened(tokens).map((line) => `    ${line}`)];
  }

  #transition(t: Transition): string[] {
    const inputs = t.inputs.map((a, k) => ({ a, k })).filter(({ a }) => a.kind !== 'inhibit');
    // Among the arcs of one place the order tells which token is bound first; the rest is free.
    inputs.sort((x, y) => byText(x.a.place, y.a.place) || x.k - y.k);
    const inhibitors = t.inputs.filter((a) => a.kind === 'inhibit').map((a) => this.#input(a));
    const line = (what: string, e: Expression | undefined, unit = ''): string[] =>
      e === undefined ? [] : [`  ${what} ${this.#e(e)}${unit}`];
    return [
      `transition ${shownTitle(t.name)}${t.kind === undefined ? '' : `: ${t.kind}`}`,
      ...line('process', t.process),
      ...inputs.map(({ a }) => this.#input(a)),
      ...inhibitors.sort(byText),
      ...line('guard', t.guard),
      ...line('delay', t.delay, ' s'),
      ...t.outputs.map((a) => this.#output(a)).sort(byText),
    ];
  }

  #input(arc: InputArc): string {
    const what = arc.kind === 'inhibit' ? 'no' : arc.kind;
    return `  ${what} ${arc.count === 1 ? '' : `${arc.count} × `}${this.#tokens(arc.place, arc.pattern)}`;
  }

  #output(arc: OutputArc): string {
    const put = `  put ${this.#tokens(arc.place, arc.values)}`;
    if (arc.count.op === 'const') return arc.count.value === 1 ? put : `${put} × ${this.#e(arc.count)}`;
    return `${put} × (${this.#e(arc.count)})`;
  }

  #tokens(place: string, given: Readonly<Record<string, Expression>>): string {
    return `${shownTitle(place)}(${this.#terms.values(this.#places.get(place)!, given).join(', ')})`;
  }

  #e(e: Expression): string {
    return this.#terms.expression(e);
  }
}

function colourSet(c: ColourSet): string {
  const name = `colour ${shownName(c.name)}:`;
  switch (c.kind) {
    case 'range':
      return `${name} ${c.low} … ${c.high}`;
    case 'enum':
      return `${name} ${c.values.map(shownName).join(' | ')}`;
    default:
      return `${name} ${c.kind}`;
  }
}

function table(t: Table): string[] {
  const head = `table ${shownName(t.name)}: ${t.kind}`;
  switch (t.kind) {
    case 'int':
      return [`${head} ${t.low} … ${t.high} ${columnText(t.values)}`];
    case 'real':
      return [`${head} ${columnText(t.values)}`];
    case 'step': {
      const steps = Array.from(t.from, (x, k) => `${t.values[k]} from ${x}`);
      return [`${head} of ${steps.length}`, ...shortened(steps).map((line) => `  ${line}`)];
    }
    case 'routes': {
      const routes = Array.from({ length: Math.max(0, t.start.length - 1) }, (_, r) => {
        const crossed: string[] = [];
        for (let k = t.start[r]!; k < t.start[r + 1]!; k++)
          crossed.push(t.coefficient[k] === 1 ? `${t.link[k]}` : `${t.link[k]} × ${t.coefficient[k]}`);
        return `route ${r}: ${crossed.length === 0 ? 'no link' : `links ${crossed.join(', ')}`}`;
      });
      return [`${head} of ${routes.length}`, ...shortened(routes).map((line) => `  ${line}`)];
    }
  }
}

/** The lines; of very many only the first, and a digest of all. */
function shortened(lines: readonly string[]): string[] {
  if (lines.length <= MOST) return [...lines];
  const digest = new Digest();
  for (const line of lines) digest.add(line);
  return [...lines.slice(0, MOST / 2), `… ${lines.length} in all #${digest}`];
}
