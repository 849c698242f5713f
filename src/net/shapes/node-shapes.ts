/**
 * What a place of a program's net stands for, and with it the arcs that it must have.
 *
 * - `operation`: a step of one process: one arc in, one out
 * - `start`, `end`: where a process begins and ends: one arc out, none in; one in, none out
 * - `branch`, `merge`: one arc in, `ways` out; `ways` in, one out
 * - `loop`: one arc in to enter and one for the next turn; one out for a turn and one for the end
 * - `request`: what was begun and is waited for later: `posts` arcs in, `waits` out, each 1 unless given. `mayStay`: some of it
 *   may be there when all has ended
 * - `synchronisation`: `parties` in, `parties` out; a party with several ways there counts once. `names`: who they are
 * - `message`: someone sends, someone receives, both equally often
 * - `resource`: whoever takes of it gives as much back
 * - `data`: nothing is demanded
 */
export type PlaceShape =
  | { readonly kind: 'operation' | 'start' | 'end' | 'loop' | 'message' | 'resource' | 'data' }
  | { readonly kind: 'branch' | 'merge'; readonly ways: number }
  | { readonly kind: 'request'; readonly posts?: number; readonly waits?: number; readonly mayStay?: boolean }
  | { readonly kind: 'synchronisation'; readonly parties: number; readonly names?: readonly string[] };

/**
 * What a transition of a program's net stands for. `requests`: how many requests it begins besides, default none.
 *
 * - `operation`: moves one process on; so do `fork` to `parties` and `join` of them
 * - `send`, `receive`: moves one process on and puts, or takes, one message
 * - `arrive`, `leave`: moves one process on and puts, or takes, one token of a synchronisation
 * - `barrier`: takes one token of each of the parties and gives one to each
 */
export type TransitionShape =
  | { readonly kind: 'operation' | 'receive' | 'leave' }
  | { readonly kind: 'send' | 'arrive'; readonly requests?: number }
  | { readonly kind: 'fork' | 'join' | 'barrier'; readonly parties: number };

/** How often something happens in a run in which every process comes to its end; `most` may be Infinity. */
export interface Turns {
  readonly least: number;
  readonly most: number;
}

/** Transitions that together fire so often: one operation with the ways in which it can happen. */
export interface TurnGroup extends Turns {
  readonly transitions: readonly string[];
  /** Of a synchronisation: who takes part. */
  readonly party?: string;
}

/** What the nodes of a net stand for. */
export interface NodeShapes {
  /** A place that is not named is what its kind in the net says; without one, an operation. */
  readonly places?: Readonly<Record<string, PlaceShape>>;
  /** Of transitions that are not named only the places around them are checked. */
  readonly transitions?: Readonly<Record<string, TransitionShape>>;
  /** How often transitions fire; one that is in no group is taken to fire once, and what follows from that is not proved. */
  readonly turns?: readonly TurnGroup[];
}

/** Numbers of arcs that a node has, or must have. */
export interface Degrees {
  readonly in: number;
  readonly out: number;
}

/** The arcs that a place must have; undefined where the shape is none of numbers. */
export function placeDegrees(shape: PlaceShape): Degrees | undefined {
  switch (shape.kind) {
    case 'operation':
      return { in: 1, out: 1 };
    case 'start':
      return { in: 0, out: 1 };
    case 'end':
      return { in: 1, out: 0 };
    case 'branch':
      return { in: 1, out: shape.ways };
    case 'merge':
      return { in: shape.ways, out: 1 };
    case 'loop':
      return { in: 2, out: 2 };
    case 'request':
      return { in: shape.posts ?? 1, out: shape.waits ?? 1 };
    case 'synchronisation':
      return { in: shape.parties, out: shape.parties };
    case 'message':
    case 'resource':
    case 'data':
      return undefined;
  }
}

/** What the arcs of transitions lead to: places of control and requests, messages, synchronisations. */
export type Side = 'control' | 'message' | 'synchronisation';

/** On which side a place stands; undefined: its arcs are not part of a transition's shape. */
export function sideOf({ kind }: PlaceShape): Side | undefined {
  if (kind === 'message' || kind === 'synchronisation') return kind;
  return kind === 'resource' || kind === 'data' ? undefined : 'control';
}

/** The arcs that a transition must have, by side. */
export function transitionDegrees(shape: TransitionShape): Readonly<Record<Side, Degrees>> {
  const none = { in: 0, out: 0 };
  const control = { in: 1, out: 1 };
  const both = { control, message: none, synchronisation: none };
  switch (shape.kind) {
    case 'operation':
      return both;
    case 'fork':
      return { ...both, control: { in: 1, out: shape.parties } };
    case 'join':
      return { ...both, control: { in: shape.parties, out: 1 } };
    case 'send':
      return { ...both, control: { in: 1, out: 1 + (shape.requests ?? 0) }, message: { in: 0, out: 1 } };
    case 'receive':
      return { ...both, message: { in: 1, out: 0 } };
    case 'arrive':
      return { ...both, control: { in: 1, out: 1 + (shape.requests ?? 0) }, synchronisation: { in: 0, out: 1 } };
    case 'leave':
      return { ...both, synchronisation: { in: 1, out: 0 } };
    case 'barrier':
      return { control: none, message: none, synchronisation: { in: shape.parties, out: shape.parties } };
  }
}
