import { fail, shown } from '../../../base/problem.ts';
import { Site } from '../../site.ts';
import { sameVariable, type Variable, type Variables, valuesText } from './variables.ts';

/**
 * A label of a module's interface. `sends` and `receives`: messages between modules, with the variables whose values they
 * carry; `phase`: a meeting of all ranks; `resource`: units that ranks hold.
 */
export interface Label<K extends LabelKind = LabelKind, C extends string = string> {
  /** Made by the function of the same name. */
  readonly kind: K;
  /** Names of the carried variables, sorted. */
  readonly carry: readonly C[];
  /** Number of units of a resource. */
  readonly units: number;
}

/** Messages out of a module, messages into it, a meeting of ranks, or units of a resource. */
export type LabelKind = 'sends' | 'receives' | 'phase' | 'resource';

/** Labels of a module by name. */
export type Interface = Readonly<Record<string, Label>>;

/** Names of the labels of some kinds. */
export type LabelsOf<I extends Interface, K extends LabelKind> = {
  [N in keyof I]: I[N] extends Label<infer Own> ? ([Own] extends [K] ? N : never) : never;
}[keyof I] &
  string;

/**
 * Messages that leave the module: `interface: { frames: sends('kind') }`. Each carries the values of the named variables.
 *
 * @throws InputError MODEL002 if a name is not a string or is given twice
 */
export function sends<const C extends readonly string[]>(...carry: C): Label<'sends', C[number]> {
  return { kind: 'sends', carry: carried(carry, sends), units: 0 };
}

/**
 * Messages that enter the module: `interface: { frames: receives('kind') }`. Each carries the values of the named variables.
 *
 * @throws InputError MODEL002 if a name is not a string or is given twice
 */
export function receives<const C extends readonly string[]>(...carry: C): Label<'receives', C[number]> {
  return { kind: 'receives', carry: carried(carry, receives), units: 0 };
}

/** A point of the program that all ranks of all modules with the label pass together: `interface: { step: phase() }`. */
export function phase(): Label<'phase', never> {
  return { kind: 'phase', carry: [], units: 0 };
}

/**
 * Units that ranks hold for a time; modules with the label share them: `interface: { gpu: resource(2) }`.
 *
 * @throws InputError MODEL002 if the number of units is not an integer from 1 to 2^20
 */
export function resource(units = 1): Label<'resource', never> {
  if (!(Number.isSafeInteger(units) && units >= 1 && units <= 2 ** 20))
    fail(
      'MODEL002',
      `resource: expected a number of units from 1 to 2^20, got ${shown(units)}`,
      new Site(resource).place,
    );
  return { kind: 'resource', carry: [], units };
}

function carried<C extends string>(names: readonly C[], above: (...args: never[]) => unknown): C[] {
  const isText = names.every((name) => typeof name === 'string');
  const sorted = isText ? [...names].sort() : [];
  if (!isText || sorted.some((name, k) => name === sorted[k - 1]))
    fail(
      'MODEL002',
      `${above.name}: expected names of different variables, got ${names.map(shown).join(', ')}`,
      new Site(above).place,
    );
  return sorted;
}

/** A label with the colour sets of the values it carries: it can be compared with those of other modules. */
export interface ColouredLabel extends Label {
  /** By name of a carried variable. */
  readonly colours: Variables;
}

/** The labels of a module with their colour sets. */
export type ColouredInterface = Readonly<Record<string, ColouredLabel>>;

/** `receives(kind: one of "frame", "end")`, for messages. */
export function labelText({ kind, carry, colours, units }: ColouredLabel): string {
  if (kind === 'resource') return `resource(${units})`;
  return `${kind}(${carry.map((name) => `${name}: ${colourText(colours[name]!)}`).join(', ')})`;
}

const colourText = (v: Variable): string => (v.kind === 'rank' ? 'a rank' : valuesText(v));

/** True if two labels carry the same variables with the same colour sets, and as many units. */
export function sameColours(a: ColouredLabel, b: ColouredLabel): boolean {
  return (
    a.units === b.units &&
    a.carry.length === b.carry.length &&
    a.carry.every((name, k) => name === b.carry[k] && sameVariable(a.colours[name]!, b.colours[name]!))
  );
}
