import type { TransitionBuilder } from '../../../net/builder/builder.ts';
import { constant, eq, type Term } from '../../../net/terms.ts';
import { ANY } from '../record/builder-types.ts';
import type { Argument, StateTerms } from '../resolve/argument.ts';
import { isWild } from '../resolve/shape.ts';
import { RANK } from '../resolve/state.ts';
import type { Changes } from './control-net.ts';
import { guardPartner, type Here, type Of } from './here.ts';
import { NO_PEER } from './rules.ts';

/** A search for a message, and its answer. */
interface Look {
  readonly name: string;
  /** Restricts the transition to messages that are there, or to their absence. */
  readonly looks: (t: TransitionBuilder, state: StateTerms) => Changes;
}

/**
 * Net of a probe: it waits until a message is posted that a receive of this pattern would take now, and leaves it where it is. A
 * message that an open receive admits is about to match that one, and is not seen. With `done`, the rank does not wait.
 */
export function probe(here: Here, s: Of<'probe'>): void {
  const { control, shaped, label, own, at, next } = here;
  const { pair, tag, source } = own as Record<string, Argument | undefined>;
  const peer = pair ?? source;
  const args = [tag!, ...(peer === undefined ? [] : [peer])];
  const answer = (found: boolean): Changes => (s.done === undefined ? {} : { [s.done]: constant(found ? 1 : 0) });
  control.fault(shaped, at, args);
  if (peer !== undefined && (peer.numbers === undefined || peer.numbers.has(NO_PEER)))
    control.step(`${label} of none`, at, next, (t, state) => {
      t.guard(eq(peer.term(t, state), NO_PEER));
      return answer(true);
    });
  const step = ({ name, looks }: Look, found: boolean): void => {
    control.step(`${label}${name}`, at, next, (t, state) => {
      control.guardValid(t, args, state);
      if (peer !== undefined) guardPartner(t, peer, state);
      return { ...answer(found), ...looks(t, state) };
    });
    if (s.done === undefined) control.describe(`${label}${name}`, { statement: shaped, before: 'waiting' });
  };
  for (const look of found(here, s)) step(look, true);
  if (s.done !== undefined) for (const look of absent(here, s)) step(look, false);
}

/** True if messages of the probing rank are matched with wildcards; undefined if that depends on the rank. */
function wildness({ control, own }: Here, s: Of<'probe'>): boolean | undefined {
  const { wild } = own as Record<string, Argument | undefined>;
  if (isWild(s)) return true;
  if (!control.parts.uses.wild || wild!.constant === 0) return false;
  return wild!.constant === 1 ? true : undefined;
}

/** The looks at both kinds of messages, as far as the rank can have them. */
function looks(here: Here, s: Of<'probe'>, what: string, exact: Look['looks'], loose: Look['looks']): Look[] {
  const isLoose = wildness(here, s);
  const { wild } = here.own as Record<string, Argument | undefined>;
  const only = (of: Look['looks'], value: 0 | 1): Look['looks'] =>
    isLoose !== undefined
      ? of
      : (t, state) => {
          t.guard(eq(wild!.term(t, state), value));
          return of(t, state);
        };
  return [
    ...(isLoose === true ? [] : [{ name: what, looks: only(exact, 0) }]),
    ...(isLoose === false ? [] : [{ name: isLoose === true ? what : `${what} of any`, looks: only(loose, 1) }]),
  ];
}

/** A message is there, and no open receive admits it. */
function found(here: Here, s: Of<'probe'>): Look[] {
  const { control, own } = here;
  const { ports, uses, world } = control.parts;
  const { pair, tag, source } = own as Record<string, Argument | undefined>;
  const into = (from: Term<number>, tagNumber: Term<number>): Changes => ({
    ...(s.into.source === undefined ? {} : { [s.into.source]: control.rankIn(s.comm, from) }),
    ...(s.into.tag === undefined ? {} : { [s.into.tag]: control.tagOf().at(tagNumber) }),
  });
  return looks(
    here,
    s,
    s.done === undefined ? '' : ' found',
    (t, state) => {
      const message = { p: pair!.term(t, state), t: tag!.term(t, state) };
      t.read(ports.sends(), message);
      t.inhibit(ports.receives(), message);
      return into(source?.term(t, state) ?? constant(0), message.t);
    },
    (t, state) => {
      const x = constant(world.context(s.comm.number));
      const d = state[RANK]!;
      const given = {
        ...(source === undefined ? {} : { s: source.term(t, state) }),
        ...(s.tag === ANY ? {} : { t: tag!.term(t, state) }),
      };
      const message = t.read(ports.wildSends(), { d, x, ...given }) as Readonly<Record<'s' | 't', Term<number>>>;
      const ends = { s: message.s, t: message.t };
      // A receive takes the first of a sender's messages with any tag.
      if (s.tag === ANY && uses.orders.sends) t.read(ports.order.first(), { d, x, ...ends });
      for (const from of [ends.s, constant(-1)])
        for (const of of [ends.t, constant(-1)]) t.inhibit(ports.wildReceives(), { d, x, s: from, t: of });
      return into(ends.s, ends.t);
    },
  );
}

/** No message of the pattern is there. */
function absent(here: Here, s: Of<'probe'>): Look[] {
  const { control, own } = here;
  const { ports, world } = control.parts;
  const { pair, tag, source } = own as Record<string, Argument | undefined>;
  return looks(
    here,
    s,
    ' not found',
    (t, state) => {
      t.inhibit(ports.sends(), { p: pair!.term(t, state), t: tag!.term(t, state) });
      return {};
    },
    (t, state) => {
      t.inhibit(ports.wildSends(), {
        d: state[RANK]!,
        x: constant(world.context(s.comm.number)),
        ...(source === undefined ? {} : { s: source.term(t, state) }),
        ...(s.tag === ANY ? {} : { t: tag!.term(t, state) }),
      });
      return {};
    },
  );
}
