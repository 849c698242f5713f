import { type Command, Option } from 'commander';
import { given } from '../../base/given.ts';
import type { Allocator } from '../../models/threads/net/cooperative/cooperative.ts';
import type { SchedulerName } from '../../models/threads/net/thread-net.ts';
import type { PoolKind } from '../../models/threads/net/worker-stacks.ts';
import { cleanUp } from '../command-line/clean-up.ts';
import { exitCode, signalCode } from '../command-line/exit-code.ts';
import type { RunJob, Shell, SpaceFlags } from '../command-line/job.ts';
import { CONFINE_HELP, DATATYPE_HELP } from '../command-line/machine-options.ts';
import {
  derivedType,
  integer,
  limitCount,
  parameter,
  positiveInteger,
  protocol,
} from '../command-line/option-values.ts';
import { finished } from '../command-line/outcome.ts';
import { offerDocument, writeResult } from '../command-line/result-output.ts';
import { EXPLORING_WORKERS, spaceLimits, spaceOptions } from '../command-line/space-options.ts';
import { allocatorOption, poolOption, workersOption } from '../command-line/thread-options.ts';
import { filesOf } from '../inputs/path-kinds.ts';
import type { VerificationDocument } from './net/verification.ts';
import type { AnyVerification } from './net/verify-rerun.ts';
import type { ProgramVerificationDocument } from './program/program-verification.ts';
import type { ThreadVerificationDocument } from './threads/thread-verification.ts';

interface VerifyFlags extends SpaceFlags {
  readonly property?: readonly string[];
  readonly machine?: string;
  readonly ranks?: number;
  readonly oversubscribe?: true;
  readonly datatype?: number | string;
  readonly confine?: boolean;
  readonly formulas?: string;
  readonly final?: string;
  readonly witness?: string;
  readonly trace?: string;
  readonly scheduler?: SchedulerName;
  readonly pool?: PoolKind;
  readonly allocator?: Allocator;
  readonly retry: boolean;
  readonly sends?: 'eager' | 'rendezvous' | 'both';
  readonly buffer?: number;
  readonly maxSteps?: number;
  readonly reduce?: 'auto' | 'none' | 'stubborn' | 'structural' | 'symmetry' | 'all';
  readonly json?: true;
  readonly set: Readonly<Record<string, number | string | boolean>>;
}

/** Adds `foretoken verify`. */
export function verifyCommand(program: Command, { ends, runJob }: Shell): void {
  const command = program
    .command('verify')
    .description('checks properties in all reachable markings and shows a shortest firing sequence to a violation')
    .argument('<input>', filesOf('verifyCommand'))
    .option(
      '-p, --property <property>',
      'property to check, see docs/properties.md (repeatable; default: deadlock-free, safe, bounds)',
      (text: string, before: readonly string[] = []) => [...before, text],
    )
    .option('--formulas <file>', 'properties in the XML of the Model Checking Contest')
    .option('--final <formula>', 'final markings, which are not deadlocks (default for a model: all ranks have ended)')
    .option('--witness <file>', 'write the firing sequences as JSON')
    .option('--trace <file>', 'write the first firing sequence as a Chrome trace')
    .option(
      '-n, --ranks <number>',
      'model only: number of ranks (default: its verifyWith, or small numbers)',
      positiveInteger,
    )
    .option('--oversubscribe', 'model with --property: let ranks share cores if there are fewer cores than ranks')
    .option('-m, --machine <file>', 'model only: the machine, which decides which sends wait for their receivers')
    .option('--datatype <what=bytes>', DATATYPE_HELP, derivedType)
    .option('--confine', CONFINE_HELP)
    .option('--sends <protocol>', 'programs only: eager, rendezvous, or both (default)', protocol)
    .option(
      '--buffer <messages>',
      'programs only: check that no more messages than this wait for a receive of one rank',
      integer,
    )
    .option('--max-steps <number>', 'programs only: maximum number of steps of a run', limitCount)
    .addOption(
      new Option(
        '--reduce <how>',
        'search a reduced net for the properties it preserves (default: auto, together with the exploration; see docs/reductions.md)',
      ).choices(['auto', 'none', 'stubborn', 'structural', 'symmetry', 'all']),
    )
    .option(
      '--scheduler <name>',
      'thread model only: scheduler (default: os, a thread for every strand; and the pool stealing)',
    )
    .addOption(poolOption('thread model only; default: migrating and stack'))
    .addOption(allocatorOption())
    .option('--no-retry', 'scheduler a2: an operation that meets a passing state is not retried, which loses wake-ups')
    .option('--set <name=value>', 'model only: value of a parameter (repeatable)', parameter, {})
    .option('--json', 'print the result document, and nothing else, on standard output');
  workersOption(spaceOptions(command), 'its verifyWith, or 2', EXPLORING_WORKERS)
    .addHelpText('after', EXAMPLE)
    .action(async (input: string, flags: VerifyFlags) => ends(await verify(input, flags, runJob)));
}

