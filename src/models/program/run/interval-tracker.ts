import type { IntervalSite } from '../resolve/world.ts';

export interface IntervalExecution {
  readonly site: IntervalSite;
  readonly name: string;
  readonly expression?: number;
  /** Number among the executions of this name within the execution around it, from 1. */
  readonly execution: number;
  readonly start: number;
  /** Parallel where it or an interval around it is; undefined: neither is said. */
  readonly kind: 'sequential' | 'parallel' | undefined;
  /** Number of ranks that compute the same. */
  readonly copies: number | undefined;
}

/** Receives executions as a rank enters and leaves them. `path` ends with the execution. */
export interface IntervalSink {
  entered(rank: number, path: readonly IntervalExecution[], iterations: number | undefined): void;
  left(rank: number, path: readonly IntervalExecution[], time: number): void;
}

interface Frame {
  readonly of: IntervalExecution;
  /** Executions inside it so far, by name. */
  readonly executions: Map<string, number>;
}

/**
 * Follows the intervals that ranks are in, by the statements that they come to: an interval is left at the first
 * statement outside of it, such as the loop whose body it is. O(depth) a step.
 */
export class IntervalTracker {
  readonly #sink: IntervalSink;
  readonly #frames: Frame[][];
  readonly #outer: Map<string, number>[];

  constructor(ranks: number, sink: IntervalSink) {
    this.#sink = sink;
    this.#frames = Array.from({ length: ranks }, () => []);
    this.#outer = Array.from({ length: ranks }, () => new Map());
  }

  /**
   * A rank comes to a statement.
   *
   * @param nest intervals around the statement
   * @param value variables of the rank's token
   * @throws InputError MODEL020 where an expression or a number of iterations has no valid value
   */
  visit(rank: number, nest: readonly IntervalSite[], time: number, value: (variable: number) => number): void {
    const frames = this.#frames[rank]!;
    let common = 0;
    while (common < frames.length && common < nest.length && frames[common]!.of.site === nest[common]) common++;
    if (common === frames.length && common === nest.length) return;
    this.#leave(rank, common, time);
    for (const site of nest.slice(common)) {
      const executions = frames.at(-1)?.executions ?? this.#outer[rank]!;
      const execution = (executions.get(site.name) ?? 0) + 1;
      executions.set(site.name, execution);
      const around = frames.at(-1)?.of.kind;
      const kind = around === 'parallel' ? around : (site.kind ?? around);
      const expression = site.expression === undefined ? {} : { expression: site.expression.requiredIn(value) };
      const copies = site.copies?.requiredIn(value) ?? frames.at(-1)?.of.copies;
      const iterations = site.iterations?.requiredIn(value);
      frames.push({
        of: { site, name: site.name, ...expression, execution, start: time, kind, copies },
        executions: new Map(),
      });
      this.#sink.entered(rank, pathOf(frames), iterations);
    }
  }

  /** The run is over: ranks leave the intervals that they are in. */
  finish(time: number): void {
    this.#frames.forEach((_, rank) => {
      this.#leave(rank, 0, time);
    });
  }

  /** A rank has come to its end. */
  end(rank: number, time: number): void {
    this.#leave(rank, 0, time);
  }

  #leave(rank: number, depth: number, time: number): void {
    const frames = this.#frames[rank]!;
    while (frames.length > depth) {
      this.#sink.left(rank, pathOf(frames), time);
      frames.pop();
    }
  }
}

const pathOf = (frames: readonly Frame[]): readonly IntervalExecution[] => frames.map(({ of }) => of);
