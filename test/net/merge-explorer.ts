import { type Expression, operands } from '../../src/net/expression.ts';
import type { InputArc, Net, Transition } from '../../src/net/net.ts';

/** Tokens of each place, as sorted strings of their values. */
export type Marking = ReadonlyMap<string, readonly string[]>;

/** An untimed step: the transition, the values exported by its label, and the marking after it. */
export interface Step {
  readonly transition: Transition;
  readonly shown: ReadonlyMap<string, number>;
  readonly marking: Marking;
}

type Binding = ReadonlyMap<string, number>;

export function initialMarking(net: Net): Marking {
  return new Map(
    net.places.map((p) => [p.name, p.initial.flatMap((t) => Array<string>(t.count).fill(tokenOf(t.values))).sort()]),
  );
}

export function markingText(marking: Marking): string {
  return [...marking]
    .map(([place, tokens]) => `${place}: ${tokens.join(' ')}`)
    .sort()
    .join('; ');
}

/**
 * All steps that are possible in a marking, ignoring times, weights and priorities, with places as bags. Plain token counts;
 * all combinations are enumerated.
 */
export function stepsOf(net: Net, marking: Marking): Step[] {
  return net.transitions.flatMap((t) => bindings(net, t, marking).flatMap((b) => fired(net, t, b, marking)));
}

function bindings(net: Net, t: Transition, marking: Marking): Binding[] {
  let found: Map<string, number>[] = [new Map()];
  for (const arc of t.inputs) {
    if (arc.kind !== 'take' && arc.kind !== 'read') continue;
    const fields = net.places.find((p) => p.name === arc.place)!.fields;
    found = found.flatMap((b) =>
      [...new Set(marking.get(arc.place)!)].flatMap((token) => {
        const more = new Map(b);
        for (const [k, value] of values(token).entries()) {
          const e = arc.pattern[fields[k]!.name];
          if (e?.op === 'var' && more.has(e.name) && more.get(e.name) !== value) return [];
          if (e?.op === 'var') more.set(e.name, value);
        }
        return [more];
      }),
    );
  }
  for (const { name, colour } of t.free ?? []) {
    const set = net.colours.find((c) => c.name === colour)!;
    if (set.kind !== 'range') throw new Error('no range');
    const all = Array.from({ length: set.high - set.low + 1 }, (_, k) => set.low + k);
    found = found.flatMap((b) => all.map((value) => new Map(b).set(name, value)));
  }
  return found;
}

/** The steps of a binding that patterns, guard and token counts permit. */
function fired(net: Net, t: Transition, b: Binding, marking: Marking): Step[] {
  const fields = (place: string): readonly string[] =>
    net.places.find((p) => p.name === place)!.fields.map((f) => f.name);
  const fits =
    (arc: InputArc) =>
    (token: string): boolean =>
      fields(arc.place).every((f, k) => arc.pattern[f] === undefined || value(arc.pattern[f], b) === values(token)[k]);
  const colour = (place: string, given: Readonly<Record<string, Expression>>): string =>
    tokenOf(fields(place).map((f) => value(given[f]!, b)));
  if (t.guard !== undefined && value(t.guard, b) === 0) return [];

  // A pattern that omits columns may match several colours: all alternatives are listed.
  let ways: Map<string, string[]>[] = [new Map([...marking].map(([place, tokens]) => [place, [...tokens]]))];
  for (const arc of t.inputs) {
    if (arc.kind === 'read' && !marking.get(arc.place)!.some(fits(arc))) return [];
    if (arc.kind === 'inhibit' && marking.get(arc.place)!.filter(fits(arc)).length >= arc.count) return [];
    if (arc.kind !== 'take') continue;
    ways = ways.flatMap((way) => {
      const tokens = way.get(arc.place)!;
      return [...new Set(tokens.filter(fits(arc)))].flatMap((token) => {
        const rest = [...tokens];
        for (let n = 0; n < arc.count; n++) {
          const k = rest.indexOf(token);
          if (k < 0) return [];
          rest.splice(k, 1);
        }
        return [new Map(way).set(arc.place, rest)];
      });
    });
  }
  const exports = Object.entries(t.label?.exports ?? {});
  return ways.map((way) => {
    const next = new Map(way);
    for (const arc of t.inputs)
      if (arc.kind === 'reset')
        next.set(
          arc.place,
          next.get(arc.place)!.filter((token) => !fits(arc)(token)),
        );
    for (const arc of t.outputs) {
      const brought = Array<string>(value(arc.count, b)).fill(colour(arc.place, arc.values));
      next.set(arc.place, [...next.get(arc.place)!, ...brought].sort());
    }
    return { transition: t, shown: new Map(exports.map(([name, x]) => [name, b.get(x)!])), marking: next };
  });
}

function tokenOf(values: readonly number[]): string {
  return JSON.stringify(values);
}

function values(token: string): number[] {
  return JSON.parse(token) as number[];
}

/** Value of an expression; supports only the operators that random nets use. */
function value(e: Expression, b: Binding): number {
  if (e.op === 'const') return e.value;
  if (e.op === 'var') return b.get(e.name)!;
  const [x, y] = operands(e).map((part) => value(part, b)) as [number, number];
  switch (e.op) {
    case 'sub':
      return x - y;
    case 'min':
      return Math.min(x, y);
    case 'le':
      return Number(x <= y);
    case 'and':
      return Number(x !== 0 && y !== 0);
    default:
      throw new Error(`${e.op} is not expected here`);
  }
}
