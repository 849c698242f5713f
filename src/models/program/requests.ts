import { add, constant } from '../../net/terms.ts';
import { type Communicator, RangeCommunicator } from './communicator.ts';
import type { ControlNet } from './control-net.ts';
import { type Here, type Of, overhead, type Status } from './here.ts';
import { carryFault, into } from './message-status.ts';
import { RANK } from './state.ts';
import type { Request } from './statement.ts';

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

/** Whether a request was made by a receive. */
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
    const status = t.take(ports.completed(), { rank: state[RANK]!, q } as never) as unknown as Status;
    if (wildcard) t.take(control.open(), { rank: state[RANK]!, q: s.request.number } as never);
    if (receives(control, s.request)) reported = overhead(t, control, 'receive', status.b);
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
    t.inhibit(control.open(), { rank: state[RANK]!, q: s.request.number } as never);
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
    control.step(name, at, next, (t, state) => {
      const status = t.take(ports.completed(), { rank: state[RANK]!, q } as never) as unknown as Status;
      t.take(control.open(), { rank: state[RANK]!, q: request.number } as never);
      const changes = into(here, t, s.into, commOf(control, request), status);
      return { ...changes, ...(s.index === undefined ? {} : { [s.index]: constant(index) }) };
    });
    control.completes(name, request);
    control.describe(name, { statement: shaped, before: 'blocked', request: q });
    carryFault(here, at, s.into, q, name);
  });
}

/** Tests whether a request is complete, without waiting. */
export function test(here: Here, s: Of<'test'>): void {
  const { control, label, at, next } = here;
  const { ports } = control.parts;
  const q = requestNumber(control, s.request);
  const open = { q: s.request.number };
  control.step(`${label} done`, at, next, (t, state) => {
    const status = t.take(ports.completed(), { rank: state[RANK]!, q } as never) as unknown as Status;
    t.take(control.open(), { rank: state[RANK]!, ...open } as never);
    return { ...into(here, t, s.into, commOf(control, s.request), status), [s.done]: constant(1) };
  });
  control.completes(`${label} done`, s.request);
  control.step(`${label} not done`, at, next, (t, state) => {
    t.read(control.open(), { rank: state[RANK]!, ...open } as never);
    t.inhibit(ports.completed(), { rank: state[RANK]!, q } as never);
    return { [s.done]: constant(0) };
  });
  // A request that is no longer open was completed by an earlier statement.
  control.step(`${label} over`, at, next, (t, state) => {
    t.inhibit(control.open(), { rank: state[RANK]!, ...open } as never);
    return { [s.done]: constant(1) };
  });
  carryFault(here, at, s.into, q, `${label} done`);
}

/** Takes a request if it is complete, without waiting. */
export function takeComplete(here: Here, s: Of<'take'>): void {
  const { control, label, at, next } = here;
  const { ports } = control.parts;
  const q = requestNumber(control, s.request);
  const open = { q: s.request.number };
  control.step(`${label} takes`, at, next, (t, state) => {
    t.take(ports.completed(), { rank: state[RANK]!, q } as never);
    t.take(control.open(), { rank: state[RANK]!, ...open } as never);
    return s.count === undefined ? undefined : { [s.count]: add(state[s.count]!, 1) };
  });
  control.completes(`${label} takes`, s.request);
  control.step(`${label} leaves`, at, next, (t, state) => {
    t.read(control.open(), { rank: state[RANK]!, ...open } as never);
    t.inhibit(ports.completed(), { rank: state[RANK]!, q } as never);
    return undefined;
  });
  control.step(`${label} over`, at, next, (t, state) => {
    t.inhibit(control.open(), { rank: state[RANK]!, ...open } as never);
    return undefined;
  });
}
