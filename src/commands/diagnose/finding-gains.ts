import type { FindingCause } from '../../analysis/diagnosis/causes.ts';
import type { LossSubject, SlowHost } from '../../analysis/diagnosis/known-losses.ts';
import type { MeasuredRegion } from '../../analysis/diagnosis/worker-meter.ts';
import type { DiagnosisFinding } from './diagnosis-document.ts';
import type { DiagnoseModelOptions } from './diagnosis-options.ts';
import type { Gain, RemovedCause } from './predicted-gain.ts';

/** The gain of removing a cause of a region; the subject is its object or line, the hosts are its slower ones. */
export type GainOf = (
  region: string,
  cause: FindingCause,
  subject: LossSubject | undefined,
  hosts: readonly SlowHost[] | undefined,
) => Gain;

/** Adds predicted gains to findings. Findings of one cause and region, in several periods, share one. */
export class FindingGains {
  readonly #isAsked: boolean;
  readonly #gainOf: GainOf;
  readonly #gains = new Map<string, Gain>();
  readonly #removed: RemovedCause[] = [];

  /** @param gainOf makes the changes of a region of the program that remove a cause, and runs it */
  constructor({ gain }: DiagnoseModelOptions, gainOf: GainOf) {
    this.#isAsked = gain !== false;
    this.#gainOf = gainOf;
  }

  /** The causes that changes remove, the largest gain first. */
  get removed(): readonly RemovedCause[] {
    return [...this.#removed].sort((a, b) => b.gain - a.gain);
  }

  /** The finding with its predicted gain, or the reason for a missing one. */
  of(region: string, finding: DiagnosisFinding): DiagnosisFinding {
    const gain = this.#gain(region, finding);
    if ('reason' in gain) return { ...finding, noGain: gain.reason };
    const { change, seconds } = gain;
    const bound = gain.isBound === true ? { gainIsBound: true as const } : {};
    return { ...finding, advice: `${change}: ${finding.advice}`, change, predictedGain: seconds, ...bound };
  }

  #gain(region: string, { cause, subject, hosts }: DiagnosisFinding): Gain {
    if (!this.#isAsked) return { reason: 'changed programs are not run' };
    const key = JSON.stringify([cause, region, subject]);
    const known = this.#gains.get(key);
    if (known !== undefined) return known;
    const gain = this.#gainOf(region, cause, subject, hosts);
    this.#gains.set(key, gain);
    if ('variant' in gain && gain.variant !== undefined)
      this.#removed.push({ region, cause, gain: gain.seconds, variant: gain.variant });
    return gain;
  }
}

/** Seconds of a region in all its periods. */
export const secondsOf = (measured: readonly MeasuredRegion[], region: string): number =>
  measured.reduce((sum, r) => (r.name === region ? sum + r.seconds : sum), 0);
