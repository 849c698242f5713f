import { readFileSync } from 'node:fs';
import { Argument, type Command } from 'commander';
import { packageFile } from '../../base/version.ts';
import { exitCode } from '../command-line/exit-code.ts';
import type { Shell } from '../command-line/job.ts';
import { writeResult } from '../command-line/result-output.ts';
import { RESULT_SCHEMAS, SCHEMA_NAMES } from './result-documents.ts';

/** Width of the column of kinds in the help. */
const KIND_WIDTH = 22;

/** Adds `foretoken schema`. */
export function schemaCommand(program: Command, { ends }: Shell): void {
  program
    .command('schema')
    .description('prints the JSON Schema of machine files, rules of collectives, nets, run records or result documents')
    .addArgument(new Argument('<what>', 'of what: an input, or the kind of a result').choices(SCHEMA_NAMES))
    .addHelpText('after', EXAMPLE)
    .action(async (what: string) => {
      await writeResult(readFileSync(packageFile(`schema/${what}.schema.json`), 'utf8'));
      ends(exitCode.ok);
    });
}

/** The kinds of results in columns, with their commands. */
const kinds = Object.entries(RESULT_SCHEMAS).map(([kind, { title }]) => `  ${kind.padEnd(KIND_WIDTH)}${title}`);

const EXAMPLE = `
Results, by their kind:
${kinds.join('\n')}

Examples:
  foretoken schema machine > machine.schema.json
  foretoken schema net
  foretoken schema prediction`;
