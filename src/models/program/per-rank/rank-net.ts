import type { TransitionShape } from '../../../net/shapes/node-shapes.ts';
import { freeRequests, wildcardRequests } from '../record/check-requests.ts';
import type { Block, Request, Statement } from '../record/statement.ts';
import { type Channel, type Channels, channelName, endOf } from './channels.ts';
import type { Counts, Done, Turns, Variant } from './execution-counts.ts';
import type { Meetings } from './meetings.ts';
import type { NetMaker } from './net-maker.ts';
import { type RequestingNet, Requests } from './rank-requests.ts';

export interface RankOperation {
  readonly rank: number;
  readonly statement: Statement;
}

/** Data shared by the nets of all ranks. */
export interface ResolvedParts {
  readonly maker: NetMaker;
  readonly channels: Channels;
  readonly meetings: Meetings;
  readonly label: (s: Statement) => string;
  readonly operations: Map<string, RankOperation>;
  readonly places: Map<string, Channel>;
}

const OPERATION: TransitionShape = { kind: 'operation' };

/** The part of the resolved net for one rank: the statements that it can reach. */
export class RankNet implements RequestingNet {
  readonly rank: number;
  readonly #parts: ResolvedParts;
  readonly #counts: Counts;
  #requests!: Requests;

  constructor(parts: ResolvedParts, rank: number, counts: Counts) {
    this.#parts = parts;
    this.rank = rank;
    this.#counts = counts;
  }

  build(body: Block): void {
    this.#requests = new Requests(this, wildcardRequests(body), freeRequests(body));
    const owner = `rank ${this.rank}`;
    const start = this.#parts.maker.place(`${this.rank}: start`, { kind: 'start' }, { owner, initial: 1 });
    const end = this.#parts.maker.place(`${this.rank}: end`, { kind: 'end' }, { owner });
    this.#block(body, start, end, `${this.rank}: runs`);
    this.#requests.close();
  }

  /** A place of this rank's control flow. */
  point(name: string): string {
    return this.#parts.maker.place(`${this.rank}: ${name}`, { kind: 'operation' }, { owner: `rank ${this.rank}` });
  }

  /** A place for a request of this rank; its shape is set when the rank's net is complete. */
  requestPlace(name: string): string {
    return this.#parts.maker.place(`${this.rank}: ${name}`, { kind: 'request' }, { owner: `rank ${this.rank}` });
  }

  get maker(): NetMaker {
    return this.#parts.maker;
  }

  operation(
    s: Statement,
    what: string,
    inputs: readonly string[],
    outputs: readonly string[],
    shape: TransitionShape = OPERATION,
  ): string {
    const name = `${this.rank}: ${this.#parts.label(s)}${what}`;
    const t = this.#parts.maker.transition(name, inputs, outputs, shape);
    this.#parts.operations.set(t, { rank: this.rank, statement: s });
    return t;
  }

