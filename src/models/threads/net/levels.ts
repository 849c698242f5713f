import type { Colour, NetBuilder, NumberTable, PlaceOf, TransitionBuilder } from '../../../net/builder/builder.ts';
import { and, eq, gt, lt, type Term, when } from '../../../net/terms.ts';
import type { ThreadProgram } from '../program/rows.ts';

type Number = Colour<number>;
type Parts = Pick<NetBuilder, 'range' | 'intTable' | 'place' | 'transition'>;

/** Above everything else: bookkeeping of priorities, before a processor is given to a thread. */
export const PRIORITIES = 1000;

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

/**
 * The holder of a lock that inherits priorities runs at least at the level of each of its waiters, until it releases the lock. No
 * strand waits for such a lock while it holds another one, so that a waiter always has its own level.
 */
class Inheritance {
  readonly #own: NumberTable;
  readonly #inherits: NumberTable;
  readonly #levels: PlaceOf<{ readonly strand: Number; readonly level: Number }>;
  /** The holder of each object that inherits; of others, and without one, the number of strands. */
  readonly #holders: PlaceOf<{ readonly o: Number; readonly strand: Number }>;
  readonly #nobody: number;

  constructor(net: Parts, { strands, objects }: ThreadProgram, own: NumberTable, level: Number, levels: Int32Array) {
    this.#own = own;
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

  /** @param waiting the first one of each object has the highest priority */
  emit(net: Parts, waiting: PlaceOf<{ readonly o: Number; readonly s: Number }>): void {
    net.transition('inherits a priority', (t) => {
      t.priority(PRIORITIES);
      const { o, s } = t.read(waiting);
      const holder = t.read(this.#holders, { o }).strand;
      const { strand, level } = t.take(this.#levels);
      t.guard(and(lt(holder, this.#nobody), eq(strand, holder), gt(this.#own.at(s), level)));
      t.put(this.#levels, { strand, level: this.#own.at(s) });
    });
  }
}
