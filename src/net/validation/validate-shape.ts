import { InputError, type Problem } from '../../base/problem.ts';
import type { Form, Parameter } from '../distributions/form.ts';
import { LAWS } from '../distributions/laws.ts';
import type { Net } from '../net.ts';
import {
  any,
  boolean,
  byName,
  column,
  type Fault,
  instead,
  list,
  members,
  number,
  object,
  type Shape,
  text,
  typed,
} from './shape.ts';

/** Maximum number of problems reported. */
const MAX_REPORTED = 100;

/** Operators and operands are checked together with the type. */
const expression: Shape = object;
const texts = list(text);
const numbers = list(number);

/** Selects the shape by a tag member; an unknown tag is reported elsewhere. */
const oneOf =
  (by: string, kinds: Readonly<Record<string, Shape>>, otherwise: Shape = any): Shape =>
  (value) => {
    const fault = object(value);
    if (fault !== undefined) return fault;
    const kind = (value as Readonly<Record<string, unknown>>)[by];
    return (typeof kind === 'string' && Object.hasOwn(kinds, kind) ? kinds[kind]! : otherwise)(value);
  };

const field = members({ name: text, colour: text });

/** Shape of an object with an unknown tag: only the name is checked. */
const named: Shape = (value) => text((value as { readonly name?: unknown }).name);

const colour = oneOf(
  'kind',
  {
    unit: members({ kind: any, name: text }),
    bool: members({ kind: any, name: text }),
    integer: members({ kind: any, name: text }),
    range: members({ kind: any, name: text, low: number, high: number }),
    enum: members({ kind: any, name: text, values: texts }),
    product: members({ kind: any, name: text, parts: texts }),
    record: members({ kind: any, name: text, fields: list(field) }),
  },
  named,
);

const table = oneOf(
  'kind',
  {
    int: members({ kind: any, name: text, values: column('Int32Array'), low: number, high: number }, { colour: text }),
    real: members({ kind: any, name: text, values: column('Float64Array') }),
    step: members({ kind: any, name: text, from: typed('Float64Array'), values: typed('Float64Array') }),
    routes: members({
      kind: any,
      name: text,
      start: typed('Int32Array'),
      link: typed('Int32Array'),
      coefficient: typed('Float64Array'),
    }),
  },
  named,
);

const parameter = ({ known }: Parameter): Shape => (known ? number : expression);
const shapeOf = (form: Form[string]): Shape => {
  if (form.kind === 'parameter') return parameter(form);
  return form.kind === 'samples' ? numbers : list(members(mapped(form.members, parameter)));
};
const mapped = <V>(all: Readonly<Record<string, V>>, shape: (value: V) => Shape): Record<string, Shape> =>
  Object.fromEntries(Object.entries(all).map(([name, value]) => [name, shape(value)]));
const distribution = oneOf(
  'dist',
  mapped(LAWS, ({ form }) => members({ dist: any, ...mapped<Form[string]>(form, shapeOf) })),
);
const delay: Shape = (value) => object(value) ?? ('dist' in (value as object) ? distribution : expression)(value);

const link = members({ name: text, capacity: number, fatpipe: boolean }, { level: boolean });
const served = members({ kind: any, servers: number, time: delay });
const service = oneOf('kind', {
  'max-min': members({
    kind: any,
    links: list(link),
    amount: expression,
    weight: expression,
    bound: expression,
    routes: text,
    route: expression,
  }),
  fcfs: served,
  'lcfs-pr': served,
  ps: served,
  is: members({ kind: any, time: delay }),
  priority: members({ kind: any, servers: number, time: delay, priority: expression, preemptive: boolean }),
});

const place = members(
  {
    name: text,
    fields: list(field),
    order: any,
    key: texts,
    initial: list(members({ values: numbers, count: number })),
  },
  { kind: any, priority: expression, service, capacity: number, owner: text, modules: texts },
);

const input = members({ kind: any, place: text, pattern: byName(expression), count: number });
const output = members({ place: text, values: byName(expression), count: expression });
const transition = members(
  { name: text, inputs: list(input), outputs: list(output) },
  {
    kind: any,
    process: expression,
    free: list(field),
    guard: expression,
    priority: number,
    weight: expression,
    delay,
    timing: any,
    servers: any,
    label: members({ name: text, exports: byName(text) }),
    modules: texts,
  },
);

const whole = members(
  { name: text, colours: list(any), tables: list(any), places: list(any), transitions: list(any) },
  {
    functions: list(any),
    processes: members({ colour: text, ended: text }),
    finalMarkings: list(list(members({ place: text, count: number }))),
    untimed: any,
  },
);

/**
 * Checks that a net has the shape of its TypeScript type; a net from plain JavaScript may have any. All other rules
 * rely on this check. O(size of the net) without expressions and tables.
 */
export function validateShape(net: Net): Problem[] {
  const fault = whole(net);
  if (fault !== undefined) return [problem('net', fault)];
  const problems: Problem[] = [];
  const each = (what: string, at: string, of: Shape, parts: readonly { readonly name: unknown }[]): void => {
    parts.forEach((part, k) => {
      const found = problems.length < MAX_REPORTED ? of(part) : undefined;
      if (found === undefined) return;
      const name = part?.name;
      problems.push(problem(typeof name === 'string' && name !== '' ? `${what} ${name}` : `${at}[${k}]`, found));
    });
  };
  each('colour set', 'colours', colour, net.colours);
  each('table', 'tables', table, net.tables);
  each('place', 'places', place, net.places);
  each('transition', 'transitions', transition, net.transitions);
  each('function', 'functions', members({ name: text, apply: any }), net.functions ?? []);
  return problems;
}

/** The members that every net has: a name and lists. */
const PARTS = ['name', 'colours', 'tables', 'places', 'transitions'] as const;

/** The fault of a value that is obviously not a net. */
function noNet(value: unknown): Fault | undefined {
  const fault = object(value);
  if (fault !== undefined) return fault;
  const net = value as Readonly<Record<string, unknown>>;
  for (const part of PARTS) {
    if (net[part] === undefined) return { path: '', message: `missing member "${part}"` };
    const wrong =
      part === 'name' ? text(net[part]) : Array.isArray(net[part]) ? undefined : instead(net[part], 'a list');
    if (wrong !== undefined) return { ...wrong, path: part };
  }
  return undefined;
}

/** True if a value looks like a net; validation does the full check. O(1). */
export function isNet(value: unknown): value is Net {
  return noNet(value) === undefined;
}

/**
 * Rejects values that are obviously not nets, in functions that expect a valid net. O(1).
 *
 * @param part name of the value in messages
 * @throws InputError NET037
 */
export function assertNet(value: unknown, part = 'net'): asserts value is Net {
  const fault = noNet(value);
  if (fault !== undefined) throw new InputError([problem(part, fault)]);
}

function problem(part: string, { path, message }: Fault): Problem {
  return { code: 'NET037', message: path === '' ? message : `${path.replace(/^\./, '')}: ${message}`, place: { part } };
}
