import type { NetBuilder, TransitionBuilder } from '../net/builder/builder.ts';
import { add, and, eq, lt, mul, not, or, type Term } from '../net/terms.ts';
import type { CallTimes } from './call-costs.ts';
import { OP, type Operations } from './operations.ts';
import type { At, RankSteps } from './rank-steps.ts';

/** Outstanding requests of all ranks in a net under construction. */
export type Requests = ReturnType<typeof requestPlaces>;

/**
 * Adds the places of outstanding requests. Requests that a wait or a test names are tokens in `posted` and `status`; of all others
 * only the number counts, as tokens in `pending`.
 *
 * @param billed whether receivers spend time after arrivals: completed requests then carry the bytes for it, and all must
 * be named
 */
export function requestPlaces(
  n: NetBuilder,
  { Rank, Request, Position, Operation, Bytes, Flag, tables, is }: RankSteps,
  ops: Operations,
  billed: boolean,
  ranks: number,
) {
  const kind = 'synchronisation';
  const pending = n.place('pending', { r: Rank }, { kind });
  const release = n.place('release', { r: Rank }, { kind });
  const posted = n.place('posted', { q: Request, r: Rank, i: Position }, { kind, order: { fifo: ['q'] } });
  const bytes = (billed ? { b: Bytes } : {}) as { b: typeof Bytes };
  const status = n.place('status', { q: Request, i: Position, done: Flag, ...bytes }, { kind });
  const completed = n.place('completed', { q: Request, i: Position, ...bytes }, { kind });
  const finishing = billed
    ? n.place('finishing', { r: Rank, i: Position, o: Operation, ...bytes }, { kind: 'operation' })
    : undefined;
  const none = (billed ? { b: -1 } : {}) as { b: number };
  const posts = (named: 0 | 1): boolean =>
    ops.op.some((op, k) => (op === OP.isend || op === OP.irecv || op === OP.expose) && ops.named[k] === named);
  const [hasNamed, hasCounted] = [posts(1), posts(0)];
  const isNamed = (o: Term<number>): Term<boolean> => eq(tables.named.at(o), 1);
  // Transfers of one-sided calls, at the rank that receives them: no wait of its program names them.
  const exposed =
    ops.by === undefined
      ? undefined
      : n.place('exposed', { q: Request, r: Rank, i: Position }, { kind, order: { fifo: ['q'] } });
  // The windows that are not locked: one at most for each rank, since lines do not name them.
  const windows =
    ops.by === undefined
      ? undefined
      : n.place('windows', { r: Rank }, { kind, initial: Array.from({ length: ranks }, (_, r) => ({ r })) });
  return {
    pending,
    release,
    posted,
    exposed,
    windows,
    /** A rank posts the receive of a one-sided transfer, here or at another rank; absent without such transfers. */
    ...(exposed === undefined
      ? {}
      : {
          expose: (t: TransitionBuilder, { i, o }: At): void => {
            t.put(exposed, { q: tables.request.at(o), r: tables.rank.at(o), i });
            t.put(status, { q: tables.request.at(o), i, done: false, ...none });
          },
        }),
    status,
    completed,
    /** Ranks that spend time on an arrival; undefined if they spend none. */
    finishing,
    billed,
    hasNamed,
    hasCounted,
    /** A rank posts a request, which may be complete at once. */
    post: (t: TransitionBuilder, { r, i, o }: At, isDone?: () => Term<boolean>): void => {
      const { request, named } = tables;
      if (hasNamed) {
        t.put(posted, { q: request.at(o), r, i }, named.at(o));
        t.put(status, { q: request.at(o), i, done: isDone?.() ?? false, ...none }, named.at(o));
      }
      if (hasCounted) {
        const isCounted = not(isNamed(o));
        t.put(pending, { r }, isDone === undefined ? isCounted : and(isCounted, not(isDone())));
      }
    },
    /** The message of a request of the given kind has been transferred, and its rank may wait for it. */
    complete: (
      t: TransitionBuilder,
      kind: 'isend' | 'irecv' | 'expose',
      o: Term<number>,
      i: Term<number>,
      b: Term<number> | undefined,
      ...waits: Term<boolean>[]
    ): void => {
      const bytes = (billed ? { b } : {}) as { b: Term<number> };
      if (hasNamed) t.put(completed, { q: tables.request.at(o), i, ...bytes }, and(is(o, kind), isNamed(o), ...waits));
      if (hasCounted && kind !== 'expose')
        t.put(release, { r: tables.rank.at(o) }, and(is(o, kind), not(isNamed(o)), ...waits));
    },
  };
}

