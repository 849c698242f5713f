import { InputError } from '../../base/problem.ts';
import type { WhatIfDocument } from '../../report/whatif.ts';
import { inputFiles } from '../inputs.ts';
import { hostfileOf, type MachineOptions, machineFileOf } from '../target.ts';
import { type Axis, type AxisValue, valuesOf } from './axes.ts';

/** All files that scenarios read. Varied machines and hostfiles that cannot be read are reported by their scenarios. */
export function studyInputs(
  input: { readonly role: 'trace' | 'model'; readonly path: string | undefined },
  axes: readonly Axis[],
  options: MachineOptions,
): WhatIfDocument['inputs'] {
  const inputs: WhatIfDocument['inputs'][number][] = [];
  const add = (role: 'trace' | 'model' | 'machine' | 'hostfile', path: string | undefined): void => {
    const { file } = inputFiles({ file: path });
    if (file !== undefined && !inputs.some((i) => i.role === role && i.path === file.path))
      inputs.push({ role, ...file });
  };
  const tolerant = (role: 'machine' | 'hostfile', path: string | undefined): void => {
    try {
      add(role, path);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
    }
  };
  add(input.role, input.path);
  const varied = (name: string): AxisValue[] => axes.filter((a) => a.name === name).flatMap(valuesOf);
  const machines = varied('machine');
  if (machines.length === 0) add('machine', machineFileOf(options));
  for (const machine of machines) tolerant('machine', machineFileOf({ machine: String(machine) }));
  const placements = varied('placement');
  if (placements.length === 0) add('hostfile', hostfileOf(options));
  for (const placement of placements) tolerant('hostfile', hostfileOf({ placement: String(placement) }));
  return inputs;
}
