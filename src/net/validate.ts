import { didYouMean, InputError, type Place as Position, type Problem } from '../base/problem.ts';
import { type Expression, operands, variablesOf } from './expression.ts';
import {
  type ColourSet,
  colourBounds,
  type InputArc,
  type Net,
  type Place,
  type Table,
  type Transition,
} from './net.ts';

/** What an expression's value is: a number, a whole number, 0 or 1, a truth value, or a value of an enumeration. */
type Type = 'real' | 'int' | 'bit' | 'bool' | `enum ${string}`;

/** Throws an InputError with every problem of the net, if there is one. */
export function assertValid(net: Net): void {
  const problems = validate(net);
  if (problems.length > 0) throw new InputError(problems);
}

/**
 * Everything that is wrong with a net, in one pass: unknown and duplicate names, colours that do not fit, unbound
 * variables, tokens outside their colour set, tables that are no tables. O(size of the net), tables in memory included.
 *
 * @param positions where the parts of the net (colour sets, tables, places, transitions, arcs, expressions) stand in a
 * file, for the problems' places
 */
export function validate(net: Net, positions: ReadonlyMap<object, Position> = new Map()): Problem[] {
  return new Validation(net, positions).run();
}

/** Problems that come with a guess at what was meant. */
const MOST_GUESSES = 20;
/** Most processes a net may have: results hold figures of each. */
const MAX_PROCESSES = 2 ** 18;

class Validation {
  readonly #net: Net;
  readonly #positions: ReadonlyMap<object, Position>;
  readonly #problems: Problem[] = [];
  /** The part of the net that is being looked at, and the transition or place it belongs to. */
  #part: object | undefined;
  #whole: object | undefined;
  readonly #colours: Map<string, ColourSet>;
  readonly #tables: Map<string, Table>;
  readonly #places: Map<string, Place>;

  constructor(net: Net, positions: ReadonlyMap<object, Position>) {
    this.#net = net;
    this.#positions = positions;
    this.#colours = this.#byName('colour set', net.colours);
    this.#tables = this.#byName('table', net.tables);
    this.#places = this.#byName('place', net.places);
    this.#byName('transition', net.transitions);
  }

  run(): Problem[] {
    const each = <T extends object>(items: readonly T[], look: (item: T) => void): void => {
      for (const item of items) {
        this.#part = this.#whole = item;
        look(item);
      }
    };
    each(this.#net.colours, (c) => this.#colourSet(c));
    each(this.#net.tables, (t) => this.#table(t));
    each(this.#net.places, (p) => this.#place(p));
    each(this.#net.transitions, (t) => this.#transition(t));
    const { processes } = this.#net;
    if (processes !== undefined) {
      this.#part = this.#whole = processes;
      const colour = this.#colours.get(processes.colour);
      const ended = this.#places.get(processes.ended);
      if (colour?.kind !== 'range') this.#say('NET030', 'processes', `colour set "${processes.colour}" is no range`);
      else if (colour.high - colour.low >= MAX_PROCESSES)
        this.#say(
          'NET030',
          'processes',
          `colour set "${processes.colour}" has ${colour.high - colour.low + 1} values: at most ${MAX_PROCESSES} processes can be told apart`,
        );
      if (ended === undefined) this.#say('NET012', 'processes', this.#unknownPlace(processes.ended));
      else if (ended.fields.length !== 1 || ended.fields[0]!.colour !== processes.colour)
        this.#say('NET030', 'processes', `place "${ended.name}" must have one field of colour "${processes.colour}"`);
    }
    return this.#problems;
  }

  #say(code: string, part: string, message: string): void {
    const position = this.#positions.get(this.#part ?? this.#net) ?? this.#positions.get(this.#whole ?? this.#net);
    this.#problems.push({ code, message, place: { ...position, part } });
  }

  /** Proposes the nearest known name, for the first problems: their number and that of the names may both be large. */
  #near(name: string, known: Iterable<string>): string {
    return this.#problems.length < MOST_GUESSES ? didYouMean(name, known) : '';
  }

  #byName<T extends { readonly name: string }>(what: string, items: readonly T[]): Map<string, T> {
    const map = new Map<string, T>();
    for (const item of items) {
      this.#part = this.#whole = item;
      if (item.name === '') this.#say('NET001', what, 'a name must not be empty');
      if (map.has(item.name)) this.#say('NET002', `${what} ${item.name}`, 'this name is given twice');
      map.set(item.name, item);
    }
    return map;
  }