/** Adds the transitions of waits and tests, and those by which requests become complete. */
export function addWaits(
  n: NetBuilder,
  steps: RankSteps,
  requests: Requests,
  { tests, anyWaits }: Operations,
  sleep: number,
): void {
  const { at: place, tables, is, takeAt, goOn } = steps;
  const { pending, release, posted, exposed, status, completed, finishing, billed, hasNamed, hasCounted } = requests;
  if (hasCounted)
    n.transition('settle', (t) => {
      const { r } = t.take(release);
      t.take(pending, { r });
    });
  if (hasNamed)
    n.transition('complete', (t) => {
      const { q, i, ...bytes } = t.take(completed);
      t.take(status, { q, i, done: false, ...(billed ? { b: -1 } : {}) });
      t.put(status, { q, i, done: true, ...bytes });
    });
  n.transition('wait', (t) => {
    const at = takeAt(t, 'wait');
    const first = t.take(posted, { r: at.r });
    t.guard(eq(first.q, tables.request.at(at.o)));
    const { b } = t.take(status, { q: first.q, i: first.i, done: true });
    if (finishing === undefined) goOn(t, at);
    else t.put(finishing, { ...at, b });
  });
  if (anyWaits === true)
    n.transition('waitany', (t) => {
      const at = takeAt(t, 'waitany');
      const first = t.take(posted, { r: at.r });
      t.guard(not(lt(first.q, tables.request.at(at.o))));
      const { b } = t.take(status, { q: first.q, i: first.i, done: true });
      if (finishing === undefined) goOn(t, at);
      else t.put(finishing, { ...at, b });
    });
  n.transition('waitall', (t) => {
    const at = takeAt(t, 'waitall');
    if (hasCounted) t.inhibit(pending, { r: at.r });
    if (hasNamed) t.inhibit(posted, { r: at.r });
    goOn(t, at);
  });
  if (hasNamed && finishing !== undefined)
    n.transition('waitall finishes', (t) => {
      const at = takeAt(t, 'waitall');
      const first = t.take(posted, { r: at.r });
      const { b } = t.take(status, { q: first.q, i: first.i, done: true });
      t.put(finishing, { ...at, b });
    });
  else if (hasNamed)
    n.transition('waitall takes', (t) => {
      const { r, o } = t.read(place);
      t.guard(is(o, 'waitall'));
      const first = t.take(posted, { r });
      t.take(status, { q: first.q, i: first.i, done: true });
    });
  const { windows } = requests;
  if (exposed !== undefined && windows !== undefined) addDrains(n, steps, { ...requests, exposed, windows });
  if (tests) addTests(n, steps, requests, sleep);
}

/** Adds the waits for one-sided transfers: for all that arrive at a rank (`drain`), and for those of one request (`flush`). */
function addDrains(
  n: NetBuilder,
  { at: place, tables, is, takeAt, goOn }: RankSteps,
  {
    exposed,
    windows,
    status,
    finishing,
  }: Requests & { readonly [place in 'exposed' | 'windows']: NonNullable<Requests[place]> },
): void {
  const receivers = { drain: (at: At) => at.r, flush: (at: At) => tables.peer.at(at.o) } as const;
  for (const kind of ['drain', 'flush'] as const) {
    const takes = (t: TransitionBuilder, token: At): { readonly b?: Term<number> } => {
      t.guard(is(token.o, kind));
      const first = t.take(exposed, { r: receivers[kind](token) });
      if (kind === 'flush') t.guard(eq(first.q, tables.request.at(token.o)));
      return t.take(status, { q: first.q, i: first.i, done: true });
    };
    if (finishing === undefined)
      n.transition(`${kind} takes`, (t) => {
        takes(t, t.read(place));
      });
    else
      n.transition(`${kind} finishes`, (t) => {
        const at = takeAt(t, kind);
        const { b } = takes(t, at);
        t.put(finishing, { ...at, b: b! });
      });
    n.transition(kind, (t) => {
      const at = takeAt(t, kind);
      t.inhibit(exposed, { r: receivers[kind](at), ...(kind === 'flush' ? { q: tables.request.at(at.o) } : {}) });
      t.put(windows, { r: receivers[kind](at) });
      goOn(t, at);
    });
  }
}

