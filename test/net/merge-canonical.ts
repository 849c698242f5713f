import { conjuncts, type Expression, expressionText } from '../../src/net/expression.ts';
import { substituteInTransition } from '../../src/net/merge/substitute.ts';
import type { Net, Transition } from '../../src/net/net.ts';

/**
 * Canonical string of a net, independent of the order of declarations, of the names of private variables, and of the order
 * of operands of conjunctions, maxima and products. Nodes without modules belong to the net's own module.
 */
export function canonical(net: Net): string {
  const sorted = (lines: readonly string[]): string => [...lines].sort().join('\n');
  const modules = (of: { readonly modules?: readonly string[] }): readonly string[] => of.modules ?? [net.name];
  return [
    sorted(net.colours.map((c) => json(c))),
    sorted(net.places.map((p) => json({ ...p, modules: modules(p) }))),
    sorted(net.transitions.map((t) => canonicalTransition({ ...t, modules: modules(t) }))),
    json(net.processes),
  ].join('\n\n');
}

function canonicalTransition(t: Transition): string {
  const shared = new Map(Object.entries(t.label?.exports ?? {}).map(([name, variable]) => [variable, name]));
  const privates = [...occurring(t)].filter((x) => !shared.has(x));
  // Private variables are distinguished by their occurrences, and by those of the variables that occur with them.
  let rank = new Map(privates.map((x) => [x, 0]));
  for (let round = 0; round < 3; round++) {
    const signature = new Map(
      privates.map((x) => [
        x,
        text(t, (y) => (y === x ? '#' : shared.has(y) ? `$${shared.get(y)}` : `?${rank.get(y)}`)),
      ]),
    );
    const known = [...new Set(signature.values())].sort();
    rank = new Map(privates.map((x) => [x, known.indexOf(signature.get(x)!)]));
  }
  const order = [...privates].sort((a, b) => rank.get(a)! - rank.get(b)!);
  return text(t, (x) => (shared.has(x) ? `$${shared.get(x)}` : `v${order.indexOf(x)}`));
}

function text(t: Transition, name: (variable: string) => string): string {
  const { inputs, outputs, guard, delay, weight, free, label, ...rest } = substituteInTransition(t, {
    variables: name,
  });
  return json({
    ...rest,
    priority: rest.priority ?? 0,
    inputs: inputs.map((a) => json({ ...a, pattern: terms(a.pattern) })).sort(),
    outputs: outputs.map((a) => json({ ...a, values: terms(a.values), count: expressionText(a.count) })).sort(),
    guard: conjuncts(guard)
      .map((e) => expressionText(e))
      .sort(),
    delay: delay === undefined ? [] : 'dist' in delay ? [json(delay)] : operandsOf('max', delay),
    weight: weight === undefined ? [] : operandsOf('mul', weight),
    free: (free ?? []).map((f) => json(f)).sort(),
    label: label === undefined ? undefined : { name: label.name, exports: Object.keys(label.exports).sort() },
  });
}

function terms(given: Readonly<Record<string, Expression>>): string[] {
  return Object.entries(given)
    .map(([column, e]) => `${column}: ${expressionText(e)}`)
    .sort();
}

function operandsOf(op: 'max' | 'mul', e: Expression): string[] {
  return e.op === op ? [...operandsOf(op, e.a), ...operandsOf(op, e.b)].sort() : [expressionText(e)];
}

function occurring(t: Transition): Set<string> {
  const found = new Set<string>();
  substituteInTransition(t, {
    variables: (x) => {
      found.add(x);
      return x;
    },
  });
  return found;
}

/** JSON with sorted property names. */
function json(x: unknown): string {
  return (
    JSON.stringify(x, (_, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value,
    ) ?? ''
  );
}
