import type { Problem } from '../../base/problem.ts';
import { fail, InputError, quote } from '../../base/problem.ts';
import { type Column, columnsOf } from '../colour.ts';
import type { Expression } from '../expression.ts';
import { callersOf } from '../expressions.ts';
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
  Tokens,
  Transition,
} from '../net.ts';
import { isUntimed, withoutAssumedDelays } from '../untimed.ts';
import { assertValid } from '../validation/validate.ts';
import { FORMAT, VERSION } from './json-format.ts';
import { block, inner, list, member, number, object, text, wrapped } from './json-layout.ts';
import { ExpressionWriter } from './json-write-expression.ts';
import { tableLines } from './json-write-table.ts';

/** Maximum string length of V8. */
const LONGEST = 2 ** 29 - 24;

/**
 * The net as JSON ({@link import('./json-format.ts').NetDocument}), formatted for diffs: one line for each colour set,
 * arc and expression; long tables are wrapped. Paged columns are read page by page and written in full.
 *
 * @throws InputError if the net is invalid (NET0xx), exceeds the reader's limits (NET100, NET103), or has host-language
 * functions (NET111)
 */
export function netToJson(net: Net): string {
  assertValid(net);
  assertWithoutFunctions(net);
  return new Writer(net).text();
}

/** Rejects functions: code cannot be written as data. */
function assertWithoutFunctions(net: Net): void {
  const callers = callersOf(net);
  const problems = (net.functions ?? []).map(
    ({ name }): Problem => ({
      code: 'NET111',
      message: `host-language function ${quote(name)} cannot be written to a file: use a table instead`,
      place: { part: callers.get(name) ?? `function ${name}` },
    }),
  );
  if (problems.length > 0) throw new InputError(problems);
}

class Writer {
  readonly #net: Net;
  readonly #colours: ReadonlyMap<string, ColourSet>;
  readonly #expressions: ExpressionWriter;
  readonly #lines: string[] = [];
  readonly #untimed: boolean;
  #length = 0;

  constructor(net: Net) {
    this.#net = withoutAssumedDelays(net);
    this.#untimed = isUntimed(net);
    this.#colours = new Map(net.colours.map((c) => [c.name, c]));
    this.#expressions = new ExpressionWriter(this.#colours);
  }

  text(): string {
    const { name, colours, tables, places, transitions, processes, finalMarkings } = this.#net;
    this.#line('{');
    this.#line(`  "format": ${text(FORMAT)},`);
    this.#line(`  "version": ${VERSION},`);
    this.#line(`  "name": ${text(name)},`);
    this.#list('colours', colours, (c) => [colourSet(c)], ',');
    this.#list('tables', tables, (t) => tableLines(t), ',');
    this.#list('places', places, (p) => this.#place(p), ',');
    const last = [
      ...(processes === undefined
        ? []
        : [`  "processes": ${object({ colour: text(processes.colour), ended: text(processes.ended) })}`]),
      ...(finalMarkings === undefined ? [] : [`  "finalMarkings": ${list(finalMarkings, finalMarking)}`]),
      ...(this.#untimed ? ['  "untimed": true'] : []),
    ];
    this.#list('transitions', transitions, (t) => this.#transition(t), last.length === 0 ? '' : ',');
    last.forEach((line, k) => {
      this.#line(k === last.length - 1 ? line : `${line},`);
    });
    this.#line('}');
    return `${this.#lines.join('\n')}\n`;
  }

  #line(line: string): void {
    this.#length += line.length + 1;
    if (this.#length > LONGEST) fail('NET100', 'the net is too large for one JSON text', {});
    this.#lines.push(line);
  }

  #list<T>(name: string, items: readonly T[], linesOf: (item: T) => string[], comma: string): void {
    this.#line(`  "${name}": [${items.length === 0 ? `]${comma}` : ''}`);
    items.forEach((item, k) => {
      const lines = linesOf(item);
      lines.forEach((line, n) => {
        this.#line(`    ${line}${n === lines.length - 1 && k < items.length - 1 ? ',' : ''}`);
      });
    });
    if (items.length > 0) this.#line(`  ]${comma}`);
  }

