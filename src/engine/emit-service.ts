import type { Emission } from './emission.ts';
import { emitValue, type Scope } from './emit-expression.ts';
import type { PlaceLayout } from './layout.ts';

export function emitPut(e: Emission, layout: PlaceLayout): string {
  const args = layout.place.fields.map((_, k) => `f${k}`).join(', ');
  const n = layout.number;
  const service = e.services.indexOf(layout);
  const next = service < 0 ? `enter${n}(s);` : `serve${service}(s);`;
  return `function put${n}(${args}) { const s = take${n}slot(${args}); ${next} }`;
}

export function emitService(e: Emission, layout: PlaceLayout, number: number): string {
  const service = layout.place.service!;
  const n = layout.number;
  const names = new Map(layout.place.fields.map((f, k) => [f.name, `f${k}`]));
  const ranges = new Map(layout.place.fields.map((f, k) => [f.name, layout.ranges[k]!]));
  const scope: Scope = { names, ranges, tables: e.tables, tableName: e.context.tableName };
  const routes = e.tables.get(service.routes)!;
  if (routes.kind !== 'routes') throw new Error(`table ${service.routes} holds no routes`);
  const id = e.context.tableName(service.routes);
  return `function serve${number}(s) {
${layout.place.fields.map((_, k) => `const f${k} = P${n}_f${k}[s];`).join(' ')}
P${n}_v[s] = 3;
const route = ${emitValue(service.route, scope)};
if (!(route >= 0 && route < ${routes.start.length - 1})) badRoute(${n}, route);
const amount = ${emitValue(service.amount, scope)}, weight = ${emitValue(service.weight, scope)}, bound = ${emitValue(service.bound, scope)};
if (!(amount >= 0 && amount < Infinity && weight > 0 && weight < Infinity && bound > 0)) badDemand(${n}, amount, weight, bound);
const order = starts++;
if (!S[${number}].enter(s, order, now, amount, weight, bound, ${id}_start[route], ${id}_start[route + 1]))
  H.values[H.push(now, order, ${e.plans.length + number}) * ${e.width}] = s;
}`;
}
