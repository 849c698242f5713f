import type { TransitionBuilder } from '../../net/builder/builder.ts';
import { add, constant, eq, mul, not, type Term } from '../../net/terms.ts';
import type { Argument, StateTerms } from './argument.ts';
import type { Arguments } from './arguments.ts';
import type { ControlNet, Point } from './control-net.ts';
import { putWhere } from './posting.ts';
import { NO_PEER } from './rules.ts';
import type { Shaped } from './shape.ts';
import { RANK } from './state.ts';
import type { Request, Statement } from './statement.ts';

/** A statement of a kind. */
export type Of<K extends Statement['kind']> = Extract<Statement, { kind: K }>;

/** What a completed request tells: source, tag, carried values, bytes. */
export type Status = Readonly<Record<'s' | 't' | 'v' | 'b', Term<number>>>;

/** What every emitter gets: the statement, its arguments, the places before and after it. */
export interface Here {
  readonly control: ControlNet;
  readonly shaped: Shaped;
  readonly label: string;
  readonly own: Arguments;
  readonly at: Point;
  readonly next: Point;
}

/** Where an operation may have no partner: it does nothing, and its request is complete. */
export function withoutPartner({ control, label, at, next }: Here, peer: Argument, request: Request | undefined): void {
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
export function guardPartner(t: TransitionBuilder, peer: Argument, state: StateTerms): void {
  const { numbers } = peer;
  if (numbers === undefined || numbers.has(NO_PEER)) t.guard(not(eq(peer.term(t, state), NO_PEER)));
}

/** Requests of which `waitAny` or `test` ask are known to be open by a token. */
export function opens(
  control: ControlNet,
  t: TransitionBuilder,
  state: StateTerms,
  request: Request | undefined,
): void {
  if (request === undefined || !control.parts.shape.loose.has(request.number)) return;
  t.put(control.open(), { rank: state[RANK]!, q: constant(request.number) } as never);
}

export function complete(
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
export function overhead(
  t: TransitionBuilder,
  control: ControlNet,
  kind: 'send' | 'receive',
  b?: Term<number>,
): boolean {
  const o = control.parts.machine.overhead;
  if (o === undefined) return false;
  const perByte = b === undefined ? 0 : o.perByte;
  if (o[kind] === 0 && perByte === 0) return false;
  t.delay(perByte === 0 ? o[kind] : add(o[kind], mul(b!, perByte)));
  return true;
}
