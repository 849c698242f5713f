import { predict } from 'foretoken';
import { cluster } from 'foretoken/models';
import type { Method, Scheduler } from './figures.ts';
import model from './model.ts';

/** Default costs of operations of the operating system, and of schedulers in user mode, in seconds. */
const OS = { osCall: 500e-9, osNotify: 5e-6, match: 200e-9 };
const USER = {
  ...{ swap: 65e-9, register: 250e-9, notify: 130e-9, scan: 60e-9 },
  ...{ pull: 20e-9, enqueue: 20e-9, dequeue: 20e-9, userSwitch: 50e-9, remote: 40e-9 },
};

/** Calibrated values: factors of the default costs, and the number of equations. */
export interface Parameters {
  readonly os: number;
  readonly user: number;
  readonly n: number;
}
/** Result of calibrate.ts. */
export const calibrated: Parameters = { os: 209, user: 169, n: 20_544 };

const scaled = <T extends object>(costs: T, factor: number): { readonly [K in keyof T]: number } =>
  Object.fromEntries(Object.entries(costs).map(([name, seconds]) => [name, seconds * factor])) as never;

/**
 * Two Xeon E5520: 16 logical processors, each half a floating-point operation per cycle of 2.26 GHz.
 */
export const machine = ({ os, user }: Parameters) =>
  cluster({
    nodes: 1,
    coresPerNode: 16,
    socketsPerNode: 2,
    speed: '1.13Gf',
    link: { latency: '1us', bandwidth: '1GB/s' },
    eagerBelow: 0,
    threads: { ...scaled(OS, os), ...scaled(USER, user) },
  });

export interface Prediction {
  readonly total: number;
  readonly back: number;
  /** Waits that blocked their thread. */
  readonly blockings: number;
  /** Firings of the net by transition. */
  readonly firings: Readonly<Record<string, number>>;
}

/** Predicts one run with a number of pivot blocks. Without `forward`, only back substitution. */
export function run(
  method: Method,
  threads: number,
  scheduler: Scheduler,
  parameters: Parameters = calibrated,
  forward = true,
  blocks = 64,
): Prediction {
  const { figures, regions, objects, firings } = predict(model, {
    machine: machine(parameters),
    workers: 16,
    scheduler,
    set: { method, threads, blocks, n: parameters.n, forward },
  });
  const back = regions!.find(({ name }) => name === 'back substitution')!.seconds;
  const blockings = objects!.reduce((sum, { blocked }) => sum + blocked, 0);
  return { total: figures.runTime.value, back, blockings, firings };
}
