import { fail } from '../../base/problem.ts';
import type { TransitionBuilder } from '../../net/builder/builder.ts';
import { add, eq, ge, type Term } from '../../net/terms.ts';
import type { Communicator } from './communicator.ts';
import type { Changes, Point } from './control-net.ts';
import type { Here, Status } from './here.ts';
import { RANK } from './state.ts';
import type { Into } from './statement.ts';

/** Changes of the rank's variables by a received message. */
export function into(here: Here, t: TransitionBuilder, what: Into, comm: Communicator, status: Status): Changes {
  const { control } = here;
  const { digits } = control.parts;
  const changes: Record<string, Term<number>> = {};
  if (what.source !== undefined) changes[what.source] = control.rankIn(comm, status.s);
  if (what.tag !== undefined) changes[what.tag] = control.tagOf().at(status.t);
  for (const name of what.carry) {
    const digit = digits.find((d) => d.name === name);
    if (digit === undefined)
      fail('MODEL026', `no message of the model carries ${JSON.stringify(name)}`, here.shaped.statement.site.place);
    const value = digitOf(digit, status.v);
    t.guard(ge(value, 1));
    changes[name] = add(value, digit.low - 1);
  }
  return changes;
}

/** Digit of a variable in the carried number of a message. */
export const digitOf = ({ stride, size }: { stride: number; size: number }, v: Term<number>): Term<number> => ({
  op: 'mod',
  a: stride === 1 ? v : { op: 'floor', a: { op: 'div', a: v, b: { op: 'const', value: stride } } },
  b: { op: 'const', value: size },
});

/** Fault steps for a message that lacks a carried value its receiver reads. */
export function carryFault(here: Here, waits: Point, what: Into, q: number, name: string): void {
  const { control, shaped } = here;
  const { digits, ports, world, prefix } = control.parts;
  for (const asked of what.carry) {
    const digit = digits.find((d) => d.name === asked)!;
    const fault = control.point(`fault of ${name}: no ${asked}`);
    world.faults.push({
      place: `${prefix}fault of ${name}: no ${asked}`,
      statement: shaped,
      arguments: [],
      message: `the received message carries no ${JSON.stringify(asked)}`,
    });
    control.step(`${name}: no ${asked}`, waits, fault, (t, state) => {
      const status = t.take(ports.completed(), { rank: state[RANK]!, q } as never) as unknown as Status;
      t.guard(eq(digitOf(digit, status.v), 0));
      return undefined;
    });
  }
}
