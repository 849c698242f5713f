import type { NetBuilder, NumberTable, PlaceOf, TransitionBuilder } from '../../net/builder/builder.ts';
import type { Fields } from '../../net/builder/builder-types.ts';
import type { Net } from '../../net/net.ts';
import { add, constant, eq, lt, not, or, sub, type Term } from '../../net/terms.ts';
import type { MessagePassingMachine } from '../message-passing-parts.ts';
import { type Argument, INVALID, type StateTerms } from './argument.ts';
import type { Arguments, CarryDigit } from './arguments.ts';
import { emitCommunication } from './communication.ts';
import type { Communicator } from './communicator.ts';
import { emitComputation } from './computation.ts';
import { emitFileAccess } from './file-access.ts';
import type { Ports, Uses } from './ports.ts';
import type { Shape, Shaped } from './shape.ts';
import { RANK } from './state.ts';
import type { Block, Statement } from './statement.ts';
import type { Tell, World } from './world.ts';

/** A place that a rank's control token can be in. */
export type Point = PlaceOf<Fields>;
/** Values of the rank's token that a step changes. */
export type Changes = Readonly<Record<string, Term<number>>>;

/** What the net of a program is made of. */
export interface ControlParts {
  readonly net: NetBuilder;
  readonly ports: Ports;
  readonly uses: Uses;
  readonly world: World;
  readonly shape: Shape;
  readonly arguments: ReadonlyMap<Statement, Arguments>;
  readonly machine: MessagePassingMachine;
  readonly digits: readonly CarryDigit[];
  readonly prefix: string;
  /** The number of the request by which thread k is complete, and of its first own request. */
  readonly threadRequest: (k: number) => number;
  /** The request of what was put and got. */
  readonly oneSidedRequest: number;
  /** The request of sends that nothing waits for. */
  readonly freeRequest: number;
  /** The thread of each call of a collective. */
  readonly threadOf: ReadonlyMap<Statement, number>;
}

/**
 * The net of a program's control flow, folded by rank: a place before every statement, in which a rank's token carries
 * its variables, and transitions that are the statements. It meets messages, collectives, cores and memory in ports.
 */
export class ControlNet {
  readonly parts: ControlParts;
  readonly #fields: Fields;
  #open: Point | undefined;
  #destination: NumberTable | undefined;
  #tags: NumberTable | undefined;
  readonly #ranksIn = new Map<number, NumberTable>();

  constructor(parts: ControlParts) {
    this.parts = parts;
    const { net, shape, ports, prefix } = parts;
    const fields: Record<string, Fields[string]> = { [RANK]: ports.Rank };
    for (const [name, set] of Object.entries(shape.context.sets)) {
      if (name === RANK) continue;
      fields[name] =
        set.kind === 'range' ? net.range(`${prefix}${name}`, set.low, set.high) : net.integer(`${prefix}${name}`);
    }
    this.#fields = fields;
  }

