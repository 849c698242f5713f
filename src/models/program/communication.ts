import { fail } from '../../base/problem.ts';
import type { TransitionBuilder } from '../../net/builder/builder.ts';
import { add, constant, eq, ge, mul, not, type Term } from '../../net/terms.ts';
import type { Argument, StateTerms } from './argument.ts';
import type { Arguments } from './arguments.ts';
import { type Communicator, World as WorldCommunicator } from './communicator.ts';
import type { Changes, ControlNet, Point } from './control-net.ts';
import { MODE, UNTOLD } from './ports.ts';
import { isDetached, modeOf, post, putWhere, tokenOf } from './posting.ts';
import { NO_PEER } from './rules.ts';
import { isWild, type Shaped } from './shape.ts';
import { RANK } from './state.ts';
import type { Into, Request, Statement } from './statement.ts';

type Of<K extends Statement['kind']> = Extract<Statement, { kind: K }>;
type Status = Readonly<Record<'s' | 't' | 'v' | 'b', Term<number>>>;

/** What every emitter gets: the statement, its arguments, the places before and after it. */
interface Here {
  readonly control: ControlNet;
  readonly shaped: Shaped;
  readonly label: string;
  readonly own: Arguments;
  readonly at: Point;
  readonly next: Point;
}

/** The net of an operation of message passing between two places of a program. */
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
      oneSided(here, s.kind === 'put');
      break;
    case 'fence':
      fence(here);
      break;
    default:
      throw new Error(`no operation of message passing: ${s.kind}`);
  }
}

/** Where an operation may have no partner: it does nothing, and its request is complete. */
function withoutPartner({ control, label, at, next }: Here, peer: Argument, request: Request | undefined): void {
  const { numbers } = peer;
  if (numbers !== undefined && !numbers.has(NO_PEER)) return;
  control.step(`${label} to none`, at, next, (t, state) => {
    t.guard(eq(peer.term(t, state), NO_PEER));
    if (request !== undefined && !control.parts.shape.free.has(request.number))
      complete(control, t, state, constant(request.number));
    opens(control, t, state, request);
    return undefined;
  });
}

/** Only with a partner. */
function guardPartner(t: TransitionBuilder, peer: Argument, state: StateTerms): void {
  const { numbers } = peer;
  if (numbers === undefined || numbers.has(NO_PEER)) t.guard(not(eq(peer.term(t, state), NO_PEER)));
}

/** Requests of which `waitAny` or `test` ask are known to be open by a token. */
function opens(control: ControlNet, t: TransitionBuilder, state: StateTerms, request: Request | undefined): void {
  if (request === undefined || !control.parts.shape.loose.has(request.number)) return;
  t.put(control.open(), { rank: state[RANK]!, q: constant(request.number) } as never);
}

function complete(
  control: ControlNet,
  t: TransitionBuilder,
  state: StateTerms,
  q: Term<number>,
  count?: Term<boolean>,
): void {
  const { ports } = control.parts;
  putWhere(t, ports.completed, { rank: state[RANK]!, q, ...ports.nothing }, count ?? constant(true));
}

/** What the rank's processor spends for a message of `b` bytes. */
function overhead(t: TransitionBuilder, control: ControlNet, kind: 'send' | 'receive', b?: Term<number>): boolean {
  const o = control.parts.machine.overhead;
  if (o === undefined) return false;
  const perByte = b === undefined ? 0 : o.perByte;
  if (o[kind] === 0 && perByte === 0) return false;
  t.delay(perByte === 0 ? o[kind] : add(o[kind], mul(b!, perByte)));
  return true;
}

