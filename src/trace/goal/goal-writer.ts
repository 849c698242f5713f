import { fail } from '../../base/problem.ts';
import { MAX_OPERATIONS } from './read-goal.ts';

/** An operation that a later one requires: its number in the rank, and whether its start is enough. */
export interface Required {
  readonly label: number;
  readonly started: boolean;
}

/**
 * Writes a schedule rank by rank, as a program calls: a computation and a blocking message are passed when they have ended, a
 * non-blocking one when it has started. `P` is what each operation comes from.
 */
export class GoalWriter<P> {
  readonly #file: string;
  readonly #lines: string[] = [];
  readonly #origins = new Map<number, P>();
  /** The rank that is written: its last number, and what its next operation requires. */
  #label = 0;
  #required: Required[] = [];

  /** @param file for messages */
  constructor(ranks: number, file: string) {
    this.#file = file;
    this.#lines.push(`num_ranks ${ranks}`);
  }

  /** Writes the operations of a rank. Ranks are written in their order, each once. */
  rank(rank: number, operations: () => void): void {
    this.#lines.push(`rank ${rank} {`);
    this.#label = 0;
    this.#required = [];
    operations();
    this.#lines.push('}');
  }

  /** A computation, rounded to nanoseconds; one of less than half a nanosecond is nothing. */
  calc(nanoseconds: number, origin: P): void {
    const whole = Math.round(nanoseconds);
    if (whole > 0) this.#required = [{ label: this.#add(`calc ${whole}`, origin), started: false }];
  }

  /**
   * A send or receive.
   *
   * @param posts whether the rank passes it when it has started
   * @returns its number, for {@link wait}
   */
  message(
    kind: 'send' | 'recv',
    { bytes, peer, tag }: { readonly bytes: number; readonly peer: number; readonly tag: number },
    posts: boolean,
    origin: P,
  ): number {
    const label = this.#add(`${kind} ${bytes}b ${kind === 'send' ? 'to' : 'from'} ${peer} tag ${tag}`, origin);
    this.#required = [{ label, started: posts }];
    return label;
  }

  /** The next operation requires the end of an earlier one. */
  wait(label: number): void {
    this.#required.push({ label, started: false });
  }

  /**
   * Operations that proceed while the rank goes on: the rank's next operation keeps its requirements.
   *
   * @returns the requirements of {@link join}
   */
  aside(operations: () => void): readonly Required[] {
    const before = this.#required;
    this.#required = [...before];
    operations();
    const after = this.#required;
    this.#required = before;
    return after;
  }

  /** The next operation requires the end of operations that proceeded aside. */
  join(required: readonly Required[]): void {
    this.#required.push(...required);
  }

  /** The text, and the origin of each operation by its line. */
  finish(): { readonly text: string; readonly origins: ReadonlyMap<number, P> } {
    return { text: `${this.#lines.join('\n')}\n`, origins: this.#origins };
  }

  #add(text: string, origin: P): number {
    if (this.#origins.size >= MAX_OPERATIONS)
      fail('GOAL005', `more than ${MAX_OPERATIONS} operations`, { file: this.#file });
    const label = this.#label++;
    this.#lines.push(`  l${label}: ${text}`);
    this.#origins.set(this.#lines.length, origin);
    // A dependency that is there already adds nothing.
    const known = new Set<string>();
    for (const { label: before, started } of this.#required) {
      const line = `  l${label} ${started ? 'irequires' : 'requires'} l${before}`;
      if (!known.has(line)) this.#lines.push(line);
      known.add(line);
    }
    return label;
  }
}
