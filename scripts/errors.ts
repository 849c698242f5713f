import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { COVERABILITY_CODES } from '../src/analysis/coverability/coverability-codes.ts';
import { PROPERTY_CODES } from '../src/analysis/properties/property-codes.ts';
import { REDUCTION_CODES } from '../src/analysis/reduction/reduction-codes.ts';
import { SAFE_CODES } from '../src/analysis/safe/safe-codes.ts';
import { SIMULATION_CODES } from '../src/analysis/simulation-codes.ts';
import { SPACE_ANSWER_CODES } from '../src/analysis/space/answer-codes.ts';
import { STRUCTURE_CODES } from '../src/analysis/structure/structure-codes.ts';
import { APP_CODES } from '../src/app/app-codes.ts';
import { VERIFY_PROGRAM_CODES } from '../src/app/verify-program/verify-program-codes.ts';
import { WHATIF_CODES } from '../src/app/whatif/whatif-codes.ts';
import type { ProblemCode } from '../src/base/problem-code.ts';
import { UNIT_CODES } from '../src/base/unit-codes.ts';
import { DIAGNOSIS_CODES } from '../src/commands/diagnose/diagnosis-codes.ts';
import { PROFILE_CODES } from '../src/commands/profile/profile-codes.ts';
import { RUN_CODES } from '../src/engine/run-error.ts';
import { MACHINE_CODES } from '../src/machine/machine-codes.ts';
import { PLATFORM_CODES } from '../src/machine/platform-codes.ts';
import { COLLECTIVE_CODES } from '../src/models/collectives/collective-codes.ts';
import { MODEL_CODES } from '../src/models/program/model-codes.ts';
import { THREAD_CODES } from '../src/models/threads/program/thread-codes.ts';
import { BUILDER_CODES } from '../src/net/builder/builder-codes.ts';
import { SVG_CODES } from '../src/net/drawing/svg-codes.ts';
import { INCIDENCE_CODES } from '../src/net/incidence/incidence-codes.ts';
import { MERGE_CODES } from '../src/net/merge/merge-codes.ts';
import { PNML_CODES } from '../src/net/pnml/pnml-codes.ts';
import { UNFOLD_CODES } from '../src/net/unfold/unfold-codes.ts';
import { NET_CODES, NET_JSON_CODES } from '../src/net/validation/net-codes.ts';
import { TESTING_CODES } from '../src/testing/testing-codes.ts';
import { OUTPUT_CODES } from '../src/trace/output-codes.ts';
import { RUN_RECORD_CODES } from '../src/trace/run/run-codes.ts';
import { TI_CODES } from '../src/trace/ti/problem-codes.ts';
import { WORKER_CODES } from '../src/trace/workers/worker-codes.ts';

/* `npx tsx scripts/errors.ts` writes docs/errors.md from the lists of problem codes in the sources. */

export interface Area {
  readonly title: string;
  /** Heading of the column of examples. */
  readonly example: 'How it reads' | 'What provokes it';
  readonly codes: readonly ProblemCode[];
}

/** All lists of problem codes. */
export const AREAS: readonly Area[] = [
  { title: 'Nets', example: 'How it reads', codes: NET_CODES },
  { title: 'The builder, and functions as expressions', example: 'What provokes it', codes: BUILDER_CODES },
  { title: 'Composition', example: 'How it reads', codes: MERGE_CODES },
  { title: 'Nets in JSON', example: 'How it reads', codes: NET_JSON_CODES },
  { title: 'Nets in PNML', example: 'What provokes it', codes: PNML_CODES },
  { title: 'Unfolding', example: 'What provokes it', codes: UNFOLD_CODES },
  { title: 'Incidence matrices', example: 'What provokes it', codes: INCIDENCE_CODES },
  { title: 'Drawings', example: 'What provokes it', codes: SVG_CODES },
  { title: 'Runs', example: 'What provokes it', codes: RUN_CODES },
  { title: 'Simulation and replication', example: 'What provokes it', codes: SIMULATION_CODES },
  { title: 'State spaces', example: 'What provokes it', codes: SPACE_ANSWER_CODES },
  { title: 'Structure', example: 'What provokes it', codes: STRUCTURE_CODES },
  { title: 'Coverability', example: 'What provokes it', codes: COVERABILITY_CODES },
  { title: 'Reductions', example: 'What provokes it', codes: REDUCTION_CODES },
  { title: 'Safe nets', example: 'What provokes it', codes: SAFE_CODES },
  { title: 'Time-independent traces', example: 'What provokes it', codes: TI_CODES },
  { title: 'Run records', example: 'What provokes it', codes: RUN_RECORD_CODES },
  { title: 'Profiles', example: 'What provokes it', codes: PROFILE_CODES },
  { title: 'Worker states', example: 'What provokes it', codes: WORKER_CODES },
  { title: 'Diagnoses', example: 'What provokes it', codes: DIAGNOSIS_CODES },
  { title: 'Collectives', example: 'What provokes it', codes: COLLECTIVE_CODES },
  { title: 'Quantities with units', example: 'What provokes it', codes: UNIT_CODES },
  { title: 'Models of programs', example: 'What provokes it', codes: MODEL_CODES },
  { title: 'Models of thread programs', example: 'What provokes it', codes: THREAD_CODES },
  { title: 'Machines and placement', example: 'What provokes it', codes: MACHINE_CODES },
  { title: 'Platforms, hostfiles, network models', example: 'What provokes it', codes: PLATFORM_CODES },
  { title: 'Jobs', example: 'What provokes it', codes: APP_CODES },
  { title: 'Properties', example: 'What provokes it', codes: PROPERTY_CODES },
  { title: 'Verification of programs', example: 'What provokes it', codes: VERIFY_PROGRAM_CODES },
  { title: 'What-if studies', example: 'What provokes it', codes: WHATIF_CODES },
  { title: 'Tests of nets', example: 'What provokes it', codes: TESTING_CODES },
  { title: 'Written traces', example: 'What provokes it', codes: OUTPUT_CODES },
];

/** The text of docs/errors.md. */
export function errorsPage(): string {
  return `# Errors

Every problem has a code, which stays the same across versions, a place, what was found and what was expected. The library
throws an \`InputError\` whose \`problems\` are all that were found; the command line prints them and ends with exit code 2.

This page is written by \`npx tsx scripts/errors.ts\` from the lists of codes that stand beside the code.
${AREAS.map(section).join('')}`;
}

function section({ title, example, codes }: Area): string {
  const rows = codes.map((c) => `| ${c.code} | ${cell(c.meaning)} | ${verbatim(c.example)} |`);
  return `\n## ${title}\n\n| Code | Meaning | ${example} |\n|---|---|---|\n${rows.join('\n')}\n`;
}

function cell(text: string): string {
  return sentence(text).replaceAll('|', '\\|');
}

function sentence(text: string): string {
  const ended = /[.?]$/.test(text) ? text : `${text}.`;
  return ended[0]!.toUpperCase() + ended.slice(1);
}

/** Formats text as code; backticks in it are preserved. */
function verbatim(text: string): string {
  const fence = text.includes('`') ? '``' : '`';
  return `${fence}${text.replaceAll('|', '\\|')}${fence}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync('docs/errors.md', errorsPage());