  #place(p: Place): string[] {
    const columns = p.initial.length === 0 ? [] : columnsOf(p.fields, this.#colours);
    return block([
      member('name', p.name, text),
      member('kind', p.kind, text),
      member('fields', p.fields, fields),
      p.order === 'bag' ? [] : member('order', p.order, text),
      p.key.length === 0 ? [] : member('key', p.key, texts),
      member('priority', p.priority, (e) => this.#expression(e, `place ${p.name}`)),
      p.service === undefined ? [] : this.#service(p.service, `place ${p.name}`),
      member('capacity', p.capacity, number),
      p.initial.length === 0
        ? []
        : wrapped(
            '"initial": ',
            p.initial.map((t) => this.#tokens(columns, t)),
            8,
          ),
      member('owner', p.owner, text),
      member('modules', p.modules, texts),
    ]);
  }

  #tokens(columns: readonly Column[], tokens: Tokens): string {
    const values = `[${tokens.values.map((v, k) => this.#expressions.value(columns[k]!.colour, v)).join(', ')}]`;
    return tokens.count === 1 ? values : object({ count: number(tokens.count), values });
  }

  #service(s: Service, part: string): string[] {
    const e = (name: string, x: Expression): string[] => member(name, x, (given) => this.#expression(given, part));
    const members =
      s.kind === 'max-min'
        ? [
            inner('"links": ', s.links.map(link)),
            e('amount', s.amount),
            e('weight', s.weight),
            e('bound', s.bound),
            member('routes', s.routes, text),
            e('route', s.route),
          ]
        : [
            s.kind === 'is' ? [] : member('servers', s.servers, number),
            member('time', s.time, (d) => this.#expressions.delay(d, part)),
            s.kind === 'priority' ? e('priority', s.priority) : [],
            s.kind === 'priority' ? member('preemptive', s.preemptive, String) : [],
          ];
    return block([member('kind', s.kind, text), ...members], '"service": ');
  }

  #transition(t: Transition): string[] {
    const part = `transition ${t.name}`;
    const e = (name: string, x: Expression | undefined): string[] =>
      member(name, x, (given) => this.#expression(given, part));
    return block([
      member('name', t.name, text),
      member('kind', t.kind, text),
      e('process', t.process),
      inner(
        '"inputs": ',
        t.inputs.map((a) => this.#input(part, a)),
      ),
      member('free', t.free, fields),
      e('guard', t.guard),
      member('priority', t.priority, number),
      e('weight', t.weight),
      member('delay', t.delay, (d) => this.#expressions.delay(d, part)),
      member('timing', t.timing, text),
      member('servers', t.servers, text),
      inner(
        '"outputs": ',
        t.outputs.map((a) => this.#output(part, a)),
      ),
      member('label', t.label, label),
      member('modules', t.modules, texts),
    ]);
  }

  #input(part: string, arc: InputArc): string {
    return object({
      kind: text(arc.kind),
      place: text(arc.place),
      pattern: this.#values(arc.pattern, part),
      count: arc.count === 1 ? undefined : number(arc.count),
    });
  }

  #output(part: string, arc: OutputArc): string {
    const { count } = arc;
    const one = count.op === 'const' && count.value === 1 && count.colour === undefined;
    return object({
      place: text(arc.place),
      values: this.#values(arc.values, part),
      count: one ? undefined : this.#expression(count, part),
    });
  }

  #values(values: Readonly<Record<string, Expression>>, part: string): string | undefined {
    const given = Object.entries(values).map(([column, e]) => [column, this.#expression(e, part)] as const);
    return given.length === 0 ? undefined : object(Object.fromEntries(given));
  }

  #expression(e: Expression, part: string): string {
    return this.#expressions.expression(e, part);
  }
}

function finalMarking(marked: readonly MarkedPlace[]): string {
  return object(Object.fromEntries(marked.map(({ place, count }) => [place, number(count)])));
}

function colourSet(c: ColourSet): string {
  return object({
    name: text(c.name),
    kind: text(c.kind),
    ...(c.kind === 'range' ? { low: number(c.low), high: number(c.high) } : {}),
    ...(c.kind === 'enum' ? { values: texts(c.values) } : {}),
    ...(c.kind === 'product' ? { parts: texts(c.parts) } : {}),
    ...(c.kind === 'record' ? { fields: fields(c.fields) } : {}),
  });
}

function fields(list: readonly Field[]): string {
  return `[${list.map((f) => object({ name: text(f.name), colour: text(f.colour) })).join(', ')}]`;
}

function texts(items: readonly string[]): string {
  return list(items, text);
}

function link(l: ServiceLink): string {
  return object({
    name: text(l.name),
    capacity: number(l.capacity),
    fatpipe: l.fatpipe ? 'true' : undefined,
    level: l.level === undefined ? undefined : String(l.level),
  });
}

function label(l: Label): string {
  const exports = Object.entries(l.exports).map(([shared, variable]) => [shared, text(variable)] as const);
  return object({
    name: text(l.name),
    exports: exports.length === 0 ? undefined : object(Object.fromEntries(exports)),
  });
}
