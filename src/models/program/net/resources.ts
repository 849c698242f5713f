import type { Recorded } from '../record/recorder.ts';
import { type Statement, statementsIn } from '../record/statement.ts';
import type { Shaped } from '../resolve/shape.ts';
import { RANK } from '../resolve/state.ts';
import type { ControlNet, Point } from './control-net.ts';

/** The program whose net has the initial units of each resource: the first one that uses it. */
export function firstUsers(programs: readonly Recorded[]): ReadonlyMap<string, Recorded> {
  const first = new Map<string, Recorded>();
  for (const program of programs)
    for (const s of statementsIn(program.body))
      if (s.kind === 'acquire' && !first.has(s.resource.name)) first.set(s.resource.name, program);
  return first;
}

/** Net of a step that takes a unit of a resource, waiting for it, or returns one. */
export function emitResource(
  control: ControlNet,
  shaped: Shaped,
  label: string,
  { kind, resource }: Extract<Statement, { kind: 'acquire' | 'release' }>,
  at: Point,
  next: Point,
): void {
  const { free, holders } = control.resource(resource);
  control.step(label, at, next, (t, state) => {
    const rank = state[RANK]!;
    if (kind === 'acquire') {
      t.take(free);
      t.put(holders, { rank });
    } else {
      t.take(holders, { rank });
      t.put(free, {});
    }
    return undefined;
  });
  control.describe(label, { statement: shaped, ...(kind === 'acquire' ? { before: 'waiting' } : {}) });
}
