import { entryAt } from '../base/paged.ts';
import { NetBuilder, type TransitionBuilder } from '../net/builder/builder.ts';
import type { Net } from '../net/net.ts';
import { add, and, constant, div, eq, floor, lt, not, or, type Term, when } from '../net/terms.ts';
import { isDetached, isEager } from './eager-threshold.ts';
import type { MessagePassingMachine, MessagePassingProgram } from './message-passing-parts.ts';
import { OP } from './operations.ts';
import { type At, addTests } from './request-tests.ts';
import { addTransfers, type Ends, type Messages } from './transfers.ts';

/**
 * The net of a message-passing program on a machine, folded by rank. A rank's token in `at` carries its position in the
 * program and its current operation; guards, delays and amounts are looked up in tables. Sends and receives are matched
 * per channel (source, destination, tag) in posting order, or by scanning if wildcards are used. A transfer is its
 * latency, followed by a token in the max-min place `network`. The number of transitions, about two dozen, does not
 * depend on the program's length.
 */
export function messagePassingNet(program: MessagePassingProgram, machine: MessagePassingMachine): Net {
  return new MessagePassing(program, machine).net();
}

class MessagePassing {
  readonly #program: MessagePassingProgram;
  readonly #machine: MessagePassingMachine;

  constructor(program: MessagePassingProgram, machine: MessagePassingMachine) {
    this.#program = program;
    this.#machine = machine;
  }