/** Adds the time that ranks spend on arrivals, in the order in which they see them. A waitall then goes on with the next one. */
export function addFinish(
  n: NetBuilder,
  { at: place, is, goOn }: RankSteps,
  { finishing, hasNamed, exposed }: Requests,
  calls: CallTimes,
): void {
  if (finishing === undefined) return;
  const stays = (o: Term<number>): Term<boolean> =>
    exposed === undefined ? is(o, 'waitall') : or(is(o, 'waitall'), or(is(o, 'drain'), is(o, 'flush')));
  n.transition('finish', (t) => {
    const { b, ...at } = t.take(finishing);
    t.process(at.r);
    t.guard(not(stays(at.o)));
    t.delay(calls.receive(at.r, b));
    goOn(t, at);
  });
  if (hasNamed)
    n.transition('finish in waitall', (t) => {
      const { b, ...at } = t.take(finishing);
      t.process(at.r);
      t.guard(stays(at.o));
      t.delay(calls.receive(at.r, b));
      t.put(place, at);
    });
}

/**
 * Adds the transitions of tests. A test checks whether the oldest request with its number is complete and then takes
 * it; a later wait for that request does nothing.
 */
function addTests(n: NetBuilder, steps: RankSteps, { posted, status, finishing }: Requests, testSleep: number): void {
  const { Rank, Position, Operation, Count, tables, takeAt, goOn } = steps;
  const { request } = tables;
  for (const [name, kind] of [
    ['wait for nothing', 'wait'],
    ['test nothing', 'test'],
  ] as const)
    n.transition(name, (t) => {
      const at = takeAt(t, kind);
      t.inhibit(posted, { q: request.at(at.o), r: at.r });
      goOn(t, at);
    });
  /** The first request of the rank at a test is complete: it is taken. */
  const takesDone = (t: TransitionBuilder, { r, i, o }: At): void => {
    const first = t.take(posted, { r });
    t.guard(eq(first.q, request.at(o)));
    const { b } = t.take(status, { q: first.q, i: first.i, done: true });
    if (finishing === undefined) goOn(t, { r, i, o });
    else t.put(finishing, { r, i, o, b });
  };
  const findsOpen = (t: TransitionBuilder, { r, o }: At): void => {
    const first = t.read(posted, { r });
    t.guard(eq(first.q, request.at(o)));
    t.read(status, { q: first.q, i: first.i, done: false });
  };
  if (testSleep === 0) {
    n.transition('test done', (t) => {
      const at = takeAt(t, 'test');
      takesDone(t, at);
    });
    n.transition('test not done', (t) => {
      const at = takeAt(t, 'test');
      findsOpen(t, at);
      goOn(t, at);
    });
    return;
  }
  const testing = n.place('testing', { r: Rank, i: Position, o: Operation }, { kind: 'operation' });
  const failures = n.place('failures', { k: Count }, { kind: 'data', initial: [{ k: 0 }] });
  n.transition('test', (t) => {
    const at = takeAt(t, 'test');
    const first = t.read(posted, { r: at.r });
    t.guard(eq(first.q, request.at(at.o)));
    const { k } = t.read(failures);
    t.delay(mul(add(k, 1), testSleep));
    t.put(testing, at);
  });
  n.transition('test done', (t) => {
    const at = t.take(testing);
    takesDone(t, at);
    t.take(failures);
    t.put(failures, { k: 0 });
  });
  n.transition('test not done', (t) => {
    const at = t.take(testing);
    findsOpen(t, at);
    const { k } = t.take(failures);
    t.put(failures, { k: add(k, 1) });
    goOn(t, at);
  });
}
