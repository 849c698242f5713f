/** Sweeps with one factor, and those of them after which changes fall at the rate of this factor. */
const SPAN = 8;
const AFTER = 4;
/** Difference of the rates of two spans below which the slowest part of the error prevails. */
const SETTLED = 0.03;
/** First change of the factor, and the least one. */
const FIRST_STEP = 0.1;
const LEAST_STEP = 0.05;
const MAX_FACTOR = 1.8;
/** Growth of the change, since over-relaxation began, by which sweeps are known to diverge. */
const DIVERGED = 10;

/**
 * The factor ω of successive over-relaxation, x ← (1 − ω)x + ω · (the value of Gauss–Seidel), found while iterating. ω is 1 until changes
 * fall at a steady rate; then it goes in steps, of which one that makes them fall more slowly is turned round and halved. Beyond some ω,
 * which differs from chain to chain, iteration diverges. Theory knows the best ω of few matrices (Young 1954), not of these: it would be
 * 1.56 for Kanban 4, which diverges from 1.4 on.
 */
export class Relaxation {
  /** ω of the next sweep. */
  factor = 1;
  /** ω at which changes fell fastest. */
  best = 1;
  #max = MAX_FACTOR;
  #least = 1;
  #sweeps = 0;
  #begun = 0;
  #rate = 0;
  #step = FIRST_STEP;
  #isSettled = false;
  #first = 0;

  /** True if some sweep may have been over-relaxed. */
  get isUsed(): boolean {
    return this.#isSettled && this.#max > 1;
  }

  /** From now on, ω is 1. */
  giveUp(): void {
    this.factor = this.best = this.#max = 1;
  }

  /** Called after each sweep with the largest relative change in it. False if sweeps diverged: then they are to begin anew, with ω = 1. */
  after(change: number): boolean {
    if (this.isUsed && change > DIVERGED * this.#first) {
      this.giveUp();
      return false;
    }
    this.#follow(change);
    return true;
  }

  #follow(change: number): void {
    if (++this.#sweeps === AFTER) this.#begun = change;
    if (this.#sweeps < SPAN) return;
    this.#sweeps = 0;
    const before = this.#rate;
    const rate = (change / this.#begun) ** (1 / (SPAN - AFTER));
    this.#rate = rate;
    if (!this.#isSettled) {
      this.#isSettled = Math.abs(rate - before) < SETTLED;
      if (!this.#isSettled) return;
      this.#first = change;
    } else if (!(rate < before)) this.#step = -Math.sign(this.#step) * Math.max(LEAST_STEP, Math.abs(this.#step) / 2);
    if (rate < this.#least) [this.#least, this.best] = [rate, this.factor];
    this.factor = Math.min(this.#max, this.factor + this.#step);
    if (this.factor <= 1) [this.factor, this.#step] = [1, FIRST_STEP];
  }
}
