import { NOT_NEGATIVE, time } from './form.ts';
import { ascending, between, law, scaled, seconds, shifted, UNDEFINED } from './law.ts';
import { inRange as isInterval } from './uniform.ts';

export const inRange = (low: number, mode: number, high: number): boolean =>
  isInterval(low, mode) && isInterval(mode, high);

/** Between `low` and `high` with its peak at `mode`. By inversion: one draw. */
export const triangular = law(
  { low: time(NOT_NEGATIVE), mode: time(NOT_NEGATIVE), high: time(NOT_NEGATIVE) },
  {
    moments(d, value) {
      const [low, mode, high] = [value(d.low), value(d.mode), value(d.high)];
      if (!inRange(low, mode, high)) return UNDEFINED;
      const width = high - low;
      const at = width === 0 ? 0 : (mode - low) / width;
      return shifted(low, scaled(width, { mean: (1 + at) / 3, variance: (1 - at * (1 - at)) / 18 }));
    },
    cdf(d, value) {
      const [low, mode, high] = [value(d.low), value(d.mode), value(d.high)];
      return between(inRange(low, mode, high), low, high, (x) =>
        x < mode
          ? ((x - low) / (high - low)) * ((x - low) / (mode - low))
          : 1 - ((high - x) / (high - low)) * ((high - x) / (high - mode)),
      );
    },
    sample(d, value, draw) {
      const [low, mode, high] = [value(d.low), value(d.mode), value(d.high)];
      if (!inRange(low, mode, high)) return Number.NaN;
      const u = draw();
      const width = high - low;
      if (width === 0) return seconds(low);
      const below = (mode - low) / width;
      return seconds(
        u < below
          ? low + width * Math.sqrt(u * below)
          : Math.max(low, high - width * Math.sqrt((1 - u) * ((high - mode) / width))),
      );
    },
    faults: ascending,
  },
);
