import { PAGE_SIZE } from '../base/paged.ts';
import { fail } from '../base/problem.ts';
import { type Expression, operands } from './expression.ts';
import { FORMAT, MAX_DEPTH, VERSION } from './json-format.ts';
import type { ColourSet, Column, InputArc, Net, OutputArc, Place, Table, Tokens, Transition } from './net.ts';
import { assertValid } from './validate.ts';

const WIDTH = 120;
/** Equal entries in a row from this many on are written as `[count, value]`. */
const LONG_RUN = 8;
/** V8 makes no longer strings. */
const LONGEST = 2 ** 29 - 24;

/**
 * The whole net as JSON ({@link import('./json-format.ts').NetDocument}), laid out for diffs: one line for every colour
 * set, arc and expression; long tables wrapped. Paged columns are read page by page and written in full.
 *
 * @throws InputError where the net is not valid (NET0xx), or is more than the reader would take (NET100, NET103)
 */
export function netToJson(net: Net): string {
  assertValid(net);
  return new Writer(net).text();
}

class Writer {
  readonly #net: Net;
  readonly #colours: ReadonlyMap<string, ColourSet>;
  readonly #lines: string[] = [];
  #length = 0;

  constructor(net: Net) {
    this.#net = net;
    this.#colours = new Map(net.colours.map((c) => [c.name, c]));
  }

  text(): string {
    const { name, colours, tables, places, transitions, processes } = this.#net;
    this.#line('{');
    this.#line(`  "format": ${text(FORMAT)},`);
    this.#line(`  "version": ${VERSION},`);
    this.#line(`  "name": ${text(name)},`);
    this.#list('colours', colours, (c) => [colourSet(c)], ',');
    this.#list('tables', tables, (t) => table(t), ',');
    this.#list('places', places, (p) => this.#place(p), ',');
    this.#list('transitions', transitions, (t) => this.#transition(t), processes === undefined ? '' : ',');
    if (processes !== undefined)
      this.#line(`  "processes": { "colour": ${text(processes.colour)}, "ended": ${text(processes.ended)} }`);
    this.#line('}');
    return `${this.#lines.join('\n')}\n`;
  }

  #line(line: string): void {
    this.#length += line.length + 1;
    if (this.#length > LONGEST) fail('NET100', 'this net is too large to be written as one JSON text', {});
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
    const { service: s } = p;
    return block([
      [`"name": ${text(p.name)}`],
      p.kind === undefined ? [] : [`"kind": ${text(p.kind)}`],
      [`"fields": [${p.fields.map((f) => `{ "name": ${text(f.name)}, "colour": ${text(f.colour)} }`).join(', ')}]`],
      p.order === 'bag' ? [] : [`"order": ${text(p.order)}`],
      p.key.length === 0 ? [] : [`"key": [${p.key.map(text).join(', ')}]`],
      s === undefined
        ? []
        : block(
            [
              [`"kind": ${text(s.kind)}`],
              inner(
                '"links": ',
                s.links.map(
                  (l) =>
                    `{ "name": ${text(l.name)}, "capacity": ${number(l.capacity)}${l.fatpipe ? ', "fatpipe": true' : ''}${l.level === true ? ', "level": true' : ''} }`,
                ),
              ),
              [`"amount": ${this.#expression(s.amount, p.name)}`],
              [`"weight": ${this.#expression(s.weight, p.name)}`],
              [`"bound": ${this.#expression(s.bound, p.name)}`],
              [`"routes": ${text(s.routes)}`],
              [`"route": ${this.#expression(s.route, p.name)}`],
            ],
            '"service": ',
          ),
      p.initial.length === 0
        ? []
        : wrapped(
            '"initial": ',
            p.initial.map((t) => this.#tokens(p, t)),
            8,
          ),
    ]);
  }

  #tokens(p: Place, tokens: Tokens): string {
    const values = `[${tokens.values.map((v, k) => this.#value(p.fields[k]!.colour, v)).join(', ')}]`;
    return tokens.count === 1 ? values : `{ "count": ${number(tokens.count)}, "values": ${values} }`;
  }

  #value(colour: string, value: number): string {
    const c = this.#colours.get(colour)!;
    if (c.kind === 'bool') return value === 0 ? 'false' : 'true';
    return c.kind === 'enum' ? text(c.values[value]!) : number(value);
  }

  #transition(t: Transition): string[] {
    const e = (name: string, x: Expression | undefined): string[] =>
      x === undefined ? [] : [`"${name}": ${this.#expression(x, t.name)}`];
    return block([
      [`"name": ${text(t.name)}`],
      t.kind === undefined ? [] : [`"kind": ${text(t.kind)}`],
      e('process', t.process),
      inner(
        '"inputs": ',
        t.inputs.map((a) => this.#input(t, a)),
      ),
      e('guard', t.guard),
      e('delay', t.delay),
      inner(
        '"outputs": ',
        t.outputs.map((a) => this.#output(t, a)),
      ),
    ]);
  }

  #input(t: Transition, arc: InputArc): string {
    const count = arc.count === 1 ? '' : `, "count": ${number(arc.count)}`;
    const pattern = this.#values('pattern', arc.pattern, t.name);
    return `{ "kind": ${text(arc.kind)}, "place": ${text(arc.place)}${pattern}${count} }`;
  }

  #output(t: Transition, arc: OutputArc): string {
    const { count } = arc;
    const one = count.op === 'const' && count.value === 1 && count.colour === undefined;
    const values = this.#values('values', arc.values, t.name);
    return `{ "place": ${text(arc.place)}${values}${one ? '' : `, "count": ${this.#expression(count, t.name)}`} }`;
  }

  #values(name: string, values: Readonly<Record<string, Expression>>, part: string): string {
    const given = Object.entries(values).map(([field, e]) => `${text(field)}: ${this.#expression(e, part)}`);
    return given.length === 0 ? '' : `, "${name}": { ${given.join(', ')} }`;
  }

  #expression(e: Expression, part: string, depth = 1): string {
    if (depth > MAX_DEPTH) fail('NET103', `an expression is nested deeper than ${MAX_DEPTH}`, { part });
    if (e.op === 'var') return text(e.name);
    if (e.op === 'const') {
      if (e.colour !== undefined) return `["value", ${text(e.colour)}, ${this.#value(e.colour, e.value)}]`;
      return Number.isFinite(e.value) ? number(e.value) : `["const", ${number(e.value)}]`;
    }
    const parts = operands(e).map((x) => this.#expression(x, part, depth + 1));
    return `[${[text(e.op), ...('table' in e ? [text(e.table)] : []), ...parts].join(', ')}]`;
  }
}

