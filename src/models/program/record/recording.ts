import { didYouMean, fail, InputError, type Place, quote, shown } from '../../../base/problem.ts';
import { refuseInFunction } from '../../../net/functions/ambient.ts';
import { Site } from '../../site.ts';
import { ANY } from './builder-types.ts';
import { Communicator } from './communicator.ts';
import type { Link, Position } from './coupling.ts';
import type { Interface, Label, LabelKind } from './labels.ts';
import type { Block, Into, Request, Statement } from './statement.ts';
import type { Variable, Variables } from './variables.ts';

/** Maximum number of statements of a model; a larger number indicates an unrolled loop. */
export const MAX_STATEMENTS = 10_000;

/** Options of a statement by name. */
export type Options = Readonly<Record<string, unknown>>;
/** Methods of the builder by name. */
export type Methods = Readonly<Record<string, (...args: never[]) => unknown>>;
/** A builder function; its call site is the place of the statement. */
type Above = (...a: never[]) => unknown;

/** The statements of a model during recording, with checks of their arguments. */
export class Recording {
  readonly world: Communicator;
  readonly communicators: Communicator[];
  /** World rank of the program's rank 0, and the number of its ranks. */
  readonly first: number;
  readonly size: number;
  readonly #name: string;
  readonly #variables: Variables;
  readonly #prefix: string;
  readonly #labels: Interface;
  readonly #links: ReadonlyMap<string, Link>;
  /** Requests of receives on labels without a link. */
  readonly openRequests: Set<number> = new Set();
  #list: Statement[] = [];
  #count = 0;
  #requests = 0;
  #open = true;
  /** The call whose block is being recorded with a separate builder; otherwise undefined. */
  #inner: string | undefined;

  constructor(
    program: { readonly size: number; readonly variables: Variables; readonly interface: Interface },
    { name, prefix, first, links, coupling }: Position,
    world: Communicator,
  ) {
    this.first = first;
    this.size = program.size;
    this.#name = name;
    this.#prefix = prefix;
    this.#variables = program.variables;
    this.#labels = program.interface;
    this.#links = links;
    this.world = world;
    const linked = [...links.values()].flatMap((link) => ('comm' in link ? [link.comm] : []));
    this.communicators = [coupling.everyone, world, ...linked];
  }

