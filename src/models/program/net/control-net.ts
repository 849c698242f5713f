import type { NetBuilder, NumberTable, PlaceOf, TransitionBuilder } from '../../../net/builder/builder.ts';
import type { NumberFields } from '../../../net/builder/builder-types.ts';
import { eq, not, or, sub, type Term } from '../../../net/terms.ts';
import type { MessagePassingMachine } from '../../message-passing-parts.ts';
import type { Communicator } from '../record/communicator.ts';
import type { Resource } from '../record/coupling.ts';
import type { Request, Statement } from '../record/statement.ts';
import { type Argument, INVALID, type StateTerms } from '../resolve/argument.ts';
import type { Arguments, CarryDigit } from '../resolve/arguments.ts';
import type { Shape, Shaped } from '../resolve/shape.ts';
import { RANK } from '../resolve/state.ts';
import type { TransitionInfo, World } from '../resolve/world.ts';
import type { Ports, Sizes, Uses } from './ports.ts';
import type { ThreadCarriers } from './served-place.ts';

/** Place of the ranks that hold a unit of a resource. */
export const holdersOf = (resource: string): string => `holders of ${resource}`;

/** A place that can hold a rank's control token. */
export type Point = PlaceOf<NumberFields>;
/** New values of the rank's token after a step. */
export type Changes = Readonly<Record<string, Term<number>>>;

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
  /** Number of the request that completes thread k. */
  readonly threadRequest: (k: number) => number;
  /** Request of puts and gets. */
  readonly oneSidedRequest: number;
  /** Request of sends that nothing waits for. */
  readonly freeRequest: number;
  /** Thread of each collective call. */
  readonly threadOf: ReadonlyMap<Statement, number>;
  readonly carriers: ThreadCarriers;
  readonly sizes: Pick<Sizes, 'threads'>;
  /** True if this module gives the initial units of a resource: one of those that share it. */
  readonly provides: (resource: string) => boolean;
}

/**
 * Places and transitions of a program's control flow, folded by rank: places hold one token per rank with its
 * variables, and steps move it. The other modules (messages, collectives, cores, memory) are connected through the
 * ports.
 */
export class ControlNet {
  readonly parts: ControlParts;
  readonly #fields: NumberFields;
  #open: Point | undefined;
  readonly #resources = new Map<string, { readonly free: PlaceOf<Record<never, never>>; readonly holders: Point }>();
  #destination: NumberTable | undefined;
  #tags: NumberTable | undefined;
  readonly #ranksIn = new Map<number, NumberTable>();
  #statement: Shaped | undefined;

  constructor(parts: ControlParts) {
    this.parts = parts;
    const { net, shape, ports, prefix } = parts;
    const fields: Record<string, NumberFields[string]> = { [RANK]: ports.Rank };
    for (const [name, set] of Object.entries(shape.context.sets)) {
      if (name === RANK) continue;
      fields[name] =
        set.kind === 'range' ? net.range(`${prefix}${name}`, set.low, set.high) : net.integer(`${prefix}${name}`);
    }
    this.#fields = fields;
  }

