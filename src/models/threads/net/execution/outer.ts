import type { NumberTable, TransitionBuilder } from '../../../../net/builder/builder.ts';
import { add, type Term } from '../../../../net/terms.ts';
import { ROW } from '../../program/rows.ts';
import { type OuterService, putRun, type RunTerms, type ThreadPorts } from '../ports.ts';

/** Adds a step that takes the rows of a kind. */
export type RowOf = (
  name: string,
  kind: number,
  body: (t: TransitionBuilder, run: RunTerms & { readonly next: Term<number> }) => void,
) => void;

/** An operation in a service of the net that contains the threads. */
export function emitOuter(
  ports: ThreadPorts,
  service: OuterService,
  names: {
    readonly begins: string;
    readonly ends: string;
    readonly op: number;
    /** The amount of each row. */
    readonly amount: NumberTable;
    readonly row: RowOf;
  },
): void {
  const { begins, ends, op, amount, row } = names;
  const { net, Worker, Strand, Row } = ports;
  const inside = net.place(`${begins}: served`, { w: Worker, s: Strand, at: Row }, { kind: 'operation' });
  row(begins, op, (t, run) => {
    if (op === ROW.work) t.kind('compute');
    service.put(t, run, amount.at(run.at));
    t.put(inside, { w: run.w, s: run.s, at: run.at });
  });
  net.transition(ends, (t) => {
    const run = t.take(inside);
    t.process(run.w);
    service.take(t, run);
    putRun(t, ports, run, add(run.at, 1));
  });
}