  /** Ends the recording; later statements are rejected. */
  end(): { readonly body: Block; readonly requests: number } {
    this.#open = false;
    return { body: { statements: this.#list }, requests: this.#requests };
  }

  into(into: unknown, above: Above): Into {
    if (into === undefined) return NOTHING;
    const { source, tag, carry = [] } = this.options('into', into, ['source', 'tag', 'carry'], above);
    if (!Array.isArray(carry)) fail('MODEL012', 'into: carry: expected a list of variables', new Site(above).place);
    return {
      ...(source === undefined ? {} : { source: this.variable(source, above, 'number') }),
      ...(tag === undefined ? {} : { tag: this.variable(tag, above, 'number') }),
      carry: carry.map((name) => this.variable(name, above)),
    };
  }

  request(above: Above): Request {
    const site = new Site(above);
    this.#refuseInner(site.place);
    return { number: ++this.#requests, site };
  }

  known(request: unknown, above: Above): Request {
    const { number } = (request ?? {}) as Partial<Request>;
    if (!(Number.isInteger(number) && number! >= 1 && number! <= this.#requests))
      fail(
        'MODEL015',
        `expected a request of this model, as returned by isend or irecv, got ${shown(request)}`,
        new Site(above).place,
      );
    return request as Request;
  }

  requestsOf(requests: unknown, above: Above): Request[] {
    if (!Array.isArray(requests))
      fail('MODEL015', `expected a list of requests, got ${shown(requests)}`, new Site(above).place);
    return requests.map((request) => this.known(request, above));
  }

  /**
   * True if all requests receive on labels without a link.
   *
   * @throws InputError MODEL036 if some do, and the status of the first one is asked for
   */
  allOpen(requests: readonly Request[], into: Into, above: Above): boolean {
    const open = requests.filter(({ number }) => this.openRequests.has(number)).length;
    if (open === 0 || open === requests.length) return open > 0;
    if (into.source === undefined && into.tag === undefined && into.carry.length === 0) return false;
    return fail(
      'MODEL036',
      'waitAny: into, for requests of open labels and others: expected requests of one sort, or a composition that connects the labels',
      new Site(above).place,
    );
  }

  variable(name: unknown, above: Above, kind?: 'number' | 'flag'): string {
    const known = Object.keys(this.#variables);
    if (typeof name === 'string' && known.includes(name)) {
      const { kind: own } = this.#variables[name]!;
      const fits = kind === 'flag' ? own === 'flag' : kind === undefined || (own !== 'flag' && own !== 'one-of');
      if (fits) return name;
      const expected = kind === 'flag' ? 'true or false: use flag()' : 'numbers: use counter(), range() or rankVar()';
      fail('MODEL016', `variable "${name}" cannot hold ${expected}`, new Site(above).place);
    }
    fail(
      'MODEL016',
      `${shown(name)} is not a variable of ${this.#name}.${didYouMean(String(name), known)} Declare it in vars.`,
      new Site(above).place,
    );
  }

  comm(comm: unknown, call: string, above: Above): Communicator {
    if (comm === undefined) return this.world;
    if (comm instanceof Communicator && this.communicators.includes(comm)) return comm;
    fail(
      'MODEL017',
      `comm of a ${call}: expected a communicator of this model, got ${shown(comm)}`,
      new Site(above).place,
    );
  }

  /**
   * A label of the module's interface with its connection. Without a link, its partner is always ready.
   *
   * @throws InputError MODEL036 for an unknown label or one of another kind
   */
  label(
    name: unknown,
    kind: LabelKind,
    call: string,
    above: Above,
  ): { readonly label: Label; readonly link: Link | undefined } {
    const known = Object.keys(this.#labels);
    const fitting = known.filter((key) => this.#labels[key]!.kind === kind);
    const label = typeof name === 'string' && known.includes(name) ? this.#labels[name]! : undefined;
    if (label?.kind !== kind) {
      const what = label === undefined ? `is not a label of ${this.#name}` : `is a label of kind ${label.kind}`;
      const nearest = didYouMean(String(name), fitting);
      const declare = fitting.length === 0 ? ` Declare it: interface: { ${String(name)}: ${kind}() }.` : nearest;
      fail(
        'MODEL036',
        `${call}: ${shown(name)} ${what}, expected one of kind ${kind}.${declare}`,
        new Site(above).place,
      );
    }
    return { label, link: this.#links.get(name as string) };
  }

  /** A label of messages of either direction. */
  messages(name: unknown, call: string, above: Above): { readonly link: Link | undefined } {
    const kind = this.#labels[String(name)]?.kind === 'receives' ? 'receives' : 'sends';
    return this.label(name, kind, call, above);
  }

  /** Name of a resource that no other module shares. */
  ownName(label: string): string {
    return `${this.#prefix}${label}`;
  }

  /** A declared variable; its name was checked. */
  variableOf(name: string): Variable {
    return this.#variables[name]!;
  }

  function(f: unknown, call: string, site: Site): unknown {
    if (typeof f === 'function') return f;
    fail(
      'MODEL012',
      `${call}: expected a function of the state, s => …, got ${shown(f)}, which is evaluated only once, when the model is built`,
      site.place,
    );
  }

  /**
   * Runs a block that records with a separate builder. Statements of this builder are refused meanwhile: they would be recorded once,
   * outside the constructs of the block.
   */
  inner<T>(call: string, body: () => T): T {
    this.#inner = call;
    try {
      return body();
    } finally {
      this.#inner = undefined;
    }
  }

  /** @throws InputError MODEL034 */
  #refuseInner(place: Place): void {
    if (this.#inner !== undefined)
      fail(
        'MODEL034',
        `a statement of the outer builder in the block of ${this.#inner}: expected statements of the block's own builder, the argument of its function. Move it before or after ${this.#inner}`,
        place,
      );
  }

  options(call: string, options: unknown, known: readonly string[], above: Above): Options {
    if (this.#inner !== undefined) this.#refuseInner(new Site(above).place);
    if (typeof options !== 'object' || options === null || Array.isArray(options))
      fail('MODEL012', `${call}: expected options (${known.join(', ')}), got ${shown(options)}`, new Site(above).place);
    for (const key of Object.keys(options))
      if (!known.includes(key))
        fail('MODEL018', `${call} has no option ${quote(key)}.${didYouMean(key, known)}`, new Site(above).place);
    for (const [key, value] of Object.entries(options))
      if (typeof value === 'symbol' && value !== ANY)
        fail('MODEL012', `${key} of a ${call} is a symbol: only ANY is allowed`, new Site(above).place);
    return options as Options;
  }

  block(body: unknown, site: Site): Block {
    this.#refuseInner(site.place);
    if (typeof body !== 'function') fail('MODEL012', `expected a block, () => { … }, got ${shown(body)}`, site.place);
    const outer = this.#list;
    const inner: Statement[] = [];
    this.#list = inner;
    try {
      this.assertSynchronous(body(), site);
    } finally {
      this.#list = outer;
    }
    return { statements: inner };
  }

  /** Rejects a promise: statements added after its first `await` would be lost. */
  assertSynchronous(returned: unknown, site: Site): void {
    if (
      typeof returned !== 'object' ||
      returned === null ||
      !('then' in returned) ||
      typeof returned.then !== 'function'
    )
      return;
    returned.then(undefined, () => undefined);
    fail(
      'MODEL011',
      'a block of the model returns a promise: it must add all its statements before it returns',
      site.place,
    );
  }

  add(statement: Statement): void {
    refuseInFunction('MODEL010', `adds a ${statement.kind} to the model`);
    if (!this.#open)
      throw new InputError([
        { code: 'MODEL011', message: 'the builder is used after the model was built', place: statement.site.place },
      ]);
    this.#refuseInner(statement.site.place);
    if (++this.#count > MAX_STATEMENTS)
      fail(
        'MODEL019',
        `more than ${MAX_STATEMENTS} statements: a JavaScript loop runs when the model is built. Use m.loop('i', count, () => …)`,
        statement.site.place,
      );
    this.#list.push(statement);
  }
}

/** No variables to set. */
export const NOTHING: Into = { carry: [] };
