import type { Colour, NetBuilder, NumberTable, PlaceOf, TransitionBuilder } from '../net/builder/builder.ts';
import { add, eq, mul, type Term } from '../net/terms.ts';
import type { OP } from './operations.ts';

/** A rank's token: rank, position, operation. */
export type At = { r: Term<number>; i: Term<number>; o: Term<number> };

interface TestParts {
  readonly posted: PlaceOf<{ q: Colour<number>; r: Colour<number>; i: Colour<number> }>;
  readonly status: PlaceOf<{ q: Colour<number>; i: Colour<number>; done: Colour<boolean> }>;
  readonly Rank: Colour<number>;
  readonly Position: Colour<number>;
  readonly Operation: Colour<number>;
  readonly Count: Colour<number>;
  readonly request: NumberTable;
  readonly atOp: (t: TransitionBuilder, kind: keyof typeof OP) => At;
  readonly goOn: (t: TransitionBuilder, r: Term<number>, i: Term<number>, o: Term<number>) => void;
}

/**
 * Adds the transitions of tests. A test checks whether the oldest request with its number is complete and then takes
 * it; a later wait for that request does nothing.
 */
export function addTests(n: NetBuilder, testSleep: number, parts: TestParts): void {
  const { posted, status, Rank, Position, Operation, Count, request, atOp, goOn } = parts;
  n.transition('wait for nothing', (t) => {
    const { r, i, o } = atOp(t, 'wait');
    t.inhibit(posted, { q: request.at(o), r });
    goOn(t, r, i, o);
  });
  n.transition('test nothing', (t) => {
    const { r, i, o } = atOp(t, 'test');
    t.inhibit(posted, { q: request.at(o), r });
    goOn(t, r, i, o);
  });
  if (testSleep === 0) {
    n.transition('test done', (t) => {
      const { r, i, o } = atOp(t, 'test');
      const first = t.take(posted, { r });
      t.guard(eq(first.q, request.at(o)));
      t.take(status, { q: first.q, i: first.i, done: true });
      goOn(t, r, i, o);
    });
    n.transition('test not done', (t) => {
      const { r, i, o } = atOp(t, 'test');
      const first = t.read(posted, { r });
      t.guard(eq(first.q, request.at(o)));
      t.read(status, { q: first.q, i: first.i, done: false });
      goOn(t, r, i, o);
    });
    return;
  }
  const testing = n.place('testing', { r: Rank, i: Position, o: Operation }, { kind: 'operation' });
  const failures = n.place('failures', { k: Count }, { kind: 'data', initial: [{ k: 0 }] });
  n.transition('test', (t) => {
    const { r, i, o } = atOp(t, 'test');
    const first = t.read(posted, { r });
    t.guard(eq(first.q, request.at(o)));
    const { k } = t.read(failures);
    t.delay(mul(add(k, 1), testSleep));
    t.put(testing, { r, i, o });
  });
  n.transition('test done', (t) => {
    const { r, i, o } = t.take(testing);
    const first = t.take(posted, { r });
    t.guard(eq(first.q, request.at(o)));
    t.take(status, { q: first.q, i: first.i, done: true });
    t.take(failures);
    t.put(failures, { k: 0 });
    goOn(t, r, i, o);
  });
  n.transition('test not done', (t) => {
    const { r, i, o } = t.take(testing);
    const first = t.read(posted, { r });
    t.guard(eq(first.q, request.at(o)));
    t.read(status, { q: first.q, i: first.i, done: false });
    const { k } = t.take(failures);
    t.put(failures, { k: add(k, 1) });
    goOn(t, r, i, o);
  });
}
