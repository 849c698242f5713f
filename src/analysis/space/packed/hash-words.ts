import { createHash } from 'node:crypto';
import { threefry } from '../../../base/random/threefry.ts';
import type { Weighted } from '../../petri/petri.ts';

/** Largest prime of 31 bits, so that the sum of two remainders minus the prime fits into a signed word. */
const PRIME = 2 ** 31 - 1;
const TWO_32 = 2 ** 32;

/** Words that a row has after its packed words: two hashes, and the address of the row from which it was found. */
export const EXTRA_WORDS = 3;

/**
 * Two linear hashes of a marking m, Σ factor[p] · (m[p] − m₀[p]) mod prime, with random factors. Two markings whose counts differ by
 * less than the prime collide in one hash for exactly 1 of `prime` choices of the factors (Carter & Wegman 1979), in both for 1 of
 * prime². The hashes depend on counts, not on the layout, and a step adds a constant to each.
 */
export class HashWords {
  readonly prime: number;
  /** By hash, by place of the unfolded net. */
  readonly factors: readonly [Int32Array, Int32Array];

  /** @param prime smaller in tests, which need collisions */
  constructor(places: number, seed: string, prime: number = PRIME) {
    this.prime = prime;
    this.factors = [new Int32Array(places), new Int32Array(places)];
    const digest = createHash('sha256')
      .update(JSON.stringify([seed, 'hash compaction']))
      .digest();
    const key = Int32Array.from({ length: 4 }, (_, k) => digest.readInt32LE(4 * k));
    const [counter, words] = [new Int32Array(4), new Int32Array(4)];
    // Words from here on are drawn again, so that all factors are equally likely.
    const fair = TWO_32 - (TWO_32 % prime);
    for (const [which, factors] of this.factors.entries())
      for (let p = 0; p < places; p++) {
        counter.set([p, which, 0, 0]);
        for (let draw = fair; ; ) {
          threefry(key, counter, words);
          draw = words[0]! >>> 0;
          if (draw < fair) {
            factors[p] = draw % prime;
            break;
          }
          counter[2]!++;
        }
      }
  }

  /** Bits of both hashes together. */
  get bits(): number {
    return 2 * Math.log2(this.prime);
  }

  /** The constant that changes of counts add to a hash. */
  sum(which: 0 | 1, changes: Iterable<Weighted>): number {
    const prime = BigInt(this.prime);
    let sum = 0n;
    for (const [p, by] of changes) sum += BigInt(this.factors[which][p]!) * BigInt(by);
    return Number(((sum % prime) + prime) % prime);
  }

  /** Kernel expression for a hash, in the word `s`, after a step. Counts of reset places are read by `count`. */
  after(
    which: 0 | 1,
    s: string,
    { changed, emptied }: { readonly changed: readonly Weighted[]; readonly emptied: readonly number[] },
    count: (place: number) => string,
  ): string {
    const constant = this.sum(which, changed);
    const added = constant === 0 ? s : this.#reduced(`${s} + ${constant - this.prime}`);
    return emptied.reduce(
      // The negative of a factor is added as often as there are tokens.
      (text, p) => `sumOf(${text}, times(${count(p)}, ${(this.prime - this.factors[which][p]!) % this.prime}))`,
      added,
    );
  }

  #reduced(sum: string): string {
    return `((${sum}) + (((${sum}) >> 31) & ${this.prime}))`;
  }

  /** Kernel functions that {@link after} and plans call. */
  get source(): string {
    return `function sumOf(a: int, b: int): int { const s = a + (b - ${this.prime}); return s + ((s >> 31) & ${this.prime}); }
function times(n: int, factor: int): int {
let sum = 0; let term = factor; let left = n;
while (left !== 0) {
if ((left & 1) !== 0) sum = sumOf(sum, term);
term = sumOf(term, term);
left = left >>> 1;
}
return sum;
}`;
  }
}
