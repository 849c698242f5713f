import { predict } from '../../../src/commands/predict/predict.ts';
import { cluster } from '../../../src/machine/cluster.ts';
import { NO_COSTS } from '../../../src/models/threads/costs.ts';
import { type ThreadModel, threads } from '../../../src/models/threads/program/threads.ts';

// biome-ignore lint/suspicious/noExplicitAny: any model
export type Builder = any;
export type Build = (t: Builder) => void;
export type State = { readonly thread: number };

/** Cores and workers of the machine. */
const CORES = 8;

export const modelOf = (build: Build): ThreadModel => threads({ name: 'tries', build }) as ThreadModel;

/** One node on which operations of threads cost nothing but these times. */
export const machine = (costs: object = {}) =>
  cluster({
    nodes: 1,
    coresPerNode: CORES,
    speed: 1e9,
    link: { latency: 1e-6, bandwidth: 1e10 },
    eagerBelow: 65536,
    threads: { ...NO_COSTS, ...costs },
  } as never);

// biome-ignore lint/suspicious/noExplicitAny: a document of any input
export const predicted = (build: Build, options: object = {}, costs: object = {}): any =>
  predict(modelOf(build), { machine: machine(costs), workers: CORES, scheduler: 'os', ...options } as never);
