import type { Net } from '../net/net.ts';
import { Emission, type EmitOptions } from './emission.ts';
import { emitExamine, emitMulti } from './emit-examine.ts';
import { emitTransition } from './emit-firing.ts';
import { needsRow, type TransitionPlan } from './emit-join.ts';
import { emitInterface, emitLoop, emitPrelude } from './emit-loop.ts';
import { emitPlace } from './emit-place.ts';
import { emitPut, emitService } from './emit-service.ts';
import { chooseGroupIndex, type PlaceLayout } from './layout.ts';

/** Generated code and what is needed to run and read it. */
export interface Emitted {
  readonly source: string;
  readonly layouts: readonly PlaceLayout[];
  /** Transitions in order of name: the order of their numbers. */
  readonly plans: readonly TransitionPlan[];
  readonly services: readonly PlaceLayout[];
  /** The width of an event's values. */
  readonly width: number;
}

/**
 * Turns a net into JavaScript: per place flat arrays and functions that enter and remove a token, per place what a new
 * token may enable, per transition its firing, and the loop of docs/semantics.md. Names and texts of the net do not
 * enter the code; only numbers do.
 */
export function emitNet(net: Net, options: EmitOptions): Emitted {
  const e = new Emission(net, options);
  // Joins say which indexes they need, so that places come last, though their code comes first.
  const examined = e.layouts.map((l) => emitExamine(e, l));
  const multi = e.layouts.map((l) => emitMulti(e, l));
  const transitions = e.plans.map((p) => emitTransition(e, p));
  const services = e.services.map((l, k) => emitService(e, l, k));
  for (const l of e.layouts) chooseGroupIndex(l);
  const places = e.layouts.map((l, k) =>
    emitPlace(l, {
      timed: options.timed.has(l.place.name),
      examined: examined[k] !== '',
      multi: e.plans.some((p) => p.arcs.some((a, i) => a.place === l.place.name && needsRow(p, i))),
    }),
  );
  const puts = e.layouts.map((l) => emitPut(e, l));
  const parts = [emitPrelude(e), ...places, ...puts, ...services, ...examined, ...multi, ...transitions];
  const source = [...parts, emitLoop(e), emitInterface(e)].join('\n');
  const { layouts, plans, width } = e;
  return { source, layouts, plans, services: e.services, width };
}
