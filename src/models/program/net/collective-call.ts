import type { TransitionBuilder } from '../../../net/builder/builder.ts';
import { add, constant, mod, type Term } from '../../../net/terms.ts';
import type { Request } from '../record/statement.ts';
import type { StateTerms } from '../resolve/argument.ts';
import { RANK } from '../resolve/state.ts';
import { type Here, type Of, opens } from './here.ts';

/** Net of a collective call: a token passes through the call's rows. A blocking call waits for its completion. */
export function collective(here: Here, request: Request | undefined): void {
  const { control, shaped, label, own, at, next } = here;
  const { ports, threadOf, threadRequest } = control.parts;
  const row = own['row']!;
  const k = threadOf.get(shaped.statement)!;
  control.fault(shaped, at, [row]);
  const waits = request === undefined ? control.point(`${label} runs`) : next;
  control.step(label, at, waits, (t, state) => {
    control.guardValid(t, [row], state);
    const lap = ports.laps === 1 ? {} : { l: request === undefined ? constant(0) : lapOf(here, t, state, k) };
    t.put(ports.collective(), { rank: state[RANK]!, k, o: row.term(t, state), ...lap });
    opens(control, t, state, request);
    return undefined;
  });
  if (ports.laps > 1 && request !== undefined) lapped(here);
  control.describe(label, { statement: shaped, calls: row, passes: request !== undefined });
  if (request !== undefined) return;
  control.step(`${label} done`, waits, next, (t, state) => {
    t.take(ports.completed(), { rank: state[RANK]!, q: threadRequest(k) });
    return undefined;
  });
}

/** Takes the sequence number of a call on its communicator and increments it modulo `ports.laps`. */
function lapOf(here: Here, t: TransitionBuilder, state: StateTerms, k: number): Term<number> {
  const { ports } = here.control.parts;
  const of = { rank: state[RANK]!, x: contextOf(here) };
  const { l } = t.take(ports.calls(), of) as { readonly l: Term<number> };
  t.inhibit(ports.active(), { ...of, l });
  t.put(ports.calls(), { ...of, l: mod(add(l, 1), ports.laps) });
  t.put(ports.active(), { ...of, k, l });
  return l;
}

/** Fault if an earlier call with the same sequence number is still active: their messages could be confused. */
function lapped(here: Here): void {
  const { control, shaped, label, at } = here;
  const { ports, world, prefix } = control.parts;
  const place = `fault of ${label}: ${ports.laps} calls later`;
  const fault = control.point(place);
  world.faults.push({
    place: `${prefix}${place}`,
    statement: shaped,
    arguments: [],
    message: `a non-blocking collective is still active after ${ports.laps} later calls on its communicator: at most ${ports.laps - 1} are supported`,
  });
  control.step(`${label} too late`, at, fault, (t, state) => {
    const of = { rank: state[RANK]!, x: contextOf(here) };
    const { l } = t.read(ports.calls(), of) as { readonly l: Term<number> };
    t.read(ports.active(), { ...of, l });
    return undefined;
  });
}

function contextOf({ control, shaped: { statement } }: Here): Term<number> {
  return constant(control.parts.world.context((statement as Of<'collective'>).comm.number));
}

/** Completes the puts and gets of the rank one by one, then waits for all ranks. */
export function fence(here: Here): void {
  const { control, shaped, label, at, next } = here;
  const { ports, oneSidedRequest } = control.parts;
  const drained = control.point(`${label} drained`);
  control.step(`${label} takes`, at, at, (t, state) => {
    t.take(ports.completed(), { rank: state[RANK]!, q: oneSidedRequest });
    t.take(ports.oneSided(), { rank: state[RANK]! });
    return undefined;
  });
  control.describe(`${label} takes`, { statement: shaped, before: 'blocked', request: oneSidedRequest });
  control.step(`${label} is empty`, at, drained, (t, state) => {
    t.inhibit(ports.oneSided(), { rank: state[RANK]! });
    return undefined;
  });
  collective({ ...here, at: drained, next }, undefined);
}
