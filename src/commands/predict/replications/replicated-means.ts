import { RunningRatio } from '../../../analysis/statistics/ratio.ts';
import type { FigureError } from '../../inputs/document-parts.ts';
import type { PredictionDocument } from '../prediction.ts';
import type { ReplicatedMean } from './replication-figures.ts';

/** A figure of one run as a quotient: for a mean over time, its integral and the run time. */
export interface Quotient extends Pick<ReplicatedMean, 'of' | 'name' | 'figure' | 'unit'> {
  readonly numerator: number;
  readonly denominator: number;
}

/** The figures of a run that are means over its time, and its load balance. */
export function quotientsOf({
  figures,
  resources,
  nodes = [],
  places = [],
  transitions = [],
}: PredictionDocument): Quotient[] {
  const time = figures.runTime.value;
  const overTime = (
    of: Quotient['of'],
    name: string,
    figure: Quotient['figure'],
    mean: number | null | undefined,
    unit: Quotient['unit'] = '1',
  ): Quotient[] =>
    mean === undefined ? [] : [{ of, name, figure, unit, numerator: (mean ?? 0) * time, denominator: time }];
  return [
    ...overTime('program', '', 'parallelism', figures.parallelism?.mean.value),
    ...(figures.loadBalance === undefined
      ? []
      : [
          {
            of: 'program',
            name: '',
            figure: 'loadBalance',
            unit: '1',
            numerator: figures.loadBalance.value,
            denominator: 1,
          } as const,
        ]),
    ...nodes.flatMap(({ host, load }) => overTime('node', host, 'load', load)),
    // No share of a fatpipe is used: each message has it for itself.
    ...resources.flatMap(({ kind, name, utilisation, fatpipe }) =>
      fatpipe ? [] : overTime(kind, name, 'utilisation', utilisation),
    ),
    ...places.flatMap(({ name, mean, utilisation }) => [
      ...overTime('place', name, 'tokens', mean),
      ...overTime('place', name, 'utilisation', utilisation),
    ]),
    ...transitions.flatMap(({ name, rate, inProgress, utilisation }) => [
      ...overTime('transition', name, 'rate', rate, '1/s'),
      ...overTime('transition', name, 'inProgress', inProgress),
      ...overTime('transition', name, 'utilisation', utilisation),
    ]),
  ];
}

/** Estimates the figures of {@link quotientsOf} from replications that are added one by one. */
export class ReplicatedMeans {
  readonly #all = new Map<string, { readonly named: Quotient; readonly ratio: RunningRatio }>();
  readonly #seconds: number[] = [];

  /** @param seconds run time of the replication */
  add(quotients: readonly Quotient[], seconds: number): void {
    for (const one of quotients) {
      const key = JSON.stringify([one.of, one.name, one.figure]);
      const { ratio } = this.#all.get(key) ?? this.#begun(key, one);
      ratio.add(one.numerator, one.denominator);
    }
    this.#seconds.push(seconds);
    // A link that carried nothing in a run is not listed there.
    for (const { ratio } of this.#all.values()) if (ratio.count < this.#seconds.length) ratio.add(0, seconds);
  }

  #begun(key: string, named: Quotient): { readonly named: Quotient; readonly ratio: RunningRatio } {
    const begun = { named, ratio: new RunningRatio() };
    for (const seconds of this.#seconds) begun.ratio.add(0, seconds);
    this.#all.set(key, begun);
    return begun;
  }

  /** Figures of runs that take time, in the order in which they first appeared. */
  figures(confidence: number): ReplicatedMean[] {
    return [...this.#all.values()].flatMap(({ named: { of, name, figure, unit }, ratio }) => {
      if (!Number.isFinite(ratio.value)) return [];
      const found = ratio.interval(confidence);
      const error: FigureError | undefined =
        found === undefined
          ? undefined
          : {
              lower: Math.max(0, found.lower),
              upper: isShare(of, figure) ? Math.min(Math.max(1, ratio.value), found.upper) : found.upper,
              certainty: confidence,
            };
      return [{ of, ...(name === '' ? {} : { name }), figure, value: ratio.value, unit, ...error }];
    });
  }
}

/** True for figures that cannot exceed 1; of a link that is not shared the utilisation can. */
const isShare = (of: ReplicatedMean['of'], figure: ReplicatedMean['figure']): boolean =>
  figure === 'loadBalance' || (figure === 'utilisation' && of !== 'link');
