/**
 * The role of a place in the net of a program. It determines the arcs that the place must have.
 *
 * - `operation`: a step of one process: one arc in, one out
 * - `start`, `end`: where a process begins and ends: no arc in and one out; one in and none out
 * - `branch`, `merge`: one arc in, `ways` out; `ways` in, one out
 * - `loop`: two arcs in (entry, next iteration), two out (iteration body, exit)
 * - `request`: a non-blocking operation and its completion: `posts` arcs in, `waits` out, default 1 each. `mayStay`:
 *   tokens may remain when all processes have ended
 * - `synchronisation`: `parties` in, `parties` out; a party with several arcs there counts once. `names`: the parties
 * - `message`: sent and received equally often
 * - `resource`: every transition that takes from it returns as much
 * - `data`: no requirement
 */
export type PlaceShape =
  | { readonly kind: 'operation' | 'start' | 'end' | 'loop' | 'message' | 'resource' | 'data' }
  | { readonly kind: 'branch' | 'merge'; readonly ways: number }
  | { readonly kind: 'request'; readonly posts?: number; readonly waits?: number; readonly mayStay?: boolean }
  | { readonly kind: 'synchronisation'; readonly parties: number; readonly names?: readonly string[] };

/**
 * The role of a transition in the net of a program. `requests`: number of requests it also begins, default 0.
 *
 * - `operation`: advances one process; so do `fork` (into `parties`) and `join` (of `parties`)
 * - `send`, `receive`: advances one process and puts or takes one message
 * - `arrive`, `leave`: advances one process and puts or takes one token of a synchronisation
 * - `barrier`: takes one token from each party and returns one to each
 */
export type TransitionShape =
  | { readonly kind: 'operation' | 'receive' | 'leave' }
  | { readonly kind: 'send' | 'arrive'; readonly requests?: number }
  | { readonly kind: 'fork' | 'join' | 'barrier'; readonly parties: number };

/** Bounds on the number of firings in a run in which every process ends. */
export interface Turns {
  /** Minimum. */
  readonly least: number;
  /** Maximum; may be Infinity. */
  readonly most: number;
}

/** Transitions whose firings together are within these bounds: the alternatives of one operation. */
export interface TurnGroup extends Turns {
  /** Names of the transitions. */
  readonly transitions: readonly string[];
  /** For a synchronisation: the party. */
  readonly party?: string;
}

/** The roles of a net's nodes. */
export interface NodeShapes {
  /** Roles of places. A place not listed has the role of its kind in the net, or `operation` without a kind. */
  readonly places?: Readonly<Record<string, PlaceShape>>;
  /** Roles of transitions. For a transition not listed, only the adjacent places are checked. */
  readonly transitions?: Readonly<Record<string, TransitionShape>>;
  /**
   * Firing counts. A transition in no group is assumed to fire once; conclusions from this assumption are not proved.
   */
  readonly turns?: readonly TurnGroup[];
}

/** Numbers of arcs of a node, actual or required. */
export interface Degrees {
  readonly in: number;
  readonly out: number;
}

/** The required arcs of a place; undefined if the role does not fix their number. */
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

/** Groups of places adjacent to a transition: control and requests, messages, synchronisations. */
export type Side = 'control' | 'message' | 'synchronisation';

/** The group of a place; undefined if its arcs are not part of a transition's shape. */
export function sideOf({ kind }: PlaceShape): Side | undefined {
  if (kind === 'message' || kind === 'synchronisation') return kind;
  return kind === 'resource' || kind === 'data' ? undefined : 'control';
}

/** The required arcs of a transition, by group. */
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