  /** The start place, initially with one token per rank. */
  start(): Point {
    const { net, shape, prefix } = this.parts;
    const { first, size, variables } = shape.program;
    const initial = Object.fromEntries(Object.entries(variables).map(([name, v]) => [name, Math.max(0, v.low ?? 0)]));
    for (const [name, v] of Object.entries(variables)) if (v.kind === 'range') initial[name] = v.low!;
    return net.place(`${prefix}start`, this.#fields, {
      kind: 'operation',
      initial: Array.from({ length: size }, (_, r) => ({ [RANK]: first + r, ...initial })),
    });
  }

  /** A place for the control token. */
  point(name: string): Point {
    return this.parts.net.place(`${this.parts.prefix}${name}`, this.#fields, { kind: 'operation' });
  }

  /** A place for the control token of a rank that is active: it computes, or its threads do. */
  activePoint(name: string, kind: keyof World['active'] = 'computing'): Point {
    this.parts.world.active[kind].add(`${this.parts.prefix}${name}`);
    return this.point(name);
  }

  take(t: TransitionBuilder, from: Point): StateTerms {
    return t.take(from) as StateTerms;
  }

  /** Puts the control token, changed. */
  put(t: TransitionBuilder, to: Point, state: StateTerms, changes: Changes = {}, count?: Term<boolean>): void {
    t.put(to, { ...state, ...changes }, count ?? 1);
  }

  /** Open requests, for those whose state is known only at run time (`shape.loose`). */
  open(): Point {
    const { net, ports, prefix } = this.parts;
    this.#open ??= net.place(`${prefix}open`, { rank: ports.Rank, q: ports.Answer } as NumberFields, {
      kind: 'synchronisation',
    });
    return this.#open;
  }

  /** Places of a resource: the units that no rank holds, and the ranks that hold one. */
  resource({ name, units }: Resource): { readonly free: PlaceOf<Record<never, never>>; readonly holders: Point } {
    const { net, ports, provides } = this.parts;
    let known = this.#resources.get(name);
    if (known === undefined) {
      const initial = provides(name) ? units : 0;
      known = {
        free: net.place(`free ${name}`, {}, { kind: 'resource', initial }),
        holders: net.place(holdersOf(name), { rank: ports.Rank } as NumberFields, { kind: 'resource' }),
      };
      this.#resources.set(name, known);
    }
    return known;
  }

  /** Destination rank of a pair, by pair number. */
  destination(): NumberTable {
    const { net, world, prefix } = this.parts;
    this.#destination ??= net.intTable(`${prefix}destination`, world.pairEnds().to);
    return this.#destination;
  }

  tagOf(): NumberTable {
    const { net, world, prefix } = this.parts;
    this.#tags ??= net.intTable(
      `${prefix}tags`,
      Int32Array.from({ length: world.tags.count }, (_, k) => world.tags.key(k, 1)),
    );
    return this.#tags;
  }

  /** Converts a rank of the world to its rank within a communicator. */
  rankIn(comm: Communicator, rank: Term<number>): Term<number> {
    const { net, world, prefix, shape } = this.parts;
    const { first } = shape.program;
    // The source of a received message is in the receiver's group, or in that of its partner.
    const start = comm.worldRank(first, 0);
    if (start !== undefined && isConsecutive(comm, first, start)) return start === 0 ? rank : sub(rank, start);
    let table = this.#ranksIn.get(comm.number);
    if (table === undefined) {
      const numbers = Int32Array.from({ length: world.ranks }, (_, r) => Math.max(0, comm.rankOf(r)));
      table = net.intTable(`${prefix}rank in ${this.#ranksIn.size + 1}`, numbers);
      this.#ranksIn.set(comm.number, table);
    }
    return table.at(rank);
  }

  /** Sets the statement that the following transitions belong to; returns the one before. */
  within(shaped: Shaped | undefined): Shaped | undefined {
    const before = this.#statement;
    this.#statement = shaped;
    return before;
  }

  /** Notes that a transition belongs to the current statement. Its first variables are those of the rank's token. */
  visits(name: string): void {
    if (this.#statement !== undefined) this.parts.world.visits.set(`${this.parts.prefix}${name}`, this.#statement);
  }

  /** A transition that moves the control token. */
  step(
    name: string,
    from: Point,
    to: Point,
    body?: (t: TransitionBuilder, state: StateTerms) => Changes | undefined,
  ): void {
    this.visits(name);
    this.parts.net.transition(`${this.parts.prefix}${name}`, (t) => {
      const state = this.take(t, from);
      t.process(state[RANK]!);
      const changes = body?.(t, state);
      this.put(t, to, state, changes);
    });
  }

  /** Records that a transition completes a request. */
  completes(name: string, request: Request): void {
    this.parts.world.completes.set(`${this.parts.prefix}${name}`, request.number);
  }

  /** Records the meaning of a transition for its rank. */
  describe(name: string, describe: TransitionInfo): void {
    this.parts.world.infos.set(`${this.parts.prefix}${name}`, describe);
  }

  /** Restricts a transition to valid arguments. */
  guardValid(t: TransitionBuilder, args: readonly Argument[], state: StateTerms): void {
    for (const a of args) if (a.mayFail) t.guard(not(eq(a.term(t, state), INVALID)));
  }

  /**
   * Adds a transition to a fault place, taken when an argument is invalid. Nothing is added if all are always valid.
   */
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

/** True if the peers of a rank are consecutive ranks of the world, from `start`. */
function isConsecutive(comm: Communicator, rank: number, start: number): boolean {
  for (let k = 1; k < comm.sizeOf(rank); k++) if (comm.worldRank(rank, k) !== start + k) return false;
  return true;
}
