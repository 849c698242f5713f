import type { Distribution } from '../../distributions/laws.ts';
import type { Expression } from '../../expression.ts';

export const constant = (value: number): Expression => ({ op: 'const', value });

/**
 * A distribution, or a constant delay in seconds, from its parameters; undefined if their number or values do not fit.
 *
 * @param unit seconds per unit of the parameters
 * @param prom true for parameters of ProM; those of pm4py are location and scale, as in SciPy
 */
type Maker = (parameters: readonly number[], unit: number, prom: boolean) => Distribution | number | undefined;

/** By `distributionType`: the parameters of both tools, in words for messages, and the distribution. */
export const MAKERS: Readonly<Record<string, { readonly pm4py: string; readonly prom: string; readonly make: Maker }>> =
  {
    EXPONENTIAL: {
      pm4py: 'RATE',
      prom: 'MEAN',
      make: ([a, ...more], unit, prom) =>
        more.length === 0 && a! > 0
          ? { dist: 'exponential', rate: constant(prom ? 1 / (a! * unit) : a! / unit) }
          : undefined,
    },
    NORMAL: {
      pm4py: 'MEAN;DEVIATION, both >= 0',
      prom: 'MEAN;DEVIATION, both >= 0',
      make: ([mean, deviation, ...more], unit) =>
        more.length === 0 && mean! >= 0 && deviation! >= 0
          ? { dist: 'normal', mean: constant(mean! * unit), deviation: constant(deviation! * unit) }
          : undefined,
    },
    UNIFORM: {
      pm4py: 'FROM;WIDTH, both >= 0',
      prom: 'FROM;TO, 0 <= FROM <= TO',
      make: ([low, second, ...more], unit, prom) => {
        const high = prom ? second! : low! + second!;
        return more.length === 0 && low! >= 0 && high >= low!
          ? { dist: 'uniform', low: constant(low! * unit), high: constant(high * unit) }
          : undefined;
      },
    },
    LOGNORMAL: {
      pm4py: 'DEVIATION;0;SCALE',
      prom: 'MEAN;DEVIATION of the logarithm',
      make: (parameters, unit, prom) => {
        const [deviation, mean] = prom
          ? [parameters[1], parameters[0]! + Math.log(unit)]
          : [parameters[0], Math.log(parameters[2]! * unit)];
        return parameters.length === (prom ? 2 : 3) &&
          deviation! >= 0 &&
          Number.isFinite(mean) &&
          (prom || parameters[1] === 0)
          ? { dist: 'lognormal', mean: constant(mean), deviation: constant(deviation!) }
          : undefined;
      },
    },
    GAMMA: {
      pm4py: 'SHAPE;0;SCALE',
      prom: 'SHAPE;SCALE',
      make: (parameters, unit, prom) => {
        const [shape, scale] = prom ? parameters : [parameters[0], parameters[2]];
        return parameters.length === (prom ? 2 : 3) && shape! > 0 && scale! > 0 && (prom || parameters[1] === 0)
          ? { dist: 'gamma', shape: constant(shape!), scale: constant(scale! * unit) }
          : undefined;
      },
    },
    DETERMINISTIC: {
      pm4py: 'TIME > 0',
      prom: 'TIME > 0',
      make: ([time, ...more], unit) => (more.length === 0 && time! > 0 ? time! * unit : undefined),
    },
  };
