import type { Expression } from '../expression.ts';
import type {
  ColourSet,
  Field,
  InputArc,
  Label,
  MarkedPlace,
  Net,
  OutputArc,
  Place,
  Service,
  ServiceLink,
  Table,
  Tokens,
  Transition,
} from '../net.ts';
import { raceWords } from '../race-timing.ts';
import { pagesOf } from '../table-page.ts';
import { withoutAssumedDelays } from '../untimed.ts';
import { assertNet } from '../validation/validate-shape.ts';
import {
  byText,
  columnText,
  counted,
  orderText,
  shortened,
  shownName,
  shownTitle,
  sortedByName,
  TextTerms,
} from './text-terms.ts';

/**
 * The canonical text of a valid net, for reading and diffs; it cannot be read back. Everything is sorted by name, so
 * nets that differ only in declaration order have the same text. Long tables and markings are shown by their first
 * entries and a digest. Host-language functions are shown by name only.
 *
 * An arc shows the tokens it moves: `at(r, i, o)` takes or puts a token of place `at` with these field values; a
 * product is `(1, 2)`, a record `{x: 1, y: 2}`, and `_` matches every value. `op[o]` is a table entry, `factor{x}` a
 * step-table value. A delay drawn from a distribution begins with `~`.
 *
 * @throws InputError NET037 if the value is not a net
 */
export function netToText(net: Net): string {
  assertNet(net);
  return new Text(withoutAssumedDelays(net)).lines().join('\n');
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
    const { name, colours, tables, functions = [], places, transitions, processes, finalMarkings = [] } = this.#net;
    return [
      `net ${shownTitle(name)}`,
      '',
      ...sortedByName(colours).map(colourSet),
      ...(tables.length === 0 ? [] : ['', ...sortedByName(tables).flatMap(table)]),
      ...(functions.length === 0 ? [] : ['', ...sortedByName(functions).map((f) => `function ${shownName(f.name)}`)]),
      ...(processes === undefined
        ? []
        : ['', `processes ${shownName(processes.colour)}, each ends in ${shownName(processes.ended)}`]),
      ...(finalMarkings.length === 0 ? [] : ['', ...finalMarkings.map(finalMarking)]),
      ...sortedByName(places).flatMap((p) => ['', ...this.#place(p)]),
      ...sortedByName(transitions).flatMap((t) => ['', ...this.#transition(t)]),
      '',
    ];
  }

  #place(p: Place): string[] {
    const about = [
      ...(p.kind === undefined ? [] : [p.kind]),
      orderText(p),
      ...(p.capacity === undefined ? [] : [`capacity ${p.capacity}`]),
    ];
    return [
      `place ${shownTitle(p.name)}(${p.fields.map(field).join(', ')}): ${about.join(', ')}`,
      ...(p.owner === undefined ? [] : [`  owner ${shownName(p.owner)}`]),
      ...modules(p.modules),
      ...this.#line('priority', p.priority),
      ...(p.service === undefined ? [] : this.#service(p.service)),
      ...this.#initial(p),
    ];
  }

  #service(s: Service): string[] {
    if (s.kind === 'max-min') {
      const links = s.links.map(
        (l, k) =>
          `link ${k} ${shownTitle(l.name)}: ${l.capacity}${l.fatpipe ? ', fatpipe' : ''}${l.level === true ? ', level' : ''}${l.byTokens === undefined ? '' : `, by tokens [${l.byTokens.join(', ')}]`}${profilesText(l)}`,
      );
      return [
        '  service max-min',
        `    amount ${this.#e(s.amount)}`,
        `    weight ${this.#e(s.weight)}`,
        `    bound ${this.#e(s.bound)}`,
        `    route ${shownName(s.routes)}[${this.#e(s.route)}]`,
        ...(s.latency === undefined ? [] : [`    latency ${this.#e(s.latency)}`]),
        ...(s.latencyFactor === undefined ? [] : [`    latency factor ${this.#e(s.latencyFactor)}`]),
        ...(s.follow === undefined
          ? []
          : [
              `    follow ${Object.entries(s.follow)
                .map((one) => one.join(' '))
                .join(', ')}`,
            ]),
        ...(s.solver === undefined ? [] : [`    solver ${s.solver}`]),
        ...shortened(links).map((line) => `    ${line}`),
      ];
    }
    const about = [
      s.kind,
      ...(s.kind === 'priority' && s.preemptive ? ['preemptive'] : []),
      ...(s.kind === 'is' ? [] : [counted(s.servers, 'server')]),
    ];
    return [
      `  service ${about.join(', ')}`,
      `    time ${this.#terms.delay(s.time)}`,
      ...(s.kind === 'priority' ? [`    priority ${this.#e(s.priority)}`] : []),
    ];
  }

  #initial(p: Place): string[] {
    if (p.initial.length === 0) return [];
    const order = (a: Tokens, b: Tokens): number => {
      const k = a.values.findIndex((v, i) => v !== b.values[i]);
      return k < 0 ? 0 : a.values[k]! - b.values[k]!;
    };
    const counts = new Map<string, number>();
    for (const t of [...p.initial].sort(order)) {
      const text = this.#terms.token(p, t.values);
      counts.set(text, (counts.get(text) ?? 0) + t.count);
    }
    const total = p.initial.reduce((sum, t) => sum + t.count, 0);
    const tokens = [...counts].filter(([, n]) => n > 0).map(([text, n]) => (n === 1 ? text : `${n} × ${text}`));
    return [`  initial ${total}`, ...shortened(tokens).map((line) => `    ${line}`)];
  }

  #transition(t: Transition): string[] {
    const inputs = t.inputs.map((a, k) => ({ a, k })).filter(({ a }) => a.kind === 'take' || a.kind === 'read');
    // For arcs of one place the order decides which token is bound first; other order is irrelevant.
    inputs.sort((x, y) => byText(x.a.place, y.a.place) || x.k - y.k);
    const others = (kind: InputArc['kind']): string[] =>
      t.inputs
        .filter((a) => a.kind === kind)
        .map((a) => this.#input(a))
        .sort(byText);
    return [
      `transition ${shownTitle(t.name)}${t.kind === undefined ? '' : `: ${t.kind}`}`,
      ...modules(t.modules),
      ...(t.label === undefined ? [] : [label(t.label)]),
      ...(t.priority === undefined || t.priority === 0 ? [] : [`  priority ${t.priority}`]),
      ...this.#line('process', t.process),
      ...sortedByName(t.free ?? []).map((f) => `  free ${field(f)}`),
      ...inputs.map(({ a }) => this.#input(a)),
      ...others('inhibit'),
      ...others('reset'),
      ...sortedByName(t.counts ?? []).map((c) => `  count ${shownName(c.name)} = ${this.#tokens(c.place, c.pattern)}`),
      ...this.#line('guard', t.guard),
      ...this.#line('weight', t.weight),
      ...this.#delay(t),
      ...t.outputs.map((a) => this.#output(a)).sort(byText),
    ];
  }

  #delay(t: Transition): string[] {
    if (t.delay === undefined) return [];
    const delay = [this.#terms.delay(t.delay), ...raceWords(t)].join(', ');
    return [`  ${t.timing === 'race' ? 'race' : 'delay'} ${delay}`, ...this.#line('speed', t.speed)];
  }

  #input(arc: InputArc): string {
    const { kind, count } = arc;
    const what = kind !== 'inhibit' ? kind : count === 1 ? 'no' : 'fewer than';
    return `  ${what} ${count === 1 ? '' : `${count} × `}${this.#tokens(arc.place, arc.pattern)}`;
  }

  #output(arc: OutputArc): string {
    const put = `  put ${this.#tokens(arc.place, arc.values)}`;
    if (arc.count.op === 'const') return arc.count.value === 1 ? put : `${put} × ${this.#e(arc.count)}`;
    return `${put} × (${this.#e(arc.count)})`;
  }

  #tokens(place: string, given: Readonly<Record<string, Expression>>): string {
    return `${shownTitle(place)}(${this.#terms.values(this.#places.get(place)!, given).join(', ')})`;
  }

  #line(what: string, e: Expression | undefined): string[] {
    return e === undefined ? [] : [`  ${what} ${this.#e(e)}`];
  }

  #e(e: Expression): string {
    return this.#terms.expression(e);
  }
}

