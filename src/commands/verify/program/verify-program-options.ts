import type { ExploreOptions } from '../../../analysis/space/state-space.ts';
import type { MachineOptions } from '../../inputs/target.ts';
import type { SendProtocol } from './subject.ts';

/** Protocols of sends under which a program is verified. */
export type SendsOption = SendProtocol | 'both';

/** Options and limits of program verification. */
export interface VerifyProgramOptions
  extends Pick<MachineOptions, 'machine' | 'ranks' | 'derivedTypeBytes'>,
    Pick<ExploreOptions, 'memory' | 'seconds' | 'workers'> {
  /** Protocols of sends, default `both`. */
  readonly sends?: SendsOption;
  /** Models only: parameter values. */
  readonly set?: Readonly<Record<string, number | string | boolean>>;
  /** Maximum number of steps of a run. Default: unlimited for a trace, which always ends; 10⁸ for a model. */
  readonly maxSteps?: number;
  /** Maximum number of states of one instance, default 10⁶. */
  readonly maxStates?: number;
  /** Checks that at most this many messages wait for a receive of one rank. */
  readonly buffer?: number;
  /** Start of the time limit, as from `performance.now()`. Default: now. */
  readonly begun?: number;
  /** Polled during the work; once it returns `true`, the verification ends and unknown verdicts are null. */
  readonly cancelled?: () => boolean;
  /** Called during a run with its number of steps. */
  readonly played?: (steps: number) => void;
  /** Called during an exploration: states found, states expanded, and elapsed seconds. */
  readonly progress?: (p: { readonly states: number; readonly expanded: number; readonly seconds: number }) => void;
}
