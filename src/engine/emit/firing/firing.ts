/*
 * Sample:
 * const p = place('p'), q = place('q'); fires((t) => t.put(q, t.take(p)));
 * →
 *   function fire0(s) {
 *   const t0 = I0[s + 2];
 *   go0(t0, rm0(s));
 *   }
 *   function go0(t0: int, r) {
 */
import { MAX_PROCESS } from '../../../base/random/process-stream.ts';
import { isDistribution } from '../../../net/distribution.ts';
import type { Expression } from '../../../net/expression.ts';
import { examineCall, isDeferred } from '../bindings/examine.ts';
import { emitInhibitors, inhibited } from '../bindings/inhibit.ts';
import type { TransitionPlan } from '../bindings/plan.ts';
import { typed } from '../bindings/range.ts';
import { counting, emitTallies } from '../bindings/tally.ts';
import { emitRoom, isSureCount } from '../capacity.ts';
import { drawsItself } from '../draw.ts';
import { delayParts, type Emission } from '../emission.ts';
import { emitDelay, emitValue } from '../expression.ts';
import { fieldOf, statusOf } from '../layout.ts';
import { measureFiring } from '../measure.ts';
import { emitConsume } from './consume.ts';
import { logFiring, loggedVariables } from './firing-log.ts';
import { FiringScope } from './firing-scope.ts';
import { keptValues } from './kept-values.ts';
import { passThroughUses } from './pass-through.ts';
import { emitProduce } from './produce.ts';

/** Code of one transition: tests of inhibitors and capacities, its firing, and its end. */
export function emitTransition(e: Emission, plan: TransitionPlan): string {
  return [
    emitInhibitors(e, plan),
    emitRoom(e, plan),
    ...emitTallies(e, plan),
    emitFire(e, plan),
    emitEnd(e, plan),
    ...(plan.race ? [] : [emitValid(e, plan)]),
    emitWeight(e, plan),
    emitProcess(e, plan),
  ].join('\n');
}

/**
 * The candidate of the agenda entry in `Q` at `q`: code for its slots and free values. Free values that are not listed are
 * decoded from the variable `lump` if they are `drawn`; otherwise they are the first ones.
 */
export function candidateAt(e: Emission, plan: TransitionPlan, drawn = false): string[] {
  const slots = plan.arcs.map((_, k) => `Q[q + ${2 + 2 * k}]`);
  const plus = (low: number): string => (low === 0 ? '' : ` + (${low})`);
  if (e.listed(plan).length === plan.free.length)
    return [...slots, ...plan.free.map((v, k) => `Q[q + ${2 + 2 * plan.arcs.length + k}]${plus(v.range.low)}`)];
  return [
    ...slots,
    ...plan.free.map(({ range }, k) => {
      if (!drawn) return String(range.low);
      const after = lumpSize(plan.free.slice(k + 1));
      const own = after === 1 ? 'lump' : `(lump / ${after} | 0)`;
      return `${k === 0 ? own : `${own} % ${range.high - range.low + 1}`}${plus(range.low)}`;
    }),
  ];
}

/** Number of combinations of values of the free variables. */
export const lumpSize = (free: TransitionPlan['free']): number =>
  free.reduce((n, { range }) => n * (range.high - range.low + 1), 1);

/** A call of the function that starts a firing, for the agenda entry at `q`; `since` is code for the step that enabled it. */
export function fireCall(e: Emission, plan: TransitionPlan, since: string, drawn = false): string {
  return `fire${plan.number}(${[...candidateAt(e, plan, drawn), ...(isStamped(e, plan) ? [since] : [])].join(', ')})`;
}

/** True if a candidate may be interrupted while its tokens stay: by an inhibitor or a full place. */
export const isStamped = (e: Emission, plan: TransitionPlan): boolean =>
  !plan.race && (plan.inhibitors.length > 0 || e.boundedOutputs(plan).length > 0);

/** Code that is true if the tokens of the agenda entry at `q` are still there. */
export function alive(e: Emission, plan: TransitionPlan): string {
  return plan.arcs
    .map((a, k) => `${statusOf(e.layoutOf(a), `Q[q + ${2 + 2 * k}]`)} === Q[q + ${3 + 2 * k}]`)
    .join(' && ');
}

