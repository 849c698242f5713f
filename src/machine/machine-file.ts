import { basename, extname } from 'node:path';
import { checkMachine } from './cluster.ts';
import { describedAt } from './described-at.ts';
import type { Machine } from './machine.ts';
import { readYamlFile } from './yaml-file.ts';

/** The endings of machine files. */
export const MACHINE_ENDINGS: readonly string[] = ['.yaml', '.yml', '.json'];

/**
 * Reads a machine file: YAML or JSON, with units, as `cluster` takes it (schema/machine.schema.json). A machine without
 * a name is called after the file.
 *
 * @throws InputError with file, line and column of everything that is wrong: MACH001 to MACH013, UNIT001 to UNIT003
 */
export function readMachineFile(file: string): Machine {
  const { value, placeOf } = readYamlFile(file);
  const machine = checkMachine(value, basename(file, extname(file)), placeOf);
  return describedAt(machine, placeOf(['nodes'], 'key'));
}
