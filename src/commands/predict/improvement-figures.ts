import type { Figure } from '../inputs/document-parts.ts';

/** The resource that limits a run; `dependencies`: no single one does. */
export type LimitKind =
  | 'computing'
  | 'cores'
  | 'memory'
  | 'bandwidth'
  | 'latency'
  | 'overhead'
  | 'gap'
  | 'storage'
  | 'scheduler'
  | 'workers'
  | 'dependencies';

/** A second run with twice as much of one resource. */
export interface Doubled {
  readonly kind: LimitKind;
  /** The parameter that was doubled, or halved if it is a time: an axis of `whatif`. `machine.threads`: all costs of threads; `machine.slowerHosts`: hosts as fast as the fastest. */
  readonly name: string;
  /** Run time minus that of the second run, in seconds; negative if that one takes longer. */
  readonly gain: number;
}

/** The resource whose doubling gains most. */
export type LimitFigures =
  | (Doubled & {
      /** All second runs. Resources that the program hardly uses are not doubled. */
      readonly tried: readonly Doubled[];
    })
  | { readonly kind: 'unknown' /** Why no second run was made. */; readonly because: string };

/** Figures of a placement of the ranks. */
export interface PlacementFigures {
  /** Predicted run time. */
  readonly runTime: Figure;
  /** Bytes of all messages between ranks on different nodes. */
  readonly betweenNodes: Figure;
}

/** The placement with the shortest run time that a search has found; `given`: that of this run. */
export type SuggestedPlacement =
  | {
      readonly kind: 'better' | 'given';
      /** The option that places the ranks so; absent if only a hostfile does. */
      readonly placement?: 'block' | 'cyclic';
      /** Lines of the hostfile that places the ranks so. */
      readonly hostfile: readonly string[];
      /** The placement of this run. */
      readonly before: PlacementFigures;
      /** The placement found. */
      readonly after: PlacementFigures;
      /** Number of placements whose run time was predicted, without that of this run. */
      readonly predictions: number;
      /** Maximum number of predictions. */
      readonly limit: number;
      /** `all`: every placement, up to exchanges of equal nodes, so that none is faster. */
      readonly tried: 'all' | 'some';
      /** False if the search was interrupted. */
      readonly complete: boolean;
    }
  | { readonly kind: 'none' /** Why no placement was looked for. */; readonly because: string };
