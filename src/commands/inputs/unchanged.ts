import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { InputError, type Problem } from '../../base/problem.ts';
import type { InputFile } from './document-parts.ts';
import { inputFile } from './inputs.ts';

/** The parameters of a model among the options of a result. */
export function parametersIn(
  options: Readonly<Record<string, string | number>>,
): Readonly<Record<string, string | number>> {
  const own = Object.entries(options).filter(([key]) => key.startsWith('model.'));
  return Object.fromEntries(own.map(([key, value]) => [key.slice('model.'.length), value]));
}

/** JSON with sorted object members. File names, as in deadlocks, are left out. */
export function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (key, v: unknown) => {
    if (key === 'file') return undefined;
    if (typeof v !== 'object' || v === null || Array.isArray(v)) return v;
    return Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/**
 * The current paths of a result's inputs, by role: relative to the working directory, or in the folder of the result.
 *
 * @throws InputError APP001 a file is missing, APP011 one has changed
 */
export function unchanged(
  { members = [], ...roles }: { readonly members?: readonly InputFile[]; readonly [role: string]: unknown },
  file: string,
): Map<string, string> {
  const found = new Map<string, string>();
  const problems: Problem[] = [];
  const look = (role: string, { path, sha256 }: InputFile): void => {
    const place = [path, join(dirname(file), path)].find((p) => existsSync(p)) ?? path;
    try {
      const now = inputFile(place).sha256;
      if (now === sha256) found.set(role, place);
      else
        problems.push({
          code: 'APP011',
          message: `has changed: expected SHA-256 ${sha256}, got ${now}`,
          place: { file: place },
        });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.push(...error.problems);
    }
  };
  for (const [role, one] of Object.entries(roles)) look(role, one as InputFile);
  for (const [k, one] of members.entries()) look(`member ${k}`, one);
  if (problems.length > 0) throw new InputError(problems);
  return found;
}
