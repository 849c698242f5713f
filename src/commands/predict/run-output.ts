import { PRODUCT } from '../../base/version.ts';
import { RunRecorder } from '../../trace/run/run-recorder.ts';
import type { RunHead } from '../../trace/run/run-schema.ts';
import { writeRun } from '../../trace/run/write-run.ts';
import type { BlockedRank } from '../inputs/document-parts.ts';
import type { Target } from '../inputs/target.ts';
import { DEFAULT_SEED } from './document.ts';
import type { PredictOptions } from './options.ts';
import type { PredictionDocument } from './prediction.ts';
import type { Subject } from './subject.ts';

/** A run record that is being written, to a file or a consumer. */
export interface RunOutput {
  readonly recorder: RunRecorder;
  /** Completes the record of the run that a document describes. */
  finish(document: PredictionDocument): void;
  abort(): void;
}

/**
 * Opens the record that the options ask for.
 *
 * @param program model or trace, as the record names it
 * @throws InputError REC001, REC002
 */
export function runOutput(
  options: PredictOptions,
  program: string,
  { target, placement, sites }: Required<Subject>['hosts'] & Pick<Subject, 'sites'>,
): RunOutput | undefined {
  if (options.run === undefined && options.record === undefined) return undefined;
  const consumer = options.run === undefined ? options.record! : writeRun(options.run);
  const places = sites?.(consumer.loopIntervals === true) ?? [];
  const head = {
    ...headOf(program, options, target, placement),
    ...(places.length === 0 ? {} : { sites: places }),
  };
  const abort = (): void => (consumer as { abort?: () => void }).abort?.();
  try {
    const recorder = new RunRecorder(consumer, head);
    return {
      recorder,
      finish: (document) => recorder.finish(endOf(document), resourcesOf(document)),
      abort,
    };
  } catch (e) {
    abort();
    throw e;
  }
}

/** Ranks fill the cores of a node in the order of their numbers, one socket after the other. */
function headOf(
  program: string,
  options: PredictOptions,
  { platform, description }: Target,
  placement: Int32Array,
): RunHead {
  const shapes = (description?.nodes ?? []).flatMap(({ count, sockets, cores }) =>
    Array.from({ length: count }, () => ({ sockets, cores })),
  );
  const index = new Map<number, number>();
  const onNode = new Map<number, number>();
  const nodes: RunHead['nodes'][number][] = [];
  const nodeOf: number[] = [];
  const socketOf: number[] = [];
  for (const host of placement) {
    const { sockets, cores } = shapes[host] ?? { sockets: 1, cores: 1 };
    if (!index.has(host)) {
      const { name, cores: all } = platform.hosts[host]!;
      index.set(host, nodes.push({ name, sockets, cores: all }) - 1);
    }
    const order = onNode.get(host) ?? 0;
    onNode.set(host, order + 1);
    nodeOf.push(index.get(host)!);
    socketOf.push(Math.floor(((order % cores) * sockets) / cores));
  }
  return {
    program,
    origin: 'simulated',
    product: PRODUCT,
    seed: options.seed ?? DEFAULT_SEED,
    processes: placement.length,
    nodes,
    nodeOf,
    socketOf,
  };
}

function endOf({ complete, figures, deadlock }: PredictionDocument): Parameters<RunRecorder['finish']>[0] {
  return {
    complete: complete && deadlock.length === 0,
    time: figures.runTime.value,
    notes: deadlock.slice(0, MAX_NOTES).map(noteOf),
  };
}

/** Blocked ranks that a record names. */
const MAX_NOTES = 20;

const noteOf = ({ rank, strand = `rank ${rank}`, operation, file, line }: BlockedRank): string =>
  `${strand} waits forever: ${operation}${file === '' ? '' : ` (${file}:${line})`}`;

function resourcesOf({ resources }: PredictionDocument): Parameters<RunRecorder['finish']>[1] {
  return resources.map(({ name, kind, amount, capacity }) => ({
    name,
    class: kind,
    unit: amount.unit,
    amount: amount.value,
    capacity: Number.isFinite(capacity.value) ? capacity.value : 0,
  }));
}