function send(here: Here, s: Of<'send'>): void {
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
  // Where every message of the statement is detached, its rank never waits.
  const always = bytes!.constant === undefined ? undefined : isDetached(protocol, constant(bytes!.constant), y);
  const never = always?.op === 'const' && always.value !== 0;
  const waits = s.request === undefined && !never ? control.point(`${label} waits`) : undefined;
  let told = false;
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
    told = overhead(t, control, 'send', b);
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
  if (told) control.tell(label, { statement: shaped, during: 'overhead' });
  if (waits === undefined) return;
  control.step(`${label} done`, waits, next, (t, state) => {
    t.take(ports.completed(), { rank: state[RANK]!, q: 0 } as never);
    return undefined;
  });
  control.tell(`${label} done`, { statement: shaped, before: 'blocked', request: 0 });
}

function receive(here: Here, s: Of<'recv'>): void {
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
      t.put(
        ports.receives(),
        { p: pair!.term(t, state), t: tagTerm, a } as never,
        inWild === undefined ? 1 : not(inWild),
      );
    if (toWild !== false)
      t.put(
        ports.wildReceives(),
        {
          d: state[RANK]!,
          s: source === undefined ? constant(-1) : source.term(t, state),
          x: constant(world.context(s.comm.number)),
          t: tagTerm,
          a,
        } as never,
        inWild ?? 1,
      );
    opens(control, t, state, s.request);
    return undefined;
  });
  if (s.request !== undefined) return;
  let told = false;
  control.step(`${label} done`, waits, next, (t, state) => {
    const status = t.take(ports.completed(), { rank: state[RANK]!, q: 0 } as never) as unknown as Status;
    told = overhead(t, control, 'receive', status.b);
    return into(here, t, s.into, s.comm, status);
  });
  control.tell(`${label} done`, {
    statement: shaped,
    before: 'blocked',
    request: 0,
    ...(told ? { during: 'overhead' as const } : {}),
  });
  carryFault(here, waits, s.into, 0, `${label} done`);
}

/** The values that a receive puts into the variables. */
function into(here: Here, t: TransitionBuilder, what: Into, comm: Communicator, status: Status): Changes {
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

const digitOf = ({ stride, size }: { stride: number; size: number }, v: Term<number>): Term<number> => ({
  op: 'mod',
  a: stride === 1 ? v : { op: 'floor', a: { op: 'div', a: v, b: { op: 'const', value: stride } } },
  b: { op: 'const', value: size },
});

/** A message without what its receiver asks for stops the rank. */
function carryFault(here: Here, waits: Point, what: Into, q: number, name: string): void {
  const { control, shaped } = here;
  const { digits, ports, world, prefix } = control.parts;
  for (const asked of what.carry) {
    const digit = digits.find((d) => d.name === asked)!;
    const fault = control.point(`fault of ${name}: no ${asked}`);
    world.faults.push({
      place: `${prefix}fault of ${name}: no ${asked}`,
      statement: shaped,
      arguments: [],
      lacks: asked,
    });
    control.step(`${name}: no ${asked}`, waits, fault, (t, state) => {
      const status = t.take(ports.completed(), { rank: state[RANK]!, q } as never) as unknown as Status;
      t.guard(eq(digitOf(digit, status.v), 0));
      return undefined;
    });
  }
}

/** The communicator of the receive that a request is of. */
function commOf(control: ControlNet, request: Request): Communicator {
  for (const [s] of control.parts.shape.of)
    if (s.kind === 'recv' && s.request?.number === request.number) return s.comm;
  return new WorldCommunicator(0, 0, control.parts.world.ranks);
}

function requestNumber(control: ControlNet, request: Request): number {
  for (const [s, k] of control.parts.threadOf)
    if (s.kind === 'collective' && s.request?.number === request.number) return control.parts.threadRequest(k);
  return request.number;
}

function receives(control: ControlNet, request: Request): boolean {
  for (const [s] of control.parts.shape.of) if (s.kind === 'recv' && s.request?.number === request.number) return true;
  return false;
}

function wait(here: Here, s: Of<'wait'>): void {
  const { control, shaped, label, at, next } = here;
  const { ports, shape } = control.parts;
  const q = requestNumber(control, s.request);
  const loose = shape.loose.has(s.request.number);
  let told = false;
  control.step(label, at, next, (t, state) => {
    const status = t.take(ports.completed(), { rank: state[RANK]!, q } as never) as unknown as Status;
    if (loose) t.take(control.open(), { rank: state[RANK]!, q: s.request.number } as never);
    if (receives(control, s.request)) told = overhead(t, control, 'receive', status.b);
    return into(here, t, s.into, commOf(control, s.request), status);
  });
  control.tell(label, {
    statement: shaped,
    before: 'blocked',
    request: q,
    ...(told ? { during: 'overhead' as const } : {}),
  });
  carryFault(here, at, s.into, q, label);
  if (!loose) return;
  control.step(`${label} over`, at, next, (t, state) => {
    t.inhibit(control.open(), { rank: state[RANK]!, q: s.request.number } as never);
    return undefined;
  });
}

function waitAny(here: Here, s: Of<'waitAny'>): void {
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
    control.tell(name, { statement: shaped, before: 'blocked', request: q });
    carryFault(here, at, s.into, q, name);
  });
}

