import { type Endless, whyEndless } from '../../analysis/coverability/boundedness.ts';
import { deadlockFree } from '../../analysis/properties/build.ts';
import { questionOf } from '../../analysis/properties/formula-of.ts';
import { degrees } from '../../analysis/space/degrees.ts';
import { explore } from '../../analysis/space/explore.ts';
import { StructuralProver } from '../../analysis/structure/prove-property.ts';
import { InputError } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';

/** Steps after which a run of a net ends by default, if no marking is dead, or if there are, or may be, infinitely many markings. */
const MAX_STEPS = { neverStops: 1e6, unbounded: 1e7 };
/** Effort of the search for siphons, and markings that are explored. */
const EFFORT = 200_000;
const MAX_MARKINGS = 20_000;
/** Tokens of different colours in all explored markings: each marking of a net with 200,000 of them takes 200 KB. */
const MAX_TOKENS = 4e6;

/** Why a net never stops, with advice. */
export const NEVER_STOPS =
  'in every marking a step is possible, so the net never stops. End the run with --until SECONDS or --max-steps N, or ask for means of the long run, foretoken steady';

/** Advice where a run may be longer than the limit. */
const MAY_END = 'If its runs end, --max-steps N lets them go on.';

/** Why runs of a net need not end. Proofs are searched for in a run that is long, once. */
export class EndlessNet {
  readonly #net: Net;
  #deadlockFree: boolean | undefined;
  #endless: { readonly why: Endless | undefined } | undefined;

  constructor(net: Net) {
    this.#net = net;
  }

  /** The reason why a run of this many steps goes no further; undefined if it may still end, or is short. */
  whyStop(steps: number): string | undefined {
    if (steps < MAX_STEPS.neverStops) return undefined;
    if (this.neverStops) return NEVER_STOPS;
    return steps < MAX_STEPS.unbounded ? undefined : this.infinite;
  }

  /** True if no marking is dead. */
  get neverStops(): boolean {
    this.#deadlockFree ??= isDeadlockFree(this.#net);
    return this.#deadlockFree;
  }

  /** Why the net has, or may have, infinitely many markings. A program has numbers and queues without a limit, too, but it ends. */
  get infinite(): string | undefined {
    this.#endless ??= { why: whyEndless(this.#net) };
    const { why } = this.#endless;
    if (why === undefined || why.sure) return why?.because;
    return this.#net.processes === undefined ? `${why.because} ${MAY_END}` : undefined;
  }
}

/** True if every marking has a step; final markings are no exception. */
function isDeadlockFree({ finalMarkings: _, ...net }: Net): boolean {
  const prover = new StructuralProver(net, { effort: EFFORT });
  if (prover.prove(questionOf(net, deadlockFree))?.value === true) return true;
  const tokens = net.places.reduce((sum, { initial }) => sum + initial.length, 1);
  try {
    const space = explore(net, { maxStates: Math.min(MAX_MARKINGS, Math.ceil(MAX_TOKENS / tokens)) });
    return space.complete && degrees(space, space.graph(), undefined, () => false)?.dead === 0;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}
