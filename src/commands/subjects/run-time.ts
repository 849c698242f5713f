import type { CountObserver } from '../../engine/observers.ts';
import type { Net, Transition } from '../../net/net.ts';

type ArcTest = (arc: { readonly place: string }) => boolean;

function resourceTest(net: Net): ArcTest {
  const resources = new Set(net.places.filter((p) => p.kind === 'resource').map((p) => p.name));
  return ({ place }) => resources.has(place);
}

/** The transitions that let a resource rest, which does nothing for the program. */
export function restingTransitions(net: Net): readonly Transition[] {
  const isResource = resourceTest(net);
  return net.transitions.filter(
    (t) => t.delay !== undefined && t.inputs.length > 0 && [...t.inputs, ...t.outputs].every(isResource),
  );
}

/**
 * Measures the run time of a program. A net stops when nothing more can happen in it; but once all processes have ended,
 * activity among resources only, such as a network interface that rests between two messages, no longer belongs to the
 * program.
 */
export class RunTime {
  /** The places to be observed. */
  readonly counts: Readonly<Record<string, CountObserver>>;
  readonly #rests: boolean;
  #last = 0;

  constructor(net: Net) {
    const isResource = resourceTest(net);
    const rests = restingTransitions(net);
    this.#rests = rests.length > 0;
    // A transition that makes a resource rest also does work for the program.
    const resting = new Set(rests.flatMap((t) => t.inputs.map((a) => a.place)));
    const uses = net.transitions.filter((t) => !rests.includes(t) && t.outputs.some((o) => resting.has(o.place)));
    const moved = uses.flatMap((t) => t.outputs.filter((o) => !isResource(o)).map((o) => o.place));
    const observe: CountObserver = (time) => {
      this.#last = time;
    };
    this.counts = Object.fromEntries(moved.map((place) => [place, observe]));
  }

  /** Resets the meter for another run of the net. */
  begin(): void {
    this.#last = 0;
  }

  /**
   * The end of the last process, or of the last use of a resource that rests, if later; the end of the run if some process
   * has not ended. O(processes).
   *
   * @param time the end of the run, in seconds
   * @param ended the end of each process in seconds, NaN if it has not ended
   */
  of(time: number, ended: Float64Array): number {
    if (!this.#rests || ended.length === 0) return time;
    const last = ended.reduce((a, b) => Math.max(a, b), this.#last);
    return Number.isNaN(last) ? time : Math.min(last, time);
  }
}
