import { didYouMean, fail, InputError, quote, shown } from '../../base/problem.ts';
import { beginEvaluation, refuseInFunction } from '../../net/functions/evaluation.ts';
import { ANY, type Parameters } from './builder-types.ts';
import { Communicator, World } from './communicator.ts';
import { guarded } from './parameters.ts';
import { placeOf, Site } from './site.ts';
import type { Block, CollectiveKind, Into, Request, SendMode, Statement } from './statement.ts';
import type { Variables } from './variables.ts';

/** Statements that a model may record; more are loops that were unrolled. */
export const MOST_STATEMENTS = 10_000;

/** A program as it was recorded for a number of ranks and parameters. */
export interface Recorded {
  readonly name: string;
  readonly size: number;
  /** The rank of the world that is its rank 0. */
  readonly first: number;
  readonly params: Parameters;
  readonly variables: Variables;
  readonly body: Block;
  /** How many requests it has. */
  readonly requests: number;
  readonly communicators: readonly Communicator[];
}

/** A model among those that run together, and its ranks among theirs. */
export interface ModelPart {
  readonly name: string;
  readonly first: number;
  readonly size: number;
}

/** What each collective may be given. */
const COLLECTIVES: Readonly<Record<CollectiveKind, readonly string[]>> = {
  barrier: [],
  bcast: ['bytes', 'root'],
  reduce: ['bytes', 'flops', 'root'],
  allreduce: ['bytes', 'flops'],
  scan: ['bytes', 'flops'],
  exscan: ['bytes', 'flops'],
  gather: ['bytes', 'root'],
  scatter: ['bytes', 'root'],
  allgather: ['bytes'],
  alltoall: ['bytes'],
  gatherv: ['counts', 'root'],
  scatterv: ['counts', 'root'],
  allgatherv: ['counts'],
  alltoallv: ['sendCounts', 'recvCounts'],
  reducescatter: ['counts', 'flops'],
};

const MODES: readonly SendMode[] = ['standard', 'synchronous', 'buffered', 'ready'];

type Options = Readonly<Record<string, unknown>>;
type Persistent = Request & { readonly persistent: true };

/**
 * Records the statements of a model: what `build` is given. Its methods are those of `ProgramBuilder`, whose types
 * refuse at build time what is refused here for plain JavaScript.
 */
export class Recorder {
  readonly size: number;
  readonly p: Parameters;
  readonly world: Communicator;
  readonly everyone: Communicator;
  readonly #parts: readonly ModelPart[];
  readonly #name: string;
  readonly #variables: Variables;
  readonly #first: number;
  readonly #communicators: Communicator[];
  readonly #persistent = new Map<Request, (request: Request, site: Site) => void>();
  #list: Statement[] = [];
  #count = 0;
  #requests = 0;
  #open = true;

