import { extname } from 'node:path';
import { WholeFile } from '../../base/files/whole-file.ts';
import { writeForm } from '../../base/form.ts';
import { assertIs } from '../../base/options.ts';
import { didYouMean, fail } from '../../base/problem.ts';
import { type Dimension, quantityText } from '../../base/units.ts';
import type { Machine } from '../machine.ts';
import { MACHINE_ENDINGS } from './machine-file.ts';
import { assertMachine, writtenMachine } from './machine-parameters.ts';
import { groupForm, machineForm } from './machine-schema.ts';
import { MAX_BYTES } from './yaml-file.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * Writes a machine file that `readMachineFile` reads as an equal machine. The ending selects YAML, in which quantities have
 * units, or JSON, in SI units. Members that have their default are omitted.
 *
 * @throws InputError APP005 unknown ending, APP006 cannot be written, MACH012 larger than machine files may be, and the
 * problems of a machine that `cluster` would refuse
 */
export function writeMachineFile(machine: Machine, file: string): void {
  assertIs('writeMachineFile', 'file', file, 'a string', 'APP061');
  const text = machineText(machine, file);
  const whole = new WholeFile(file, 'APP006');
  whole.write(text);
  whole.close();
}

/** The text of {@link writeMachineFile}. */
export function machineText(machine: Machine, file: string): string {
  const ending = extname(file);
  if (!MACHINE_ENDINGS.includes(ending))
    fail('APP005', `unknown output extension "${ending}".${didYouMean(ending, MACHINE_ENDINGS)}`, { file });
  assertMachine(machine, 'a machine');
  const text =
    ending === '.json' ? jsonText(described(machine, (_, value) => value)) : yamlText(described(machine, quantityText));
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_BYTES) fail('MACH012', `the file would have ${bytes} bytes: expected at most ${MAX_BYTES}`, { file });
  return text;
}

/** The description of a machine: what all groups have in common is outside them, and a single group `node` needs no list. */
function described(machine: Machine, amount: (dimension: Dimension, value: number) => unknown): Values {
  const { groups, ...rest } = writeForm(machineForm, writtenMachine(machine), amount) as Values & {
    readonly groups: readonly Values[];
  };
  const [first] = groups as [Values];
  const isPlain = groups.length === 1 && first['name'] === 'node';
  const common = Object.keys(groupForm.members).filter(
    (member) =>
      member in first &&
      (member === 'name' || member === 'nodes'
        ? isPlain
        : groups.every((group) => JSON.stringify(group[member]) === JSON.stringify(first[member]))),
  );
  const own = groups.map((group) =>
    Object.fromEntries(Object.entries(group).filter(([name]) => !common.includes(name))),
  );
  const all: Values = {
    ...Object.fromEntries(common.map((name) => [name, first[name]])),
    ...rest,
    ...(isPlain ? {} : { groups: own }),
  };
  return Object.fromEntries(
    Object.keys(machineForm.members).flatMap((name) => (name in all ? [[name, all[name]]] : [])),
  );
}

const isList = (value: unknown): value is readonly Values[] => Array.isArray(value);

/** One line for each member and each group. */
function yamlText(values: Values): string {
  const lines = Object.entries(values).flatMap(([name, value]) =>
    isList(value) ? [`${name}:`, ...value.map((item) => `  - ${flow(item)}`)] : [`${name}: ${flow(value)}`],
  );
  return `${lines.join('\n')}\n`;
}

function jsonText(values: Values): string {
  const lines = Object.entries(values).map(([name, value]) => {
    const items = isList(value)
      ? `[\n${value.map((item) => `    ${flow(item, true)}`).join(',\n')}\n  ]`
      : flow(value, true);
    return `  ${JSON.stringify(name)}: ${items}`;
  });
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** A quantity with its unit, or a word that no version of YAML takes for a value of another type. */
const PLAIN =
  /^(?:\d[\d.]*(?:[munp]?s|(?:[kMGTP]|[KMGTP]i)?(?:B|B\/s|f))|(?!(?:true|false|null|yes|no|on|off|y|n)$)[a-z][a-z-]*)$/;

/** A value on one line. */
function flow(value: unknown, isJson = false): string {
  if (typeof value === 'string') return !isJson && PLAIN.test(value) ? value : JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => flow(item, isJson)).join(', ')}]`;
  if (typeof value !== 'object') return String(value);
  const members = Object.entries(value as Values).map(
    ([name, one]) => `${isJson ? JSON.stringify(name) : name}: ${flow(one, isJson)}`,
  );
  return `{ ${members.join(', ')} }`;
}