  /** Message places of a send or receive variant; empty if it has no partner. */
  messagePlaces(s: Statement, variant: Variant): string[] {
    const end = endOf(this.rank, s, variant);
    if (end === undefined) return [];
    return this.#parts.channels.of(end).map((channel) => {
      const name = this.#parts.maker.shared(channelName(channel), { kind: 'message' });
      this.#parts.places.set(name, channel);
      return name;
    });
  }

  #block({ statements }: Block, at: string, next: string, name: string): void {
    const list = this.#flat(statements);
    if (list.length === 0) {
      this.#parts.maker.transition(name, [at], [next], OPERATION);
      return;
    }
    let from = at;
    list.forEach((s, k) => {
      const to = k === list.length - 1 ? next : this.point(`at ${this.#parts.label(list[k + 1]!)}`);
      this.#statement(s, from, to);
      from = to;
    });
  }

  /** The statements that the rank reaches, with intervals replaced by their bodies. */
  #flat(statements: readonly Statement[]): Statement[] {
    return statements.flatMap((s) => {
      if (!this.#counts.has(s)) return [];
      return s.kind === 'interval' ? this.#flat(s.body.statements) : [s];
    });
  }

  #statement(s: Statement, at: string, next: string): void {
    const done = this.#counts.get(s)!;
    switch (s.kind) {
      case 'send':
      case 'recv':
        this.#message(s, done, at, next);
        break;
      case 'wait':
        this.#requests.wait(s, done.turns, at, next);
        break;
      case 'collective':
      case 'fence':
        this.#meet(s, done.turns, at, next);
        break;
      case 'put':
      case 'get':
      case 'file': {
        const name = s.kind === 'file' ? 'storage' : `windows of communicator ${s.comm.number}`;
        const resource = this.#parts.maker.shared(name, { kind: 'resource' }, 1);
        this.operation(s, '', [at, resource], [next, resource]);
        break;
      }
      case 'when':
      case 'chance':
        this.#choice(s, done, at, next);
        break;
      case 'loop':
      case 'while':
        this.#loop(s, done, at, next);
        break;
      case 'repeat':
        this.#repeat(s, at, next);
        break;
      default:
        this.operation(s, '', [at], [next]);
    }
  }

  /** A send or receive: one alternative per partner and tag. */
  #message(s: Extract<Statement, { kind: 'send' | 'recv' }>, { variants }: Done, at: string, next: string): void {
    interface Taken {
      readonly variant: Variant;
      readonly place: string | undefined;
      readonly group: string[];
    }
    const all = [...variants.values()].flatMap((variant): Taken[] => {
      const places = this.messagePlaces(s, variant);
      const group: string[] = [];
      if (places.length === 0 || (s.kind === 'recv' && s.request !== undefined))
        return [{ variant: variant, place: undefined, group }];
      return places.map((place) => ({ variant: variant, place, group }));
    });
    const to = this.#fan(s, all.length, at, next);
    const groups = new Map<string[], Turns>();
    all.forEach(({ variant, place, group }, k) => {
      const what = all.length === 1 ? '' : ` [${k + 1}]`;
      const name = (inputs: readonly string[], outputs: readonly string[], shape: TransitionShape): string =>
        this.operation(s, what, inputs, outputs, shape);
      const request = s.request;
      if (s.kind === 'recv' && request !== undefined) this.#requests.receive(s, request, variant, name, at, to);
      else {
        const t = this.#ended(s.request, place, s.kind === 'send', at, to, name);
        if (place === undefined) return;
        group.push(t);
        groups.set(group, variant.turns);
      }
    });
    for (const [transitions, { least, most }] of groups) this.#parts.maker.turns({ transitions, least, most });
  }

  /** A send or a blocking receive: one transition. */
  #ended(
    request: Request | undefined,
    place: string | undefined,
    out: boolean,
    at: string,
    to: string,
    make: (inputs: readonly string[], outputs: readonly string[], shape: TransitionShape) => string,
  ): string {
    const done = request === undefined ? undefined : this.#requests.completes(request);
    const besides = done === undefined ? [] : [done];
    if (place === undefined)
      return make([at], [to, ...besides], done === undefined ? OPERATION : { kind: 'fork', parties: 2 });
    if (!out) return make([at, place], [to], { kind: 'receive' });
    const shape = this.#requests.isCounted(request)
      ? { kind: 'send' as const, requests: 1 }
      : { kind: 'send' as const };
    return make([at], [to, place, ...besides], shape);
  }

  #meet(s: Extract<Statement, { kind: 'collective' | 'fence' }>, turns: Turns, at: string, next: string): void {
    const places = this.#parts.meetings.of(s, this.rank, this.maker);
    if (places === undefined) {
      this.operation(s, '', [at], [next]);
      return;
    }
    const party = `rank ${this.rank}`;
    const addTurns = (t: string): void => this.maker.turns({ transitions: [t], ...turns, party });
    if (s.kind === 'collective' && s.request !== undefined) {
      this.#requests.meeting(s, s.request, places, turns, party, at, next);
      return;
    }
    const waits = this.point(`${this.#parts.label(s)} waits`);
    addTurns(this.operation(s, '', [at], [waits, places.arrived], { kind: 'arrive' }));
    addTurns(this.operation(s, ' done', [waits, places.released], [next], { kind: 'leave' }));
  }

  #choice(s: Extract<Statement, { kind: 'when' | 'chance' }>, { variants }: Done, at: string, next: string): void {
    const all = [...variants.values()];
    const to = this.#fan(s, all.length, at, next);
    for (const { branch: variant } of all) {
      const block = variant === 'then' ? s.holds : s.otherwise;
      const name = `${this.rank}: ${this.#parts.label(s)} ${variant}`;
      const inner = this.point(`${this.#parts.label(s)} ${variant}`);
      this.operation(s, ` ${variant}`, [at], [inner]);
      this.#block(block, inner, to, `${name} does nothing`);
    }
  }

  #loop(s: Extract<Statement, { kind: 'loop' | 'while' }>, { variants }: Done, at: string, next: string): void {
    const turns = [...variants.values()].find(({ branch: variant }) => variant === 'turn')?.turns;
    if (turns === undefined) {
      this.operation(s, ' none', [at], [next]);
      return;
    }
    const label = this.#parts.label(s);
    const nextIteration = this.point(`${label} turns`);
    this.maker.shape(nextIteration, { kind: 'loop' });
    const [inner, end] = [this.point(`${label} turn`), this.point(`${label} end of turn`)];
    this.operation(s, ' begins', [at], [nextIteration]);
    this.maker.turns({ transitions: [this.operation(s, ' turn', [nextIteration], [inner])], ...turns });
    this.#block(s.body, inner, end, `${this.rank}: ${label} does nothing`);
    this.operation(s, ' again', [end], [nextIteration]);
    this.operation(s, ' done', [nextIteration], [next]);
  }

  #repeat(s: Extract<Statement, { kind: 'repeat' }>, at: string, next: string): void {
    const label = this.#parts.label(s);
    const [turn, inner, end] = [
      this.point(`${label} turns`),
      this.point(`${label} turn`),
      this.point(`${label} end of turn`),
    ];
    this.maker.shape(turn, { kind: 'merge', ways: 2 });
    this.maker.shape(end, { kind: 'branch', ways: 2 });
    this.operation(s, ' begins', [at], [turn]);
    this.operation(s, ' turn', [turn], [inner]);
    this.#block(s.body, inner, end, `${this.rank}: ${label} does nothing`);
    this.operation(s, ' again', [end], [turn]);
    this.operation(s, ' done', [end], [next]);
  }

  /** Makes `at` a branch into several alternatives; returns the place where they merge. */
  #fan(s: Statement, variants: number, at: string, next: string): string {
    if (variants < 2) return next;
    const label = this.#parts.label(s);
    this.maker.shape(at, { kind: 'branch', ways: variants });
    const merged = this.point(`after ${label}`);
    this.maker.shape(merged, { kind: 'merge', ways: variants });
    this.operation(s, ' goes on', [merged], [next]);
    return merged;
  }
}
