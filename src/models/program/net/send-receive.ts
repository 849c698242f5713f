import { constant, eq, not } from '../../../net/terms.ts';
import { isDetached } from '../../eager-threshold.ts';
import type { Argument } from '../resolve/argument.ts';
import { isWild } from '../resolve/shape.ts';
import { RANK } from '../resolve/state.ts';
import { complete, guardPartner, type Here, type Of, opens, overhead, type Status, withoutPartner } from './here.ts';
import { modeOf, post, tokenOf } from './posting.ts';
import { carryFault, into } from './requests.ts';

/** Net of a send: posts the message; a blocking send that is not detached waits for its arrival. */
export function send(here: Here, s: Of<'send'>): void {
  const { control, shaped, label, own, at, next } = here;
  const { ports, machine, world, uses } = control.parts;
  const { protocol } = machine;
  const { pair, tag, bytes, wild, carry } = own as Record<'pair' | 'tag' | 'bytes' | 'wild', Argument> & {
    carry?: Argument;
  };
  const args = [pair!, tag!, bytes!, ...(carry === undefined ? [] : [carry])];
  control.fault(shaped, at, args);
  withoutPartner(here, pair!, s.request);
  const mode = s.mode === 'ready' ? 'standard' : s.mode;
  const y = modeOf(ports, mode);
  // If every message of the statement is detached, its rank never waits.
  const always = bytes!.constant === undefined ? undefined : isDetached(protocol, constant(bytes!.constant), y);
  const never = always?.op === 'const' && always.value !== 0;
  const waits = s.request === undefined && !never ? control.point(`${label} waits`) : undefined;
  let reported = false;
  control.visits(label);
  control.parts.net.transition(`${control.parts.prefix}${label}`, (t) => {
    const state = control.take(t, at);
    t.process(state[RANK]!);
    control.guardValid(t, args, state);
    guardPartner(t, pair!, state);
    const b = bytes!.term(t, state);
    const free = s.request !== undefined && control.parts.shape.free.has(s.request.number);
    const q = constant(free ? control.parts.freeRequest : (s.request?.number ?? 0));
    const p = pair!.term(t, state);
    const message = tokenOf(ports, {
      p,
      t: tag!.term(t, state),
      q,
      b,
      ...(carry === undefined ? {} : { v: carry.term(t, state) }),
      ...(y === undefined ? {} : { y }),
    });
    const isWild = uses.wild && wild!.constant !== 0;
    post(
      t,
      ports,
      protocol,
      message,
      isWild
        ? {
            d: control.destination().at(p),
            s: state[RANK]!,
            x: constant(world.context(s.comm.number)),
            wild: wild!.constant === 1 ? true : eq(wild!.term(t, state), 1),
          }
        : undefined,
    );
    reported = overhead(t, control, state, s.request === undefined ? 'send' : 'isend', b, y);
    const detached = isDetached(protocol, b, y);
    opens(control, t, state, s.request);
    if (s.request !== undefined) {
      if (!free) complete(control, t, state, q, detached);
      control.put(t, next, state);
    } else if (waits === undefined) control.put(t, next, state);
    else if (always !== undefined) control.put(t, waits, state);
    else {
      control.put(t, next, state, {}, detached);
      control.put(t, waits, state, {}, not(detached));
    }
  });
  if (reported) control.describe(label, { statement: shaped, during: 'overhead' });
  if (waits === undefined) return;
  control.step(`${label} done`, waits, next, (t, state) => {
    t.take(ports.completed(), { rank: state[RANK]!, q: 0 });
    return undefined;
  });
  control.describe(`${label} done`, { statement: shaped, before: 'blocked', request: 0 });
}

/** Net of a receive: posts it; a blocking receive waits and takes the status of the message. */
export function receive(here: Here, s: Of<'recv'>): void {
  const { control, shaped, label, own, at, next } = here;
  const { ports, world, uses } = control.parts;
  const { pair, tag, source, wild } = own as Record<string, Argument | undefined>;
  const peer = pair ?? source;
  const args = [tag!, ...(peer === undefined ? [] : [peer])];
  control.fault(shaped, at, args);
  if (peer !== undefined) withoutPartner(here, peer, s.request);
  const waits = s.request === undefined ? control.point(`${label} waits`) : next;
  control.step(label, at, waits, (t, state) => {
    control.guardValid(t, args, state);
    if (peer !== undefined) guardPartner(t, peer, state);
    const a = constant(s.request?.number ?? 0);
    const tagTerm = tag!.term(t, state);
    const toWild = isWild(s)
      ? true
      : !uses.wild || wild!.constant === 0
        ? false
        : wild!.constant === 1
          ? true
          : undefined;
    const inWild = toWild === undefined ? eq(wild!.term(t, state), 1) : undefined;
    if (toWild !== true)
      t.put(ports.receives(), { p: pair!.term(t, state), t: tagTerm, a }, inWild === undefined ? 1 : not(inWild));
    if (toWild !== false) {
      const token = {
        d: state[RANK]!,
        s: source === undefined ? constant(-1) : source.term(t, state),
        x: constant(world.context(s.comm.number)),
        t: tagTerm,
        a,
      };
      t.put(ports.wildReceives(), token, inWild ?? 1);
      if (ports.orders.receives.length > 0) t.put(ports.order.entering(), { ...token, k: 0 }, inWild ?? 1);
    }
    opens(control, t, state, s.request);
    return undefined;
  });
  if (s.request !== undefined) return;
  let reported = false;
  control.step(`${label} done`, waits, next, (t, state) => {
    const status = t.take(ports.completed(), { rank: state[RANK]!, q: 0 }) as Status;
    reported = overhead(t, control, state, 'receive', status.b);
    return into(here, t, s.into, s.comm, status);
  });
  control.describe(`${label} done`, {
    statement: shaped,
    before: 'blocked',
    request: 0,
    ...(reported ? { during: 'overhead' as const } : {}),
  });
  carryFault(here, waits, s.into, 0, `${label} done`);
}
