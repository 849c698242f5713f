import { InputError } from '../base/problem.ts';
import type { NetRun } from '../engine/compile.ts';
import type { Net } from '../net/net.ts';
import type { AllFigures, MonitorSpecs } from './monitor.ts';
import { type Ended, type PreparedNet, prepare } from './simulate.ts';

/** Options common to all replications. */
export interface ReplicationOptions<M extends MonitorSpecs = MonitorSpecs> {
  /** Seed of all replications; each has its own random streams. Default `foretoken`. */
  readonly seed?: string;
  /** End of each replication in simulated seconds. */
  readonly until?: number;
  /** Maximum number of steps (starts and ends of firings) of each replication; default 10⁹. */
  readonly maxSteps?: number;
  /** Steps at one instant after which a replication fails with RUN001; default 10⁶. */
  readonly maxInstantSteps?: number;
  /** Measurements, by names chosen by the caller. */
  readonly monitors?: M;
}

/** The result of one replication. */
export interface Replication<M extends MonitorSpecs = MonitorSpecs> {
  /** Number of the replication, from 0. */
  readonly replication: number;
  /** Why it ended. */
  readonly ended: Ended;
  /** Simulated seconds at the end. */
  readonly time: number;
  /** Starts and ends of firings. */
  readonly steps: number;
  /** Number of firings of each transition. */
  readonly firings: Readonly<Record<string, number>>;
  /** Results of the monitors, by name. */
  readonly monitors: AllFigures<M>;
}

/** Start data of a worker thread: the net, or the module that exports it with the expected hash of the net. */
export interface Job {
  readonly net: Net | { readonly href: string; readonly export: string; readonly hash: string };
  readonly options: ReplicationOptions;
}

/** A work item of a worker: replications `from` … `to` − 1. */
export interface Share {
  readonly from: number;
  readonly to: number;
}

/** Runs replications of a net that is compiled once. */
export class Replicator {
  readonly #start: PreparedNet;
  readonly #options: Omit<ReplicationOptions, 'monitors'>;
  #before: NetRun | undefined;

  /** @throws InputError for an invalid net or monitor */
  constructor(net: Net, { monitors = {}, ...options }: ReplicationOptions) {
    this.#start = prepare(net, { monitors });
    this.#options = options;
  }

  /** @throws InputError if the run fails; its problems name the replication */
  run(replication: number): Replication {
    const instead = this.#before;
    this.#before = undefined;
    try {
      const { ended, time, steps, firings, monitors, run } = this.#start({
        ...this.#options,
        replication,
        ...(instead === undefined ? {} : { instead }),
      });
      this.#before = run;
      return { replication, ended, time, steps, firings, monitors };
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw new InputError(error.problems.map((p) => ({ ...p, message: `${p.message} (replication ${replication})` })));
    }
  }
}
