import { InputError, type Problem } from '../base/problem.ts';
import type { Net } from '../net/net.ts';
import type { AllFigures, MonitorSpecs } from './monitor.ts';
import { type Ended, type PreparedNet, prepare } from './simulate.ts';

/** What all replications have in common. */
export interface ReplicationOptions<M extends MonitorSpecs = MonitorSpecs> {
  /** Seed of all replications: each has streams of its own. Default `foretoken`. */
  readonly seed?: string;
  /** Seconds at which each is ended. */
  readonly until?: number;
  readonly maxSteps?: number;
  readonly maxInstantSteps?: number;
  readonly monitors?: M;
}

/** What is known of one replication. */
export interface Replication<M extends MonitorSpecs = MonitorSpecs> {
  readonly replication: number;
  readonly ended: Ended;
  /** Seconds. */
  readonly time: number;
  readonly steps: number;
  readonly firings: Readonly<Record<string, number>>;
  readonly monitors: AllFigures<M>;
}

/** What a worker thread is started for: a net, or the module that exports it and the hash that the net must have. */
export interface Job {
  readonly net: Net | { readonly href: string; readonly export: string; readonly hash: string };
  readonly options: ReplicationOptions;
}

/** A piece of work of a worker: replications `from` … `to` − 1. */
export interface Share {
  readonly from: number;
  readonly to: number;
}

/** What a worker answers. */
export type ShareAnswer =
  | { readonly results: readonly Replication[] }
  | { readonly problems: readonly Problem[] }
  | { readonly crash: string };

/** Computes replications of a net, which is compiled once. */
export class Replicator {
  readonly #play: PreparedNet;
  readonly #options: Omit<ReplicationOptions, 'monitors'>;

  /** @throws InputError for an invalid net or monitor */
  constructor(net: Net, { monitors = {}, ...options }: ReplicationOptions) {
    this.#play = prepare(net, { monitors });
    this.#options = options;
  }

  /** @throws InputError where the run fails: its problems say in which replication. */
  run(replication: number): Replication {
    try {
      const { ended, time, steps, firings, monitors } = this.#play({ ...this.#options, replication });
      return { replication, ended, time, steps, firings, monitors };
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw new InputError(error.problems.map((p) => ({ ...p, message: `${p.message} (replication ${replication})` })));
    }
  }
}
