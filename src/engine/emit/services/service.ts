/*
 * Sample:
 * place('p', { service: { kind: 'is', time: exponential(2) } });
 * →
 *   function serve0(s, f0: int) {
 *   I0[s] = (I0[s] & -4) + 3;
 *   const time: num = drawAt0(2); if (!(time >= 0 && now + time < Infinity)) badTime(0, time); …
 */
import type { Expression } from '../../../net/expression.ts';
import type { MaxMinService, Service, StationService } from '../../../net/net.ts';
import { rangeOf, typed } from '../bindings/range.ts';
import { CommonParts } from '../common-parts.ts';
import type { Emission } from '../emission.ts';
import { tokenScope } from '../emission.ts';
import { emitDelay, emitValue } from '../expression.ts';
import { loadToken, passThroughUses } from '../firing/pass-through.ts';
import { become, enterCall, fieldOf, type PlaceLayout, SERVED } from '../layout.ts';
import { isCounted } from '../max-min/link-arrays.ts';
import { emitMaxMin } from '../max-min/max-min.ts';
import { isChanging, profileCount } from '../max-min/profiles.ts';
import { emitPriority } from '../place.ts';
import { intValueAt } from '../queue/queue-nodes.ts';

/** Code for an arriving token: it enters service if its place has one. */
export function emitPut(e: Emission, layout: PlaceLayout): string {
  const args = layout.place.fields.map((_, k) => `f${k}`).join(', ');
  const parameters = layout.place.fields.map((_, k) => typed(`f${k}`, layout.wide[k]!)).join(', ');
  const n = layout.number;
  const service = e.services.indexOf(layout);
  const next =
    service < 0 ? enterCall(layout, 's', (k) => `f${k}`) : `serve${service}(s${args === '' ? '' : `, ${args}`});`;
  const pass = service < 0 && passThroughUses(e, layout).length > 0 ? `if (pass${n}(${args})) return;` : '';
  return `export cold function add${n}(${parameters}) { put${n}(${args}); }
function put${n}(${parameters}) { ${pass} const s = new${n}(${args}); ${next} }`;
}

/**
 * Code for a token that enters service number `number`. If nothing can change the time of its completion any more, it is entered
 * in the queue directly.
 */
export function emitService(e: Emission, layout: PlaceLayout, number: number): string {
  const service = layout.place.service!;
  const parameters = ['s', ...layout.place.fields.map((_, k) => typed(`f${k}`, layout.wide[k]!))].join(', ');
  const body =
    service.kind === 'max-min' ? emitDemand(e, layout, number, service) : emitStation(e, layout, number, service);
  return `${emitServer(e, layout, number, service)}
function serve${number}(${parameters}) {
${become(layout, 's', SERVED)}
${body}
}`;
}

/** True if the tokens in service share links or servers; such a service is settled before time advances. */
export const isShared = (service: Service): service is SharedService =>
  service.kind === 'max-min' || service.kind === 'ps';

export type SharedService = MaxMinService | (StationService & { readonly kind: 'ps' });

/** Code of the server: generated (`max-min.ts`), or declarations of functions of the host (`station.ts`). */
function emitServer(e: Emission, layout: PlaceLayout, number: number, service: Service): string {
  const kind = e.plans.length + number;
  switch (service.kind) {
    case 'max-min': {
      const routes = e.context.tableName(service.routes);
      const links = service.links.length;
      const counted = isCounted(service.links);
      const profiles = profileCount(service.links);
      return `${declareRoutes(e, number, service)}
${emitMaxMin({ number, place: layout.number, kind, links, routes, counted, profiles, lazy: service.solver === 'lazy' })}`;
    }
    case 'ps':
      return `declare const S${number}_link: ints; declare const S${number}_coefficient: nums;
${emitMaxMin({ number, place: layout.number, kind, links: 1, routes: `S${number}`, counted: false, profiles: 0 })}`;
    case 'is':
      return '';
    default:
      return `declare function enterStation${number}(s: int, time: num, priority: num, now: num, latest: num);
declare function doneStation${number}(s: int, now: num, latest: num);`;
  }
}