  net(): Net {
    const { ranks, operations: ops, start, code, amount } = this.#program;
    const m = this.#machine;
    const { protocol } = m;
    const n = new NetBuilder(this.#program.name);
    const Rank = n.range('Rank', 0, ranks - 1);
    const Position = n.range('Position', 0, code.length - 1);
    const Operation = n.range('Operation', 0, ops.count - 1);
    const Channel = n.range('Channel', 0, last(ops.channels));
    const Request = n.range('Request', 0, last(ops.requests));
    const Source = n.range('Source', -1, ranks - 1);
    const Tag = n.range('Tag', -1, last(ops.tags));
    const Partner = n.range('Mate', -1, code.length - 1);
    const Bytes = n.integer('Bytes');
    const Flag = n.bool('Flag');
    const Count = n.integer('Count');

    const op = n.intTable('op', ops.op, { low: 0, high: OP.end });
    const more = n.intTable('more', ops.more, { low: 0, high: 1 });
    const size = n.realTable('size', ops.size);
    const rankOf = n.intTable('rank', ops.rank, { low: 0, high: ranks - 1 });
    const peer = n.intTable('peer', ops.peer, { low: -1, high: ranks - 1 });
    const channel = n.intTable('channel', ops.channel, { low: 0, high: last(ops.channels) });
    const tag = n.intTable('tag', ops.tag, { low: -1, high: last(ops.tags) });
    const wildcard = n.intTable('loose', ops.wildcard, { low: 0, high: 1 });
    const pair = n.intTable('pair', ops.pair, { low: 0, high: last(ops.pairs.from.length) });
    const request = n.intTable('request', ops.request, { low: 0, high: last(ops.requests) });
    const named = n.intTable('named', ops.named, { low: 0, high: 1 });
    const program = n.intTable('program', code, { low: 0, high: ops.count - 1 });
    const amounts = n.realTable('amount', amount);
    const speed = n.realTable('speed', m.speed);
    const amountOf = (o: Term<number>, i: Term<number>): Term<number> =>
      when(lt(size.at(o), 0), amounts.at(i), size.at(o));
    const is = (o: Term<number>, kind: keyof typeof OP): Term<boolean> => eq(op.at(o), OP[kind]);
    const has = {
      wildcard: ops.wildcard.includes(1),
      named: ops.op.some((kind, k) => (kind === OP.isend || kind === OP.irecv) && ops.named[k] === 1),
      counted: ops.op.some((kind, k) => (kind === OP.isend || kind === OP.irecv) && ops.named[k] === 0),
      messages: ops.op.includes(OP.send) || ops.op.includes(OP.isend),
    };

    // Current position of each rank, its outstanding requests, and their states.
    const at = n.place(
      'at',
      { r: Rank, i: Position, o: Operation },
      {
        kind: 'operation',
        initial: Array.from({ length: ranks }, (_, r) => ({ r, i: start[r]!, o: entryAt(code, start[r]!) })),
      },
    );
    const ended = n.place('ended', { r: Rank }, { kind: 'operation' });
    const pending = n.place('pending', { r: Rank }, { kind: 'synchronisation' });
    const release = n.place('release', { r: Rank }, { kind: 'synchronisation' });
    const posted = n.place(
      'posted',
      { q: Request, r: Rank, i: Position },
      { kind: 'synchronisation', order: { fifo: ['q'] } },
    );
    const status = n.place('status', { q: Request, i: Position, done: Flag }, { kind: 'synchronisation' });
    const completed = n.place('completed', { q: Request, i: Position }, { kind: 'synchronisation' });

    // Unmatched sends and receives.
    const sends = n.place(
      'sends',
      { c: Channel, o: Operation, i: Position, b: Bytes },
      { kind: 'message', order: { fifo: ['c'] } },
    );
    const receives = n.place(
      'receives',
      { c: Channel, o: Operation, i: Position },
      { kind: 'message', order: { fifo: ['c'] } },
    );
    const wildcardSends = n.place(
      'wildcardSends',
      { d: Rank, s: Rank, t: Tag, o: Operation, i: Position, b: Bytes },
      { kind: 'message', order: { fifo: ['d', 's', 't'] } },
    );
    const wildcardReceives = n.place(
      'wildcardReceives',
      { d: Rank, s: Source, t: Tag, o: Operation, i: Position },
      { kind: 'message', order: { fifo: ['d', 's', 't'] } },
    );
    /** Advances a rank to the next row of an expanded action, or else to the next position. */
    const goOn = (
      t: TransitionBuilder,
      r: Term<number>,
      i: Term<number>,
      o: Term<number>,
      count?: Term<boolean>,
    ): void => {
      const stays = eq(more.at(o), 1);
      const values = { r, i: when(stays, i, add(i, 1)), o: when(stays, add(o, 1), program.at(add(i, 1))) };
      t.put(at, values, count ?? 1);
    };
    const atOp = (t: TransitionBuilder, kind: keyof typeof OP): At => {
      const token = t.take(at);
      t.guard(is(token.o, kind));
      t.process(token.r);
      return token;
    };

    if (m.cores === undefined) {
      n.transition('compute', (t) => {
        const { r, i, o } = atOp(t, 'compute');
        t.kind('compute');
        t.delay(div(amountOf(o, i), speed.at(r)));
        goOn(t, r, i, o);
      });
    } else {
      const { hostOf, links } = m.cores;
      const host = n.intTable('host', hostOf, { low: 0, high: last(links.length) });
      const cores = n.routesTable(
        'cores',
        Int32Array.from({ length: links.length + 1 }, (_, k) => k),
        Int32Array.from({ length: links.length }, (_, k) => k),
        new Float64Array(links.length).fill(1),
      );
      const processor = n.place(
        'processor',
        { r: Rank, i: Position, o: Operation },
        {
          kind: 'operation',
          service: ({ r, i, o }) => ({
            links,
            amount: amountOf(o, i),
            weight: 1,
            bound: speed.at(r),
            routes: cores,
            route: host.at(r),
          }),
        },
      );
      n.transition('compute', (t) => {
        const { r, i, o } = atOp(t, 'compute');
        t.kind('compute');
        t.put(processor, { r, i, o });
      });
      n.transition('computed', (t) => {
        const { r, i, o } = t.take(processor);
        t.process(r);
        goOn(t, r, i, o);
      });
    }
    n.transition('sleep', (t) => {
      const { r, i, o } = atOp(t, 'sleep');
      t.delay(amountOf(o, i));
      goOn(t, r, i, o);
    });
    n.transition('end', (t) => {
      const { r } = atOp(t, 'end');
      t.put(ended, { r });
    });

    const isNamed = (o: Term<number>): Term<boolean> => eq(named.at(o), 1);
    // ---- matching and transfer
    const exactly = (t: TransitionBuilder): Ends => {
      const { c, ...send } = t.take(sends);
      const receive = t.take(receives, { c });
      return { send, receive: { p: receive.o, j: receive.i } };
    };
    // Matches have priority: a message that becomes visible late could otherwise be overtaken (M2).
    const loosely = (t: TransitionBuilder): Ends => {
      t.priority(1);
      const { d, s, t: tagOf, ...send } = t.take(wildcardSends);
      const receive = t.take(wildcardReceives, { d });
      t.guard(or(eq(receive.s, -1), eq(receive.s, s)));
      t.guard(or(eq(receive.t, -1), eq(receive.t, tagOf)));
      return { send, receive: { p: receive.o, j: receive.i } };
    };
    const messages: Messages = {
      send: { o: Operation, i: Position, b: Bytes },
      receive: { p: Operation, j: Partner },
      pair: ({ o }) => pair.at(o!),
      ...(protocol.eagerBelow > 0 ? { eager: ({ b }) => isEager(protocol, b!) } : {}),
      // `j` = −1 marks an eager message that travels before its receive; `p` then repeats `o`.
      nobody: ({ o }) => ({ p: o!, j: constant(-1) }),
      isNobody: ({ j }) => lt(j!, 0),
      matches: { match: exactly, ...(has.wildcard ? { matchLoose: loosely } : {}) },
      sent: (t, send) => {
        const { o, i, b } = send as Ends['send'] & { o: Term<number>; i: Term<number>; b: Term<number> };
        const waits = not(isDetached(protocol, b));
        goOn(t, rankOf.at(o), i, o, and(is(o, 'send'), waits));
        if (has.named) t.put(completed, { q: request.at(o), i }, and(is(o, 'isend'), isNamed(o), waits));
        if (has.counted) t.put(release, { r: rankOf.at(o) }, and(is(o, 'isend'), not(isNamed(o)), waits));
      },
      received: (t, receive) => {
        const { p, j } = receive as Ends['receive'] & { p: Term<number>; j: Term<number> };
        goOn(t, rankOf.at(p), j, p, is(p, 'recv'));
        if (has.named) t.put(completed, { q: request.at(p), i: j }, and(is(p, 'irecv'), isNamed(p)));
        if (has.counted) t.put(release, { r: rankOf.at(p) }, and(is(p, 'irecv'), not(isNamed(p))));
      },
    };
    const eagerFlight = has.messages ? addTransfers(n, m, messages).eagerFlight : undefined;

    // ---- sends and receives
    const postSend = (t: TransitionBuilder, o: Term<number>, i: Term<number>, b: Term<number>): void => {
      t.put(sends, { c: channel.at(o), o, i, b }, eq(wildcard.at(o), 0));
      if (has.wildcard) t.put(wildcardSends, { d: peer.at(o), s: rankOf.at(o), t: tag.at(o), o, i, b }, wildcard.at(o));
      if (eagerFlight !== undefined) t.put(eagerFlight, { o, i, b }, isEager(protocol, b));
    };
    const postReceive = (t: TransitionBuilder, o: Term<number>, i: Term<number>): void => {
      t.put(receives, { c: channel.at(o), o, i }, eq(wildcard.at(o), 0));
      if (has.wildcard) t.put(wildcardReceives, { d: rankOf.at(o), s: peer.at(o), t: tag.at(o), o, i }, wildcard.at(o));
    };
    n.transition('send', (t) => {
      const { r, i, o } = atOp(t, 'send');
      const b = floor(amountOf(o, i));
      postSend(t, o, i, b);
      goOn(t, r, i, o, isDetached(protocol, b));
    });
    n.transition('isend', (t) => {
      const { r, i, o } = atOp(t, 'isend');
      const b = floor(amountOf(o, i));
      postSend(t, o, i, b);
      if (has.named) {
        t.put(posted, { q: request.at(o), r, i }, named.at(o));
        t.put(status, { q: request.at(o), i, done: isDetached(protocol, b) }, named.at(o));
      }
      if (has.counted) t.put(pending, { r }, and(not(isNamed(o)), not(isDetached(protocol, b))));
      goOn(t, r, i, o);
    });
    n.transition('recv', (t) => {
      const { i, o } = atOp(t, 'recv');
      postReceive(t, o, i);
    });
    n.transition('irecv', (t) => {
      const { r, i, o } = atOp(t, 'irecv');
      postReceive(t, o, i);
      if (has.named) {
        t.put(posted, { q: request.at(o), r, i }, named.at(o));
        t.put(status, { q: request.at(o), i, done: false }, named.at(o));
      }
      if (has.counted) t.put(pending, { r }, not(isNamed(o)));
      goOn(t, r, i, o);
    });

    // ---- requests
    if (has.counted)
      n.transition('settle', (t) => {
        const { r } = t.take(release);
        t.take(pending, { r });
      });
    if (has.named)
      n.transition('complete', (t) => {
        const { q, i } = t.take(completed);
        t.take(status, { q, i, done: false });
        t.put(status, { q, i, done: true });
      });
    n.transition('wait', (t) => {
      const { r, i, o } = atOp(t, 'wait');
      const first = t.take(posted, { r });
      t.guard(eq(first.q, request.at(o)));
      t.take(status, { q: first.q, i: first.i, done: true });
      goOn(t, r, i, o);
    });
    n.transition('waitall', (t) => {
      const { r, i, o } = atOp(t, 'waitall');
      if (has.counted) t.inhibit(pending, { r });
      if (has.named) t.inhibit(posted, { r });
      goOn(t, r, i, o);
    });
    if (has.named)
      n.transition('waitall takes', (t) => {
        const { r, o } = t.read(at);
        t.guard(is(o, 'waitall'));
        const first = t.take(posted, { r });
        t.take(status, { q: first.q, i: first.i, done: true });
      });
    if (ops.tests)
      addTests(n, protocol.testSleep, { posted, status, Rank, Position, Operation, Count, request, atOp, goOn });
    n.processes(Rank, ended);
    return n.build();
  }
}

/** Last number of a range of `count` values; a range has at least one value. */
const last = (count: number): number => Math.max(0, count - 1);
