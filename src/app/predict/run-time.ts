import type { CountObserver } from '../../engine/compile.ts';
import { MESSAGES_LANDED } from '../../models/transfers.ts';
import type { Net } from '../../net/net.ts';

/**
 * How long a program runs. A net is at rest when nothing more happens in it; where interfaces keep messages apart, that is
 * only when the last of them has rested, which is no part of the program.
 */
export class RunTime {
  /** What is to be observed of the net. */
  readonly counts: Readonly<Record<string, CountObserver>>;
  #landed = 0;

  constructor(net: Net) {
    const rests = net.places.some((p) => p.name === MESSAGES_LANDED);
    this.counts = rests
      ? {
          [MESSAGES_LANDED]: (time) => {
            this.#landed = time;
          },
        }
      : {};
  }

  /** For another run of the net. */
  begin(): void {
    this.#landed = 0;
  }

  /**
   * When the last rank ended and the last message came; where some rank has not ended, when the run did. O(ranks).
   *
   * @param ended when each rank ended, NaN where it has not
   */
  of(time: number, ended: Float64Array): number {
    if (Object.keys(this.counts).length === 0) return time;
    const last = ended.reduce((a, b) => Math.max(a, b), this.#landed);
    return Number.isNaN(last) ? time : Math.min(last, time);
  }
}