const EXAMPLE = `
Examples:
  foretoken verify net.pnml
  foretoken verify net.pnml --property deadlock-free --property 'AG(tokens(cs) <= 1)'
  foretoken verify net.pnml -p 'AG(enabled(request) -> AF enabled(serve))' --witness way.json
  foretoken verify net.pnml --formulas CTLCardinality.xml --json
  foretoken verify model.ts --ranks 3 --set turns=2 -p deadlock-free
  foretoken verify net.pnml -p deadlock-free --reduce all
  foretoken verify huge.pnml -p deadlock-free --hash-compact
  foretoken verify model.ts
  foretoken verify trace.ti --sends rendezvous
  foretoken verify philosophers.ts --scheduler os --set n=4`;

async function verify(input: string, flags: VerifyFlags, runJob: RunJob): Promise<number> {
  const { property, set, trace } = flags;
  const options = {
    ...spaceLimits(flags),
    ...given(flags, [
      'machine',
      'ranks',
      'oversubscribe',
      'formulas',
      'final',
      'witness',
      'trace',
      'sends',
      'buffer',
      'maxSteps',
      'reduce',
      'scheduler',
      'pool',
      'allocator',
      'confine',
    ]),
    ...(flags.datatype === undefined ? {} : { derivedTypeBytes: flags.datatype }),
    ...(flags.retry ? {} : { retry: false }),
    ...(property === undefined ? {} : { properties: property }),
    ...(Object.keys(set).length === 0 ? {} : { set }),
  };
  const view = flags.json === true ? jsonView() : textView();
  const job = { command: 'verify', input, options };
  const { answer, signal } = await runJob<AnyVerification>(job, await cleanUp(trace, flags.witness));
  if (answer.kind !== 'done') return finished(answer, signal);
  const document = answer.result;
  if (document.kind === 'thread-verification') return await ofThreads(document, flags.json === true, signal);
  if (document.kind === 'program-verification') return await ofProgram(document, flags.json === true, signal);
  offerDocument({ json: async () => (await jsonView())(document) });
  await writeResult((await view)(document));
  if (document.warnings.length > 0) {
    const { visibleNote } = await import('../command-line/visible.ts');
    for (const warning of document.warnings) process.stderr.write(`warning: ${visibleNote(warning)}\n`);
  }
  if (document.properties.some((p) => p.verdict === false)) return exitCode.violated;
  if (document.complete) return exitCode.ok;
  return signal === undefined ? exitCode.incomplete : signalCode(signal);
}

async function ofProgram(
  document: ProgramVerificationDocument,
  json: boolean,
  signal: 'SIGINT' | 'SIGTERM' | undefined,
): Promise<number> {
  const { programVerificationJson } = await import('./program/program-verify-view.ts');
  offerDocument({ json: () => programVerificationJson(document) });
  if (json) await writeResult(programVerificationJson(document));
  else {
    const [{ renderProgramVerification }, { outputStyle }] = await Promise.all([
      import('./program/program-verify-view.ts'),
      import('../command-line/output-style.ts'),
    ]);
    await writeResult(renderProgramVerification(document, outputStyle()));
  }
  const { visibleNote } = await import('../command-line/visible.ts');
  for (const warning of document.warnings) process.stderr.write(`warning: ${visibleNote(warning)}\n`);
  if (document.instances.some((i) => i.properties.some((p) => p.verdict === false))) return exitCode.violated;
  if (document.complete) return exitCode.ok;
  return signal === undefined ? exitCode.incomplete : signalCode(signal);
}

async function ofThreads(
  document: ThreadVerificationDocument,
  json: boolean,
  signal: 'SIGINT' | 'SIGTERM' | undefined,
): Promise<number> {
  const [{ renderThreadVerification, threadVerificationJson }, { outputStyle }] = await Promise.all([
    import('./threads/thread-verify-view.ts'),
    import('../command-line/output-style.ts'),
  ]);
  offerDocument({ json: () => threadVerificationJson(document) });
  await writeResult(json ? threadVerificationJson(document) : renderThreadVerification(document, outputStyle()));
  if (document.instances.some((i) => i.properties.some((p) => p.verdict === false))) return exitCode.violated;
  if (document.complete) return exitCode.ok;
  return signal === undefined ? exitCode.incomplete : signalCode(signal);
}

type View = (document: VerificationDocument) => string;

/** Views are loaded while the worker thread computes. */
async function jsonView(): Promise<View> {
  const { verificationJson } = await import('./net/verify-view.ts');
  return verificationJson;
}

async function textView(): Promise<View> {
  const [{ renderVerification }, { outputStyle }] = await Promise.all([
    import('./net/verify-view.ts'),
    import('../command-line/output-style.ts'),
  ]);
  return (document) => renderVerification(document, outputStyle());
}
