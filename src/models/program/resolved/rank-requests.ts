import type { TransitionShape } from '../../../net/shapes/node-shapes.ts';
import type { Request, Statement } from '../statement.ts';
import type { MeetingPlaces } from './meetings.ts';
import type { NetMaker } from './net-maker.ts';
import { NEVER, plus, type Turns, type Way } from './turns.ts';

/** What was begun and is not over: posted in some ways, taken on by transitions of its own. */
interface Posted {
  readonly place: string;
  readonly posts: string[];
  turns: Turns;
  readonly takes: readonly string[];
  readonly party?: string;
}

/** The token of a request that is complete, who brings it and who waits for it. */
interface Complete {
  readonly place: string;
  posts: number;
  waits: number;
}

type Make = (inputs: readonly string[], outputs: readonly string[], shape: TransitionShape) => string;

/** The net of a rank, as far as its requests are part of it. */
export interface RequestingNet {
  readonly maker: NetMaker;
  /** A place for a request of the rank. */
  requestPlace(name: string): string;
  /** A transition that is an operation of the rank. */
  operation(
    s: Statement,
    what: string,
    inputs: readonly string[],
    outputs: readonly string[],
    shape?: TransitionShape,
  ): string;
  /** The message places of a way of a send or receive; none where it has no partner. */
  messagePlaces(s: Statement, way: Way): string[];
}

/**
 * The requests of one rank: posting begins one beside the rank's control flow, it is over when its message or meeting is
 * there, and a wait joins it. Of one that a test may find complete it is not known who joins it: it is then only begun.
 */
export class Requests {
  readonly #net: RequestingNet;
  readonly #loose: ReadonlySet<number>;
  readonly #free: ReadonlySet<number>;
  readonly #complete = new Map<number, Complete>();
  readonly #posted = new Map<string, Posted>();

  constructor(net: RequestingNet, loose: ReadonlySet<number>, free: ReadonlySet<number>) {
    this.#net = net;
    this.#loose = loose;
    this.#free = free;
  }

  /** Whether a wait surely joins the request. */
  isCounted(request: Request | undefined): boolean {
    return request !== undefined && !this.#free.has(request.number) && !this.#loose.has(request.number);
  }

  /** The place for the token of a complete request; undefined where nobody surely takes it. */
  completes(request: Request): string | undefined {
    if (!this.isCounted(request)) return undefined;
    const at = this.#completeOf(request);
    at.posts++;
    return at.place;
  }

  /** A wait joins the request, or, where that is not sure, is an operation. */
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

  /** A receive that does not wait: its message is taken beside the rank's control flow. */
  receive(
    s: Extract<Statement, { kind: 'recv' }>,
    request: Request,
    way: Way,
    make: Make,
    at: string,
    next: string,
  ): void {
    const places = this.#net.messagePlaces(s, way);
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
    posted.turns = plus(posted.turns, way.turns);
  }

  /** A collective call that does not wait. */
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

  /** Says the shapes and turns that are known when the whole rank is there. */
  close(): void {
    for (const { place, posts, turns, takes, party } of this.#posted.values()) {
      // Not every algorithm of a collective call waits for all ranks: its part may be over when others never come.
      const mayStay = party !== undefined;
      this.#net.maker.shape(place, { kind: 'request', posts: posts.length, waits: takes.length, mayStay });
      this.#net.maker.turns({ transitions: takes, ...turns, ...(party === undefined ? {} : { party }) });
    }
    // One that nothing posts, or nothing waits for, does not have its shape. A wait may be on one of two ways only.
    for (const { place, posts, waits } of this.#complete.values()) {
      const [least, mayStay] = [{ posts: Math.max(1, posts), waits: Math.max(1, waits) }, true];
      this.#net.maker.shape(place, { kind: 'request', ...least, mayStay });
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
    // Nothing is said of those who look whether it is over.
    else this.#net.maker.shape(done, { kind: 'request', posts: made.length, waits: 0, mayStay: true });
    const posted: Posted = { place, posts: [], turns: NEVER, takes: made, ...(party === undefined ? {} : { party }) };
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
