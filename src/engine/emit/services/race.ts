/*
 * Sample:
 * const p = place('p'); fires((t) => { t.take(p); t.race({ delay: exponential(2) }); });
 * →
 *   export function lookRace0() { for (let s0 = ~L0_h0[0]; s0 >= 0; s0 = I0[s0 + 3]) {
 */
import { Join } from '../bindings/join.ts';
import type { TransitionPlan } from '../bindings/plan.ts';
import { typed } from '../bindings/range.ts';
import { counting } from '../bindings/tally.ts';
import type { Emission } from '../emission.ts';
import { emitDelay, emitValue } from '../expression.ts';
import { FiringScope } from '../firing/firing-scope.ts';
import { ageOf, fieldOf } from '../layout.ts';

/** How many numbers of each kind `seen` receives for a candidate, in this order. */
export interface SeenShape {
  /** Colours of all tokens, then the free values: together they identify a candidate. */
  readonly colours: number;
  readonly ages: number;
  readonly binding: number;
  readonly slots: number;
  readonly free: number;
  /** True if the speed precedes them (S9b). */
  readonly speed: boolean;
}

export function seenShape(e: Emission, plan: TransitionPlan): SeenShape {
  const free = plan.free.length;
  return {
    colours: plan.arcs.reduce((n, a) => n + e.layoutOf(a).place.fields.length, free),
    ages: plan.arcs.length,
    binding: new FiringScope(e, plan).ids.length,
    slots: plan.arcs.length,
    free,
    speed: plan.transition.speed !== undefined,
  };
}

/**
 * Code of the races. The host keeps their clocks (`races.ts`); per race, the code finds the candidates (`lookRace`), reports each
 * to the host (`seen`), and computes delays (`wait`).
 */
export function emitRaces(e: Emission): string {
  if (e.races.length === 0) return '';
  return `declare function touchRace(race: int); declare function settleRaces(now: num, latest: num);
declare function fireRace(): int; declare function ranOut(clock: int);
let racesTouched: int = 0;
${e.races.map((p, x) => emitRace(e, p, x)).join('\n')}`;
}

function emitRace(e: Emission, plan: TransitionPlan, x: number): string {
  const firing = new FiringScope(e, plan);
  const shape = seenShape(e, plan);
  const count = shape.colours + shape.ages + shape.binding + shape.slots + shape.free;
  const arcs = plan.arcs
    .map((a, k) => ({ k, layout: e.layoutOf(a) }))
    .sort((a, b) => a.layout.number - b.layout.number || a.k - b.k);
  const slots = plan.arcs.map((_, k) => `s${k}`);
  const free = plan.free.map((_, k) => `f${k}`);
  const fields = [
    ...plan.arcs.flatMap((a, k) => e.layoutOf(a).place.fields.map((_, i) => fieldOf(e.layoutOf(a), i, `s${k}`))),
    ...free,
    ...arcs.map((a) => ageOf(a.layout, `s${a.k}`)),
    ...firing.ids,
    ...slots,
    ...free,
  ];
  const room =
    e.boundedOutputs(plan).length > 0
      ? `if (!room${plan.number}(${[...firing.parameters, 'steps'].join(', ')})) return;`
      : '';
  const look = new Join(e, plan).emit(
    'anywhere',
    [],
    (found, values) => `found${x}(${[...found, ...values].join(', ')});`,
  );
  const speed = emitSpeed(e, plan, firing);
  const head = ['degree: num', ...(shape.speed ? ['speed: num'] : [])];
  const given = [degree(e, plan), ...(shape.speed ? ['speed'] : []), ...fields];
  const binding = firing.ids.map((v, k) => typed(v, firing.wide[k]!));
  return `declare function seen${x}(${[...head, ...Array.from({ length: count }, (_, k) => `n${k}: num`)].join(', ')});
function found${x}(${firing.typed.join(', ')}) { ${firing.loadAll()} ${room}${speed} seen${x}(${given.join(', ')}); }
export function lookRace${x}() { ${look} }
export function wait${x}(${binding.join(', ')}): num { const d: num = ${emitDelay(plan.transition.delay!, firing.scope, `draw${plan.number}`, plan.transition.process)}; if (!(d >= 0 && now + d < Infinity)) badDelay(${plan.number}, d); return d; }`;
}

/** Code for the speed of a candidate, which is not enabled at 0 (S9b); empty if the race has none. */
function emitSpeed(e: Emission, plan: TransitionPlan, firing: FiringScope): string {
  const { speed } = plan.transition;
  if (speed === undefined) return '';
  const { tallies, scope } = counting(e, plan, firing, speed);
  return ` ${tallies} const speed: num = ${emitValue(speed, scope)}; if (!(speed >= 0 && speed < Infinity)) fail(17, ${plan.number}, speed, 0, 0); if (speed === 0) return;`;
}

/** Code for the degree of a candidate (S9a): how often it could fire in a row. */
function degree(e: Emission, plan: TransitionPlan): string {
  const takes = plan.arcs.flatMap((a, k) => (a.kind === 'take' ? [{ a, k }] : []));
  const times = takes.map(({ a, k }) => {
    const others = takes
      .filter((o) => o.k !== k && o.a.place === a.place)
      .map((o) => ` + (s${o.k} === s${k} ? ${o.a.count} : 0)`);
    return `(row${e.layoutOf(a).number}(s${k}) / (${a.count}${others.join('')}) | 0)`;
  });
  return times.length === 0 ? '1' : times.length === 1 ? times[0]! : `Math.min(${times.join(', ')})`;
}