function test(here: Here, s: Of<'test'>): void {
  const { control, label, at, next } = here;
  const { ports } = control.parts;
  const q = requestNumber(control, s.request);
  const open = { q: s.request.number };
  control.step(`${label} done`, at, next, (t, state) => {
    const status = t.take(ports.completed(), { rank: state[RANK]!, q } as never) as unknown as Status;
    t.take(control.open(), { rank: state[RANK]!, ...open } as never);
    return { ...into(here, t, s.into, commOf(control, s.request), status), [s.done]: constant(1) };
  });
  control.step(`${label} not done`, at, next, (t, state) => {
    t.read(control.open(), { rank: state[RANK]!, ...open } as never);
    t.inhibit(ports.completed(), { rank: state[RANK]!, q } as never);
    return { [s.done]: constant(0) };
  });
  // A request that was waited for is complete.
  control.step(`${label} over`, at, next, (t, state) => {
    t.inhibit(control.open(), { rank: state[RANK]!, ...open } as never);
    return { [s.done]: constant(1) };
  });
  carryFault(here, at, s.into, q, `${label} done`);
}

/** Takes a request if it is complete; never waits. */
function takeComplete(here: Here, s: Of<'take'>): void {
  const { control, label, at, next } = here;
  const { ports } = control.parts;
  const q = requestNumber(control, s.request);
  const open = { q: s.request.number };
  control.step(`${label} takes`, at, next, (t, state) => {
    t.take(ports.completed(), { rank: state[RANK]!, q } as never);
    t.take(control.open(), { rank: state[RANK]!, ...open } as never);
    return s.count === undefined ? undefined : { [s.count]: add(state[s.count]!, 1) };
  });
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

function collective(here: Here, request: Request | undefined): void {
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
  if (request !== undefined) return;
  control.tell(label, { statement: shaped });
  control.step(`${label} done`, waits, next, (t, state) => {
    t.take(ports.completed(), { rank: state[RANK]!, q: threadRequest(k) } as never);
    return undefined;
  });
}

function oneSided(here: Here, out: boolean): void {
  const { control, shaped, label, own, at, next } = here;
  const { ports, machine, world, oneSidedRequest } = control.parts;
  const { pair, bytes } = own as Record<'pair' | 'bytes', Argument>;
  const args = [pair!, bytes!];
  const s = shaped.statement as Of<'put' | 'get'>;
  control.fault(shaped, at, args);
  withoutPartner(here, pair!, undefined);
  const tag = constant(world.tag(s.comm.number, 0, true));
  let told = false;
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
    told = overhead(t, control, 'send', message.b);
    return undefined;
  });
  if (told) control.tell(label, { statement: shaped, during: 'overhead' });
}

function fence(here: Here): void {
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