function colourSet(c: ColourSet): string {
  const more =
    c.kind === 'range'
      ? `, "low": ${number(c.low)}, "high": ${number(c.high)}`
      : c.kind === 'enum'
        ? `, "values": [${c.values.map(text).join(', ')}]`
        : '';
  return `{ "name": ${text(c.name)}, "kind": ${text(c.kind)}${more} }`;
}

function table(t: Table): string[] {
  const head = `{ "name": ${text(t.name)}, "kind": ${text(t.kind)}`;
  const columns: (readonly [string, Column<Int32Array> | Column<Float64Array>])[] =
    t.kind === 'routes'
      ? [
          ['start', t.start],
          ['link', t.link],
          ['coefficient', t.coefficient],
        ]
      : t.kind === 'step'
        ? [
            ['from', t.from],
            ['values', t.values],
          ]
        : [['values', t.values]];
  const lines = [t.kind === 'int' ? `${head}, "low": ${number(t.low)}, "high": ${number(t.high)}` : head];
  for (const [name, column] of columns) {
    const [first, ...rest] = wrapped(`"${name}": `, entries(t.name, column), 6);
    lines[lines.length - 1] += `, ${first}`;
    for (const line of rest) lines.push(line);
  }
  lines[lines.length - 1] += ' }';
  return lines;
}

/** The entries as text, equal ones in a row together. */
function entries(name: string, column: Column<Int32Array> | Column<Float64Array>): string[] {
  const out: string[] = [];
  let value = 0;
  let run = 0;
  const flush = (): void => {
    const one = number(value);
    if (run >= LONG_RUN) out.push(`[${run}, ${one}]`);
    else for (let k = 0; k < run; k++) out.push(one);
  };
  for (const page of pagesOf(column)) {
    for (const v of page) {
      if (Object.is(v, value)) {
        run++;
        continue;
      }
      if (Number.isNaN(v)) fail('NET007', 'an entry is not a number', { part: `table ${name}` });
      flush();
      value = v;
      run = 1;
    }
  }
  flush();
  return out;
}

/** A column in pieces, in order. A page may hold less than its entries: those are never looked up, and stand as 0. */
function* pagesOf(column: Column<Int32Array> | Column<Float64Array>): Generator<Int32Array | Float64Array> {
  if (!('pages' in column)) {
    yield column;
    return;
  }
  for (let page = 0; page * PAGE_SIZE < column.length; page++) {
    const size = Math.min(PAGE_SIZE, column.length - page * PAGE_SIZE);
    const held = column.pages[page] ?? column.load(page);
    yield held.subarray(0, size);
    if (held.length < size) yield new Float64Array(size - held.length);
  }
}

/** An object with one member a line, or several lines for a member. */
function block(members: readonly (readonly string[])[], head = ''): string[] {
  const given = members.filter((m) => m.length > 0);
  const lines = given.flatMap((m, k) =>
    m.map((line, n) => `  ${line}${n === m.length - 1 && k < given.length - 1 ? ',' : ''}`),
  );
  return [`${head}{`, ...lines, '}'];
}

/** A list with one item a line. */
function inner(head: string, items: readonly string[]): string[] {
  if (items.length === 0) return [`${head}[]`];
  return [`${head}[`, ...items.map((x, k) => `  ${x}${k < items.length - 1 ? ',' : ''}`), ']'];
}

/** A list with as many items a line as there is room for. */
function wrapped(head: string, items: readonly string[], indent: number): string[] {
  if (items.length < 40) {
    const line = `${head}[${items.join(', ')}]`;
    if (line.length + indent <= WIDTH * 0.7) return [line];
  }
  const lines = [`${head}[`];
  let line = ' ';
  items.forEach((x, k) => {
    const item = k < items.length - 1 ? `${x},` : x;
    if (line.length > 1 && indent + line.length + 1 + item.length > WIDTH) {
      lines.push(line);
      line = ' ';
    }
    line += ` ${item}`;
  });
  lines.push(line, ']');
  return lines;
}

const text = (s: string): string => JSON.stringify(s);

function number(v: number): string {
  if (Number.isFinite(v)) return Object.is(v, -0) ? '-0' : String(v);
  return `"${v}"`;
}
