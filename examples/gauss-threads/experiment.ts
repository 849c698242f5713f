import { predict } from 'foretoken';
import { cluster } from 'foretoken/models';
import type { Method, Scheduler } from './figures.ts';
import model from './model.ts';

/** Default costs of operations of the operating system, and of schedulers in user mode, in seconds (docs/threads.md). */
const OS = { osCall: 500e-9, osNotify: 5e-6, match: 200e-9 };
const USER = {
  ...{ swap: 65e-9, register: 250e-9, notify: 130e-9, scan: 6e-9 },
  ...{ pull: 20e-9, enqueue: 20e-9, dequeue: 20e-9, userSwitch: 50e-9, remote: 40e-9 },
};

/** Calibrated values. */
export interface Parameters {
  /** Factor of the default costs of the operating system. */
  readonly os: number;
  /** Rows of a pivot block of the program. */
  readonly rows: number;
  /** Number of equations. */
  readonly n: number;
}
/** Result of calibrate.ts. */
export const calibrated: Parameters = { os: 1.3, rows: 2, n: 20_544 };
/** Pivot blocks of the model. */
const BLOCKS = 64;

const scaled = <T extends object>(costs: T, factor: number): { readonly [K in keyof T]: number } =>
  Object.fromEntries(Object.entries(costs).map(([name, seconds]) => [name, seconds * factor])) as never;

/**
 * Two Xeon E5520: 16 logical processors, each half a floating-point operation per cycle of 2.26 GHz. A block of the model stands
 * for many of the program, so that an operation of a scheduler has the costs of as many.
 */
export const machine = ({ os, rows, n }: Parameters, blocks: number = BLOCKS) =>
  cluster({
    nodes: 1,
    coresPerNode: 16,
    socketsPerNode: 2,
    speed: '1.13Gf',
    link: { latency: '1us', bandwidth: '1GB/s' },
    eagerBelow: 0,
    threads: { ...scaled(OS, (os * n) / rows / blocks), ...scaled(USER, n / rows / blocks) },
  });

export interface Prediction {
  readonly total: number;
  readonly back: number;
  /** Waits that blocked their thread. */
  readonly blockings: number;
  /** Firings of the net by transition. */
  readonly firings: Readonly<Record<string, number>>;
}

/**
 * Predicts one run. Without `forward`, only back substitution.
 *
 * @param blocks pivot blocks of the model
 * @param standing pivot blocks of the model for which the costs are made; default `blocks`
 */
export function run(
  method: Method,
  threads: number,
  scheduler: Scheduler,
  parameters: Parameters = calibrated,
  forward = true,
  blocks = BLOCKS,
  standing = blocks,
): Prediction {
  const { figures, regions, objects, firings } = predict(model, {
    machine: machine(parameters, standing),
    workers: 16,
    scheduler,
    set: { method, threads, blocks, n: parameters.n, forward },
  });
  const back = regions!.find(({ name }) => name === 'back substitution')!.seconds;
  const blockings = objects!.reduce((sum, { blocked }) => sum + blocked, 0);
  return { total: figures.runTime.value, back, blockings, firings };
}
