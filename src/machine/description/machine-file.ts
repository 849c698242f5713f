import { basename, dirname, extname, isAbsolute, join } from 'node:path';
import { assertIs } from '../../base/options.ts';
import { checkMachine } from '../cluster.ts';
import { describedAt } from '../described-at.ts';
import type { Machine } from '../machine.ts';
import { readYaml, yamlText } from './yaml-file.ts';

export const MACHINE_ENDINGS: readonly string[] = ['.yaml', '.yml', '.json'];

const CONTENT = 'a machine';

/** The machine that was read last: a command reads its file once for each of its uses, a study for each scenario. */
let last: { readonly file: string; readonly text: string; readonly machine: Machine } | undefined;

/**
 * Reads a machine file in YAML or JSON. It has the members that `cluster` takes, with units
 * (schema/machine.schema.json). A machine without a name gets the base name of the file.
 *
 * @throws InputError with all problems, each with file, line and column: MACH001 to MACH013, UNIT001 to UNIT003
 */
export function readMachineFile(file: string): Machine {
  assertIs('readMachineFile', 'file', file, 'a string', 'APP061');
  const text = yamlText(file, CONTENT);
  if (last?.file === file && last.text === text) return last.machine;
  const { value, placeOf } = readYaml(text, file, CONTENT);
  const machine = checkMachine(value, basename(file, extname(file)), placeOf);
  const { collectives } = machine;
  const found =
    collectives === undefined ? machine : { ...machine, collectives: fromFolder(collectives, dirname(file)) };
  last = { file, text, machine: describedAt(found, placeOf(['nodes'], 'key')) };
  return last.machine;
}

/** Endings of files of Open MPI's rules. */
const OPEN_MPI_ENDINGS: readonly string[] = ['.conf', '.rules', '.txt'];

/** Algorithms of collectives, with the path of a file of rules relative to the working directory instead of `folder`. */
function fromFolder(collectives: string, folder: string): string {
  return collectives
    .split(',')
    .map((part) => {
      const at = part.indexOf('=') + 1;
      const path = part.slice(at).trim();
      const isFile = [...MACHINE_ENDINGS, ...OPEN_MPI_ENDINGS].includes(extname(path));
      return isFile && !isAbsolute(path) ? `${part.slice(0, at)}${join(folder, path)}` : part;
    })
    .join(',');
}
