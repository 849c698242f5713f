import type { Colour, NetBuilder, NumberTable, PlaceOf, TransitionBuilder } from '../../../net/builder/builder.ts';
import { add, and, eq, gt, lt, type Term, when } from '../../../net/terms.ts';
import { isLimited, ROW, type ThreadProgram } from '../program/rows.ts';

type Number = Colour<number>;
type Parts = Pick<NetBuilder, 'range' | 'intTable' | 'place' | 'transition'>;

/** Above everything else: bookkeeping of priorities, before a processor is given to a thread. */
export const PRIORITIES = 1000;

/** Below inheritance: threads whose level has fallen, and was not raised again by other waiters. */
export const FALLS: number = PRIORITIES - 1;

/** Upper bound of the tickets that a run draws: for processors, and of one strand for its waits. */
export const TICKETS = 2 ** 40;

/** A blocked strand, at its row. */
interface Blocked {
  readonly w: Term<number>;
  readonly s: Term<number>;
  readonly at: Term<number>;
}

/** Priorities of threads, numbered from 0 for the lowest one. */
export class Levels {
  readonly count: number;
  readonly colour: Number;
  /** The level of each strand. */
  readonly own: NumberTable;
  /** The level at which strands run, where holders of locks inherit those of their waiters. */
  readonly inherited: Inheritance | undefined;

  /** Undefined if all threads have the same priority. */
  static of(net: Parts, program: ThreadProgram): Levels | undefined {
    const priorities = [...new Set(program.strands.priority ?? [])].sort((a, b) => a - b);
    return priorities.length < 2 ? undefined : new Levels(net, program, priorities);
  }

  private constructor(net: Parts, program: ThreadProgram, priorities: readonly number[]) {
    this.count = priorities.length;
    this.colour = net.range('level of a thread', 0, this.count - 1);
    const levels = new Map(priorities.map((priority, level) => [priority, level]));
    const own = program.strands.priority!.map((priority) => levels.get(priority)!);
    this.own = net.intTable('level of strand', own);
    if (program.objects.some(({ inherits }) => inherits))
      this.inherited = new Inheritance(net, program, this.own, this.colour, own);
  }

  /** The level at which a strand runs. */
  of(t: TransitionBuilder, s: Term<number>): Term<number> {
    return this.inherited === undefined ? this.own.at(s) : this.inherited.level(t, s);
  }
}

/** Strands that are blocked, in the order in which they get the objects that they wait for. */
export interface WaitingStrands {
  put(t: TransitionBuilder, run: Blocked, o: Term<number>): void;
  /** Takes the first strand that waits for an object. */
  take(t: TransitionBuilder, o: Term<number>): Blocked;
}

type WaitingFields = { readonly o: Number; readonly w: Number; readonly s: Number; readonly at: Number };
type WaitingPlace = PlaceOf<WaitingFields & { readonly level: Number; readonly ticket: Number }>;

/**
 * The holder of a lock that inherits priorities runs at least at the level of each of its waiters, until it releases the lock. A waiter may hold
 * such locks itself, and inherit: then it moves up among the waiters, behind those of its new level, and the holder of its lock inherits, too.
 * After the release of one of several locks, a strand has the level of the waiters of the others at once.
 *
 * A waiter that gives up lends nothing any more: the holder falls to its own level, and at the same instant inherits from the waiters that are
 * left. A holder that waits for such a lock itself moves down there, behind those of its new level, and the next holder falls, too: step by step
 * along the chain, as `rt_mutex_adjust_prio_chain` of Linux does.
 *
 * An entry of a queue that is no longer valid stays there, and is dropped when it comes to the head: each has the ticket of one wait.
 */
class Inheritance {
  readonly #own: NumberTable;
  readonly #inherits: NumberTable;
  readonly #levels: PlaceOf<{ readonly strand: Number; readonly level: Number }>;
  /** The holder of each object that inherits; of others, and without one, the number of strands. */
  readonly #holders: PlaceOf<{ readonly o: Number; readonly strand: Number }>;
  readonly #nobody: number;
  readonly #level: Number;
  /** By strand: the ticket of its next wait. */
  readonly #tickets: PlaceOf<{ readonly strand: Number; readonly ticket: Number }>;
  /** Locks whose holders have the priority of a waiter that has left or moved down. */
  readonly #lost: PlaceOf<{ readonly o: Number }>;
  /** True if strands wait for such locks for a limited time: then levels fall. */
  readonly mayFall: boolean;
  /** The queues of all objects; and by blocked strand its place there. */
  #waiting: WaitingPlace | undefined;
  #blocked: WaitingPlace | undefined;

