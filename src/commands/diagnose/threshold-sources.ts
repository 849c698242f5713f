import { DEFAULT_THRESHOLDS, type DiagnosisThresholds, MAX_HANDLING } from '../../analysis/diagnosis/causes.ts';
import type { Counting } from '../../analysis/diagnosis/region-figures.ts';

/** Sources that say how many ticks a task should take at least. */
export type Preset = 'openmp' | 'tbb' | 'cilk' | 'document';

/** Ticks of a task by preset, with the source. */
export const PRESETS: Readonly<Record<Preset, { readonly ticks: number; readonly source: string }>> = {
  openmp: {
    ticks: 6000,
    source:
      "measured, as its makers give no figure: a task of GCC 12's libgomp costs 590 cycles with two threads; ten times that",
  },
  tbb: {
    ticks: 100_000,
    source: 'oneTBB Developer Guide, Controlling Chunking: a chunk takes at least 100,000 clock cycles',
  },
  cilk: {
    ticks: 15_000,
    source: 'OpenCilk Cilkscale: the burden of a strand that may be stolen is 15,000 cycles',
  },
  document: { ticks: 5000, source: 'CN 102918501: a task takes at least 5,000 ticks' },
};

/** Clock of the source, in Hz. */
const DOCUMENT_CLOCK = 2e9;

/** A threshold, and where it comes from. */
export interface ThresholdSource {
  /** Name of the threshold. */
  readonly threshold: keyof DiagnosisThresholds | 'handling';
  /** Its value: a figure above it is a cause of lost time. */
  readonly value: number;
  /** Its unit. */
  readonly unit: '1' | '1/s';
  /** `given` by an option; `costs`: of the states; `ticks` and `preset` with a clock; `default` of the product or the document. */
  readonly from: 'given' | 'costs' | 'ticks' | 'preset' | 'default';
  /** In words. */
  readonly source: string;
}

/** Options that decide thresholds. */
interface ThresholdOptions extends Partial<DiagnosisThresholds> {
  readonly counting?: Counting;
  readonly ticks?: number;
  readonly clock?: number;
  readonly preset?: Preset;
}

/** Tasks per second of one worker above which they are too many; undefined where the costs of the states decide. */
export function taskRateOf(options: ThresholdOptions): number | undefined {
  const ticks = options.preset === undefined ? options.ticks : PRESETS[options.preset].ticks;
  // A task of 5,000 ticks at 2 GHz: 400,000 a second.
  return ticks === undefined ? options.taskRate : (options.clock ?? DOCUMENT_CLOCK) / ticks;
}

/** All thresholds of a diagnosis with their sources. */
export function thresholdSources(options: ThresholdOptions): readonly ThresholdSource[] {
  const share = (threshold: 'active' | 'inactive' | 'stealRatio', source: string): ThresholdSource => ({
    threshold,
    value: options[threshold] ?? DEFAULT_THRESHOLDS[threshold],
    unit: '1',
    ...(options[threshold] === undefined ? { from: 'default', source } : { from: 'given', source: 'option' }),
  });
  return [
    share('active', "10 % of the workers' time"),
    share('inactive', "10 % of the workers' time"),
    ofTasks(options),
    share('stealRatio', 'CN 102918501'),
    ...(options.searchRate === undefined
      ? []
      : [
          { threshold: 'searchRate', value: options.searchRate, unit: '1/s', from: 'given', source: 'option' } as const,
        ]),
  ];
}

function ofTasks(options: ThresholdOptions): ThresholdSource {
  const { preset, ticks, clock, counting } = options;
  const value = taskRateOf(options);
  const rate = { threshold: 'taskRate', unit: '1/s' } as const;
  const hertz = clock === undefined ? '2 GHz, the clock of CN 102918501' : `${clock / 1e9} GHz`;
  if (value !== undefined && preset !== undefined)
    return { ...rate, value, from: 'preset', source: `${PRESETS[preset].source}; at ${hertz}` };
  if (value !== undefined && ticks !== undefined)
    return { ...rate, value, from: 'ticks', source: `${ticks} ticks a task at ${hertz}` };
  if (value !== undefined) return { ...rate, value, from: 'given', source: 'option' };
  if (counting === 'document')
    return {
      ...rate,
      value: DOCUMENT_CLOCK / PRESETS.document.ticks,
      from: 'default',
      source: PRESETS.document.source,
    };
  return {
    threshold: 'handling',
    value: MAX_HANDLING,
    unit: '1',
    from: 'costs',
    source: 'costs of the states: time to handle tasks, as a share of computing and overhead',
  };
}
