import { constant } from '../../../net/terms.ts';
import { MODE } from '../../eager-threshold.ts';
import type { Argument } from '../resolve/argument.ts';
import type { Arguments } from '../resolve/arguments.ts';
import type { Shaped } from '../resolve/shape.ts';
import { RANK } from '../resolve/state.ts';
import { collective, fence } from './collective-call.ts';
import type { ControlNet, Point } from './control-net.ts';
import { guardPartner, type Here, type Of, overhead, withoutPartner } from './here.ts';
import { UNTOLD } from './ports.ts';
import { post } from './posting.ts';
import { probe } from './probe.ts';
import { takeComplete, test, wait, waitAny } from './requests.ts';
import { receive, send } from './send-receive.ts';

/** Adds the net of a communication statement between two places of a program. */
export function emitCommunication(
  control: ControlNet,
  shaped: Shaped,
  label: string,
  own: Arguments,
  at: Point,
  next: Point,
): void {
  const here: Here = { control, shaped, label, own, at, next };
  const s = shaped.statement;
  switch (s.kind) {
    case 'send':
      send(here, s);
      break;
    case 'recv':
      receive(here, s);
      break;
    case 'probe':
      probe(here, s);
      break;
    case 'wait':
      wait(here, s);
      break;
    case 'waitAny':
      waitAny(here, s);
      break;
    case 'test':
      test(here, s);
      break;
    case 'take':
      takeComplete(here, s);
      break;
    case 'collective':
      collective(here, s.request);
      break;
    case 'put':
    case 'get':
      oneSided(here, s);
      break;
    case 'fence':
      fence(here);
      break;
    default:
      throw new Error(`no operation of message passing: ${s.kind}`);
  }
}

/**
 * Net of a put or get: a message whose receive is posted together with it, since the target is passive. A call that accumulates waits
 * for its arrival, as a synchronous send.
 */
function oneSided(here: Here, s: Of<'put' | 'get'>): void {
  const out = s.kind === 'put';
  const { accumulates = false } = s;
  const { control, shaped, label, own, at, next } = here;
  const { ports, machine, world, oneSidedRequest } = control.parts;
  const { pair, bytes } = own as Record<'pair' | 'bytes', Argument>;
  const args = [pair!, bytes!];
  control.fault(shaped, at, args);
  withoutPartner(here, pair!, undefined);
  const tag = constant(world.tag(s.comm.number, 0, true)!);
  const waits = accumulates ? control.point(`${label} waits`) : next;
  let reported = false;
  control.step(label, at, waits, (t, state) => {
    control.guardValid(t, args, state);
    guardPartner(t, pair!, state);
    const p = pair!.term(t, state);
    const message = {
      p,
      t: tag,
      q: constant(out && !accumulates ? oneSidedRequest : 0),
      b: bytes!.term(t, state),
      y: constant(out ? MODE.synchronous : MODE.silent),
    };
    post(t, ports, machine.protocol, message);
    t.put(ports.receives(), { p, t: tag, a: constant(out ? UNTOLD : oneSidedRequest) });
    if (!accumulates) t.put(ports.oneSided(), { rank: state[RANK]! });
    reported = overhead(t, control, state, 'isend', message.b, message.y);
    return undefined;
  });
  if (reported) control.describe(label, { statement: shaped, during: 'overhead' });
  if (!accumulates) return;
  control.step(`${label} done`, waits, next, (t, state) => {
    t.take(ports.completed(), { rank: state[RANK]!, q: 0 });
    return undefined;
  });
  control.describe(`${label} done`, { statement: shaped, before: 'blocked', request: 0 });
}
