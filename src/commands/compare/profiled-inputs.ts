import { extname } from 'node:path';
import { fail } from '../../base/problem.ts';
import { exitCode } from '../command-line/exit-code.ts';
import type { JobOptions, RunJob } from '../command-line/job.ts';
import { finished } from '../command-line/outcome.ts';
import { outputStyle } from '../command-line/output-style.ts';
import { offerDocument, writeResult } from '../command-line/result-output.ts';
import { readText } from '../inputs/inputs.ts';
import { pathFacts } from '../inputs/path-kinds.ts';
import { profileRun } from '../profile/profile.ts';
import type { ProfileDocument } from '../profile/profile-document.ts';
import { assertProfile, compareProfiles, type GivenProfile } from './compare-profiles.ts';
import { profileComparisonJson, renderProfileComparison } from './profile-comparison-view.ts';

/** Maximum size of a profile, in bytes. */
const MAX_BYTES = 256 * 2 ** 20;

/** True if an input is a run record or a profile. */
export const isProfiled = (file: string): boolean => pathFacts(file).isRecord || profileIn(file) !== undefined;

/**
 * Compares two profiles by interval. Run records are profiled; models and traces are simulated first, with the options.
 *
 * @returns the exit code
 * @throws InputError APP004 for options without an input that is simulated; those of the inputs
 */
export async function compareByInterval(
  files: readonly [string, string],
  options: JobOptions,
  json: boolean,
  runJob: RunJob,
): Promise<number> {
  const [unused] = Object.keys(options);
  if (unused !== undefined && files.every(isProfiled))
    fail('APP004', `both inputs are profiles or run records: option ${unused} does not apply`, {
      file: files[0],
    });
  const given: GivenProfile[] = [];
  /** Inputs that have a run; undefined for a profile. */
  const runs: (string | undefined)[] = [];
  for (const input of files) {
    const known = profileOf(input);
    runs.push(known === undefined || pathFacts(input).isRecord ? input : undefined);
    if (known !== undefined) {
      given.push({ input, document: known });
      continue;
    }
    const { answer, signal } = await runJob<ProfileDocument>({ command: 'profile', input, options });
    if (answer.kind !== 'done' || signal !== undefined)
      return finished(answer.kind === 'done' ? { kind: 'ended' } : answer, signal);
    given.push({ input, document: answer.result });
  }
  const document = compareProfiles(given[0]!, given[1]!);
  offerDocument({ json: () => profileComparisonJson(document), pair: { inputs: [runs[0], runs[1]], options } });
  await writeResult(json ? profileComparisonJson(document) : renderProfileComparison(document, outputStyle()));
  if (given.some(({ document: of }) => of.deadlock !== undefined)) return exitCode.violated;
  return document.a.complete && document.b.complete ? exitCode.ok : exitCode.incomplete;
}

function profileOf(file: string): ProfileDocument | undefined {
  if (pathFacts(file).isRecord) return profileRun(file);
  const value = profileIn(file);
  if (value === undefined) return undefined;
  assertProfile(value, file);
  return value;
}

/** The document of a file that says to be a profile; undefined for any other file. */
function profileIn(file: string): unknown {
  if (extname(file) !== '.json') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(readText(file, MAX_BYTES));
  } catch {
    // Other readers report files that are no JSON.
    return undefined;
  }
  const { format, kind } = (value ?? {}) as { readonly format?: unknown; readonly kind?: unknown };
  return format === 'foretoken' && kind === 'profile' ? value : undefined;
}
