import { type ColourSet, columnsOf } from './colour.ts';
import { isDistribution, parametersOf } from './distribution.ts';
import { type Expression, operands } from './expression.ts';
import type { Delay, Net, Place, Transition } from './net.ts';

/** All expressions of a place, including distribution parameters. */
export function expressionsOfPlace({ priority, service: s }: Place): Expression[] {
  const out = priority === undefined ? [] : [priority];
  if (s === undefined) return out;
  if (s.kind === 'max-min') {
    const waits = [s.latency, s.latencyFactor].filter((e) => e !== undefined);
    return [...out, s.amount, s.weight, s.bound, s.route, ...waits];
  }
  out.push(...expressionsOfDelay(s.time));
  return s.kind === 'priority' ? [...out, s.priority] : out;
}

/** All expressions of a transition, including distribution parameters. */
export function expressionsOfTransition(t: Transition): Expression[] {
  return [
    ...t.inputs.flatMap((a) => Object.values(a.pattern)),
    ...t.outputs.flatMap((a) => [...Object.values(a.values), a.count]),
    ...[t.guard, t.process, t.weight, t.speed].filter((e) => e !== undefined),
    ...(t.counts ?? []).flatMap((c) => Object.values(c.pattern)),
    ...(t.delay === undefined ? [] : expressionsOfDelay(t.delay)),
  ];
}

/** For each function, the first part of the net that calls it, e.g. `transition work`. O(size of the net). */
export function callersOf(net: Net): Map<string, string> {
  const callers = new Map<string, string>();
  if (net.functions === undefined || net.functions.length === 0) return callers;
  const look = (e: Expression, part: string): void => {
    if (e.op === 'call' && !callers.has(e.function)) callers.set(e.function, part);
    for (const x of operands(e)) look(x, part);
  };
  for (const t of net.transitions) for (const e of expressionsOfTransition(t)) look(e, `transition ${t.name}`);
  for (const p of net.places) for (const e of expressionsOfPlace(p)) look(e, `place ${p.name}`);
  return callers;
}

function expressionsOfDelay(delay: Delay): Expression[] {
  return isDistribution(delay) ? parametersOf(delay) : [delay];
}

/**
 * Flattens fields of composite colour to columns, the form engines and analyses use; arcs and expressions already name
 * columns. Returns the same net if nothing changes. O(places).
 */
export function scalarNet(net: Net): Net {
  if (!net.colours.some((c) => c.kind === 'unit' || c.kind === 'product' || c.kind === 'record')) return net;
  const colours = new Map<string, ColourSet>(net.colours.map((c) => [c.name, c]));
  return {
    ...net,
    places: net.places.map((p) => ({
      ...p,
      fields: columnsOf(p.fields, colours).map((c) => ({ name: c.name, colour: c.colour.name })),
    })),
  };
}