  constructor(net: Parts, program: ThreadProgram, own: NumberTable, level: Number, levels: Int32Array) {
    const { strands, objects, rows } = program;
    this.mayFall = rows.op.some((op, k) => op === ROW.try && isLimited(rows, k) && objects[rows.a[k]!]!.inherits);
    this.#own = own;
    this.#level = level;
    this.#nobody = strands.count;
    this.#inherits = net.intTable(
      'lock that inherits',
      Int32Array.from(objects, ({ inherits }) => (inherits ? 1 : 0)),
    );
    const strand = net.range('thread with a level', 0, strands.count - 1);
    this.#levels = net.place(
      'levels of threads',
      { strand, level },
      { kind: 'resource', initial: Array.from(levels, (own, strand) => ({ strand, level: own })) },
    );
    const holder = net.range('holder of a lock', 0, strands.count);
    const o = net.range('lock with a holder', 0, objects.length - 1);
    this.#holders = net.place(
      'holders of locks',
      { o, strand: holder },
      { kind: 'synchronisation', initial: objects.map((_, o) => ({ o, strand: strands.count })) },
    );
    const ticket = net.range('ticket of a wait', 0, TICKETS);
    this.#tickets = net.place(
      'waits of threads',
      { strand, ticket },
      { kind: 'synchronisation', initial: Array.from(levels, (_, strand) => ({ strand, ticket: 0 })) },
    );
    this.#lost = net.place('lost a waiter', { o }, { kind: 'synchronisation' });
  }

  level(t: TransitionBuilder, strand: Term<number>): Term<number> {
    return t.read(this.#levels, { strand }).level;
  }

  /** A strand has acquired object o. */
  acquires(t: TransitionBuilder, o: Term<number>, s: Term<number>): void {
    t.take(this.#holders, { o });
    t.put(this.#holders, { o, strand: when(eq(this.#inherits.at(o), 1), s, this.#nobody) });
  }

  /** A strand has released object o. */
  releases(t: TransitionBuilder, o: Term<number>, s: Term<number>): void {
    t.take(this.#holders, { o });
    t.put(this.#holders, { o, strand: this.#nobody });
    const { level } = t.take(this.#levels, { strand: s });
    t.put(this.#levels, { strand: s, level: when(eq(this.#inherits.at(o), 1), this.#own.at(s), level) });
  }

  /** Strands wait at locks that inherit with the level at which they run, and elsewhere with their own. */
  waiting(net: Parts, fields: WaitingFields): WaitingStrands {
    const all = { ...fields, level: this.#level, ticket: this.#tickets.fields.ticket };
    const order = { priority: ({ level }: { readonly level: Term<number> }) => level, key: ['o' as const] };
    this.#waiting = net.place('waiting', all, { kind: 'synchronisation', order });
    this.#blocked = net.place('blocked with a level', all, { kind: 'synchronisation' });
    return {
      put: (t, run, o) =>
        this.#joins(t, run, o, when(eq(this.#inherits.at(o), 1), this.level(t, run.s), this.#own.at(run.s))),
      take: (t, o) => {
        const { w, s, at, ticket } = t.take(this.#waiting!, { o });
        t.take(this.#blocked!, { s, ticket });
        return { w, s, at };
      },
    };
  }

  #joins(t: TransitionBuilder, { w, s, at }: Blocked, o: Term<number>, level: Term<number>): void {
    const { ticket } = t.take(this.#tickets, { strand: s });
    t.put(this.#tickets, { strand: s, ticket: add(ticket, 1) });
    t.put(this.#waiting!, { o, w, s, at, level, ticket });
    t.put(this.#blocked!, { o, w, s, at, level, ticket });
  }

  /** A strand gives up waiting for object o. */
  leaves(t: TransitionBuilder, o: Term<number>, s: Term<number>): void {
    t.take(this.#blocked!, { s });
    if (this.mayFall) t.put(this.#lost, { o }, this.#inherits.at(o));
  }

  emit(net: Parts): void {
    const [waiting, blocked] = [this.#waiting!, this.#blocked!];
    net.transition('inherits a priority', (t) => {
      t.priority(PRIORITIES);
      const first = t.read(waiting);
      const holder = t.read(this.#holders, { o: first.o }).strand;
      const { strand, level } = t.take(this.#levels);
      t.guard(and(lt(holder, this.#nobody), eq(strand, holder), gt(first.level, level)));
      t.put(this.#levels, { strand, level: first.level });
    });
    const moves = (name: string, priority: number, isUp: boolean): void =>
      net.transition(name, (t) => {
        t.priority(priority);
        const { o, level, ...run } = t.take(blocked);
        const now = this.level(t, run.s);
        t.guard(and(eq(this.#inherits.at(o), 1), isUp ? gt(now, level) : lt(now, level)));
        this.#joins(t, run, o, now);
        if (!isUp) t.put(this.#lost, { o });
      });
    moves('moves up among the waiters', PRIORITIES, true);
    net.transition('drops an old place', (t) => {
      // Precedes inheritance, which must not use the old entry.
      t.priority(PRIORITIES + 1);
      const { s, ticket } = t.take(waiting);
      t.inhibit(blocked, { s, ticket });
    });
    if (!this.mayFall) return;
    net.transition('takes a priority back', (t) => {
      t.priority(PRIORITIES + 2);
      const { o } = t.take(this.#lost);
      const { strand } = t.read(this.#holders, { o });
      t.take(this.#levels, { strand });
      t.put(this.#levels, { strand, level: this.#own.at(strand) });
    });
    net.transition('has no priority to take back', (t) => {
      t.priority(PRIORITIES + 2);
      t.read(this.#holders, { o: t.take(this.#lost).o, strand: this.#nobody });
    });
    // After all inheritance: a holder that has its priority from another waiter, too, keeps its place.
    moves('moves down among the waiters', FALLS, false);
  }
}
