import { extname } from 'node:path';
import { RUN_ENDINGS } from '../../trace/run/run-endings.ts';
import { APPLIES, INPUT_KINDS, type InputKind, type JobName } from './option-rows.ts';

export const MODEL_ENDINGS: readonly string[] = ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs'];
/** Endings of supported net formats; `.xml` is PNML as written by PIPE, `.pnpro` a project of GreatSPN, `.goal` a schedule. */
export const NET_ENDINGS: readonly string[] = ['.json', '.pnml', '.xml', '.pnpro', '.goal'];

/** Properties of an input that follow from the ending of its path, without reading it. */
export interface PathFacts {
  /** Role of the file in a result document. */
  readonly role: 'model' | 'net' | 'trace';
  /** The file is a module: reading it runs code of users, which needs a separate thread. */
  readonly isCode: boolean;
  /** Its runs can draw random numbers. */
  readonly isDrawn: boolean;
  /** It records a run: it is read, nothing is simulated. */
  readonly isRecord: boolean;
  /** The kinds that it can have, besides those of files with any ending. A function gets the first that it takes. */
  readonly kinds: readonly InputKind[];
}

const TRACE: PathFacts = { role: 'trace', isCode: false, isDrawn: false, isRecord: false, kinds: [] };
const NET: PathFacts = { ...TRACE, role: 'net', isDrawn: true, kinds: ['net'] };
const BY_ENDING: ReadonlyMap<string, PathFacts> = new Map([
  ...NET_ENDINGS.map((ending) => [ending, NET] as const),
  ...RUN_ENDINGS.map((ending) => [ending, { ...TRACE, isRecord: true, kinds: ['run record'] }] as const),
  ['.csv', { ...TRACE, isRecord: true, kinds: ['worker states', 'run record'] }],
  ...['.txt', '.sched'].map((ending) => [ending, { ...TRACE, kinds: ['scheduler trace'] }] as const),
  ['.json', { ...NET, kinds: ['Chrome trace', 'net'] }],
]);
const MODULE: PathFacts = { role: 'model', isCode: true, isDrawn: true, isRecord: false, kinds: [] };

export function pathFacts(path: string): PathFacts {
  const ending = extname(path);
  return MODEL_ENDINGS.includes(ending) ? MODULE : (BY_ENDING.get(ending.toLowerCase()) ?? TRACE);
}

/** How the files of each kind are named in help texts; kinds with the same text are one entry of a list. */
const FILES: Readonly<Record<InputKind, string>> = {
  model: 'a model (MODEL.ts)',
  'thread model': 'a model (MODEL.ts)',
  trace: 'a time-independent trace (a file or a listing, gzip too)',
  net: 'a net (.json, .pnml, .PNPRO, a schedule in .goal, or a module that exports a net)',
  'machine description': 'a machine (a file, a SimGrid platform or a built-in name)',
  'run record': 'a run record (.ftrun, .jsonl, or states as .csv)',
  'worker states': 'states of workers (.csv: worker,time,state[,region])',
  'Chrome trace': 'a Chrome trace (.json)',
  'scheduler trace': 'the text of perf sched script (.txt, .sched)',
};

/** The files that a command takes, for its help: `a model (MODEL.ts) or a run record (…)`. */
export function filesOf(job: JobName): string {
  const kinds = INPUT_KINDS.filter((kind) => (APPLIES[kind] as readonly JobName[]).includes(job));
  return [...new Set(kinds.map((kind) => FILES[kind]))].join('; ');
}
