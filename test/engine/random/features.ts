import { isDistribution, parametersOf } from '../../../src/net/distribution.ts';
import { type Expression, operands, variablesOf } from '../../../src/net/expression.ts';
import type { Delay, Net, Place, Transition } from '../../../src/net/net.ts';
import { countsIn } from '../../../src/net/race-timing.ts';

/** Counts of formalism features in a net, by name; shows the coverage of random nets. */
export function featuresOf(net: Net): Record<string, number> {
  const counts: Record<string, number> = {};
  const note = (what: string, times = 1): void => {
    if (times > 0) counts[what] = (counts[what] ?? 0) + times;
  };
  const kinds = new Map(net.colours.map((c) => [c.name, c.kind]));
  for (const p of net.places) {
    for (const f of p.fields) note(`colour:${kinds.get(f.colour)}`);
    ofPlace(p, note);
  }
  for (const t of net.transitions) {
    for (const f of t.free ?? []) note(`free:${kinds.get(f.colour)}`);
    ofTransition(t, note);
  }
  const all = [...net.places.flatMap(expressionsOfPlace), ...net.transitions.flatMap(expressionsOfTransition)];
  for (const e of all.flatMap(parts)) if (e.op === 'call' || e.op === 'at' || e.op === 'step') note(e.op);
  return counts;
}

type Note = (what: string, times?: number) => void;

function ofPlace(p: Place, note: Note): void {
  note('places');
  note(`order:${p.order}${p.order === 'bag' ? '' : p.key.length === 0 ? '' : ' by key'}`);
  if (p.fields.length === 0) note('place without data');
  if (p.capacity !== undefined) note('capacity');
  if (p.service === undefined) return;
  const { service } = p;
  const preemptive = service.kind === 'priority' && service.preemptive ? ' preemptive' : '';
  note(`service:${service.kind}${preemptive}`);
  if (service.kind !== 'max-min') ofDelay(service.time, 'service', note);
  if (p.capacity !== undefined) note('service with capacity');
  if (p.order !== 'bag') note(`service into ${p.order}`);
}

function ofTransition(t: Transition, note: Note): void {
  note('transitions');
  for (const a of t.inputs) {
    note(`arc:${a.kind}`);
    if (a.count > 1) note(`arc:${a.kind} count>1`);
    for (const e of Object.values(a.pattern))
      if (e.op !== 'var' && e.op !== 'const' && variablesOf(e).size > 0) note('pattern: expression');
  }
  if (joins(t)) note('pattern: join');
  if (!t.inputs.some((a) => a.kind === 'take')) note('source');
  for (const a of t.outputs)
    if (a.count.op !== 'const') note('count: expression');
    else if (a.count.value !== 1) note('count: other than 1');
  if ((t.free ?? []).length > 0) note('free variable', t.free!.length);
  if (t.guard !== undefined) note('guard');
  if (t.priority !== undefined) note('priority');
  if (t.weight !== undefined) note(countsIn(t, t.weight).length > 0 ? 'weight: counts' : 'weight');
  const race = t.timing === 'race';
  note(t.delay === undefined ? 'timing:immediate' : race ? 'timing:race' : 'timing:holding');
  if (race) {
    if (t.servers !== undefined) note(`race servers:${t.servers}`);
    if (t.memory !== undefined) note(`race memory:${t.memory}`);
    if (t.speed !== undefined) note(countsIn(t, t.speed).length > 0 ? 'race speed: counts' : 'race speed');
    for (const what of ['guard', 'priority', 'weight'] as const) if (t[what] !== undefined) note(`race with ${what}`);
    if ((t.free ?? []).length > 0) note('race with free variable');
    for (const kind of ['inhibit', 'reset', 'read'])
      if (t.inputs.some((a) => a.kind === kind)) note(`race with ${kind}`);
  }
  if (t.delay !== undefined) ofDelay(t.delay, race ? 'race' : 'delay', note);
  if (t.process !== undefined && t.delay !== undefined && isDistribution(t.delay)) {
    note(`${race ? 'race' : 'delay'} drawn by a process`);
    if (variablesOf(t.process).size > 0) note('process: of the binding');
  }
}

function ofDelay(delay: Delay, what: string, note: Note): void {
  if (isDistribution(delay)) note(`dist:${delay.dist}`);
  else if (delay.op === 'const' && delay.value === 0) note(`${what} 0`);
  else note(delay.op === 'const' ? `${what} constant` : `${what} expression`);
  if (isDistribution(delay)) note(`${what} drawn`);
}

/** True if a variable joins tokens of two arcs. */
function joins(t: Transition): boolean {
  const binding = t.inputs.filter((a) => a.kind === 'take' || a.kind === 'read');
  const names = binding.map((a) => new Set(Object.values(a.pattern).flatMap((e) => (e.op === 'var' ? [e.name] : []))));
  return names.some((a, k) => names.some((b, j) => j > k && [...a].some((v) => b.has(v))));
}

function expressionsOfPlace(p: Place): Expression[] {
  const s = p.service;
  const own = p.priority === undefined ? [] : [p.priority];
  if (s === undefined) return own;
  if (s.kind === 'max-min') return [...own, s.amount, s.weight, s.bound, s.route];
  return [...own, ...expressionsOfDelay(s.time), ...(s.kind === 'priority' ? [s.priority] : [])];
}

function expressionsOfTransition(t: Transition): Expression[] {
  return [
    ...t.inputs.flatMap((a) => Object.values(a.pattern)),
    ...t.outputs.flatMap((a) => [a.count, ...Object.values(a.values)]),
    ...[t.guard, t.weight, t.speed, t.process].filter((e) => e !== undefined),
    ...(t.delay === undefined ? [] : expressionsOfDelay(t.delay)),
  ];
}

function expressionsOfDelay(delay: Delay): Expression[] {
  return isDistribution(delay) ? parametersOf(delay) : [delay];
}

function parts(e: Expression): Expression[] {
  return [e, ...operands(e).flatMap(parts)];
}
