import type { MarkingView } from '../../../analysis/space/state-space.ts';
import { buriedStrands, UNQUEUED_PLACES } from '../../../models/threads/buried-strands.ts';
import type { ThreadProgram } from '../../../models/threads/program/rows.ts';
import type { Net } from '../../../net/net.ts';

/** Kinds of dead markings: the regular end of the program, or a violation. */
export type Ending = 'ended' | 'locks-held' | 'deadlock' | 'lost-wake-up' | 'fault';

/** Tokens of a marking by name of the place, each with its values in the order of the place's fields. */
export type Tokens = (place: string) => readonly (readonly number[])[];

export function tokensOf(net: Net, { places }: MarkingView): Tokens {
  const byPlace = new Map(
    places.map(({ place, tokens }) => [
      net.places[place]!.name,
      tokens.flatMap(({ values, count }) => Array.from({ length: count }, () => values)),
    ]),
  );
  return (place) => byPlace.get(place) ?? [];
}

/** Kind of a dead marking: the end of the program, or a violation. */
export function endingOf({ objects, pools }: ThreadProgram, tokens: Tokens): Ending {
  if (tokens('faults').length > 0) return 'fault';
  // A strand that waits for its own strands waits for whatever they wait for.
  const waiting = waitingIn(tokens).filter(([o]) => objects[o!]!.isJoin !== true);
  if (tokens('ended').length === pools) {
    const held = tokens('objects').some(([o, v]) => isHeld(objects[o!]!.kind, v!));
    return held ? 'locks-held' : 'ended';
  }
  const kinds = waiting.map(([o]) => objects[o!]!.kind);
  // Tasks that are still queued have no worker: all are blocked.
  const hasWork = tokens('queued').length > 0 || buriedIn(tokens).length > 0 || unqueuedIn(tokens).length > 0;
  const isLost = kinds.length > 0 && kinds.every((kind) => SIGNALS.has(kind)) && !hasWork;
  return isLost ? 'lost-wake-up' : 'deadlock';
}

/** Strands that wait for objects, and those that spin meanwhile; without the places in queues of strands that have given up. */
export function waitingIn(tokens: Tokens): ReturnType<Tokens> {
  const left = tokens('left behind in the queue');
  return [...tokens('waiting'), ...tokens('spinning')].filter(
    ([, , s, at]) => !left.some(([, strand, row]) => strand === s && row === at),
  );
}

/** Strands that their scheduler threads cannot queue: worker, strand and row of each. */
export const unqueuedIn = (tokens: Tokens): ReturnType<Tokens> => UNQUEUED_PLACES.flatMap((place) => tokens(place));

/** Strands on the stacks of workers, below others. */
export function buriedIn(tokens: Tokens): ReturnType<typeof buriedStrands> {
  const frames = tokens('stack').map(([w, d, s, at]) => ({ w: w!, d: d!, s: s!, at: at! }));
  return buriedStrands(
    frames,
    waitingIn(tokens).map(([, w, s]) => ({ w: w!, s: s! })),
  );
}

/** Objects on which a strand waits for a signal of another one. */
const SIGNALS: ReadonlySet<string> = new Set(['condition', 'event', 'autoEvent', 'semaphore']);

export function isHeld(kind: string, value: number): boolean {
  return (kind === 'mutex' && value === 0) || (kind === 'rwlock' && value !== 0);
}
