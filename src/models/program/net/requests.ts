import { fail } from '../../../base/problem.ts';
import type { TransitionBuilder } from '../../../net/builder/builder.ts';
import { add, constant, eq, ge, type Term } from '../../../net/terms.ts';
import { type Communicator, RangeCommunicator } from '../record/communicator.ts';
import type { Into, Request } from '../record/statement.ts';
import { RANK } from '../resolve/state.ts';
import type { Changes, ControlNet, Point } from './control-net.ts';
import { type Here, type Of, overhead, type Status } from './here.ts';

/** Communicator of the receive that made a request; all ranks for other requests. */
export function commOf(control: ControlNet, request: Request): Communicator {
  for (const [s] of control.parts.shape.of)
    if (s.kind === 'recv' && s.request?.number === request.number) return s.comm;
  return new RangeCommunicator(0, 0, control.parts.world.ranks);
}

/** Number that completes a request; for a collective, that of its thread. */
export function requestNumber(control: ControlNet, request: Request): number {
  const { shape, threadOf, threadRequest } = control.parts;
  for (const [s] of shape.of)
    if (s.kind === 'collective' && s.request?.number === request.number) return threadRequest(threadOf.get(s)!);
  return request.number;
}

/** True if a request was made by a receive. */
export function receives(control: ControlNet, request: Request): boolean {
  for (const [s] of control.parts.shape.of) if (s.kind === 'recv' && s.request?.number === request.number) return true;
  return false;
}

/** Waits for a request. If it may be complete already, the wait applies only while it is open. */
export function wait(here: Here, s: Of<'wait'>): void {
  const { control, shaped, label, at, next } = here;
  const { ports, shape } = control.parts;
  const q = requestNumber(control, s.request);
  const wildcard = shape.wildcards.has(s.request.number);
  let reported = false;
  control.step(label, at, next, (t, state) => {
    const status = t.take(ports.completed(), { rank: state[RANK]!, q }) as Status;
    if (wildcard) t.take(control.open(), { rank: state[RANK]!, q: s.request.number });
    if (receives(control, s.request)) reported = overhead(t, control, state, 'receive', status.b);
    return into(here, t, s.into, commOf(control, s.request), status);
  });
  control.completes(label, s.request);
  control.describe(label, {
    statement: shaped,
    before: 'blocked',
    request: q,
    ...(reported ? { during: 'overhead' as const } : {}),
  });
  carryFault(here, at, s.into, q, label);
  if (!wildcard) return;
  control.step(`${label} over`, at, next, (t, state) => {
    t.inhibit(control.open(), { rank: state[RANK]!, q: s.request.number });
    return undefined;
  });
}

/** Waits for the first of several requests; takes only that one. */
export function waitAny(here: Here, s: Of<'waitAny'>): void {
  const { control, shaped, label, at, next } = here;
  const { ports } = control.parts;
  s.requests.forEach((request, index) => {
    const name = `${label} [${index}]`;
    const q = requestNumber(control, request);
    let reported = false;
    control.step(name, at, next, (t, state) => {
      const status = t.take(ports.completed(), { rank: state[RANK]!, q }) as Status;
      t.take(control.open(), { rank: state[RANK]!, q: request.number });
      if (receives(control, request)) reported = overhead(t, control, state, 'receive', status.b);
      const changes = into(here, t, s.into, commOf(control, request), status);
      return { ...changes, ...(s.index === undefined ? {} : { [s.index]: constant(index) }) };
    });
    control.completes(name, request);
    control.describe(name, {
      statement: shaped,
      before: 'blocked',
      request: q,
      ...(reported ? { during: 'overhead' as const } : {}),
    });
    carryFault(here, at, s.into, q, name);
  });
}

/** Tests whether a request is complete, without waiting. */
export function test(here: Here, s: Of<'test'>): void {
  const { control, label, at, next } = here;
  const { ports } = control.parts;
  const q = requestNumber(control, s.request);
  const open = { q: s.request.number };
  const { asks = 'complete', index, position = 0 } = s;
  if (asks === 'over') {
    control.step(`${label} not done`, at, next, (t, state) => {
      t.read(control.open(), { rank: state[RANK]!, ...open });
      return { [s.done]: constant(0) };
    });
    control.step(`${label} over`, at, next, (t, state) => {
      t.inhibit(control.open(), { rank: state[RANK]!, ...open });
      return { [s.done]: constant(1) };
    });
    return;
  }
  let reported = false;
  control.step(`${label} done`, at, next, (t, state) => {
    const status = t.take(ports.completed(), { rank: state[RANK]!, q }) as Status;
    t.take(control.open(), { rank: state[RANK]!, ...open });
    if (receives(control, s.request)) reported = overhead(t, control, state, 'receive', status.b);
    const changes = into(here, t, s.into, commOf(control, s.request), status);
    return { ...changes, [s.done]: constant(1), ...(index === undefined ? {} : { [index]: constant(position) }) };
  });
  control.completes(`${label} done`, s.request);
  if (reported) control.describe(`${label} done`, { statement: here.shaped, during: 'overhead' });
  control.step(`${label} not done`, at, next, (t, state) => {
    t.read(control.open(), { rank: state[RANK]!, ...open });
    t.inhibit(ports.completed(), { rank: state[RANK]!, q });
    return { [s.done]: constant(0) };
  });
  // A request that is no longer open was completed by an earlier statement.
  control.step(`${label} over`, at, next, (t, state) => {
    t.inhibit(control.open(), { rank: state[RANK]!, ...open });
    return { [s.done]: constant(asks === 'now' ? 0 : 1) };
  });
  carryFault(here, at, s.into, q, `${label} done`);
}

/** Takes a request if it is complete, without waiting. */
export function takeComplete(here: Here, s: Of<'take'>): void {
  const { control, label, at, next } = here;
  const { ports } = control.parts;
  const q = requestNumber(control, s.request);
  const open = { q: s.request.number };
  let reported = false;
  control.step(`${label} takes`, at, next, (t, state) => {
    const { b } = t.take(ports.completed(), { rank: state[RANK]!, q }) as Status;
    t.take(control.open(), { rank: state[RANK]!, ...open });
    if (receives(control, s.request)) reported = overhead(t, control, state, 'receive', b);
    return s.count === undefined ? undefined : { [s.count]: add(state[s.count]!, 1) };
  });
  control.completes(`${label} takes`, s.request);
  if (reported) control.describe(`${label} takes`, { statement: here.shaped, during: 'overhead' });
  control.step(`${label} leaves`, at, next, (t, state) => {
    t.read(control.open(), { rank: state[RANK]!, ...open });
    t.inhibit(ports.completed(), { rank: state[RANK]!, q });
    return undefined;
  });
  control.step(`${label} over`, at, next, (t, state) => {
    t.inhibit(control.open(), { rank: state[RANK]!, ...open });
    return undefined;
  });
}

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
const digitOf = ({ stride, size }: { stride: number; size: number }, v: Term<number>): Term<number> => ({
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
      const status = t.take(ports.completed(), { rank: state[RANK]!, q }) as Status;
      t.guard(eq(digitOf(digit, status.v), 0));
      return undefined;
    });
  }
}
