import type { Colour, NetBuilder, NumberTable, TransitionBuilder } from '../../../net/builder/builder.ts';
import type { Term } from '../../../net/terms.ts';
import type { ThreadProgram } from '../program/rows.ts';

type Tables = Pick<NetBuilder, 'range' | 'intTable'>;

/** Priorities of threads, numbered from 0 for the lowest one. */
export class Levels {
  readonly count: number;
  readonly colour: Colour<number>;
  /** The level of each strand. */
  readonly own: NumberTable;

  /** Undefined if all threads have the same priority. */
  static of(net: Tables, { strands }: ThreadProgram): Levels | undefined {
    const priorities = [...new Set(strands.priority ?? [])].sort((a, b) => a - b);
    return priorities.length < 2 ? undefined : new Levels(net, strands.priority!, priorities);
  }

  private constructor(net: Tables, ofStrands: Int32Array, priorities: readonly number[]) {
    this.count = priorities.length;
    this.colour = net.range('level of a thread', 0, this.count - 1);
    const levels = new Map(priorities.map((priority, level) => [priority, level]));
    this.own = net.intTable(
      'level of strand',
      ofStrands.map((priority) => levels.get(priority)!),
    );
  }

  /** The level at which a strand runs. */
  of(_: TransitionBuilder, s: Term<number>): Term<number> {
    return this.own.at(s);
  }
}
