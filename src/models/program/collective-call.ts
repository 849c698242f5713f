import { type Here, opens } from './here.ts';
import { RANK } from './state.ts';
import type { Request } from './statement.ts';

/** A call of a collective: a token goes through its rows, and a blocking call waits until it has. */
export function collective(here: Here, request: Request | undefined): void {
  const { control, shaped, label, own, at, next } = here;
  const { ports, threadOf, threadRequest } = control.parts;
  const row = own['row']!;
  const k = threadOf.get(shaped.statement)!;
  control.fault(shaped, at, [row]);
  const waits = request === undefined ? control.point(`${label} runs`) : next;
  control.step(label, at, waits, (t, state) => {
    control.guardValid(t, [row], state);
    t.put(ports.collective(), { rank: state[RANK]!, k, o: row.term(t, state) } as never);
    opens(control, t, state, request);
    return undefined;
  });
  control.tell(label, { statement: shaped, calls: row, passes: request !== undefined });
  if (request !== undefined) return;
  control.step(`${label} done`, waits, next, (t, state) => {
    t.take(ports.completed(), { rank: state[RANK]!, q: threadRequest(k) } as never);
    return undefined;
  });
}

/** Waits for what the rank has put and got, one after the other, then for all ranks. */
export function fence(here: Here): void {
  const { control, shaped, label, at, next } = here;
  const { ports, oneSidedRequest } = control.parts;
  const drained = control.point(`${label} drained`);
  control.step(`${label} takes`, at, at, (t, state) => {
    t.take(ports.completed(), { rank: state[RANK]!, q: oneSidedRequest } as never);
    t.take(ports.oneSided(), { rank: state[RANK]! } as never);
    return undefined;
  });
  control.tell(`${label} takes`, { statement: shaped, before: 'blocked', request: oneSidedRequest });
  control.step(`${label} is empty`, at, drained, (t, state) => {
    t.inhibit(ports.oneSided(), { rank: state[RANK]! } as never);
    return undefined;
  });
  collective({ ...here, at: drained, next }, undefined);
}
