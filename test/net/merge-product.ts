import type { Net } from '../../src/net/net.ts';
import { type Marking, type Step, stepsOf } from './merge-explorer.ts';

/** An event and the marking after it. */
export interface Move {
  readonly event: string;
  readonly marking: Marking;
}

/** Name of a joint step of several nets, with the exported values. */
export function event(steps: readonly Step[]): string {
  const shown = new Map(steps.flatMap((s) => [...s.shown]));
  const values = [...shown].map(([name, value]) => `${name}=${value}`).sort();
  return `${steps
    .map((s) => s.transition.name)
    .sort()
    .join('+')}(${values.join(', ')})`;
}

/**
 * Synchronised product of the nets' behaviours, by definition: a step without a label is local to one net; a labelled step
 * is taken jointly by all nets with that label, if they export equal values under equal names.
 */
export function productMoves(nets: readonly Net[], marking: Marking): Move[] {
  const parts = nets.map((n) => new Map(n.places.map((p) => [p.name, marking.get(p.name)!])));
  const steps = nets.map((n, k) => stepsOf(n, parts[k]!));
  const joint = (chosen: ReadonlyMap<number, Step>): Move => ({
    event: event([...chosen.values()]),
    marking: new Map(parts.flatMap((part, k) => [...(chosen.get(k)?.marking ?? part)])),
  });
  const own = steps.flatMap((list, k) =>
    list.filter((s) => s.transition.label === undefined).map((s) => joint(new Map([[k, s]]))),
  );
  const labels = new Set(nets.flatMap((n) => n.transitions.flatMap((t) => t.label?.name ?? [])));
  const common = [...labels].flatMap((label) => {
    let chosen: Map<number, Step>[] = [new Map()];
    nets.forEach((n, k) => {
      if (!n.transitions.some((t) => t.label?.name === label)) return;
      const mine = steps[k]!.filter((s) => s.transition.label?.name === label);
      chosen = chosen.flatMap((c) => mine.filter((s) => agree(s, [...c.values()])).map((s) => new Map(c).set(k, s)));
    });
    return chosen.map(joint);
  });
  return [...own, ...common];
}

function agree(step: Step, others: readonly Step[]): boolean {
  return others.every((o) => [...step.shown].every(([name, value]) => (o.shown.get(name) ?? value) === value));
}
