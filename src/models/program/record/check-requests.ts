import { fail } from '../../../base/problem.ts';
import type { Recorded } from './recorder.ts';
import { type Block, type Request, type Statement, statementsIn } from './statement.ts';

/** State of a request at a point of the program; `perhaps`: posted on some paths only. */
type Known = 'free' | 'posted' | 'perhaps';

/**
 * Rejects a wait for a request that is not posted on every path to it, and a second post without a wait in between.
 * Loop bodies are walked twice. After `waitAny` and `test` a request may be open or complete; both are accepted.
 *
 * @throws InputError MODEL021, MODEL022, MODEL023, with the line of the other operation
 */
export function checkRequests({ body }: Pick<Recorded, 'body'>): void {
  const known = new Map<number, Known>();
  const posts = new Map<number, Statement>();
  const wildcards = wildcardRequests(body);
  const free = freeRequests(body);
  walk(body);
  for (const [number, state] of known)
    if (state === 'posted' && !wildcards.has(number) && !free.has(number)) {
      const { site } = posts.get(number)!;
      fail('MODEL023', 'nothing waits for this request before the program ends', site.place);
    }

  function walk(block: Block): void {
    for (const s of block.statements) {
      switch (s.kind) {
        case 'send':
        case 'recv':
        case 'collective':
          if (s.request !== undefined) post(s, s.request);
          break;
        case 'wait':
          wait(s, s.request);
          break;
        case 'waitAny':
          for (const request of s.requests) require(s, request);
          for (const request of s.requests) known.set(request.number, 'perhaps');
          break;
        case 'test':
        case 'take':
          require(s, s.request);
          known.set(s.request.number, 'perhaps');
          break;
        case 'when':
        case 'chance': {
          const before = new Map(known);
          walk(s.holds);
          const after = new Map(known);
          restore(before);
          walk(s.otherwise);
          join(after);
          break;
        }
        case 'loop':
        case 'while': {
          const before = new Map(known);
          walk(s.body);
          walk(s.body);
          if (s.kind === 'while' || typeof s.count !== 'number' || !(s.count > 0)) join(before);
          break;
        }
        case 'repeat':
          walk(s.body);
          walk(s.body);
          break;
        case 'interval':
          walk(s.body);
          break;
        default:
      }
    }
  }

  function post(s: Statement, { number }: Request): void {
    if (known.get(number) === 'posted' && !free.has(number)) {
      const first = posts.get(number)!.site;
      const same = first === s.site ? 'in the previous iteration' : `at ${first.short}`;
      fail('MODEL022', `this request was already posted ${same}, without a wait since`, s.site.place);
    }
    known.set(number, 'posted');
    posts.set(number, s);
  }

  function wait(s: Statement, request: Request): void {
    require(s, request);
    known.set(request.number, wildcards.has(request.number) ? 'perhaps' : 'free');
  }

  function require(s: Statement, { number, site }: Request): void {
    const state = known.get(number) ?? 'free';
    if (state === 'posted' || wildcards.has(number)) {
      if (state !== 'free' || posts.has(number)) return;
    }
    const made = `the request made at ${site.short}`;
    if (state === 'perhaps') fail('MODEL021', `${made} is posted on some of the paths to this wait only`, s.site.place);
    fail('MODEL021', `${made} is not posted, or already waited for, at this wait`, s.site.place);
  }

  function restore(state: ReadonlyMap<number, Known>): void {
    known.clear();
    for (const [k, v] of state) known.set(k, v);
  }

  /** Joins the states of two paths. */
  function join(other: ReadonlyMap<number, Known>): void {
    for (const number of new Set([...known.keys(), ...other.keys()])) {
      const [a, b] = [known.get(number) ?? 'free', other.get(number) ?? 'free'];
      known.set(number, a === b ? a : 'perhaps');
    }
  }
}

/** Sends that nothing in the program waits for; they complete without a wait (MPI_Request_free). */
export function freeRequests(body: Block): Set<number> {
  const free = new Set<number>();
  const waited = new Set<number>();
  for (const s of statementsIn(body)) {
    if (s.kind === 'send' && s.request !== undefined) free.add(s.request.number);
    if (s.kind === 'wait' || s.kind === 'test' || s.kind === 'take') waited.add(s.request.number);
    if (s.kind === 'waitAny') for (const { number } of s.requests) waited.add(number);
  }
  for (const number of waited) free.delete(number);
  return free;
}

/** Requests used in a `waitAny` or `test`: their state is known only at run time. */
export function wildcardRequests(body: Block): Set<number> {
  const found = new Set<number>();
  for (const s of statementsIn(body)) {
    if (s.kind === 'waitAny') for (const { number } of s.requests) found.add(number);
    if (s.kind === 'test' || s.kind === 'take') found.add(s.request.number);
  }
  return found;
}
