import { constant } from '../../net/terms.ts';
import type { Argument } from './argument.ts';
import { guardPartner, type Here, type Of, overhead, withoutPartner } from './here.ts';
import { MODE, UNTOLD } from './ports.ts';
import { post } from './posting.ts';
import { RANK } from './state.ts';

/** Net of a put or get: a message whose receive is posted together with it, since the target is passive. */
export function oneSided(here: Here, out: boolean): void {
  const { control, shaped, label, own, at, next } = here;
  const { ports, machine, world, oneSidedRequest } = control.parts;
  const { pair, bytes } = own as Record<'pair' | 'bytes', Argument>;
  const args = [pair!, bytes!];
  const s = shaped.statement as Of<'put' | 'get'>;
  control.fault(shaped, at, args);
  withoutPartner(here, pair!, undefined);
  const tag = constant(world.tag(s.comm.number, 0, true)!);
  let reported = false;
  control.step(label, at, next, (t, state) => {
    control.guardValid(t, args, state);
    guardPartner(t, pair!, state);
    const p = pair!.term(t, state);
    const message = {
      p,
      t: tag,
      q: constant(out ? oneSidedRequest : 0),
      b: bytes!.term(t, state),
      y: constant(out ? MODE.synchronous : MODE.silent),
    };
    post(t, ports, machine.protocol, message);
    t.put(ports.receives(), { p, t: tag, a: constant(out ? UNTOLD : oneSidedRequest) } as never);
    t.put(ports.oneSided(), { rank: state[RANK]! } as never);
    reported = overhead(t, control, 'send', message.b);
    return undefined;
  });
  if (reported) control.describe(label, { statement: shaped, during: 'overhead' });
}
