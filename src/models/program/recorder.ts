import { didYouMean, fail, shown } from '../../base/problem.ts';
import { refuseInFunction } from '../../net/functions/evaluation.ts';
import type { Parameters } from './builder-types.ts';
import { COLLECTIVE_OPTIONS } from './collective-options.ts';
import { Communicator, RangeCommunicator } from './communicator.ts';
import { noiseOf } from './noise.ts';
import { guarded } from './parameters.ts';
import { MOST_STATEMENTS, NOTHING, type Options, Recording } from './recording.ts';
import { placeOf, Site } from './site.ts';
import { parted } from './split.ts';
import type { Block, CollectiveKind, Request, SendMode } from './statement.ts';
import type { Variables } from './variables.ts';

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

const MODES: readonly SendMode[] = ['standard', 'synchronous', 'buffered', 'ready'];

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
  readonly #first: number;
  readonly #recording: Recording;
  readonly #persistent = new Map<Request, (request: Request, site: Site) => void>();

  /** @param total ranks of all programs that run together */
  constructor(
    program: Pick<Recorded, 'name' | 'size' | 'first' | 'params' | 'variables'>,
    parts: readonly ModelPart[],
  ) {
    const total = parts.reduce((sum, p) => sum + p.size, 0);
    this.#parts = parts;
    this.size = program.size;
    this.p = guarded(program.name, program.params);
    this.#first = program.first;
    this.everyone = new RangeCommunicator(0, 0, total);
    this.world =
      total === program.size ? this.everyone : new RangeCommunicator(program.first + 1, program.first, program.size);
    this.#recording = new Recording(program.name, program.variables, this.world, this.everyone);
    for (const call of Object.keys(COLLECTIVE_OPTIONS) as CollectiveKind[]) {
      const add = (options: unknown, request: Request | undefined, above: (o?: unknown) => unknown): void => {
        const o = this.#recording.options(call, options ?? {}, [...COLLECTIVE_OPTIONS[call], 'comm'], above);
        const { comm, ...args } = o;
        this.#recording.add({
          kind: 'collective',
          call,
          args,
          comm: this.#recording.comm(comm, call, above),
          request,
          site: new Site(above),
        });
      };
      const blocking = (options?: unknown): void => add(options, undefined, blocking);
      const posted = (options?: unknown): Request => {
        const request = this.#recording.request(posted);
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
      m.#recording.whole(build(m as never), new Site(Recorder.record));
    } catch (e) {
      if (!(e instanceof Error) || e.name === 'InputError') throw e;
      fail('MODEL029', `build throws ${e.name}: ${e.message.split('\n')[0]}`, placeOf(e.stack ?? ''));
    }
    return { ...program, ...m.#recording.end(), communicators: m.#recording.communicators };
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
    const o = this.#recording.options('compute', work, ['flops', 'bytes', 'seconds', 'noise'], this.compute);
    const site = new Site(this.compute);
    if (o['flops'] !== undefined && o['seconds'] !== undefined)
      fail('MODEL014', 'compute takes flops or seconds, not both', site.place);
    if (o['flops'] === undefined && o['seconds'] === undefined && o['bytes'] === undefined)
      fail('MODEL014', 'compute takes flops, bytes or seconds: none is given', site.place);
    const { flops, bytes, seconds, noise } = o;
    this.#recording.add({ kind: 'compute', flops, bytes, seconds, noise: noiseOf(noise, site), site });
  }

  sleep(seconds: unknown, noise?: unknown): void {
    const site = new Site(this.sleep);
    this.#recording.add({ kind: 'sleep', seconds, noise: noiseOf(noise, site), site });
  }

  send(options: Options): void {
    this.#send(options, undefined, this.send);
  }

  isend(options: Options): Request {
    const request = this.#recording.request(this.isend);
    this.#send(options, request, this.isend);
    return request;
  }

  recv(options: Options): void {
    this.#recv(options, undefined, this.recv);
  }

  irecv(options: Options): Request {
    const request = this.#recording.request(this.irecv);
    this.#recv(options, request, this.irecv);
    return request;
  }

  sendrecv(options: Options): void {
    const above = this.sendrecv;
    const { from, recvTag, into, ...send } = this.#recording.options(
      'sendrecv',
      options,
      ['to', 'bytes', 'tag', 'carry', 'comm', 'from', 'recvTag', 'into'],
      above,
    );
    const sent = this.#recording.request(above);
    this.#send(send, sent, above);
    const received = this.#recording.request(above);
    const tag = recvTag ?? send['tag'];
    const { comm } = send;
    this.#recv(
      { from, ...(tag === undefined ? {} : { tag }), ...(comm === undefined ? {} : { comm }) },
      received,
      above,
    );
    this.#recording.add({ kind: 'wait', request: sent, into: NOTHING, site: new Site(above) });
    this.#recording.add({
      kind: 'wait',
      request: received,
      into: this.#recording.into(into, above),
      site: new Site(above),
    });
  }

  sendInit(options: Options): Persistent {
    const request: Persistent = { ...this.#recording.request(this.sendInit), persistent: true };
    this.#persistent.set(request, (q, site) => this.#send(options, q, this.start, site));
    return request;
  }

  recvInit(options: Options): Persistent {
    const request: Persistent = { ...this.#recording.request(this.recvInit), persistent: true };
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
    this.#recording.add({
      kind: 'wait',
      request: this.#recording.known(request, this.wait),
      into: this.#recording.into(into, this.wait),
      site: new Site(this.wait),
    });
  }

  waitAll(requests: readonly Request[]): void {
    const list = this.#recording.requestsOf(requests, this.waitAll);
    for (const request of list)
      this.#recording.add({ kind: 'wait', request, into: NOTHING, site: new Site(this.waitAll) });
  }

  waitAny(requests: readonly Request[], options: unknown = {}): void {
    const above = this.waitAny;
    const { index, into } = this.#recording.options('waitAny', options, ['index', 'into'], above);
    const list = this.#recording.requestsOf(requests, above);
    this.#recording.add({
      kind: 'waitAny',
      requests: list,
      index: index === undefined ? undefined : this.#recording.variable(index, above, 'number'),
      into: this.#recording.into(into, above),
      site: new Site(above),
    });
  }

  waitSome(requests: readonly Request[], options: unknown = {}): void {
    const above = this.waitSome;
    const { count } = this.#recording.options('waitSome', options, ['count'], above);
    const list = this.#recording.requestsOf(requests, above);
    const site = new Site(above);
    const counter = count === undefined ? undefined : this.#recording.variable(count, above, 'number');
    this.#recording.add({ kind: 'waitAny', requests: list, index: undefined, into: NOTHING, site });
    if (counter !== undefined) this.#recording.add({ kind: 'let', variable: counter, value: 1, site });
    for (const request of list) this.#recording.add({ kind: 'take', request, count: counter, site });
  }

  readFile(options: Options): void {
    const { bytes } = this.#recording.options('readFile', options, ['bytes'], this.readFile);
    this.#recording.add({ kind: 'file', call: 'readFile', bytes, site: new Site(this.readFile) });
  }

  writeFile(options: Options): void {
    const { bytes } = this.#recording.options('writeFile', options, ['bytes'], this.writeFile);
    this.#recording.add({ kind: 'file', call: 'writeFile', bytes, site: new Site(this.writeFile) });
  }

  test(request: Request, options: unknown): void {
    const above = this.test;
    const { done, into } = this.#recording.options('test', options, ['done', 'into'], above);
    this.#recording.add({
      kind: 'test',
      request: this.#recording.known(request, above),
      done: this.#recording.variable(done, above, 'flag'),
      into: this.#recording.into(into, above),
      site: new Site(above),
    });
  }

  split(options: Options): Communicator {
    const above = this.split;
    const site = new Site(above);
    const { color, key, comm } = this.#recording.options('split', options, ['color', 'key', 'comm'], above);
    const parent = this.#recording.comm(comm, 'split', above);
    const total = this.everyone.sizeOf(0);
    const own = (rank: number): number => rank - this.#first;
    const state = (rank: number): object => ({ rank: own(rank), size: this.size, p: this.p });
    const of = parted(parent, total, { color, key, state, name: own }, site);
    const made = new Communicator(total + 1 + this.#first * MOST_STATEMENTS + this.#recording.communicators.length, of);
    this.#recording.communicators.push(made);
    return made;
  }

  put(options: Options): void {
    const { to, bytes, comm } = this.#recording.options('put', options, ['to', 'bytes', 'comm'], this.put);
    this.#recording.add({
      kind: 'put',
      peer: to,
      bytes,
      comm: this.#recording.comm(comm, 'put', this.put),
      site: new Site(this.put),
    });
  }

  get(options: Options): void {
    const { from, bytes, comm } = this.#recording.options('get', options, ['from', 'bytes', 'comm'], this.get);
    this.#recording.add({
      kind: 'get',
      peer: from,
      bytes,
      comm: this.#recording.comm(comm, 'get', this.get),
      site: new Site(this.get),
    });
  }

  fence(options: unknown = {}): void {
    const { comm } = this.#recording.options('fence', options, ['comm'], this.fence);
    this.#recording.add({
      kind: 'fence',
      comm: this.#recording.comm(comm, 'fence', this.fence),
      site: new Site(this.fence),
    });
  }

  let(variable: string, value: unknown): void {
    this.#recording.add({
      kind: 'let',
      variable: this.#recording.variable(variable, this.let),
      value,
      site: new Site(this.let),
    });
  }

  when(test: unknown, then: () => unknown, otherwise: () => unknown = () => undefined): void {
    const site = new Site(this.when);
    this.#recording.add({
      kind: 'when',
      test: this.#recording.function(test, 'when', site),
      holds: this.#recording.block(then, site),
      otherwise: this.#recording.block(otherwise, site),
      site,
    });
  }

  chance(probability: unknown, then: () => unknown, otherwise: () => unknown = () => undefined): void {
    const site = new Site(this.chance);
    this.#recording.add({
      kind: 'chance',
      probability,
      holds: this.#recording.block(then, site),
      otherwise: this.#recording.block(otherwise, site),
      site,
    });
  }

  loop(...args: readonly unknown[]): void {
    const site = new Site(this.loop);
    const [variable, count, body] = typeof args[0] === 'string' ? args : [undefined, ...args];
    if (variable !== undefined) this.#recording.variable(variable, this.loop, 'number');
    this.#recording.add({
      kind: 'loop',
      variable: variable as string | undefined,
      count,
      body: this.#recording.block(body, site),
      site,
    });
  }

  while(test: unknown, body: () => unknown): void {
    const site = new Site(this.while);
    this.#recording.add({
      kind: 'while',
      test: this.#recording.function(test, 'while', site),
      body: this.#recording.block(body, site),
      site,
    });
  }

  repeat(probability: unknown, body: () => unknown): void {
    const site = new Site(this.repeat);
    this.#recording.add({ kind: 'repeat', probability, body: this.#recording.block(body, site), site });
  }

  interval(name: string, body: () => unknown): void {
    const site = new Site(this.interval);
    if (typeof name !== 'string' || name === '')
      fail('MODEL012', `${shown(name)} where the name of an interval is expected`, site.place);
    this.#recording.add({ kind: 'interval', name, body: this.#recording.block(body, site), site });
  }

  #send(
    options: unknown,
    request: Request | undefined,
    above: (...a: never[]) => unknown,
    site: Site = new Site(above),
  ): void {
    const call = request === undefined ? 'send' : 'isend';
    const o = this.#recording.options(call, options, ['to', 'bytes', 'tag', 'mode', 'carry', 'comm'], above);
    const { to, bytes, tag = 0, mode = 'standard', carry = {}, comm } = o;
    if (!MODES.includes(mode as SendMode))
      fail('MODEL012', `mode ${shown(mode)} of a ${call}.${didYouMean(String(mode), MODES)}`, site.place);
    for (const name of Object.keys(carry as object)) this.#recording.variable(name, above);
    if (!('to' in o) || bytes === undefined)
      fail('MODEL014', `${call} takes to and bytes: ${'to' in o ? 'bytes' : 'to'} is missing`, site.place);
    this.#recording.add({
      kind: 'send',
      to,
      bytes,
      tag,
      mode: mode as SendMode,
      carry: carry as Options,
      comm: this.#recording.comm(comm, call, above),
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
    const o = this.#recording.options(call, options, ['from', 'tag', 'into', 'comm'], above);
    const { from, tag = 0, into, comm } = o;
    if (!('from' in o))
      fail('MODEL014', `${call} takes from: it is missing (ANY takes a message of any source)`, site.place);
    if (request !== undefined && into !== undefined)
      fail('MODEL014', 'irecv: what came in is known when it is waited for: give into to the wait', site.place);
    this.#recording.add({
      kind: 'recv',
      from,
      tag,
      into: this.#recording.into(into, above),
      comm: this.#recording.comm(comm, call, above),
      request,
      site,
    });
  }
}
