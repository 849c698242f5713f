import type { CountObserver } from '../../engine/observers.ts';
import type { Net } from '../../net/net.ts';

/**
 * How long a program runs. A net is at rest when nothing more happens in it; but when all processes have ended, what only
 * resources do among themselves, such as an interface that rests between two messages, is no part of the program any more.
 */
export class RunTime {
  /** What is to be observed of the net. */
  readonly counts: Readonly<Record<string, CountObserver>>;
  readonly #rests: boolean;
  #last = 0;

  constructor(net: Net) {
    const resources = new Set(net.places.filter((p) => p.kind === 'resource').map((p) => p.name));
    const isResource = ({ place }: { readonly place: string }): boolean => resources.has(place);
    const rests = net.transitions.filter(
      (t) => t.delay !== undefined && t.inputs.length > 0 && [...t.inputs, ...t.outputs].every(isResource),
    );
    this.#rests = rests.length > 0;
    // What brings a resource to rest does something for the program, too.
    const resting = new Set(rests.flatMap((t) => t.inputs.map((a) => a.place)));
    const uses = net.transitions.filter((t) => !rests.includes(t) && t.outputs.some((o) => resting.has(o.place)));
    const moved = uses.flatMap((t) => t.outputs.filter((o) => !isResource(o)).map((o) => o.place));
    const observe: CountObserver = (time) => {
      this.#last = time;
    };
    this.counts = Object.fromEntries(moved.map((place) => [place, observe]));
  }

  /** For another run of the net. */
  begin(): void {
    this.#last = 0;
  }

  /**
   * When the last process ended, and nothing else was under way that uses a resource which rests; where some have not ended, when the
   * run did. O(processes).
   *
   * @param time the end of the run, in seconds
   * @param ended when each process ended, NaN where it has not
   */
  of(time: number, ended: Float64Array): number {
    if (!this.#rests || ended.length === 0) return time;
    const last = ended.reduce((a, b) => Math.max(a, b), this.#last);
    return Number.isNaN(last) ? time : Math.min(last, time);
  }
}
