import type { Net } from '../../net/net.ts';
import { emitAgenda } from './agenda.ts';
import { emitCounters } from './capacity.ts';
import { Emission, type EmitOptions } from './emission.ts';
import { emitDeferred, emitExamine, emitMulti } from './examine.ts';
import { emitChecks, emitTransition } from './firing.ts';
import { chooseGroupIndex } from './layout.ts';
import { emitLoop } from './loop.ts';
import { emitPassing } from './passing.ts';
import { emitPlace } from './place.ts';
import { emitPrelude } from './prelude.ts';
import { emitQueue } from './queue.ts';
import { emitRaces } from './race.ts';
import { emitPut, emitService } from './service.ts';

/**
 * Turns a net into kernel code: per place records of its tokens and functions that enter and remove one, per place what a new
 * token may enable, per transition its firing, and the loop of docs/semantics.md. Names and texts of the net do not
 * enter the code; only numbers do.
 */
export function emitNet(net: Net, options: EmitOptions): { readonly source: string; readonly emission: Emission } {
  const e = new Emission(net, options);
  // Joins say which indexes they need, and code of places and rows needs to know them all.
  const examined = e.layouts.map((l) => emitExamine(e, l));
  const transitions = e.plans.map((p) => emitTransition(e, p));
  const races = emitRaces(e);
  const services = e.services.map((l, k) => emitService(e, l, k));
  for (const l of e.layouts) chooseGroupIndex(l);
  const multi = e.layouts.map((l) => emitMulti(e, l));
  const places = e.layouts.map((l, k) => emitPlace(e, l, examined[k] !== ''));
  const passing = e.layouts.map((l) => emitPassing(e, l));
  const puts = e.layouts.map((l) => emitPut(e, l));
  const parts = [
    emitPrelude(e),
    emitQueue(e.width),
    emitCounters(e),
    emitAgenda(e),
    ...places,
    ...passing,
    ...puts,
    ...services,
    ...examined,
  ];
  const source = [...parts, ...multi, emitDeferred(e), ...transitions, races, emitChecks(e), emitLoop(e)].join('\n');
  return { source, emission: e };
}
