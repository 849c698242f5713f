import type { OffloadedRanks } from '../app/predict/rank-follower.ts';
import type { SimulationProgress, SpaceProgress, StudyProgress } from './job.ts';

/** How whoever waits for an answer follows the work, and ends it early. */
export interface Following {
  readonly progress?: (p: SimulationProgress) => void;
  readonly explored?: (p: SpaceProgress) => void;
  readonly studied?: (p: StudyProgress) => void;
  /** StatementInfo when code of a model whose time is limited begins and ends. */
  readonly building?: (building: boolean) => void;
  readonly cancelled: () => boolean;
  /** The SHA-256 of an input where somebody else makes it; may wait for it. */
  readonly digestOf?: (path: string) => string | undefined;
  /** Another thread that follows the ranks of a trace. */
  readonly offloadedRanks?: OffloadedRanks;
}
