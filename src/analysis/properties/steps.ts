import { didYouMean, fail, quote } from '../../base/problem.ts';
import type { ColourSet, Column } from '../../net/colour.ts';
import { columnsOf } from '../../net/colour.ts';
import type { InputArc, Net, Transition } from '../../net/net.ts';
import type { Step, StepKind } from '../space/state-space.ts';
import { coloursOf, valueText } from './colours.ts';

/**
 * A step identified by names: the transition that fires, starts or ends, or for `serve` the place that serves. Values of
 * enumerations in the binding are given by name.
 */
export interface NamedStep {
  /** Firing without delay, start or end of a timed firing, or service of a token. */
  readonly kind: StepKind;
  /** Name of the transition; for `serve`, of the place. */
  readonly node: string;
  /** Values of the transition's variables by name; for `serve`, of the token's columns. */
  readonly binding: Readonly<Record<string, number | string>>;
}

/** The column or free variable that defines the values of each variable of a transition. */
function variableColumns(net: Net, t: Transition): Map<string, Column> {
  const found = new Map<string, Column>();
  const sets = new Map<string, ColourSet>(net.colours.map((c) => [c.name, c]));
  const colours = coloursOf(net);
  for (const column of columnsOf(t.free ?? [], sets)) found.set(column.name, column);
  for (const arc of t.inputs)
    for (const column of colours.columns(arc.place)) {
      const term = arc.pattern[column.name];
      if (term?.op === 'var' && !found.has(term.name)) found.set(term.name, column);
    }
  for (const { column, name } of openColumns(net, t)) found.set(name, column);
  return found;
}

/** A column that an arc leaves open. Bindings of steps give its value under its own name, `place.column`. */
export interface OpenColumn {
  readonly arc: InputArc;
  readonly column: Column;
  readonly name: string;
}

/**
 * The columns left open by arcs that take or read. In the name, `place#2.column` denotes the second such arc of the place; a
 * `'` is appended if a variable has the same name.
 */
export function openColumns(net: Net, t: Transition): OpenColumn[] {
  const used = new Set([
    ...(t.free ?? []).map((f) => f.name),
    ...t.inputs.flatMap((a) => Object.values(a.pattern).flatMap((e) => (e.op === 'var' ? [e.name] : []))),
  ]);
  const numbers = new Map<string, number>();
  return t.inputs.flatMap((arc) => {
    if (arc.kind !== 'take' && arc.kind !== 'read') return [];
    const number = (numbers.get(arc.place) ?? 0) + 1;
    numbers.set(arc.place, number);
    return coloursOf(net)
      .columns(arc.place)
      .filter((column) => arc.pattern[column.name] === undefined)
      .map((column) => {
        let name = `${arc.place}${number === 1 ? '' : `#${number}`}.${column.name}`;
        while (used.has(name)) name += "'";
        used.add(name);
        return { arc, column, name };
      });
  });
}

function columnsOfNode(net: Net, kind: StepKind, node: number): Map<string, Column> {
  if (kind !== 'serve') return variableColumns(net, net.transitions[node]!);
  return new Map(
    coloursOf(net)
      .columns(net.places[node]!.name)
      .map((c) => [c.name, c]),
  );
}

/** A step of a space with the names of its net. */
export function namedStep(net: Net, { kind, node, binding }: Step): NamedStep {
  const columns = columnsOfNode(net, kind, node);
  const words = Object.entries(binding).map(([name, value]) => {
    const text = valueText(columns.get(name), value);
    return [name, text === String(value) ? value : text] as const;
  });
  return {
    kind,
    node: (kind === 'serve' ? net.places : net.transitions)[node]!.name,
    binding: Object.fromEntries(words),
  };
}

/**
 * A named step as indices and numbers.
 *
 * @throws InputError PROP030 for an unknown node or value; `part` names the step
 */
export function stepOf(net: Net, { kind, node, binding }: NamedStep, part: string): Step {
  const { places, transitions } = coloursOf(net);
  const known = kind === 'serve' ? places : transitions;
  const index =
    known.get(node) ??
    fail(
      'PROP030',
      `unknown ${kind === 'serve' ? 'place' : 'transition'} ${quote(node)}.${didYouMean(node, known.keys())}`,
      { part },
    );
  const columns = columnsOfNode(net, kind, index);
  const numbers = Object.entries(binding).map(([name, value]) => {
    if (typeof value === 'number') return [name, value] as const;
    const set = columns.get(name)?.colour;
    const names = set?.kind === 'enum' ? set.values : set?.kind === 'bool' ? ['false', 'true'] : [];
    const number = names.indexOf(value);
    if (number < 0)
      fail('PROP030', `${quote(value)} is not a value of ${quote(name)}.${didYouMean(value, names)}`, { part });
    return [name, number] as const;
  });
  return { kind, node: index, binding: Object.fromEntries(numbers) };
}
