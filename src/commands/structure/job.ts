import { BEGUN, type Following } from '../command-line/following.ts';
import { importModule } from '../command-line/import-module.ts';
import type { Job, JobOptions } from '../command-line/job.ts';
import { structureAny } from './structure.ts';
import type { StructureDocument } from './structure-result.ts';

/** Options of `foretoken structure`. */
export interface StructureJobOptions extends JobOptions {
  /** Targets to prove unreachable. */
  readonly unreachable?: readonly string[];
  readonly seconds?: number;
  /** Bytes. */
  readonly memory?: number;
  /** Maximum number of siphons, and of traps, to list. */
  readonly sets?: number;
  /** `false`: do not use HiGHS, even if it is installed. */
  readonly linearPrograms?: boolean;
}

export type StructureJob = Job<StructureJobOptions>;

export function run({ input, options }: StructureJob, { cancelled, analysing }: Following): Promise<StructureDocument> {
  const own = { ...options, begun: BEGUN, cancelled, ...(analysing === undefined ? {} : { analysing }) };
  return structureAny(input, own, importModule);
}
