import { assertNever } from '../../base/problem.ts';
import type { ColourSet, Field } from '../colour.ts';
import { isDistribution, withParameters } from '../distribution.ts';
import { type Expression, withOperands } from '../expression.ts';
import type { Delay, Net, Place, Service, Transition } from '../net.ts';

/** Maps an old name to a new one. */
export type NewName = (name: string) => string;

/** New names by kind of part; omitted kinds are unchanged. */
export interface NewNames {
  readonly places?: NewName;
  readonly transitions?: NewName;
  readonly labels?: NewName;
  readonly colours?: NewName;
  readonly tables?: NewName;
  readonly functions?: NewName;
}

/** New names, including variables of one transition. */
export interface NewNamesInside extends NewNames {
  readonly variables?: NewName;
}

const stays: NewName = (name) => name;

/** Renames parts of a net wherever they occur. Collisions are not detected. O(size of the net). */
export function substituteInNet(net: Net, names: NewNames): Net {
  const { places = stays, colours = stays, tables = stays, functions = stays } = names;
  return {
    ...net,
    colours: net.colours.map((c) => inColourSet(c, colours)),
    tables: net.tables.map((t) => ({
      ...t,
      name: tables(t.name),
      ...(t.kind !== 'int' || t.colour === undefined ? {} : { colour: colours(t.colour) }),
    })),
    places: net.places.map((p) => inPlace(p, names)),
    transitions: net.transitions.map((t) => substituteInTransition(t, names)),
    ...(net.processes === undefined
      ? {}
      : { processes: { colour: colours(net.processes.colour), ended: places(net.processes.ended) } }),
    ...(net.finalMarkings === undefined
      ? {}
      : { finalMarkings: net.finalMarkings.map((m) => m.map((p) => ({ ...p, place: places(p.place) }))) }),
    ...(net.functions === undefined
      ? {}
      : { functions: net.functions.map((f) => ({ ...f, name: functions(f.name) })) }),
  };
}

/** Renames parts in a transition; the shared names of label exports are unchanged. */
export function substituteInTransition(t: Transition, names: NewNamesInside): Transition {
  const { places = stays, transitions = stays, labels = stays, colours = stays, variables = stays } = names;
  const inside = (e: Expression): Expression => substituteInExpression(e, names);
  const each = (given: Readonly<Record<string, Expression>>): Record<string, Expression> =>
    Object.fromEntries(Object.entries(given).map(([column, e]) => [column, inside(e)]));
  return {
    ...t,
    name: transitions(t.name),
    inputs: t.inputs.map((a) => ({ ...a, place: places(a.place), pattern: each(a.pattern) })),
    outputs: t.outputs.map((a) => ({ place: places(a.place), values: each(a.values), count: inside(a.count) })),
    ...(t.process === undefined ? {} : { process: inside(t.process) }),
    ...(t.free === undefined
      ? {}
      : { free: t.free.map((f) => ({ name: variables(f.name), colour: colours(f.colour) })) }),
    ...(t.guard === undefined ? {} : { guard: inside(t.guard) }),
    ...(t.weight === undefined ? {} : { weight: inside(t.weight) }),
    ...(t.speed === undefined ? {} : { speed: inside(t.speed) }),
    ...(t.counts === undefined
      ? {}
      : {
          counts: t.counts.map((c) => ({ name: variables(c.name), place: places(c.place), pattern: each(c.pattern) })),
        }),
    ...(t.delay === undefined ? {} : { delay: inDelay(t.delay, inside) }),
    ...(t.label === undefined
      ? {}
      : {
          label: {
            name: labels(t.label.name),
            exports: Object.fromEntries(Object.entries(t.label.exports).map(([name, v]) => [name, variables(v)])),
          },
        }),
  };
}

/** Renames variables, tables, functions and enumerations in an expression. O(its size). */
export function substituteInExpression(e: Expression, names: NewNamesInside): Expression {
  const inside = (x: Expression): Expression => substituteInExpression(x, names);
  const { variables = stays, tables = stays, functions = stays, colours = stays } = names;
  switch (e.op) {
    case 'const':
      return e.colour === undefined ? e : { ...e, colour: colours(e.colour) };
    case 'var':
      return { op: 'var', name: variables(e.name) };
    case 'at':
    case 'step':
      return { op: e.op, table: tables(e.table), index: inside(e.index) };
    case 'call':
      return { op: 'call', function: functions(e.function), args: e.args.map(inside) };
    default:
      return withOperands(e, inside);
  }
}

/** Variables in a place's expressions are its own columns and are unchanged. */
function inPlace(p: Place, names: NewNames): Place {
  const { places = stays, colours = stays, tables = stays } = names;
  const inside = (e: Expression): Expression => substituteInExpression(e, names);
  return {
    ...p,
    name: places(p.name),
    fields: p.fields.map((f) => inField(f, colours)),
    ...(p.priority === undefined ? {} : { priority: inside(p.priority) }),
    ...(p.service === undefined ? {} : { service: inService(p.service, inside, tables) }),
  };
}

function inColourSet(c: ColourSet, colours: NewName): ColourSet {
  const name = colours(c.name);
  if (c.kind === 'product') return { ...c, name, parts: c.parts.map(colours) };
  if (c.kind === 'record') return { ...c, name, fields: c.fields.map((f) => inField(f, colours)) };
  return { ...c, name };
}

function inField(f: Field, colours: NewName): Field {
  return { name: f.name, colour: colours(f.colour) };
}

type Inside = (e: Expression) => Expression;

function inService(s: Service, inside: Inside, tables: NewName): Service {
  switch (s.kind) {
    case 'max-min':
      return {
        ...s,
        amount: inside(s.amount),
        weight: inside(s.weight),
        bound: inside(s.bound),
        routes: tables(s.routes),
        route: inside(s.route),
        ...(s.latency === undefined ? {} : { latency: inside(s.latency) }),
        ...(s.latencyFactor === undefined ? {} : { latencyFactor: inside(s.latencyFactor) }),
      };
    case 'priority':
      return { ...s, time: inDelay(s.time, inside), priority: inside(s.priority) };
    case 'fcfs':
    case 'lcfs-pr':
    case 'ps':
    case 'is':
      return { ...s, time: inDelay(s.time, inside) };
    default:
      return assertNever(s);
  }
}

function inDelay(d: Delay, inside: Inside): Delay {
  if (!isDistribution(d)) return inside(d);
  return withParameters(d, (value) => (typeof value === 'number' ? value : inside(value)));
}