/** Code that declares the links and coefficients of a routes table, unless an earlier service has declared them. */
function declareRoutes(e: Emission, number: number, { routes }: MaxMinService): string {
  const uses = ({ place: { service } }: PlaceLayout): boolean =>
    service?.kind === 'max-min' && service.routes === routes;
  if (e.services.findIndex(uses) < number) return '';
  const id = e.context.tableName(routes);
  return `declare const ${id}_link: ints; declare const ${id}_coefficient: nums;`;
}

const NO_TIME: Expression = { op: 'const', value: 0 };
const ONCE: Expression = { op: 'const', value: 1 };

function emitDemand(e: Emission, layout: PlaceLayout, number: number, service: MaxMinService): string {
  const n = layout.number;
  const scope = tokenScope(e, layout);
  const routes = e.tables.get(service.routes)!;
  if (routes.kind !== 'routes') throw new Error(`table ${service.routes} holds no routes`);
  const id = e.context.tableName(service.routes);
  const count = routes.start.length - 1;
  const { low, high, integer } = rangeOf(service.route, scope.ranges, e.tables);
  const isSure = integer && low >= 0 && high < Math.min(count, 2 ** 31);
  const { latency = NO_TIME, latencyFactor = ONCE } = service;
  const wait = isChanging(service.links) ? [latency, latencyFactor] : service.solver === 'lazy' ? [latency] : [];
  const { code, scope: inner } = new CommonParts(scope, [
    service.route,
    service.amount,
    service.weight,
    service.bound,
    ...wait,
  ]).emit();
  const waits = wait.map((e) => `, ${emitValue(e, inner)}`).join('');
  return `${code}
const route: ${isSure ? 'int' : 'num'} = ${emitValue(service.route, inner)};
${isSure ? '' : `if (!(route >= 0 && route < ${count} && Number.isInteger(route))) badRoute(${n}, route);`}
const amount: num = ${emitValue(service.amount, inner)};
const weight: num = ${emitValue(service.weight, inner)}, bound: num = ${emitValue(service.bound, inner)};
if (!(amount >= 0 && amount < Infinity && weight > 0 && weight < Infinity && bound > 0))
  badDemand(${n}, amount, weight, bound);
const at: int = route; enterFlow${number}(s, starts++, amount, weight, bound, ${id}_start[at], ${id}_start[at + 1]${waits});`;
}

const schedule = (e: Emission, number: number, at: string, order: string): string =>
  `{ const n = queuePush(${at}, ${order}, ${e.plans.length + number}); ${intValueAt('n', 0)} = s; }`;

function emitStation(e: Emission, layout: PlaceLayout, number: number, service: StationService): string {
  const scope = tokenScope(e, layout);
  const check = `if (!(time >= 0 && now + time < Infinity)) badTime(${layout.number}, time);`;
  const time = `const time: num = ${emitDelay(service.time, scope, `drawAt${number}`)}; ${check}`;
  switch (service.kind) {
    case 'ps':
      return `${time} enterFlow${number}(s, starts++, time, 1, 1, 0, 1);`;
    case 'is':
      return `${time} ${schedule(e, number, e.shares ? 'now + time <= latest ? now : now + time' : 'now + time', 'starts++')}`;
    default: {
      const priority = service.kind === 'priority' ? emitPriority(e, layout, service.priority) : '0';
      return `${time} enterStation${number}(s, time, ${priority}, now, latest);`;
    }
  }
}

/** Code for a token that has been served: its server starts the next one, and the token becomes available to arcs. */
export function emitServed(e: Emission, layout: PlaceLayout, number: number): string {
  const service = layout.place.service!;
  const free = isShared(service)
    ? `leaveFlow${number}(${intValueAt('node', 1)});`
    : service.kind === 'is'
      ? ''
      : `doneStation${number}(s, now, latest);`;
  const n = layout.number;
  const entered = enterCall(layout, 's', (k) => fieldOf(layout, k, 's'));
  const enter =
    passThroughUses(e, layout).length > 0
      ? `if (pass${n}(${loadToken(layout)})) drop${n}(s); else ${entered}`
      : entered;
  return `const s: int = ${intValueAt('node', 0)}; ${free} ${enter}`;
}