/** Code that tests that a candidate whose tokens are there has been enabled without interruption since the step `since`. */
function emitValid(e: Emission, plan: TransitionPlan): string {
  if (!isStamped(e, plan)) return '';
  const firing = new FiringScope(e, plan);
  const patterns = plan.inhibitors.flatMap((a) => Object.values(a.pattern));
  const held = inhibited(e, plan, firing, true);
  const room =
    e.boundedOutputs(plan).length > 0 ? `room${plan.number}(${[...firing.parameters, 'since'].join(', ')})` : '1';
  return `function valid${plan.number}(${[...firing.typed, 'since: num'].join(', ')}): int {
${firing.load(patterns)}
${held.map((h) => `if (${h}) return 0;`).join('\n')}
return ${room};
}`;
}

function emitWeight(e: Emission, plan: TransitionPlan): string {
  const { weight } = plan.transition;
  if (weight === undefined) return '';
  const firing = new FiringScope(e, plan);
  const { load, tallies, scope } = counting(e, plan, firing, weight);
  return `export function weight${plan.number}(${firing.typed.join(', ')}): num {
${load}${tallies}
const w: num = ${emitValue(weight, scope)};
if (!(w > 0 && w < Infinity)) badWeight(${plan.number}, w);
return w;
}`;
}

/** Code for the process of a candidate, for choices by weight (S15). */
function emitProcess(e: Emission, plan: TransitionPlan): string {
  const { process } = plan.transition;
  if (process === undefined || !e.choosesForProcess(plan)) return '';
  const firing = new FiringScope(e, plan);
  return `${plan.race ? 'export ' : ''}function process${plan.number}(${firing.typed.join(', ')}): num {
${firing.load([process])}
const p: num = ${emitValue(process, firing.scope)};
if (!(p >= ${-MAX_PROCESS} && p <= ${MAX_PROCESS})) badProcess(${plan.number}, p);
return p;
}`;
}

function emitFire(e: Emission, plan: TransitionPlan): string {
  const { number: t } = plan;
  const layout = plan.arcs.length === 1 ? e.layoutOf(plan.arcs[0]!) : undefined;
  if (layout !== undefined && passThroughUses(e, layout).some((u) => u.plan === plan)) {
    const tokens = layout.place.fields.map((_, k) => `t${k}`);
    const parameters = layout.place.fields.map((_, k) => typed(`t${k}`, layout.wide[k]!));
    const show = e.uses(layout).length > 0 ? `if (r >= 0) ${examineCall(e, layout, 'r', (f) => `t${f}`)}` : '';
    return `${plan.race ? 'export ' : ''}function fire${t}(s) {
${tokens.length > 0 ? `const ${tokens.map((v, k) => `${v} = ${fieldOf(layout, k, 's')}`).join(', ')};` : ''}
go${t}(${[...tokens, `rm${layout.number}(s)`].join(', ')});
}
function go${t}(${[...parameters, 'r'].join(', ')}) {
${emitStart(e, plan, new FiringScope(e, plan, true), show)}
}`;
  }
  const firing = new FiringScope(e, plan);
  const since = isStamped(e, plan) ? ['since: num'] : [];
  const held = since.length > 0 ? `if (!valid${t}(${[...firing.parameters, 'since'].join(', ')})) return;` : '';
  return `${plan.race ? 'export ' : ''}function fire${t}(${[...firing.typed, ...since].join(', ')}) {
${held}
${emitStart(e, plan, firing, emitConsume(e, plan, firing))}
}`;
}

/** Code for the start of a firing, the whole firing if it has no duration; `consume` is the code that removes its tokens. */
function emitStart(e: Emission, plan: TransitionPlan, firing: FiringScope, consume: string): string {
  const { transition, number: t } = plan;
  const { scope, ids } = firing;
  const observed = e.options.observed.has(transition.name);
  const log = logFiring(e, plan, 'start', firing);
  const holds = transition.delay !== undefined && !plan.race;
  const kept = holds ? keptValues(e, plan).variables : [];
  const needed: Expression[] = plan.resets.flatMap((a) => Object.values(a.pattern));
  if (holds)
    needed.push(...delayParts(transition.delay!), ...(transition.process === undefined ? [] : [transition.process]));
  else needed.push(...transition.outputs.flatMap((o) => [...Object.values(o.values), o.count]));
  const observerArguments = [...kept.map((v) => v.name), ...loggedVariables(e, plan, 'start')];
  const load = observed
    ? firing.loadAll()
    : firing.load([...needed, ...observerArguments.map((name) => ({ op: 'var', name }) as const)]);
  const produce = emitProduce(e, plan, firing);
  const from = holds && isDistribution(transition.delay!) && drawsItself(transition.delay) ? '' : 'd >= 0 && ';
  const delay = holds
    ? `const d: num = ${emitDelay(transition.delay!, scope, `draw${t}`, transition.process)}; if (!(${from}now + d < Infinity)) badDelay(${t}, d);`
    : '';
  const at = e.shares ? 'now + d <= latest ? now : now + d' : 'now + d';
  const keep = kept.map((v) => `${v.at('n')} = ${v.id};`).join(' ');
  const schedule = `{ const n = queuePush(${at}, starts++, ${t}); ${keep} }`;
  return `${load}
${delay}
${holds ? '' : produce.evaluate}
steps++; F[${t}]++;
${emitMarks(e)}
${observed ? `O${t}(${['now', ...ids].join(', ')});` : ''} ${measureFiring(e, plan, '+')} ${log}
${consume}
${holds ? `${reserve(e, plan, firing, '+')} ${schedule}` : produce.put}
${emitStepEnd(e)}`;
}

