import type { NetBuilder } from '../net/builder/builder.ts';
import { div } from '../net/terms.ts';
import type { MessagePassingMachine } from './message-passing-parts.ts';
import { last, type RankSteps } from './rank-steps.ts';

/** Adds the transitions of operations that concern one rank only: computing, sleeping, and the end. */
export function addComputation(n: NetBuilder, steps: RankSteps, { speed: speeds, cores }: MessagePassingMachine): void {
  const { takeAt, goOn, amountOf } = steps;
  const speed = n.realTable('speed', speeds);
  if (cores === undefined)
    n.transition('compute', (t) => {
      const at = takeAt(t, 'compute');
      t.kind('compute');
      t.delay(div(amountOf(at.o, at.i), speed.at(at.r)));
      goOn(t, at);
    });
  else addSharedCores(n, steps, cores, cores.fastest === undefined ? speed : n.realTable('fastest', cores.fastest));
  n.transition('sleep', (t) => {
    const at = takeAt(t, 'sleep');
    t.delay(amountOf(at.o, at.i));
    goOn(t, at);
  });
  n.transition('end', (t) => {
    const { r } = takeAt(t, 'end');
    t.put(steps.ended, { r });
  });
}

/** Computing where the ranks of a host share its cores, or slow each other down. */
function addSharedCores(
  n: NetBuilder,
  { Rank, Position, Operation, takeAt, goOn, amountOf }: RankSteps,
  { ofRank, links }: NonNullable<MessagePassingMachine['cores']>,
  speed: ReturnType<NetBuilder['realTable']>,
): void {
  const host = n.intTable('host', ofRank, { low: 0, high: last(links.length) });
  const routes = n.routesTable(
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
        routes,
        route: host.at(r),
      }),
    },
  );
  n.transition('compute', (t) => {
    const at = takeAt(t, 'compute');
    t.kind('compute');
    t.put(processor, at);
  });
  n.transition('computed', (t) => {
    const at = t.take(processor);
    t.process(at.r);
    goOn(t, at);
  });
}
