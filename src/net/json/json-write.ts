import type { Kinds } from '../../base/form.ts';
import type { Problem } from '../../base/problem.ts';
import { fail, InputError, quote } from '../../base/problem.ts';
import { type Column, columnsOf } from '../colour.ts';
import { isDistribution } from '../distribution.ts';
import type { Expression } from '../expression.ts';
import { callersOf } from '../expressions.ts';
import { EXPRESSION, type NetForm, type NetMember, type NetObject } from '../form.ts';
import type { ColourSet, Delay, MarkedPlace, Net, Place, Table, Tokens, Transition } from '../net.ts';
import { COLOUR, DISTRIBUTION, FINAL_MARKINGS, PLACE, PROCESSES, TABLE, TRANSITION } from '../net-form.ts';
import { isUntimed, withoutAssumedDelays } from '../untimed.ts';
import { assertValid } from '../validation/validate.ts';
import { FORMAT, VERSION } from './json-format.ts';
import { block, inner, number, object, text, wrapped } from './json-layout.ts';
import { ExpressionWriter } from './json-write-expression.ts';
import { runsOf, tableLines } from './json-write-table.ts';

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
  /** The place or transition being written, for messages, and the columns of the place. */
  #part = '';
  #columns: readonly Column[] = [];
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
    this.#list('colours', colours, (c) => [this.#value(COLOUR, c)], ',');
    this.#list('tables', tables, (t) => this.#table(t), ',');
    this.#list('places', places, (p) => this.#place(p), ',');
    const last = [
      ...(processes === undefined ? [] : [`  "processes": ${this.#value(PROCESSES, processes)}`]),
      ...(finalMarkings === undefined ? [] : [`  "finalMarkings": ${this.#value(FINAL_MARKINGS, finalMarkings)}`]),
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
    this.#part = `place ${p.name}`;
    this.#columns = p.initial.length === 0 ? [] : columnsOf(p.fields, this.#colours);
    return this.#block(PLACE, p);
  }

  #transition(t: Transition): string[] {
    this.#part = `transition ${t.name}`;
    return this.#block(TRANSITION, t);
  }

  #table(t: Table): string[] {
    const form = TABLE.forms[t.kind];
    const columns = Object.keys(form.members).filter((name) => {
      const { kind } = form.members[name]!.form;
      return kind === 'integers' || kind === 'reals';
    });
    const others = givenOf(form, t).filter(([name]) => !columns.includes(name));
    return tableLines(t, this.#inline(others), columns);
  }

  /** An object with one member per line, or several lines for a member. */
  #block(form: NetObject, part: object, head = ''): string[] {
    return block(
      givenOf(form, part).map(([name, member, value]) => this.#member(name, member, value)),
      head,
    );
  }

  #member(name: string, { form, lines }: NetMember, value: unknown): string[] {
    const head = `"${name}": `;
    if (form.kind === 'tokens') {
      const tokens = (value as readonly Tokens[]).map((t) => this.#tokens(t));
      return wrapped(head, tokens, 8);
    }
    if (lines !== true) return [head + this.#value(form, value)];
    if (form.kind === 'list') {
      const items = (value as readonly unknown[]).map((item) => this.#value(form.items, item));
      return inner(head, items);
    }
    return this.#block(form.kind === 'kinds' ? chosen(form, value) : (form as NetObject), value as object, head);
  }

  #inline(members: readonly Given[]): string[] {
    return members.map(([name, { form }, value]) => `"${name}": ${this.#value(form, value)}`);
  }

  /** A value on one line. */
  #value(form: NetForm, value: unknown): string {
    switch (form.kind) {
      case 'text':
      case 'word':
      case 'words':
        return text(value as string);
      case 'integer':
      case 'number':
        return number(value as number);
      case 'servers':
        return typeof value === 'number' ? number(value) : text(value as string);
      case 'expression':
      case 'located':
        return this.#expressions.expression(value as Expression, this.#part);
      case 'delay':
        return this.#value(isDistribution(value as Delay) ? DISTRIBUTION : EXPRESSION, value);
      case 'samples':
        return `[${runsOf(value as readonly number[]).join(', ')}]`;
      case 'marking':
        return object((value as readonly MarkedPlace[]).map((m) => `${text(m.place)}: ${number(m.count)}`));
      case 'by name': {
        const entries = Object.entries(value as object);
        return object(entries.map(([name, one]) => `${text(name)}: ${this.#value(form.values, one)}`));
      }
      case 'list':
        return `[${(value as readonly unknown[]).map((item) => this.#value(form.items, item)).join(', ')}]`;
      case 'object':
        return object(this.#inline(givenOf(form, value as object)));
      case 'kinds':
        return this.#value(chosen(form, value), value);
      default:
        return String(value);
    }
  }

  #tokens({ values: all, count }: Tokens): string {
    const values = `[${all.map((v, k) => this.#expressions.value(this.#columns[k]!.colour, v)).join(', ')}]`;
    return count === 1 ? values : `{ "count": ${number(count)}, "values": ${values} }`;
  }
}

type Given = readonly [name: string, member: NetMember, value: unknown];

/** The members that are written. */
function givenOf({ members }: NetObject, part: object): Given[] {
  const given: Given[] = [];
  for (const name in members) {
    const member = members[name]!;
    const value: unknown = part[name as never];
    if (value !== undefined && member.omitted?.(value as never) !== true) given.push([name, member, value]);
  }
  return given;
}

/** The form of a part of one of several kinds. */
const chosen = ({ tag, forms }: Kinds<NetForm>, part: unknown): NetObject =>
  forms[(part as Readonly<Record<string, string>>)[tag]!]!;
