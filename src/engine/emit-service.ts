import type { MaxMinService, StationService } from '../net/net.ts';
import type { Emission } from './emission.ts';
import { emitDelay } from './emit-delay.ts';
import { emitValue } from './emit-expression.ts';
import { loadToken, passingUses } from './emit-passing.ts';
import { type PlaceLayout, stateOf } from './layout.ts';
import { tokenScope } from './token-scope.ts';

/** A token comes: into service where the place has one. */
export function emitPut(e: Emission, layout: PlaceLayout): string {
  const args = layout.place.fields.map((_, k) => `f${k}`).join(', ');
  const n = layout.number;
  const service = e.services.indexOf(layout);
  const next = service < 0 ? `enter${n}(s);` : `serve${service}(s${args === '' ? '' : `, ${args}`});`;
  const pass = service < 0 && passingUses(e, layout).length > 0 ? `if (pass${n}(${args})) return;` : '';
  return `function put${n}(${args}) { ${pass} const s = new${n}(${args}); ${next} }`;
}

/**
 * A token comes into service number `number`. What is served at once, or after a time that nothing can change, goes straight into
 * the queue of events.
 */
export function emitService(e: Emission, layout: PlaceLayout, number: number): string {
  const service = layout.place.service!;
  const parameters = ['s', ...layout.place.fields.map((_, k) => `f${k}`)].join(', ');
  const body =
    service.kind === 'max-min' ? emitMaxMin(e, layout, number, service) : emitStation(e, layout, number, service);
  return `function serve${number}(${parameters}) {
${stateOf(layout, 's')} = 3;
${body}
}`;
}

function emitMaxMin(e: Emission, layout: PlaceLayout, number: number, service: MaxMinService): string {
  const n = layout.number;
  const scope = tokenScope(e, layout);
  const routes = e.tables.get(service.routes)!;
  if (routes.kind !== 'routes') throw new Error(`table ${service.routes} holds no routes`);
  const id = e.context.tableName(service.routes);
  return `const route = ${emitValue(service.route, scope)};
if (!(route >= 0 && route < ${routes.start.length - 1} && Number.isInteger(route))) badRoute(${n}, route);
const amount = ${emitValue(service.amount, scope)}, weight = ${emitValue(service.weight, scope)}, bound = ${emitValue(service.bound, scope)};
if (!(amount >= 0 && amount < Infinity && weight > 0 && weight < Infinity && bound > 0)) badDemand(${n}, amount, weight, bound);
S[${number}].enter(s, C, amount, weight, bound, ${id}_start[route], ${id}_start[route + 1]);`;
}

const schedule = (e: Emission, number: number, at: string, order: string): string =>
  `H.values[H.push(${at}, ${order}, ${e.plans.length + number}) * ${e.width}] = s;`;

function emitStation(e: Emission, layout: PlaceLayout, number: number, service: StationService): string {
  const scope = tokenScope(e, layout);
  const check = `if (!(time >= 0 && C[0] + time < Infinity)) badTime(${layout.number}, time);`;
  const time = `const time = ${emitDelay(service.time, scope, `drawAt${number}`, `givenAt${number}`)}; ${check}`;
  switch (service.kind) {
    case 'ps':
      return `${time} S[${number}].enter(s, C, time, 1, 1, 0, 1);`;
    case 'is':
      return `${time} ${schedule(e, number, e.shares ? 'C[0] + time <= C[1] ? C[0] : C[0] + time' : 'C[0] + time', 'C[2]++')}`;
    default: {
      const priority = service.kind === 'priority' ? emitValue(service.priority, scope) : '0';
      return `${time} S[${number}].enter(s, time, ${priority}, C);`;
    }
  }
}

/** A token has been served: its server goes on to the next, and it can be seen. */
export function emitServed(e: Emission, layout: PlaceLayout, number: number): string {
  const { kind } = layout.place.service!;
  const shares = kind === 'max-min' || kind === 'ps';
  const free = shares
    ? `S[${number}].leave(H.values[node * ${e.width} + 1]);`
    : kind === 'is'
      ? ''
      : `S[${number}].done(s, C);`;
  const n = layout.number;
  const enter =
    passingUses(e, layout).length > 0
      ? `if (pass${n}(${loadToken(layout)})) drop${n}(s); else enter${n}(s);`
      : `enter${n}(s);`;
  return `const s = H.values[node * ${e.width}]; ${free} ${enter}`;
}
