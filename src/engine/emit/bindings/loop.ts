/*
 * Sample:
 * const p = place('p'), q = place('q'); fires((t) => t.put(q, t.take(p)));
 * →
 *   while (steps < last) {
 *   if (ages >= 1073741824) renumber();
 *   let node = -1;
 *   if (queueNext > latest) {
 *   if (front0 < back0) {
 */
import type { Service } from '../../../net/net.ts';
import type { Emission } from '../emission.ts';
import { alive, emitMarks, emitStepEnd, fireCall } from '../firing/firing.ts';
import { passThroughCase } from '../firing/pass-through.ts';
import { isChanging } from '../max-min/profiles.ts';
import { measureTime } from '../measure.ts';
import { emitPack, entryNumber } from '../queue/agenda.ts';
import { intValueAt, kindOf } from '../queue/queue-nodes.ts';
import { emitServed, isShared } from '../services/service.ts';
import { emitPick } from './choice.ts';
import { conflictsCall, emitConflicts } from './conflicts.ts';

/** Code of the main loop: runs until the step budget is used up, the time `until` is reached, or no event is left. */
export function emitLoop(e: Emission): string {
  const ends = e.plans
    .filter((p) => p.transition.delay !== undefined && !p.race)
    .map((p) => `case ${p.number}: end${p.number}(node); break;`);
  const timely = (service: Service | undefined, k: number): string =>
    service?.kind === 'max-min' && (isChanging(service.links) || service.solver === 'lazy')
      ? `if (timely${k}(node)) break; `
      : '';
  const served = e.services.map(
    (l, k) =>
      `case ${e.plans.length + k}: { ${timely(l.place.service, k)}steps++; ${emitMarks(e)} ${emitServed(e, l, k)} ${emitStepEnd(e)} break; }`,
  );
  const clocks =
    e.races.length === 0
      ? []
      : [`case ${e.plans.length + e.services.length}: ranOut(${intValueAt('node', 0)}); break;`];
  const shared = e.services.flatMap((l, k) => (isShared(l.place.service!) ? [k] : []));
  const settle = shared.map((k) => `settle${k}();`).join(' ');
  const agendas = e.levels.map((priority, l) => {
    const plans = e.prompt.filter((p) => p.priority === priority);
    return plans.some((p) => p.transition.weight !== undefined)
      ? `if (front${l} < back${l}) { pick${l}(); continue; }`
      : `if (front${l} < back${l}) {
${emitPack(l)}
const q = front${l}, Q = Q${l}; front${l} += STRIDE;
${conflictsCall(e, l)}switch (Q[q]) { ${plans.map((p) => `case ${p.number}: if (${alive(e, p)}) ${fireCall(e, p, `QS${l}[${entryNumber(e, 'q')}]`)}; break;\n${passThroughCase(e, p)}`).join('\n')} }
if (front${l} === back${l}) front${l} = back${l} = 0;
continue;
}`;
  });
  // The latest time that counts as `now` (S12). It is finite, so the next time of an empty queue (infinity) never counts as `now`.
  const limitOf = (now: string): string => (e.shares ? `Math.min(${now} * (1 + 1e-12), ${Number.MAX_VALUE})` : now);
  const conflicts = e.levels.map((_, l) => emitConflicts(e, l)).filter((code) => code !== '');
  if (conflicts.length > 0) conflicts.unshift('declare function conflict(one: int, other: int);');
  return `${[...e.levels.map((_, l) => emitPick(e, l)), ...conflicts].join('\n')}
export function run(budget: num, maxInstant: num, until: num): int { return advance(budget, maxInstant, until); }
// Separate from run, because callees with one call site are not inlined into exported functions.
function advance(budget: num, maxInstant: num, until: num): int {
const stop = steps + budget;
let last = Math.min(stop, instant + maxInstant + 1);
while (steps < last) {
  if (ages >= ${e.options.lastAge}) renumber();
  let node = -1;
  if (queueNext > latest) {
    ${agendas.join('\n')}
    ${e.races.length > 0 ? 'if (fireRace()) continue;' : ''}
    ${settle}
    const next = queueNext;
    if (queueSize === 0) { ${shared.map((k) => `assertServed${k}();`).join(' ')} idle = 1; return 0; }
    if (next > until) { ${measureTime(e, 'until')} now = until; instant = steps; latest = ${limitOf('until')}; return 0; }
    if (next <= now) continue;
    ${measureTime(e, 'next')}
    now = next; instant = steps; latest = ${limitOf('next')};
    last = Math.min(stop, instant + maxInstant + 1);
    ${e.shares ? 'node = queueDue(next, latest); if (node < 0) continue;' : ''}
  }
  ${e.shares ? 'if (node < 0) node = queuePop();' : 'node = queuePop();'}
  switch (${kindOf('node')}) { ${[...ends, ...served, ...clocks].join('\n')} }
}
if (steps - instant > maxInstant) fail(1, 0, 0, 0, 0);
return 1;
}
// Called once, after the initial marking is complete.
export function begun() { ${e.levels.map((_, l) => `const m${l} = 0;`).join(' ')} ${e.races.map((_, x) => `touchRace(${x});`).join(' ')} ${e.races.length > 0 ? 'racesTouched = 1;' : ''} ${emitStepEnd(e)} }`;
}
