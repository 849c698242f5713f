import { ANALYSIS_AREAS } from './codes/analyses.ts';
import { COMMAND_AREAS } from './codes/commands.ts';
import { NET_FORM_AREAS } from './codes/net-forms.ts';
import { NET_AREAS } from './codes/nets.ts';
import { PROGRAM_AREAS } from './codes/programs.ts';
import { TRACE_AREAS } from './codes/traces.ts';

/** A problem in the table of errors. */
export interface CodeEntry {
  readonly meaning: string;
  /** An input that causes the problem, or a sample of the message. */
  readonly example: string;
}

/** Codes of one subject. */
export interface CodeArea {
  readonly title: string;
  /** Heading of the column of examples. */
  readonly example: 'How it reads' | 'What provokes it';
  readonly codes: Readonly<Record<string, CodeEntry>>;
}

/**
 * All problem codes by subject, in the order of docs/errors.md, which is written from this table. Code uses only the type
 * {@link Code}, so that an unknown code does not compile.
 */
export const CODE_AREAS = {
  net: NET_AREAS.net,
  builder: NET_AREAS.builder,
  merge: NET_AREAS.merge,
  netJson: NET_FORM_AREAS.netJson,
  pnml: NET_FORM_AREAS.pnml,
  pnpro: NET_FORM_AREAS.pnpro,
  unfold: NET_FORM_AREAS.unfold,
  incidence: NET_FORM_AREAS.incidence,
  svg: NET_FORM_AREAS.svg,
  run: ANALYSIS_AREAS.run,
  simulation: ANALYSIS_AREAS.simulation,
  spaceAnswer: ANALYSIS_AREAS.spaceAnswer,
  graph: ANALYSIS_AREAS.graph,
  structure: ANALYSIS_AREAS.structure,
  markov: ANALYSIS_AREAS.markov,
  modelCheckers: ANALYSIS_AREAS.modelCheckers,
  statistics: ANALYSIS_AREAS.statistics,
  bounds: ANALYSIS_AREAS.bounds,
  coverability: ANALYSIS_AREAS.coverability,
  reduction: ANALYSIS_AREAS.reduction,
  safe: ANALYSIS_AREAS.safe,
  ti: TRACE_AREAS.ti,
  goal: TRACE_AREAS.goal,
  runRecord: TRACE_AREAS.runRecord,
  profile: COMMAND_AREAS.profile,
  worker: TRACE_AREAS.worker,
  diagnosis: COMMAND_AREAS.diagnosis,
  collective: PROGRAM_AREAS.collective,
  unit: PROGRAM_AREAS.unit,
  model: PROGRAM_AREAS.model,
  thread: PROGRAM_AREAS.thread,
  machine: PROGRAM_AREAS.machine,
  platform: PROGRAM_AREAS.platform,
  app: COMMAND_AREAS.app,
  property: ANALYSIS_AREAS.property,
  game: ANALYSIS_AREAS.game,
  verifyProgram: COMMAND_AREAS.verifyProgram,
  whatif: COMMAND_AREAS.whatif,
  testing: COMMAND_AREAS.testing,
  output: TRACE_AREAS.output,
} as const;

type Areas = typeof CODE_AREAS;
/** A problem code, see docs/errors.md. */
export type Code = { [A in keyof Areas]: keyof Areas[A]['codes'] }[keyof Areas];
