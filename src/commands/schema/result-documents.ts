import type { WithoutResult } from '../command-line/result-output.ts';
import type { ComparisonDocument } from '../compare/comparison.ts';
import type { ProfileComparisonDocument } from '../compare/profile-comparison.ts';
import type { DiagnosisDocument } from '../diagnose/diagnosis-document.ts';
import type { SpaceDocument } from '../explore/space.ts';
import type { PredictionDocument } from '../predict/prediction.ts';
import type { CheckedRun } from '../profile/check-run.ts';
import type { ProfileDocument } from '../profile/profile-document.ts';
import type { SteadyDocument } from '../steady/steady-result.ts';
import type { StructureDocument } from '../structure/structure-result.ts';
import type { VerificationDocument, WitnessesDocument } from '../verify/net/verification.ts';
import type { ProgramVerificationDocument } from '../verify/program/program-verification.ts';
import type { ThreadVerificationDocument } from '../verify/threads/thread-verification.ts';
import type { WhatIfDocument } from '../whatif/whatif-result.ts';

/** Any result document of the command line; distinguished by `kind`. */
export type ResultDocument =
  | PredictionDocument
  | WhatIfDocument
  | ComparisonDocument
  | ProfileComparisonDocument
  | ProfileDocument
  | CheckedRun
  | DiagnosisDocument
  | SpaceDocument
  | StructureDocument
  | SteadyDocument
  | VerificationDocument
  | WitnessesDocument
  | ProgramVerificationDocument
  | ThreadVerificationDocument
  | WithoutResult;

/** Kinds of result documents, each with the exported type that its schema is generated from, and the title of the schema. */
export const RESULT_SCHEMAS: Readonly<
  Record<ResultDocument['kind'], { readonly type: string; readonly title: string }>
> = {
  prediction: { type: 'PredictionDocument', title: 'Result of foretoken predict' },
  'what-if': { type: 'WhatIfDocument', title: 'Result of foretoken whatif' },
  comparison: { type: 'ComparisonDocument', title: 'Result of foretoken compare' },
  'profile-comparison': { type: 'ProfileComparisonDocument', title: 'Result of foretoken compare for profiles' },
  profile: { type: 'ProfileDocument', title: 'Result of foretoken profile' },
  'run-check': { type: 'CheckedRun', title: 'Result of foretoken profile --check' },
  diagnosis: { type: 'DiagnosisDocument', title: 'Result of foretoken diagnose' },
  space: { type: 'SpaceDocument', title: 'Result of foretoken explore' },
  structure: { type: 'StructureDocument', title: 'Result of foretoken structure' },
  steady: { type: 'SteadyDocument', title: 'Result of foretoken steady' },
  verification: { type: 'VerificationDocument', title: 'Result of foretoken verify for a net' },
  witnesses: { type: 'WitnessesDocument', title: 'Firing sequences of foretoken verify --witness' },
  'program-verification': {
    type: 'ProgramVerificationDocument',
    title: 'Result of foretoken verify for a trace or a model',
  },
  'thread-verification': {
    type: 'ThreadVerificationDocument',
    title: 'Result of foretoken verify for a thread model',
  },
  none: { type: 'WithoutResult', title: 'A command that reached a limit before it had a result' },
};

/** Schemas of files in the folder `schema` of the package: the inputs, then the results. */
export const SCHEMA_NAMES: readonly string[] = [
  'machine',
  'collectives',
  'net',
  'run-line',
  ...Object.keys(RESULT_SCHEMAS),
];
