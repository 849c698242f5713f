import { createHash } from 'node:crypto';
import { fail, quote } from '../problem.ts';
import { threefry } from './threefry.ts';

/** Number of draws made by each process. */
export type Occurrences = readonly (readonly [process: number, count: number])[];

/** Largest absolute value of a process number. */
export const MAX_PROCESS: number = 2 ** 53;

/** True if `p` is a valid process number: an integer of absolute value at most 2⁵³. */
export const isProcess = (p: number): boolean => Number.isInteger(p) && Math.abs(p) <= MAX_PROCESS;

const WORD = 2 ** 32;
/** Bits of the last counter word that number the blocks of one occurrence. */
const BLOCK_BITS = 21;

/**
 * The random numbers of an owner whose draws belong to processes (rule S15). The numbers of a process's k-th draw depend
 * only on (seed, replication, purpose, owner, process, k), so draws of other processes and their order do not affect them.
 *
 * The only state is the number of draws of each process; numbers are a function of key and counter ({@link threefry}). The
 * key is the first 128 bits of SHA-256 of (seed, replication, purpose, owner). The counter holds the process (64 bits), the
 * occurrence (43 bits) and the block of two numbers within this occurrence (21 bits).
 */
export class ProcessStream {
  readonly purpose: Purpose;
  readonly owner: string;
  readonly #key: Int32Array = new Int32Array(4);
  readonly #counter: Int32Array = new Int32Array(4);
  readonly #words: Int32Array = new Int32Array(4);
  readonly #counts = new Map<number, number>();
  /** The current occurrence: its part of the last counter word, and the numbers drawn so far. */
  #high = 0;
  #drawn = 0;

  constructor(key: StreamKey) {
    this.purpose = key.purpose;
    this.owner = key.owner;
    this.restore(key, []);
  }

  /** Begins the next draw of a process: an integer of absolute value at most 2⁵³. O(1). */
  begin(process: number): void {
    const k = this.#counts.get(process) ?? 0;
    this.#counts.set(process, k + 1);
    const counter = this.#counter;
    counter[0] = process | 0;
    counter[1] = Math.floor(process / WORD);
    counter[2] = k | 0;
    this.#high = Math.floor(k / WORD) << BLOCK_BITS;
    this.#drawn = 0;
  }

  /** The next number of the current draw: a multiple of 2⁻⁵³, uniform in [0, 1). O(1). */
  readonly draw = (): number => {
    const words = this.#words;
    const k = this.#drawn++;
    if ((k & 1) === 1) return double(words[2]!, words[3]!);
    this.#counter[3] = this.#high | (k >>> 1);
    threefry(this.#key, this.#counter, words);
    return double(words[0]!, words[1]!);
  };

  state(): Occurrences {
    return [...this.#counts];
  }

  /**
   * Restores a saved state.
   *
   * @throws InputError RUN010 if it is not a valid state
   */
  restore(key: StreamKey, saved: Occurrences): void {
    for (const [process, count] of saved)
      if (!(isProcess(process) && Number.isSafeInteger(count) && count > 0))
        fail(
          'RUN010',
          `${quote(JSON.stringify([process, count]))} is not a state of the stream of ${quote(key.owner)}`,
        );
    const hash = createHash('sha256').update(keyText(key)).digest();
    for (let k = 0; k < 4; k++) this.#key[k] = hash.readInt32LE(4 * k);
    this.#counts.clear();
    for (const [process, count] of saved) this.#counts.set(process, count);
  }
}

/** A 53-bit fraction from the upper 27 bits of `high` and the upper 26 bits of `low`. */
function double(high: number, low: number): number {
  return ((high >>> 5) * 2 ** 26 + (low >>> 6)) * 2 ** -53;
}

/** The use of a stream: delays of a transition, service times of a place, choices of a net. */
export type Purpose = 'delay' | 'service' | 'choice';

/** Identifies a stream of random numbers. */
export interface StreamKey {
  readonly seed: string;
  readonly replication: number;
  readonly purpose: Purpose;
  readonly owner: string;
}

/** A key as a string: JSON, so that different keys give different strings. */
export function keyText({ seed, replication, purpose, owner }: StreamKey): string {
  return JSON.stringify([seed, replication, purpose, owner]);
}