function field(f: Field): string {
  return `${shownName(f.name)}: ${shownName(f.colour)}`;
}

function modules(names: readonly string[] | undefined): string[] {
  return names === undefined || names.length === 0 ? [] : [`  modules ${names.map(shownName).join(', ')}`];
}

function label(l: Label): string {
  const exports = Object.entries(l.exports).sort(([a], [b]) => byText(a, b));
  const given = exports.map(([shared, variable]) => `${shownName(shared)} = ${shownName(variable)}`);
  return `  label ${shownTitle(l.name)}(${given.join(', ')})`;
}

function colourSet(c: ColourSet): string {
  const name = `colour ${shownName(c.name)}:`;
  switch (c.kind) {
    case 'range':
      return `${name} ${c.low} … ${c.high}`;
    case 'enum':
      return `${name} ${c.values.map(shownName).join(' | ')}`;
    case 'product':
      return `${name} (${c.parts.map(shownName).join(', ')})`;
    case 'record':
      return `${name} {${c.fields.map(field).join(', ')}}`;
    default:
      return `${name} ${c.kind}`;
  }
}

function table(t: Table): string[] {
  const head = `table ${shownName(t.name)}: ${t.kind}`;
  switch (t.kind) {
    case 'int':
      return [
        `${head} ${t.colour === undefined ? '' : `of ${shownName(t.colour)} `}${t.low} … ${t.high} ${columnText(t.values.length, pagesOf(t))}`,
      ];
    case 'real':
      return [`${head} ${columnText(t.values.length, pagesOf(t))}`];
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

function finalMarking(marked: readonly MarkedPlace[]): string {
  const parts = sortedByName(marked.map(({ place, count }) => ({ name: place, count })));
  const words = parts.map(({ name, count }) => `${shownName(name)} ${count}`);
  return `final marking ${words.length === 0 ? 'of no tokens' : words.join(', ')}`;
}

/** `, latency [0 from 0, 0.5 from 2] every 4`, for each profile of a link. */
function profilesText({ profiles = [] }: ServiceLink): string {
  const steps = (times: readonly number[], values: readonly number[]): string =>
    times.map((time, k) => `${values[k]} from ${time}`).join(', ');
  return profiles
    .map(({ of, times, values, period, initial }) => {
      const first = initial === undefined ? '' : `${initial}, `;
      const again = period === undefined ? '' : ` every ${period}`;
      return `, ${of} [${first}${steps(times, values)}]${again}`;
    })
    .join('');
}
