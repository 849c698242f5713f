import { quote } from '../../../base/problem.ts';
import { isWild, labelOf } from '../../../models/program/resolve/shape.ts';
import type { IntervalSite, StatementInfo } from '../../../models/program/resolve/world.ts';
import type { ProgramSink, SliceState } from '../../../models/program/run/program-states.ts';
import type { ChromeTrace } from '../../../trace/chrome.ts';
import type { IntervalPlace } from '../../../trace/run/run-schema.ts';
import { explorableProgram } from '../../exact/explorable.ts';
import { machineFiles } from '../../inputs/target.ts';
import { ChromeCounters } from '../chrome-counters.ts';
import type { PredictOptions } from '../options.ts';
import type { PredictionDocument } from '../prediction.ts';
import { bothSinks, type Subject, type Writers } from '../subject.ts';
import { drawnPosts, withWildcardTies } from '../ties/program-ties.ts';
import { ModelRecording } from './record-model.ts';
import { compileModel, type MappedModel, predictOnce } from './stages.ts';

/** A model that has been mapped onto its machine with these options. */
export function modelSubject(built: MappedModel, options: PredictOptions): Subject {
  const { model, target, placed, program } = built;
  const { statements } = program.world;
  const draws = isRandom(built);
  const wildcard = statements.find(({ statement }) => isWild(statement)) ?? statements[0];
  return {
    name: model.name,
    called: `model ${quote(model.name)}`,
    options,
    files: [model.file, ...Object.values(machineFiles(options)), ...(target.platform.files ?? [])],
    hosts: { target, placement: placed.placement },
    sites: (loops) => intervalPlaces(statements, loops),
    draws,
    exact: ' on this machine',
    place: statements[0]?.statement.site.place ?? {},
    runs: (writers) => modelRuns(built, options, writers),
    explorable: () => explorableProgram(program),
    tied: (document) =>
      withWildcardTies(document, {
        place: wildcard?.statement.site.place ?? {},
        random: draws,
        runs: () => {
          const { progress: _, ...own } = options;
          return modelRuns({ ...built, program: { ...program, net: drawnPosts(program.net) } }, own);
        },
      }),
  };
}

/** Source places of the intervals of a program, each once. */
function intervalPlaces(statements: readonly StatementInfo[], loops: boolean): readonly IntervalPlace[] {
  const places = new Map<string, IntervalPlace>();
  for (const { nest, loopNest } of statements)
    for (const path of pathsOf(loops ? loopNest : nest)) {
      const interval = path.map(({ name }) => name).join('/');
      const { file, line } = path.at(-1)!.site.place;
      if (file === undefined || line === undefined || places.has(interval)) continue;
      places.set(interval, { interval, file: file.split(/[\\/]/).at(-1)!, line });
    }
  return [...places.values()];
}

/** The intervals of a nest, each with those around it. */
const pathsOf = (nest: readonly IntervalSite[]): readonly (readonly IntervalSite[])[] =>
  nest.map((_, k) => nest.slice(0, k + 1));

/** Compiles the net of a model once; the function returned runs a replication. */
function modelRuns(
  built: MappedModel,
  options: PredictOptions,
  { chrome, recorder }: Writers = {},
): (replication: number) => PredictionDocument {
  const recording = recorder === undefined ? undefined : new ModelRecording(recorder, built.program);
  const sink = bothSinks<ProgramSink>(
    ['slice', 'message'],
    chrome === undefined ? undefined : modelSink(chrome, built),
    recording,
  );
  const counters = chrome === undefined ? undefined : new ChromeCounters(chrome, built.program.net);
  const compiled = compileModel(built, sink, counters);
  return (replication) => {
    const document = predictOnce(built, options, { compiled, replication });
    counters?.finish();
    recording?.finish(document.figures.runTime.value);
    return document;
  };
}

function isRandom({ program: { world, machine } }: MappedModel): boolean {
  return world.statements.some(({ statement: s }) => {
    if (s.kind === 'compute') return (s.noise ?? machine.noise) !== undefined;
    if (s.kind === 'sleep') return s.noise !== undefined;
    return s.kind === 'chance' || s.kind === 'repeat';
  });
}

/** States of slices as Chrome traces show them. */
const SHOWN: Readonly<Record<SliceState, 'computing' | 'communicating' | 'waiting' | 'idle'>> = {
  computing: 'computing',
  memory: 'computing',
  communicating: 'communicating',
  overhead: 'communicating',
  io: 'communicating',
  waiting: 'waiting',
  idle: 'idle',
};

/** Writes the activities of a model's ranks as slices of a Chrome trace, one thread per rank, and messages as arrows. */
function modelSink(chrome: ChromeTrace, { ranks, target, placed }: MappedModel): ProgramSink {
  const { hosts } = target.platform;
  for (let r = 0; r < ranks; r++) chrome.thread(r, `rank ${r} on ${hosts[placed.placement[r]!]!.name}`);
  return {
    slice: (rank, state, statement, start, end) => {
      const operation = statement === undefined ? SHOWN[state] : labelOf(statement.statement);
      const name =
        statement === undefined || statement.intervals.length === 0
          ? operation
          : `${statement.intervals.at(-1)}: ${operation}`;
      chrome.slice(rank, name, SHOWN[state], start, end);
    },
    message: (from, start, to, end, bytes) => chrome.arrow(from, start, to, end, `${bytes} B`),
  };
}
