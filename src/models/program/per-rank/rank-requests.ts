import type { TransitionShape } from '../../../net/shapes/node-shapes.ts';
import type { Request, Statement } from '../record/statement.ts';
import { plus, type Turns, type Variant, ZERO_TIMES } from './execution-counts.ts';
import type { MeetingPlaces } from './meetings.ts';
import type { NetMaker } from './net-maker.ts';

/** A posted, incomplete operation: the transitions that post it, and those that complete it (`takes`). */
interface Posted {
  readonly place: string;
  readonly posts: string[];
  turns: Turns;
  readonly takes: readonly string[];
  readonly party?: string;
}

/**
 * Place of a completed request's token, with the numbers of transitions that produce it and of waits that consume it.
 */
interface Complete {
  readonly place: string;
  posts: number;
  waits: number;
}

type Make = (inputs: readonly string[], outputs: readonly string[], shape: TransitionShape) => string;

/** The net of a rank, as its requests use it. */
export interface RequestingNet {
  readonly maker: NetMaker;
  requestPlace(name: string): string;
  operation(
    s: Statement,
    what: string,
    inputs: readonly string[],
    outputs: readonly string[],
    shape?: TransitionShape,
  ): string;
  /** Message places of a send or receive variant; empty if it has no partner. */
  messagePlaces(s: Statement, variant: Variant): string[];
}

/**
 * The requests of one rank. Posting forks a request from the rank's control flow; it completes with its message or
 * collective, and a wait joins it. If a test may find it complete, the joining statement is unknown: such a request is
 * forked without a join.
 */
export class Requests {
  readonly #net: RequestingNet;
  readonly #wildcards: ReadonlySet<number>;
  readonly #free: ReadonlySet<number>;
  readonly #complete = new Map<number, Complete>();
  readonly #posted = new Map<string, Posted>();

  constructor(net: RequestingNet, wildcards: ReadonlySet<number>, free: ReadonlySet<number>) {
    this.#net = net;
    this.#wildcards = wildcards;
    this.#free = free;
  }

  /** True if a wait is certain to join the request. */
  isCounted(request: Request | undefined): boolean {
    return request !== undefined && !this.#free.has(request.number) && !this.#wildcards.has(request.number);
  }

  /** Place for the token of the completed request; undefined if no wait is certain to take it. */
  completes(request: Request): string | undefined {
    if (!this.isCounted(request)) return undefined;
    const at = this.#completeOf(request);
    at.posts++;
    return at.place;
  }

  /** A wait joins the request; if that is not certain, it is a plain operation. */
  wait(s: Extract<Statement, { kind: 'wait' }>, turns: Turns, at: string, next: string): void {
    if (!this.isCounted(s.request)) {
      this.#net.operation(s, '', [at], [next]);
      return;
    }
    const complete = this.#completeOf(s.request);
    complete.waits++;
    const t = this.#net.operation(s, '', [at, complete.place], [next], { kind: 'join', parties: 2 });
    this.#net.maker.turns({ transitions: [t], ...turns });
  }

  /** A non-blocking receive: its message is taken concurrently with the rank's control flow. */
  receive(
    s: Extract<Statement, { kind: 'recv' }>,
    request: Request,
    variant: Variant,
    make: Make,
    at: string,
    next: string,
  ): void {
    const places = this.#net.messagePlaces(s, variant);
    if (places.length === 0) {
      const done = this.completes(request);
      if (done === undefined) make([at], [next], { kind: 'operation' });
      else make([at], [next, done], { kind: 'fork', parties: 2 });
      return;
    }
    const posted = this.#post(`${request.number} ${places.join()}`, request, (place, done) =>
      places.map((p, k) =>
        this.#net.operation(s, places.length === 1 ? ' takes' : ` takes [${k + 1}]`, [place, p], [done], {
          kind: 'receive',
        }),
      ),
    );
    posted.posts.push(make([at], [next, posted.place], { kind: 'fork', parties: 2 }));
    posted.turns = plus(posted.turns, variant.turns);
  }

  /** A non-blocking collective call. */
  meeting(
    s: Extract<Statement, { kind: 'collective' }>,
    request: Request,
    { arrived, released }: MeetingPlaces,
    turns: Turns,
    party: string,
    at: string,
    next: string,
  ): void {
    const posted = this.#post(
      `${request.number} ${released}`,
      request,
      (place, done) => [this.#net.operation(s, ' done', [place, released], [done], { kind: 'leave' })],
      party,
    );
    const t = this.#net.operation(s, '', [at], [next, posted.place, arrived], { kind: 'arrive', requests: 1 });
    posted.posts.push(t);
    posted.turns = plus(posted.turns, turns);
    this.#net.maker.turns({ transitions: [t], ...turns, party });
  }

  /** Sets the shapes and counts that are known when the rank's net is complete. */
  close(): void {
    for (const { place, posts, turns, takes, party } of this.#posted.values()) {
      // Some collective algorithms let a rank finish before all ranks arrive, so its token may stay here when others
      // never do.
      const mayStay = party !== undefined;
      this.#net.maker.shape(place, { kind: 'request', posts: posts.length, waits: takes.length, mayStay });
      this.#net.maker.turns({ transitions: takes, ...turns, ...(party === undefined ? {} : { party }) });
    }
    // A request that nothing posts or nothing waits for then violates its shape. `mayStay`: the wait may be on one
    // branch only.
    for (const { place, posts, waits } of this.#complete.values()) {
      const [min, mayStay] = [{ posts: Math.max(1, posts), waits: Math.max(1, waits) }, true];
      this.#net.maker.shape(place, { kind: 'request', ...min, mayStay });
    }
  }

  #post(key: string, request: Request, takes: (place: string, done: string) => string[], party?: string): Posted {
    const known = this.#posted.get(key);
    if (known !== undefined) return known;
    const place = this.#net.requestPlace(`request ${request.number} posted`);
    const counted = this.isCounted(request);
    const done = counted ? this.#completeOf(request).place : this.#net.requestPlace(`request ${request.number} over`);
    const made = takes(place, done);
    if (counted) this.#completeOf(request).posts += made.length;
    // The tests of such a request have no arcs from this place.
    else this.#net.maker.shape(done, { kind: 'request', posts: made.length, waits: 0, mayStay: true });
    const posted: Posted = {
      place,
      posts: [],
      turns: ZERO_TIMES,
      takes: made,
      ...(party === undefined ? {} : { party }),
    };
    this.#posted.set(key, posted);
    return posted;
  }

  #completeOf(request: Request): Complete {
    let known = this.#complete.get(request.number);
    if (known === undefined) {
      known = { place: this.#net.requestPlace(`request ${request.number} complete`), posts: 0, waits: 0 };
      this.#complete.set(request.number, known);
    }
    return known;
  }
}
