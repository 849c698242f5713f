import type { Firing, StateSpace } from '../../analysis/space/state-space.ts';

/** A shortest firing sequence to a state of a breadth-first space: the states of smaller distance are searched backwards. */
export function pathTo(space: StateSpace, goal: number): Firing[] {
  const path: Firing[] = [];
  const { levels } = space;
  let target = goal;
  let level = levels.findLastIndex((first) => first <= target);
  for (; level > 0; level--) {
    const step = stepInto(space, levels[level - 1]!, levels[level]!, target)!;
    path.push(step.firing);
    target = step.from;
  }
  return path.reverse();
}

function stepInto(
  space: StateSpace,
  from: number,
  to: number,
  target: number,
): { readonly from: number; readonly firing: Firing } | undefined {
  for (let state = from; state < to; state++)
    for (const firing of space.firings(state)) if (firing.target === target) return { from: state, firing };
  return undefined;
}
