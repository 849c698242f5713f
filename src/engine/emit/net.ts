import type { Net } from '../../net/net.ts';
import { emitAgenda } from './agenda.ts';
import { emitCounters } from './capacity.ts';
import { codeKey } from './code-key.ts';
import { Emission, type EmitOptions } from './emission.ts';
import { emitDeferred, emitExamine, emitMulti } from './examine.ts';
import { emitChecks, emitTransition } from './firing.ts';
import { keptWidth } from './kept-values.ts';
import { chooseGroupIndex, type PlaceLayout } from './layout.ts';
import { emitLoop } from './loop.ts';
import { emitPassThrough } from './pass-through.ts';
import { emitPlace } from './place.ts';
import { emitPrelude } from './prelude.ts';
import { emitQueue } from './queue.ts';
import { emitRaces } from './race.ts';
import { emitPut, emitService } from './service.ts';

/** The code of a net, and the net as the code generator sees it. */
export interface NetCode {
  readonly source: string;
  readonly emission: Emission;
}

/** Per place: the storage of its tokens that was determined while generating the code. */
type Found = readonly Pick<PlaceLayout, 'indexes' | 'groupIndex'>[];

/** The most recent codes by their keys: the scenarios of a study are many nets with the same code. */
const known = new Map<string, { readonly source: string; readonly found: Found }>();
const MAX_KNOWN = 8;
/** Maximum length of a key that is kept, in characters. */
const LONGEST_KEY = 2 ** 22;

/** As {@link emitNet}, but reuses the code of a recent net with the same key ({@link codeKey}): O(size of the structure). */
export function codeOf(net: Net, options: EmitOptions): NetCode {
  const key = codeKey(net, options);
  const before = known.get(key);
  known.delete(key);
  if (before !== undefined) {
    known.set(key, before);
    const emission = new Emission(net, options);
    for (const [k, { indexes, groupIndex }] of before.found.entries()) {
      emission.layouts[k]!.indexes.push(...indexes);
      emission.layouts[k]!.groupIndex = groupIndex;
    }
    return { source: before.source, emission };
  }
  const made = emitNet(net, options);
  if (key.length <= LONGEST_KEY)
    known.set(key, {
      source: made.source,
      found: made.emission.layouts.map(({ indexes, groupIndex }) => ({ indexes, groupIndex })),
    });
  if (known.size > MAX_KNOWN) known.delete(known.keys().next().value!);
  return made;
}

/**
 * Generates the kernel code of a net: per place, the records of its tokens, functions that add and remove one, and the candidates
 * that a new token may enable; per transition, its firing; and the main loop of docs/semantics.md. Only numbers enter the code,
 * never names or strings of the net.
 */
export function emitNet(net: Net, options: EmitOptions): NetCode {
  const e = new Emission(net, options);
  // Joins request indexes while they are generated; the code of places and rows comes after them because it needs all indexes.
  const examined = e.layouts.map((l) => emitExamine(e, l));
  const transitions = e.plans.map((p) => emitTransition(e, p));
  const races = emitRaces(e);
  const services = e.services.map((l, k) => emitService(e, l, k));
  for (const l of e.layouts) chooseGroupIndex(l);
  const multi = e.layouts.map((l) => emitMulti(e, l));
  const places = e.layouts.map((l, k) => emitPlace(e, l, examined[k] !== ''));
  const passThrough = e.layouts.map((l) => emitPassThrough(e, l));
  const puts = e.layouts.map((l) => emitPut(e, l));
  const parts = [
    emitPrelude(e),
    emitQueue(keptWidth(e)),
    emitCounters(e),
    emitAgenda(e),
    ...places,
    ...passThrough,
    ...puts,
    ...services,
    ...examined,
  ];
  const source = [...parts, ...multi, emitDeferred(e), ...transitions, races, emitChecks(e), emitLoop(e)].join('\n');
  return { source, emission: e };
}