  /** The net of the whole program. */
  build(): Net {
    const { net, ports, shape, prefix } = this.parts;
    const { first, size, variables, body } = shape.program;
    const initial = Object.fromEntries(Object.entries(variables).map(([name, v]) => [name, Math.max(0, v.low ?? 0)]));
    for (const [name, v] of Object.entries(variables)) if (v.kind === 'range') initial[name] = v.low!;
    const start = net.place(`${prefix}start`, this.#fields, {
      kind: 'operation',
      initial: Array.from({ length: size }, (_, r) => ({ [RANK]: first + r, ...initial })) as never,
    });
    const end = this.point('end');
    this.step('begin', start, this.block(body, end));
    net.transition(`${prefix}end`, (t) => {
      const s = this.take(t, end);
      t.process(s[RANK]!);
      t.put(ports.ended(), { rank: s[RANK]! } as never);
    });
    this.tell('end', { statement: undefined, last: true });
    net.processes(ports.Rank, ports.ended());
    return net.build();
  }

  /** A place for the rank's token. */
  point(name: string): Point {
    return this.parts.net.place(`${this.parts.prefix}${name}`, this.#fields, { kind: 'operation' });
  }

  /** Takes the rank's token. */
  take(t: TransitionBuilder, from: Point): StateTerms {
    return t.take(from) as StateTerms;
  }

  /** Puts the rank's token, changed. */
  put(t: TransitionBuilder, to: Point, state: StateTerms, changes: Changes = {}, count?: Term<boolean>): void {
    t.put(to, { ...state, ...changes } as never, count ?? 1);
  }

  /** Requests that are open, of those of which that is known at run time only. */
  open(): Point {
    const { net, ports, prefix } = this.parts;
    this.#open ??= net.place(`${prefix}open`, { rank: ports.Rank, q: ports.Answer } as Fields, {
      kind: 'synchronisation',
    });
    return this.#open;
  }

  /** The rank at the far end of a pair. */
  destination(): NumberTable {
    const { net, world, prefix } = this.parts;
    this.#destination ??= net.intTable(`${prefix}destination`, world.pairEnds().to);
    return this.#destination;
  }

  /** Tags by their numbers. */
  tagOf(): NumberTable {
    const { net, world, prefix } = this.parts;
    this.#tags ??= net.intTable(
      `${prefix}tags`,
      Int32Array.from({ length: world.tags.count }, (_, k) => world.tags.key(k, 1)),
    );
    return this.#tags;
  }

  /** The rank within a communicator of a rank of the world. */
  rankIn(comm: Communicator, rank: Term<number>): Term<number> {
    const { net, world, prefix, shape } = this.parts;
    const { first, size } = shape.program;
    if (comm.sizeOf(first) === world.ranks) return rank;
    if (comm.sizeOf(first) === size && comm.rankOf(first) === 0 && comm.rankOf(first + size - 1) === size - 1)
      return sub(rank, first);
    let table = this.#ranksIn.get(comm.number);
    if (table === undefined) {
      const numbers = Int32Array.from({ length: world.ranks }, (_, r) => Math.max(0, comm.rankOf(r)));
      table = net.intTable(`${prefix}rank in ${this.#ranksIn.size + 1}`, numbers);
      this.#ranksIn.set(comm.number, table);
    }
    return table.at(rank);
  }

  /** A transition that moves the rank's token. */
  step(
    name: string,
    from: Point,
    to: Point,
    body?: (t: TransitionBuilder, state: StateTerms) => Changes | undefined,
  ): void {
    this.parts.net.transition(`${this.parts.prefix}${name}`, (t) => {
      const state = this.take(t, from);
      t.process(state[RANK]!);
      const changes = body?.(t, state);
      this.put(t, to, state, changes);
    });
  }

  /** Says what a transition tells of the rank. */
  tell(name: string, tell: Tell): void {
    this.parts.world.tells.set(`${this.parts.prefix}${name}`, tell);
  }

  /** The place where a block begins whose end is `exit`. */
  block(block: Block, exit: Point): Point {
    let next = exit;
    for (const s of [...block.statements].reverse()) next = this.statement(s, next);
    return next;
  }

  /** The net of a statement; returns the place before it. */
  statement(s: Statement, next: Point): Point {
    const shaped = this.parts.shape.of.get(s)!;
    const label = shaped.label.slice(this.parts.prefix.length);
    if (s.kind === 'interval') return this.block(s.body, next);
    const at = this.point(`at ${label}`);
    const own = this.parts.arguments.get(s)!;
    switch (s.kind) {
      case 'let':
        this.step(label, at, next, (t, state) => {
          const value = own['value']!.term(t, state);
          this.guardValid(t, [own['value']!], state);
          return { [s.variable]: value };
        });
        this.fault(shaped, at, [own['value']!]);
        break;
      case 'when': {
        const test = shaped.test!;
        this.step(`${label} then`, at, this.block(s.holds, next), (t, state) => {
          t.guard(eq(test.term(t, state), 1));
          return undefined;
        });
        this.step(`${label} else`, at, this.block(s.otherwise, next), (t, state) => {
          t.guard(eq(test.term(t, state), 0));
          return undefined;
        });
        this.fault(shaped, at, [test]);
        break;
      }
      case 'chance':
        this.#draw(shaped, label, own['probability']!, at, this.block(s.holds, next), this.block(s.otherwise, next));
        break;
      case 'while': {
        const test = shaped.test!;
        this.step(`${label} turn`, at, this.block(s.body, at), (t, state) => {
          t.guard(eq(test.term(t, state), 1));
          return undefined;
        });
        this.step(`${label} done`, at, next, (t, state) => {
          t.guard(eq(test.term(t, state), 0));
          return undefined;
        });
        this.fault(shaped, at, [test]);
        break;
      }
      case 'repeat': {
        const turn = this.point(`${label} turn`);
        const body = this.block(s.body, turn);
        this.step(label, at, body);
        this.#draw(shaped, label, own['probability']!, turn, body, next);
        break;
      }
      case 'loop':
        this.#loop(shaped, label, at, next);
        break;
      case 'file':
        emitFileAccess(this, shaped, label, own['bytes']!, at, next);
        break;
      case 'compute':
      case 'sleep':
        emitComputation(this, shaped, label, own, at, next);
        break;
      default:
        emitCommunication(this, shaped, label, own, at, next);
    }
    return at;
  }

  /** Two ways, the first with a probability. Choices are drawn before anything else happens, so that nothing else is. */
  #draw(shaped: Shaped, label: string, p: Argument, at: Point, first: Point, second: Point): void {
    if (p.constant === 0 || p.constant === 1) {
      this.step(`${label} ${p.constant === 1 ? 'yes' : 'no'}`, at, p.constant === 1 ? first : second);
      return;
    }
    const way = (name: string, to: Point, weight: (p: Term<number>) => Term<number>): void =>
      this.step(`${label} ${name}`, at, to, (t, state) => {
        const w = weight(p.term(t, state));
        this.guardValid(t, [p], state);
        if (p.constant === undefined) t.guard(lt(0, w));
        t.priority(1);
        t.weight(w);
        return undefined;
      });
    way('yes', first, (w) => w);
    way('no', second, (w) => sub(1, w));
    this.fault(shaped, at, [p]);
  }

  #loop(shaped: Shaped, label: string, at: Point, next: Point): void {
    const s = shaped.statement as Extract<Statement, { kind: 'loop' }>;
    const count = shaped.test!;
    const variable = s.variable;
    const always = count.constant !== undefined && count.constant > 0;
    const turn = this.point(`${label} turn`);
    if (variable === undefined) {
      this.#plainLoop(shaped, label, at, next, turn);
      return;
    }
    const body = this.block(s.body, turn);
    this.step(label, at, body, (t, state) => {
      if (!always) t.guard(lt(0, count.term(t, state)));
      return { [variable]: constant(0) };
    });
    if (!always)
      this.step(`${label} none`, at, next, (t, state) => {
        t.guard(eq(count.term(t, state), 0));
        return { [variable]: constant(0) };
      });
    this.fault(shaped, at, [count]);
    this.step(`${label} again`, turn, body, (t, state) => {
      t.guard(lt(add(state[variable]!, 1), count.term(t, state)));
      return { [variable]: add(state[variable]!, 1) };
    });
    this.step(`${label} done`, turn, next, (t, state) => {
      const turns = count.term(t, state);
      t.guard(not(lt(add(state[variable]!, 1), turns)));
      if (count.mayFail) t.guard(not(eq(turns, INVALID)));
      return { [variable]: add(state[variable]!, 1) };
    });
    if (count.reads.some((name) => name !== RANK)) this.fault(shaped, turn, [count], ' again');
  }

  /** A loop whose turns nothing asks for: they are counted beside the rank's token. */
  #plainLoop(shaped: Shaped, label: string, at: Point, next: Point, turn: Point): void {
    const s = shaped.statement as Extract<Statement, { kind: 'loop' }>;
    const { net, ports, prefix } = this.parts;
    const turns = shaped.test!.constant!;
    const body = this.block(s.body, turn);
    const Turn = net.range(`${prefix}${label}.turn`, 0, Math.max(0, turns));
    const counted = net.place(`${prefix}${label} count`, { rank: ports.Rank, n: Turn } as Fields, { kind: 'data' });
    if (turns === 0) {
      this.step(label, at, next);
      return;
    }
    this.step(label, at, body, (t, state) => {
      t.put(counted, { rank: state[RANK]!, n: 1 } as never);
      return undefined;
    });
    this.step(`${label} again`, turn, body, (t, state) => {
      const { n } = t.take(counted, { rank: state[RANK]! } as never) as unknown as { n: Term<number> };
      t.guard(lt(n, turns));
      t.put(counted, { rank: state[RANK]!, n: add(n, 1) } as never);
      return undefined;
    });
    this.step(`${label} done`, turn, next, (t, state) => {
      t.take(counted, { rank: state[RANK]!, n: turns } as never);
      return undefined;
    });
  }

  /** Lets a transition fire only where its arguments are valid. */
  guardValid(t: TransitionBuilder, args: readonly Argument[], state: StateTerms): void {
    for (const a of args) if (a.mayFail) t.guard(not(eq(a.term(t, state), INVALID)));
  }

  /** Where an argument may be invalid: a transition by which the rank ends up in the place `fault`. */
  fault(shaped: Shaped, at: Point, args: readonly Argument[], suffix = ''): void {
    const failing = args.filter((a) => a.mayFail);
    if (failing.length === 0) return;
    const label = shaped.label.slice(this.parts.prefix.length);
    const faults = this.point(`fault of ${label}${suffix}`);
    this.parts.world.faults.push({
      place: `${this.parts.prefix}fault of ${label}${suffix}`,
      statement: shaped,
      arguments: args,
    });
    this.step(`${label}${suffix} faults`, at, faults, (t, state) => {
      const wrong = failing.map((a) => eq(a.term(t, state), INVALID));
      t.guard(wrong.reduce((a, b) => or(a, b)));
      return undefined;
    });
  }
}
