import { InputError, type Problem } from '../../base/problem.ts';
import { inMemory, isAlways, type NetForm, type NetObject } from '../form.ts';
import type { Net } from '../net.ts';
import { COLOUR, DISTRIBUTION, FINAL_MARKINGS, PLACE, PROCESSES, TABLE, TRANSITION } from '../net-form.ts';
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

/** Selects the shape by a tag member; an unknown tag is reported elsewhere. */
const oneOf =
  (by: string, kinds: Readonly<Record<string, Shape>>, otherwise: Shape): Shape =>
  (value) => {
    const fault = object(value);
    if (fault !== undefined) return fault;
    const kind = (value as Readonly<Record<string, unknown>>)[by];
    return (typeof kind === 'string' && Object.hasOwn(kinds, kind) ? kinds[kind]! : otherwise)(value);
  };

/** Shape of an object with an unknown tag: only the name is checked. */
const named: Shape = (value) => text((value as { readonly name?: unknown }).name);

/** The shape of a part in memory: expressions are checked together with their types, words by their rules. */
function shapeOf(form: NetForm): Shape {
  switch (form.kind) {
    case 'text':
      return text;
    case 'boolean':
      return boolean;
    case 'integer':
    case 'number':
      return number;
    case 'word':
    case 'words':
    case 'servers':
      return any;
    case 'expression':
    case 'located':
      return object;
    case 'delay':
      return (value) => object(value) ?? ('dist' in (value as object) ? distribution : object)(value);
    case 'integers':
      return form.paged ? column('Int32Array') : typed('Int32Array');
    case 'reals':
      return form.paged ? column('Float64Array') : typed('Float64Array');
    case 'samples':
      return list(number);
    case 'tokens':
      return list(members({ values: list(number), count: number }));
    case 'marking':
      return list(members({ place: text, count: number }));
    case 'by name':
      return byName(shapeOf(form.values));
    case 'list':
      return list(shapeOf(form.items));
    case 'object':
      return objectOf(form);
    case 'kinds': {
      const shapes = Object.entries(form.forms).map(([kind, one]) => [kind, objectOf(one)]);
      const all = Object.values(form.forms);
      return oneOf(form.tag, Object.fromEntries(shapes), all.every((one) => 'name' in one.members) ? named : any);
    }
  }
}

function objectOf({ members: all }: NetObject): Shape {
  const shapes = (always: boolean): Record<string, Shape> =>
    Object.fromEntries(
      inMemory(all)
        .filter(([, member]) => isAlways(member) === always)
        .map(([name, { form }]) => [name, shapeOf(form)]),
    );
  return members(shapes(true), shapes(false));
}

const distribution = shapeOf(DISTRIBUTION);
const [colour, table, place, transition] = [COLOUR, TABLE, PLACE, TRANSITION].map(shapeOf) as [
  Shape,
  Shape,
  Shape,
  Shape,
];

const whole = members(
  { name: text, colours: list(any), tables: list(any), places: list(any), transitions: list(any) },
  {
    functions: list(any),
    processes: shapeOf(PROCESSES),
    finalMarkings: shapeOf(FINAL_MARKINGS),
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