  /** Names by which bindings and patterns are looked up must not be those that every JavaScript object has. */
  #notReserved(part: string, what: string, name: string): void {
    if (name in {}) this.#say('NET008', part, `${what} "${name}": this name is reserved, take another`);
  }

  #colourSet(c: ColourSet): void {
    const part = `colour set ${c.name}`;
    if (c.kind === 'range') {
      if (!Number.isSafeInteger(c.low) || !Number.isSafeInteger(c.high))
        this.#say('NET006', part, `bounds must be whole numbers, not ${c.low} … ${c.high}`);
      else if (c.low > c.high) this.#say('NET006', part, `is empty: ${c.low} … ${c.high}`);
    }
    if (c.kind === 'enum') {
      if (c.values.length === 0) this.#say('NET006', part, 'has no values');
      if (new Set(c.values).size < c.values.length) this.#say('NET006', part, 'names a value twice');
    }
  }

  #table(t: Table): void {
    const part = `table ${t.name}`;
    if (t.kind === 'int' && !(Number.isSafeInteger(t.low) && Number.isSafeInteger(t.high)))
      this.#say('NET007', part, `bounds must be whole numbers, not ${t.low} … ${t.high}`);
    if (t.kind === 'int' && t.values instanceof Int32Array) {
      for (const v of t.values) {
        if (v < t.low || v > t.high) {
          this.#say('NET007', part, `entry ${v} lies outside its bounds ${t.low} … ${t.high}`);
          break;
        }
      }
    }
    if (t.kind === 'real' && t.values instanceof Float64Array && t.values.some(Number.isNaN))
      this.#say('NET007', part, 'an entry is not a number');
    if (t.kind === 'step') {
      if (t.from.length !== t.values.length || t.from.length === 0)
        this.#say('NET007', part, `has ${t.from.length} thresholds and ${t.values.length} values`);
      if (t.values.some(Number.isNaN) || Number.isNaN(t.from[0])) this.#say('NET007', part, 'an entry is not a number');
      const falls = t.from.findIndex((x, k) => k > 0 && !(x > t.from[k - 1]!));
      if (falls >= 0) this.#say('NET007', part, `threshold ${t.from[falls]} does not ascend`);
    }
    if (t.kind === 'routes') {
      const n = t.start.length - 1;
      let ok = n >= 0 && t.start[0] === 0 && t.start[n] === t.link.length && t.link.length === t.coefficient.length;
      for (let k = 0; k < n; k++) ok &&= t.start[k]! <= t.start[k + 1]!;
      if (!ok) this.#say('NET007', part, 'its starts, links and coefficients do not fit together');
      if (t.coefficient.some((c) => !(c > 0 && c < Number.POSITIVE_INFINITY)))
        this.#say('NET007', part, 'a coefficient is not a positive number');
    }
  }

  #place(p: Place): void {
    const part = `place ${p.name}`;
    const seen = new Set<string>();
    for (const f of p.fields) {
      if (seen.has(f.name)) this.#say('NET002', part, `field "${f.name}" is given twice`);
      seen.add(f.name);
      this.#notReserved(part, 'field', f.name);
      if (!this.#colours.has(f.colour))
        this.#say('NET011', part, `unknown colour set "${f.colour}".${this.#near(f.colour, this.#colours.keys())}`);
    }
    for (const k of p.key)
      if (!seen.has(k)) this.#say('NET013', part, `unknown field "${k}" in its key.${this.#near(k, seen)}`);
    if (new Set(p.key).size < p.key.length) this.#say('NET013', part, 'names a field of its key twice');
    if (p.order === 'bag' && p.key.length > 0) this.#say('NET013', part, 'a bag has no key');
    for (const tokens of p.initial) {
      if (!Number.isSafeInteger(tokens.count) || tokens.count < 0)
        this.#say('NET014', part, `initial tokens: a count of ${tokens.count}`);
      if (tokens.values.length !== p.fields.length) {
        this.#say('NET014', part, `initial token has ${tokens.values.length} values for ${p.fields.length} fields`);
        continue;
      }
      p.fields.forEach((f, k) => {
        const colour = this.#colours.get(f.colour);
        const value = tokens.values[k]!;
        if (colour === undefined) return;
        const { low, high } = colourBounds(colour);
        if (!Number.isInteger(value) || value < low || value > high)
          this.#say('NET014', part, `initial token: ${f.name} = ${value} is not in ${f.colour} (${low} … ${high})`);
      });
    }
    if (p.service !== undefined) this.#service(p, p.service);
  }

  #service(p: Place, s: NonNullable<Place['service']>): void {
    const part = `place ${p.name}, service`;
    const types = new Map(p.fields.map((f) => [f.name, this.#typeOfColour(f.colour)]));
    for (const [what, e] of Object.entries({ amount: s.amount, weight: s.weight, bound: s.bound, route: s.route })) {
      this.#unbound(part, e, types);
      const t = this.#type(part, e, types);
      if (t !== undefined && !fits(t, what === 'route' ? 'int' : 'real'))
        this.#say('NET022', part, `${what} must be a number${what === 'route' ? ' without fraction' : ''}, not ${t}`);
    }
    for (const l of s.links)
      if (!(l.capacity > 0 && l.capacity < Number.POSITIVE_INFINITY))
        this.#say('NET015', part, `link "${l.name}" has capacity ${l.capacity}: a positive number is expected`);
    for (const l of s.links)
      if (l.level === true && !l.fatpipe) this.#say('NET015', part, `link "${l.name}" has a level and is no fatpipe`);
    const routes = this.#tables.get(s.routes);
    if (routes === undefined)
      this.#say('NET016', part, `unknown table "${s.routes}".${this.#near(s.routes, this.#tables.keys())}`);
    else if (routes.kind !== 'routes') this.#say('NET016', part, `table "${s.routes}" holds no routes`);
    else if (routes.link.some((l) => l < 0 || l >= s.links.length))
      this.#say('NET015', part, `table "${s.routes}" names a link that is not among the ${s.links.length} links`);
  }

  #transition(t: Transition): void {
    const part = `transition ${t.name}`;
    const types = new Map<string, Type | undefined>();
    if (!t.inputs.some((a) => a.kind === 'take'))
      this.#say('NET020', part, 'takes no token: once enabled it would fire for ever');
    for (const arc of t.inputs) {
      this.#part = arc;
      if (arc.kind !== 'inhibit') this.#bind(`${part}, arc from ${arc.place}`, arc, types);
    }
    for (const arc of t.inputs) {
      this.#part = arc;
      this.#input(part, arc, types);
    }
    for (const arc of t.outputs) {
      this.#part = arc;
      const at = `${part}, arc to ${arc.place}`;
      this.#number(at, 'count', arc.count, types, 'int');
      const p = this.#places.get(arc.place);
      if (p === undefined) {
        this.#say('NET012', at, this.#unknownPlace(arc.place));
        continue;
      }
      this.#knownFields(at, arc.values, p);
      for (const f of p.fields) {
        const e = given(arc.values, f.name);
        if (e === undefined) this.#say('NET017', at, `field "${f.name}" is not given`);
        else this.#match(at, f.name, f.colour, e, types);
      }
    }
    if (t.guard !== undefined) {
      this.#part = t.guard;
      this.#unbound(`${part}, guard`, t.guard, types);
      const g = this.#type(`${part}, guard`, t.guard, types);
      if (g !== undefined && !fits(g, 'bool')) this.#say('NET022', part, `the guard must be a truth value, not ${g}`);
    }
    for (const [what, e, want] of [
      ['delay', t.delay, 'real'],
      ['process', t.process, 'int'],
    ] as const) {
      if (e === undefined) continue;
      this.#part = e;
      this.#number(part, what, e, types, want);
    }
  }

  #number(part: string, what: string, e: Expression, types: Types, want: 'int' | 'real'): void {
    this.#unbound(`${part}, ${what}`, e, types);
    const t = this.#type(part, e, types);
    if (t !== undefined && !fits(t, want))
      this.#say('NET022', part, `${what} must be a ${want === 'int' ? 'whole ' : ''}number, not ${t}`);
  }

  /** Variables are bound by the first plain variable that stands for a field. */
  #bind(at: string, arc: InputArc, types: Map<string, Type | undefined>): void {
    const p = this.#places.get(arc.place);
    for (const [field, e] of Object.entries(arc.pattern)) {
      if (e.op !== 'var' || types.has(e.name)) continue;
      this.#notReserved(at, 'variable', e.name);
      const colour = p?.fields.find((f) => f.name === field)?.colour;
      types.set(e.name, colour === undefined ? undefined : this.#typeOfColour(colour));
    }
  }

  #input(part: string, arc: InputArc, types: Types): void {
    const at = `${part}, arc from ${arc.place}`;
    if (!Number.isSafeInteger(arc.count) || arc.count < 1) this.#say('NET018', at, `a count of ${arc.count}`);
    if (arc.kind !== 'take' && arc.count !== 1) this.#say('NET018', at, `only an arc that takes may have a count`);
    const p = this.#places.get(arc.place);
    if (p === undefined) {
      this.#say('NET012', at, this.#unknownPlace(arc.place));
      return;
    }
    this.#knownFields(at, arc.pattern, p);
    for (const f of p.fields) {
      const e = given(arc.pattern, f.name);
      if (e !== undefined) this.#match(at, f.name, f.colour, e, types);
    }
  }

  #knownFields(at: string, given: Readonly<Record<string, Expression>>, p: Place): void {
    const names = p.fields.map((f) => f.name);
    for (const field of Object.keys(given))
      if (!names.includes(field)) this.#say('NET017', at, `unknown field "${field}".${this.#near(field, names)}`);
  }

  #match(at: string, field: string, colour: string, e: Expression, types: Types): void {
    this.#unbound(at, e, types);
    const want = this.#typeOfColour(colour);
    const got = this.#type(at, e, types);
    if (want !== undefined && got !== undefined && !fits(got, want))
      this.#say('NET022', at, `field "${field}" is of colour ${colour} (${want}), the expression is ${got}`);
  }

  #unbound(part: string, e: Expression, types: Types): void {
    for (const v of variablesOf(e))
      if (!types.has(v))
        this.#say('NET021', part, `variable "${v}" is bound by no input arc.${this.#near(v, types.keys())}`);
  }

  #typeOfColour(name: string): Type | undefined {
    const c = this.#colours.get(name);
    if (c === undefined) return undefined;
    return c.kind === 'bool' ? 'bool' : c.kind === 'enum' ? `enum ${c.name}` : 'int';
  }

  /** The type of an expression; undefined where a problem was already reported. */
  #type(part: string, e: Expression, types: Types): Type | undefined {
    const sub = operands(e).map((x) => this.#type(part, x, types));
    const need = (want: Type, ...which: number[]): void => {
      for (const k of which) {
        const got = sub[k];
        if (got !== undefined && !fits(got, want))
          this.#say('NET022', part, `operand ${k + 1} of "${e.op}" must be ${want}, not ${got}`);
      }
    };
    switch (e.op) {
      case 'const':
        if (Number.isNaN(e.value)) this.#say('NET023', part, 'a constant is not a number');
        if (e.colour === undefined)
          return e.value === 0 || e.value === 1 ? 'bit' : Number.isInteger(e.value) ? 'int' : 'real';
        return this.#enumerated(part, e.colour, e.value);
      case 'var':
        return types.get(e.name);
      case 'neg':
        need('real', 0);
        return sub[0] === undefined || sub[0] === 'real' ? sub[0] : 'int';
      case 'floor':
        need('real', 0);
        return 'int';
      case 'not':
        need('bool', 0);
        return 'bool';
      case 'and':
      case 'or':
        need('bool', 0, 1);
        return 'bool';
      case 'div':
        need('real', 0, 1);
        return 'real';
      case 'add':
      case 'sub':
      case 'mul':
      case 'mod':
      case 'min':
      case 'max':
        need('real', 0, 1);
        return sub[0] === undefined || sub[1] === undefined ? undefined : sub.includes('real') ? 'real' : 'int';
      case 'lt':
      case 'le':
      case 'gt':
      case 'ge':
        need('real', 0, 1);
        return 'bool';
      case 'eq':
      case 'ne':
        this.#alike(part, e.op, sub[0], sub[1]);
        return 'bool';
      case 'if':
        need('bool', 0);
        this.#alike(part, 'if', sub[1], sub[2]);
        return wider(sub[1], sub[2]);
      case 'at':
      case 'step':
        need(e.op === 'at' ? 'int' : 'real', 0);
        return this.#tableType(part, e.op, e.table);
    }
  }

  #enumerated(part: string, colour: string, value: number): Type | undefined {
    const c = this.#colours.get(colour);
    if (c?.kind !== 'enum') {
      const known = [...this.#colours.values()].filter((x) => x.kind === 'enum').map((x) => x.name);
      this.#say('NET011', part, `unknown enumeration "${colour}".${this.#near(colour, known)}`);
      return undefined;
    }
    if (!(Number.isInteger(value) && value >= 0 && value < c.values.length))
      this.#say('NET024', part, `${value} is no value of enumeration "${colour}" (0 … ${c.values.length - 1})`);
    return `enum ${colour}`;
  }

  #alike(part: string, op: string, a: Type | undefined, b: Type | undefined): void {
    if (a !== undefined && b !== undefined && !fits(a, b) && !fits(b, a))
      this.#say('NET022', part, `the two sides of "${op}" differ: ${a} and ${b}`);
  }

  #tableType(part: string, op: 'at' | 'step', name: string): Type | undefined {
    const t = this.#tables.get(name);
    if (t === undefined) {
      this.#say('NET016', part, `unknown table "${name}".${this.#near(name, this.#tables.keys())}`);
      return undefined;
    }
    if (op === 'at' ? t.kind !== 'int' && t.kind !== 'real' : t.kind !== 'step') {
      this.#say('NET016', part, `table "${name}" is of kind ${t.kind} and cannot be looked up by "${op}"`);
      return undefined;
    }
    return t.kind === 'int' ? 'int' : 'real';
  }

  #unknownPlace(name: string): string {
    return `unknown place "${name}".${this.#near(name, this.#places.keys())}`;
  }
}

/** What is given for a field, also where its name is that of something every object has. */
function given(values: Readonly<Record<string, Expression>>, field: string): Expression | undefined {
  return Object.hasOwn(values, field) ? values[field] : undefined;
}

type Types = ReadonlyMap<string, Type | undefined>;

/** The type that holds the values of both; undefined where none does. */
function wider(a: Type | undefined, b: Type | undefined): Type | undefined {
  if (a === undefined || b === undefined) return undefined;
  return fits(a, b) ? b : fits(b, a) ? a : undefined;
}

/** Whether a value of type `got` may stand where `want` is wanted: 0 and 1 are truth values as well as numbers. */
function fits(got: Type, want: Type): boolean {
  if (got === want) return true;
  if (want === 'real') return got === 'int' || got === 'bit' || got === 'bool';
  if (want === 'int') return got === 'bit' || got === 'bool';
  return want === 'bool' && got === 'bit';
}