/** Code that reserves room for future outputs (`+`), or releases it when they arrive (`-`). */
function reserve(e: Emission, plan: TransitionPlan, firing: FiringScope, sign: '+' | '-'): string {
  return e
    .boundedOutputs(plan)
    .flatMap(({ layout, arcs }) => [
      ...arcs.map((a) => `N${layout.number} ${sign}= ${emitValue(a.count, firing.scope)};`),
      ...(e.racesAt(layout).length > 0 ? [`touch${layout.number}();`] : []),
    ])
    .join(' ');
}

/** Code for the end of a holding firing. */
function emitEnd(e: Emission, plan: TransitionPlan): string {
  if (plan.transition.delay === undefined || plan.race) return '';
  const t = plan.number;
  const firing = new FiringScope(e, plan);
  const load = keptValues(e, plan).variables.map((v) => `const ${v.id} = ${v.at('node')};`);
  const observe = e.options.observed.has(plan.transition.name) ? `E${t}(${['now', ...firing.ids].join(', ')});` : '';
  const produce = emitProduce(e, plan, firing);
  const log = logFiring(e, plan, 'end', firing);
  return `function end${t}(node) {
${load.join(' ')}
steps++;
${emitMarks(e)}
${observe} ${measureFiring(e, plan, '-')} ${log}
${produce.evaluate}
${reserve(e, plan, firing, '-')}
${produce.put}
${emitStepEnd(e)}
}`;
}

/** Code that notes the end of each agenda before a step. */
export function emitMarks(e: Emission): string {
  return e.levels.map((_, l) => `const m${l} = back${l};`).join(' ');
}

/** Code after a step: sorts the new candidates into canonical order, checks counts that may fail, settles the clocks of races. */
export function emitStepEnd(e: Emission): string {
  const sorts = e.levels.map((_, l) => `if (back${l} > m${l} + STRIDE) sortStep${l}(m${l});`);
  const checks = e.levels.flatMap((_, l) => (riskyPlans(e, l).length > 0 ? [`check${l}(m${l});`] : []));
  const resamples = e.races.some((p) => p.transition.memory === 'resampling');
  const later = e.layouts.some((l) => isDeferred(e, l)) ? ['if (laters > 0) lookLater();'] : [];
  return [
    ...later,
    ...sorts,
    ...checks,
    ...(e.races.length > 0
      ? [`${resamples ? '' : 'if (racesTouched) '}{ racesTouched = 0; settleRaces(now, latest); }`]
      : []),
  ].join(' ');
}

const risky = new WeakMap<Emission, readonly TransitionPlan[]>();

/** Transitions of a level whose token count for a place with a capacity may be invalid. */
export function riskyPlans(e: Emission, l: number): TransitionPlan[] {
  let all = risky.get(e);
  if (all === undefined) {
    all = e.prompt.filter((p) =>
      e.boundedOutputs(p).some(({ arcs }) => arcs.some((a) => !isSureCount(e, a, new FiringScope(e, p)))),
    );
    risky.set(e, all);
  }
  return all.filter((p) => e.level(p) === l);
}

/** Code that checks, after a step, the counts of the candidates that it enabled: counts are part of the enabling test (S8a). */
export function emitChecks(e: Emission): string {
  return e.levels
    .map((_, l) => {
      const plans = riskyPlans(e, l);
      if (plans.length === 0) return '';
      const cases = plans.map(
        (p) =>
          `case ${p.number}: if (${alive(e, p)}) valid${p.number}(${[...candidateAt(e, p), 'steps'].join(', ')}); break;`,
      );
      return `function check${l}(m) { const Q = Q${l}; for (let q = m; q < back${l}; q += STRIDE) switch (Q[q]) { ${cases.join('\n')} } }`;
    })
    .join('\n');
}
