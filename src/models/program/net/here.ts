import type { TransitionBuilder } from '../../../net/builder/builder.ts';
import { add, constant, eq, mul, not, type Term } from '../../../net/terms.ts';
import type { Request, Statement } from '../record/statement.ts';
import type { Argument, StateTerms } from '../resolve/argument.ts';
import type { Arguments } from '../resolve/arguments.ts';
import type { Shaped } from '../resolve/shape.ts';
import { RANK } from '../resolve/state.ts';
import type { ControlNet, Point } from './control-net.ts';
import { putWhere } from './posting.ts';
import { NO_PEER } from './rules.ts';

export type Of<K extends Statement['kind']> = Extract<Statement, { kind: K }>;

/** Status of a completed request: source, tag, carried values, bytes. */
export type Status = Readonly<Record<'s' | 't' | 'v' | 'b', Term<number>>>;

/** Input of every emitter: the statement, its arguments, and the places before and after it. */
export interface Here {
  readonly control: ControlNet;
  readonly shaped: Shaped;
  readonly label: string;
  readonly own: Arguments;
  readonly at: Point;
  readonly next: Point;
}

/**
 * Adds the step for an operation without a partner, if that can occur: it does nothing, and its request is complete at
 * once.
 */
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

/** Restricts a transition to operations with a partner. */
export function guardPartner(t: TransitionBuilder, peer: Argument, state: StateTerms): void {
  const { numbers } = peer;
  if (numbers === undefined || numbers.has(NO_PEER)) t.guard(not(eq(peer.term(t, state), NO_PEER)));
}

/** Marks a request as open with a token, if its state is known only at run time (`waitAny`, `test`). */
export function opens(
  control: ControlNet,
  t: TransitionBuilder,
  state: StateTerms,
  request: Request | undefined,
): void {
  if (request === undefined || !control.parts.shape.wildcards.has(request.number)) return;
  t.put(control.open(), { rank: state[RANK]!, q: constant(request.number) });
}

/** Completes a request without a status; `count` is the condition. */
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

/**
 * Adds the processor's overhead for a message of `b` bytes as a delay; returns false if it is zero.
 *
 * @param y mode of a message that is sent; standard if not given
 */
export function overhead(
  t: TransitionBuilder,
  control: ControlNet,
  state: StateTerms,
  call: 'send' | 'isend' | 'receive',
  b?: Term<number>,
  y?: Term<number>,
): boolean {
  const times = control.parts.ports.times?.();
  if (times !== undefined) {
    if (call === 'receive' ? !times.receives : !times.sends) return false;
    const rank = state[RANK]!;
    t.delay(call === 'receive' ? times.receive(rank, b!) : times.send(rank, b!, call === 'isend', y));
    return true;
  }
  const o = control.parts.machine.overhead;
  if (o === undefined) return false;
  const kind = call === 'receive' ? 'receive' : 'send';
  const perByte = b === undefined ? 0 : o.perByte;
  if (o[kind] === 0 && perByte === 0) return false;
  t.delay(perByte === 0 ? o[kind] : add(o[kind], mul(b!, perByte)));
  return true;
}
