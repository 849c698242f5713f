import type { RanksAside } from '../app/predict/rank-follower.ts';
import type { SimulationProgress, SpaceProgress } from './job.ts';

/** How whoever waits for an answer follows the work, and ends it early. */
export interface Following {
  readonly progress?: (p: SimulationProgress) => void;
  readonly explored?: (p: SpaceProgress) => void;
  readonly cancelled: () => boolean;
  /** The SHA-256 of an input where somebody else makes it; may wait for it. */
  readonly digestOf?: (path: string) => string | undefined;
  /** Another thread that follows the ranks of a trace. */
  readonly ranksAside?: RanksAside;
}
