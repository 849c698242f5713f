import type { Emission } from './emission.ts';
import { emitDelay } from './emit-delay.ts';
import { emitValue } from './emit-expression.ts';
import { Join } from './emit-join.ts';
import { FiringScope } from './firing-scope.ts';
import { ageOf, fieldOf } from './layout.ts';
import type { TransitionPlan } from './plan.ts';

/** The clocks of races, and per race what they need of it: its candidates, its delay, its weight. */
export function emitRaces(e: Emission): string {
  if (e.races.length === 0) return '';
  const code = e.races.map((p, x) => {
    const free = p.free.map((_, k) => `f[${k}]`);
    const args = [...p.arcs.map((_, k) => `s[${k}]`), ...free].join(', ');
    return `{
number: ${p.number}, single: ${p.transition.servers === 'single'}, priority: ${p.priority},
look() { ${emitLook(e, p, x)} },
delay: ${emitWait(e, p)},
fire(s, f) { fire${p.number}(${args}); },
${p.transition.weight === undefined ? '' : `weight(s, f) { ${emitRaceWeight(e, p)} }`}
}`;
  });
  return `const X = new Races([${code.join(', ')}], H, ${e.plans.length + e.services.length});
function settle() { X.settle(C); }`;
}

function emitLook(e: Emission, plan: TransitionPlan, x: number): string {
  const arcs = plan.arcs
    .map((a, k) => ({ k, layout: e.layoutOf(a) }))
    .sort((a, b) => a.layout.number - b.layout.number || a.k - b.k);
  const firing = new FiringScope(e, plan);
  return new Join(e, plan).emit('anywhere', [], (slots, free) => {
    const parameters = [...plan.arcs.map((_, k) => `s${k} = ${slots[k]}`), ...free.map((f, k) => `f${k} = ${f}`)];
    const colours = [
      ...plan.arcs.flatMap((a, k) => e.layoutOf(a).place.fields.map((_, i) => fieldOf(e.layoutOf(a), i, `s${k}`))),
      ...free.map((_, k) => `f${k}`),
    ];
    const room =
      e.boundedOutputs(plan).length > 0 ? `if (room${plan.number}(${[...firing.parameters, 'steps'].join(', ')}))` : '';
    // Names of the join are not those of the firing: the candidate is taken over by a function of its own.
    return `((${parameters.map((p) => p.split(' = ')[0]).join(', ')}) => { ${firing.loadAll()} ${room} X.seen(${x}, [${colours.join(', ')}].join(), ${degree(e, plan)}, [${arcs.map((a) => ageOf(a.layout, `s${a.k}`)).join(', ')}], [${firing.ids.join(', ')}], [${plan.arcs.map((_, k) => `s${k}`).join(', ')}], [${plan.free.map((_, k) => `f${k}`).join(', ')}]); })(${parameters.map((p) => p.split(' = ')[1]).join(', ')});`;
  });
}

/** How often a candidate could fire in a row. */
function degree(e: Emission, plan: TransitionPlan): string {
  const takes = plan.arcs.flatMap((a, k) => (a.kind === 'take' ? [{ a, k }] : []));
  const times = takes.map(({ a, k }) => {
    const others = takes
      .filter((o) => o.k !== k && o.a.place === a.place)
      .map((o) => ` + (s${o.k} === s${k} ? ${o.a.count} : 0)`);
    return `Math.floor(row${e.layoutOf(a).number}(s${k}) / (${a.count}${others.join('')}))`;
  });
  return times.length === 0 ? '1' : `Math.min(${times.join(', ')})`;
}

function emitWait(e: Emission, plan: TransitionPlan): string {
  const firing = new FiringScope(e, plan);
  const load = firing.ids.map((v, k) => `const ${v} = b[${k}];`).join(' ');
  const t = plan.number;
  return `(b) => { ${load} const d = ${emitDelay(plan.transition.delay!, firing.scope, `draw${t}`, `given${t}`)}; if (!(d >= 0 && C[0] + d < Infinity)) badDelay(${t}, d); return d; }`;
}

function emitRaceWeight(e: Emission, plan: TransitionPlan): string {
  const firing = new FiringScope(e, plan);
  const parameters = [...plan.arcs.map((_, k) => `s${k} = s[${k}]`), ...plan.free.map((_, k) => `f${k} = f[${k}]`)];
  return `${parameters.length > 0 ? `const ${parameters.join(', ')};` : ''} ${firing.load([plan.transition.weight!])}
const w = ${emitValue(plan.transition.weight!, firing.scope)}; if (!(w > 0 && w < Infinity)) badWeight(${plan.number}, w); return w;`;
}
