import type { Machine } from '../../machine/machine.ts';

/**
 * A machine with one parameter changed: `path` as in `link.latency` (without the `machine.` of the axis), `change` a
 * value in SI units, a text with a unit, or a change of what is there (`x0.5`, `+10%`).
 *
 * @throws InputError where there is no such parameter, or the change does not fit it
 */
export type ChangeMachine = (machine: Machine, path: string, change: string | number) => Machine;

/** The change that studies make of a machine; undefined as long as machines have no parameters by name. */
export async function machineChange(): Promise<ChangeMachine | undefined> {
  return undefined;
}
