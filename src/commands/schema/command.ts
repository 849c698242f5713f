import { Argument, type Command } from 'commander';
import { exitCode } from '../command-line/exit-code.ts';
import type { Shell } from '../command-line/job.ts';
import { writeResult } from '../command-line/result-output.ts';

/** Adds `foretoken schema`. */
export function schemaCommand(program: Command, { ends }: Shell): void {
  program
    .command('schema')
    .description('prints the JSON Schema of machine files or of nets')
    .addArgument(new Argument('<what>', 'of what').choices(['machine', 'net']))
    .addHelpText('after', EXAMPLE)
    .action(async (what: string) => {
      await writeResult(`${JSON.stringify(await schemaOf(what), null, 2)}\n`);
      ends(exitCode.ok);
    });
}

async function schemaOf(what: string): Promise<object> {
  if (what === 'machine') {
    const { machineSchema } = await import('../../machine/description/machine-schema.ts');
    return machineSchema;
  }
  const { netSchema } = await import('../../net/json/json-schema.ts');
  return netSchema;
}

const EXAMPLE = `
Examples:
  foretoken schema machine > machine.schema.json
  foretoken schema net`;