  /** @param total ranks of all programs that run together */
  constructor(
    program: Pick<Recorded, 'name' | 'size' | 'first' | 'params' | 'variables'>,
    parts: readonly ModelPart[],
  ) {
    const total = parts.reduce((sum, p) => sum + p.size, 0);
    this.#parts = parts;
    this.#name = program.name;
    this.size = program.size;
    this.p = guarded(program.name, program.params);
    this.#variables = program.variables;
    this.#first = program.first;
    this.everyone = new World(0, 0, total);
    this.world = total === program.size ? this.everyone : new World(program.first + 1, program.first, program.size);
    this.#communicators = [this.everyone, this.world];
    for (const call of Object.keys(COLLECTIVES) as CollectiveKind[]) {
      const add = (options: unknown, request: Request | undefined, above: (o?: unknown) => unknown): void => {
        const o = this.#options(call, options ?? {}, [...COLLECTIVES[call], 'comm'], above);
        const { comm, ...args } = o;
        this.#add({
          kind: 'collective',
          call,
          args,
          comm: this.#comm(comm, call, above),
          request,
          site: new Site(above),
        });
      };
      const blocking = (options?: unknown): void => add(options, undefined, blocking);
      const posted = (options?: unknown): Request => {
        const request = this.#request(posted);
        add(options, request, posted);
        return request;
      };
      Object.assign(this, { [call]: blocking, [`i${call}`]: posted });
    }
  }

  /** Runs `build`, and returns what it recorded. */
  static record(
    program: Omit<Recorded, 'body' | 'requests' | 'communicators'>,
    parts: readonly ModelPart[],
    build: (m: never) => unknown,
  ): Recorded {
    const m = new Recorder(program, parts);
    refuseInFunction('MODEL010', 'builds a model');
    try {
      m.#whole(build(m as never), new Site(Recorder.record));
    } catch (e) {
      if (!(e instanceof Error) || e.name === 'InputError') throw e;
      fail('MODEL029', `build throws ${e.name}: ${e.message.split('\n')[0]}`, placeOf(e.stack ?? ''));
    }
    m.#open = false;
    return { ...program, body: { statements: m.#list }, requests: m.#requests, communicators: m.#communicators };
  }

  /** The ranks that a part of coupled models has within `everyone`. */
  part(name: string): ModelPart {
    const known = this.#parts.map((p) => p.name);
    const found = this.#parts.find((p) => p.name === name);
    if (found !== undefined) return found;
    fail('MODEL028', `there is no part ${shown(name)}.${didYouMean(String(name), known)}`, new Site(this.part).place);
  }

  /** No rank is known while a model is built: read only by the mistake that everyone makes first. */
  get rank(): never {
    return fail(
      'MODEL013',
      'm.rank: a model is built once for all ranks. Write what depends on the rank as a function: m.when(s => s.rank === 0, …)',
      new Site(Object.getOwnPropertyDescriptor(Recorder.prototype, 'rank')!.get!).place,
    );
  }

  compute(work: Options): void {
    const o = this.#options('compute', work, ['flops', 'bytes', 'seconds', 'noise'], this.compute);
    const site = new Site(this.compute);
    if (o['flops'] !== undefined && o['seconds'] !== undefined)
      fail('MODEL014', 'compute takes flops or seconds, not both', site.place);
    if (o['flops'] === undefined && o['seconds'] === undefined && o['bytes'] === undefined)
      fail('MODEL014', 'compute takes flops, bytes or seconds: none is given', site.place);
    const { flops, bytes, seconds, noise } = o;
    this.#add({ kind: 'compute', flops, bytes, seconds, noise: noise as never, site });
  }

  sleep(seconds: unknown, noise?: unknown): void {
    this.#add({ kind: 'sleep', seconds, noise: noise as never, site: new Site(this.sleep) });
  }

  send(options: Options): void {
    this.#send(options, undefined, this.send);
  }

  isend(options: Options): Request {
    const request = this.#request(this.isend);
    this.#send(options, request, this.isend);
    return request;
  }

  recv(options: Options): void {
    this.#recv(options, undefined, this.recv);
  }

  irecv(options: Options): Request {
    const request = this.#request(this.irecv);
    this.#recv(options, request, this.irecv);
    return request;
  }

  sendrecv(options: Options): void {
    const above = this.sendrecv;
    const { from, recvTag, into, ...send } = this.#options(
      'sendrecv',
      options,
      ['to', 'bytes', 'tag', 'carry', 'comm', 'from', 'recvTag', 'into'],
      above,
    );
    const sent = this.#request(above);
    this.#send(send, sent, above);
    const received = this.#request(above);
    const tag = recvTag ?? send['tag'];
    const { comm } = send;
    this.#recv(
      { from, ...(tag === undefined ? {} : { tag }), ...(comm === undefined ? {} : { comm }) },
      received,
      above,
    );
    this.#add({ kind: 'wait', request: sent, into: NOTHING, site: new Site(above) });
    this.#add({ kind: 'wait', request: received, into: this.#into(into, above), site: new Site(above) });
  }

  sendInit(options: Options): Persistent {
    const request: Persistent = { ...this.#request(this.sendInit), persistent: true };
    this.#persistent.set(request, (q, site) => this.#send(options, q, this.start, site));
    return request;
  }

  recvInit(options: Options): Persistent {
    const request: Persistent = { ...this.#request(this.recvInit), persistent: true };
    this.#persistent.set(request, (q, site) => this.#recv(options, q, this.start, site));
    return request;
  }

  start(...requests: readonly Persistent[]): void {
    const site = new Site(this.start);
    for (const request of requests) {
      const post = this.#persistent.get(request);
      if (post === undefined) fail('MODEL015', 'start takes what sendInit or recvInit returned', site.place);
      post(request, site);
    }
  }

  wait(request: Request, into?: unknown): void {
    this.#add({
      kind: 'wait',
      request: this.#known(request, this.wait),
      into: this.#into(into, this.wait),
      site: new Site(this.wait),
    });
  }

  waitAll(requests: readonly Request[]): void {
    const list = this.#requestsOf(requests, this.waitAll);
    for (const request of list) this.#add({ kind: 'wait', request, into: NOTHING, site: new Site(this.waitAll) });
  }

  waitAny(requests: readonly Request[], options: unknown = {}): void {
    const above = this.waitAny;
    const { index, into } = this.#options('waitAny', options, ['index', 'into'], above);
    const list = this.#requestsOf(requests, above);
    this.#add({
      kind: 'waitAny',
      requests: list,
      index: index === undefined ? undefined : this.#variable(index, above, 'number'),
      into: this.#into(into, above),
      site: new Site(above),
    });
  }

  waitSome(requests: readonly Request[], options: unknown = {}): void {
    const above = this.waitSome;
    const { count } = this.#options('waitSome', options, ['count'], above);
    const list = this.#requestsOf(requests, above);
    const site = new Site(above);
    const counter = count === undefined ? undefined : this.#variable(count, above, 'number');
    this.#add({ kind: 'waitAny', requests: list, index: undefined, into: NOTHING, site });
    if (counter !== undefined) this.#add({ kind: 'let', variable: counter, value: 1, site });
    for (const request of list) this.#add({ kind: 'take', request, count: counter, site });
  }

  readFile(options: Options): void {
    const { bytes } = this.#options('readFile', options, ['bytes'], this.readFile);
    this.#add({ kind: 'file', call: 'readFile', bytes, site: new Site(this.readFile) });
  }

  writeFile(options: Options): void {
    const { bytes } = this.#options('writeFile', options, ['bytes'], this.writeFile);
    this.#add({ kind: 'file', call: 'writeFile', bytes, site: new Site(this.writeFile) });
  }

  test(request: Request, options: unknown): void {
    const above = this.test;
    const { done, into } = this.#options('test', options, ['done', 'into'], above);
    this.#add({
      kind: 'test',
      request: this.#known(request, above),
      done: this.#variable(done, above, 'flag'),
      into: this.#into(into, above),
      site: new Site(above),
    });
  }

  split(options: Options): Communicator {
    const above = this.split;
    const site = new Site(above);
    const { color, key, comm } = this.#options('split', options, ['color', 'key', 'comm'], above);
    const parent = this.#comm(comm, 'split', above);
    const groups = new Map<number, { rank: number; key: number }[]>();
    const ask = (f: unknown, rank: number, what: string): number | null => {
      if (typeof f !== 'function') fail('MODEL012', `split: ${what} is a function of the rank`, site.place);
      const end = beginEvaluation('split');
      try {
        const answer = f(Object.freeze({ rank: rank - this.#first, size: this.size, p: this.p })) as unknown;
        if (answer === null || Number.isSafeInteger(answer)) return answer as number | null;
        fail(
          'MODEL020',
          `${what} of rank ${rank - this.#first}: ${shown(answer)} where a whole number is expected`,
          site.place,
        );
      } finally {
        end();
      }
    };
    const total = this.everyone.sizeOf(0);
    for (let rank = 0; rank < total; rank++) {
      if (!parent.has(rank)) continue;
      const group = ask(color, rank, 'color');
      if (group === null) continue;
      const order = key === undefined ? 0 : (ask(key, rank, 'key') ?? 0);
      groups.set(group, [...(groups.get(group) ?? []), { rank, key: order }]);
    }
    const of = new Array<readonly number[] | undefined>(total).fill(undefined);
    for (const members of groups.values()) {
      const ranks = members.sort((a, b) => a.key - b.key || a.rank - b.rank).map((m) => m.rank);
      for (const rank of ranks) of[rank] = ranks;
    }
    const made = new Communicator(total + 1 + this.#first * MOST_STATEMENTS + this.#communicators.length, of);
    this.#communicators.push(made);
    return made;
  }

  put(options: Options): void {
    const { to, bytes, comm } = this.#options('put', options, ['to', 'bytes', 'comm'], this.put);
    this.#add({ kind: 'put', peer: to, bytes, comm: this.#comm(comm, 'put', this.put), site: new Site(this.put) });
  }

  get(options: Options): void {
    const { from, bytes, comm } = this.#options('get', options, ['from', 'bytes', 'comm'], this.get);
    this.#add({ kind: 'get', peer: from, bytes, comm: this.#comm(comm, 'get', this.get), site: new Site(this.get) });
  }

  fence(options: unknown = {}): void {
    const { comm } = this.#options('fence', options, ['comm'], this.fence);
    this.#add({ kind: 'fence', comm: this.#comm(comm, 'fence', this.fence), site: new Site(this.fence) });
  }

  let(variable: string, value: unknown): void {
    this.#add({ kind: 'let', variable: this.#variable(variable, this.let), value, site: new Site(this.let) });
  }

  when(test: unknown, then: () => unknown, otherwise: () => unknown = () => undefined): void {
    const site = new Site(this.when);
    this.#add({
      kind: 'when',
      test: this.#function(test, 'when', site),
      holds: this.#block(then, site),
      otherwise: this.#block(otherwise, site),
      site,
    });
  }

  chance(probability: unknown, then: () => unknown, otherwise: () => unknown = () => undefined): void {
    const site = new Site(this.chance);
    this.#add({
      kind: 'chance',
      probability,
      holds: this.#block(then, site),
      otherwise: this.#block(otherwise, site),
      site,
    });
  }

  loop(...args: readonly unknown[]): void {
    const site = new Site(this.loop);
    const [variable, count, body] = typeof args[0] === 'string' ? args : [undefined, ...args];
    if (variable !== undefined) this.#variable(variable, this.loop, 'number');
    this.#add({ kind: 'loop', variable: variable as string | undefined, count, body: this.#block(body, site), site });
  }

  while(test: unknown, body: () => unknown): void {
    const site = new Site(this.while);
    this.#add({ kind: 'while', test: this.#function(test, 'while', site), body: this.#block(body, site), site });
  }

  repeat(probability: unknown, body: () => unknown): void {
    const site = new Site(this.repeat);
    this.#add({ kind: 'repeat', probability, body: this.#block(body, site), site });
  }

  interval(name: string, body: () => unknown): void {
    const site = new Site(this.interval);
    if (typeof name !== 'string' || name === '')
      fail('MODEL012', `${shown(name)} where the name of an interval is expected`, site.place);
    this.#add({ kind: 'interval', name, body: this.#block(body, site), site });
  }

  #send(
    options: unknown,
    request: Request | undefined,
    above: (...a: never[]) => unknown,
    site: Site = new Site(above),
  ): void {
    const call = request === undefined ? 'send' : 'isend';
    const o = this.#options(call, options, ['to', 'bytes', 'tag', 'mode', 'carry', 'comm'], above);
    const { to, bytes, tag = 0, mode = 'standard', carry = {}, comm } = o;
    if (!MODES.includes(mode as SendMode))
      fail('MODEL012', `mode ${shown(mode)} of a ${call}.${didYouMean(String(mode), MODES)}`, site.place);
    for (const name of Object.keys(carry as object)) this.#variable(name, above);
    if (!('to' in o) || bytes === undefined)
      fail('MODEL014', `${call} takes to and bytes: ${'to' in o ? 'bytes' : 'to'} is missing`, site.place);
    this.#add({
      kind: 'send',
      to,
      bytes,
      tag,
      mode: mode as SendMode,
      carry: carry as Options,
      comm: this.#comm(comm, call, above),
      request,
      site,
    });
  }

  #recv(
    options: unknown,
    request: Request | undefined,
    above: (...a: never[]) => unknown,
    site: Site = new Site(above),
  ): void {
    const call = request === undefined ? 'recv' : 'irecv';
    const o = this.#options(call, options, ['from', 'tag', 'into', 'comm'], above);
    const { from, tag = 0, into, comm } = o;
    if (!('from' in o))
      fail('MODEL014', `${call} takes from: it is missing (ANY takes a message of any source)`, site.place);
    if (request !== undefined && into !== undefined)
      fail('MODEL014', 'irecv: what came in is known when it is waited for: give into to the wait', site.place);
    this.#add({
      kind: 'recv',
      from,
      tag,
      into: this.#into(into, above),
      comm: this.#comm(comm, call, above),
      request,
      site,
    });
  }

  #into(into: unknown, above: (...a: never[]) => unknown): Into {
    if (into === undefined) return NOTHING;
    const { source, tag, carry = [] } = this.#options('into', into, ['source', 'tag', 'carry'], above);
    if (!Array.isArray(carry)) fail('MODEL012', 'carry of into is a list of variables', new Site(above).place);
    return {
      ...(source === undefined ? {} : { source: this.#variable(source, above, 'number') }),
      ...(tag === undefined ? {} : { tag: this.#variable(tag, above, 'number') }),
      carry: carry.map((name) => this.#variable(name, above)),
    };
  }

  #request(above: (...a: never[]) => unknown): Request {
    return { number: ++this.#requests, site: new Site(above) };
  }

  #known(request: unknown, above: (...a: never[]) => unknown): Request {
    const { number } = (request ?? {}) as Partial<Request>;
    if (!(Number.isInteger(number) && number! >= 1 && number! <= this.#requests))
      fail(
        'MODEL015',
        `${shown(request)} where a request of this model is expected: what isend or irecv returned`,
        new Site(above).place,
      );
    return request as Request;
  }

  #requestsOf(requests: unknown, above: (...a: never[]) => unknown): Request[] {
    if (!Array.isArray(requests))
      fail('MODEL015', `${shown(requests)} where a list of requests is expected`, new Site(above).place);
    return requests.map((request) => this.#known(request, above));
  }

  #variable(name: unknown, above: (...a: never[]) => unknown, kind?: 'number' | 'flag'): string {
    const known = Object.keys(this.#variables);
    if (typeof name === 'string' && known.includes(name)) {
      const { kind: own } = this.#variables[name]!;
      const fits = kind === 'flag' ? own === 'flag' : kind === undefined || (own !== 'flag' && own !== 'one-of');
      if (fits) return name;
      const expected = kind === 'flag' ? 'true or false: flag()' : 'numbers: counter(), range() or rankVar()';
      fail('MODEL016', `variable "${name}" does not take ${expected}`, new Site(above).place);
    }
    fail(
      'MODEL016',
      `${shown(name)} is no variable of ${this.#name}.${didYouMean(String(name), known)} Declare it in vars.`,
      new Site(above).place,
    );
  }

  #comm(comm: unknown, call: string, above: (...a: never[]) => unknown): Communicator {
    if (comm === undefined) return this.world;
    if (comm instanceof Communicator && this.#communicators.includes(comm)) return comm;
    fail(
      'MODEL017',
      `${shown(comm)} where a communicator of this model is expected (comm of a ${call})`,
      new Site(above).place,
    );
  }

  #function(f: unknown, call: string, site: Site): unknown {
    if (typeof f === 'function') return f;
    fail(
      'MODEL012',
      `${call} takes a function of the state, s => …, and got ${shown(f)}: what is compared outside of it is compared once, when the model is built`,
      site.place,
    );
  }

  #options(call: string, options: unknown, known: readonly string[], above: (...a: never[]) => unknown): Options {
    if (typeof options !== 'object' || options === null || Array.isArray(options))
      fail(
        'MODEL012',
        `${call}: ${shown(options)} where options are expected: ${known.join(', ')}`,
        new Site(above).place,
      );
    for (const key of Object.keys(options))
      if (!known.includes(key))
        fail('MODEL018', `${call} has no option ${quote(key)}.${didYouMean(key, known)}`, new Site(above).place);
    for (const [key, value] of Object.entries(options))
      if (typeof value === 'symbol' && value !== ANY)
        fail('MODEL012', `${key} of a ${call} is a symbol`, new Site(above).place);
    return options as Options;
  }

  #block(body: unknown, site: Site): Block {
    if (typeof body !== 'function')
      fail('MODEL012', `${shown(body)} where a block is expected: () => { … }`, site.place);
    const outer = this.#list;
    const inner: Statement[] = [];
    this.#list = inner;
    try {
      this.#whole(body(), site);
    } finally {
      this.#list = outer;
    }
    return { statements: inner };
  }

  /** Refuses a promise: what is said later would be lost. */
  #whole(returned: unknown, site: Site): void {
    if (
      typeof returned !== 'object' ||
      returned === null ||
      !('then' in returned) ||
      typeof returned.then !== 'function'
    )
      return;
    returned.then(undefined, () => undefined);
    fail('MODEL011', 'a block of the model returns a promise: it must have said all when it returns', site.place);
  }

  #add(statement: Statement): void {
    refuseInFunction('MODEL010', `adds a ${statement.kind} to the model`);
    if (!this.#open)
      throw new InputError([
        { code: 'MODEL011', message: 'the builder is used after the model was built', place: statement.site.place },
      ]);
    if (++this.#count > MOST_STATEMENTS)
      fail(
        'MODEL019',
        `more than ${MOST_STATEMENTS} statements: a loop of JavaScript is run when the model is built. Write m.loop('i', count, () => …)`,
        statement.site.place,
      );
    this.#list.push(statement);
  }
}

const NOTHING: Into = { carry: [] };
