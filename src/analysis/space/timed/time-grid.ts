/** Times up to this many units leave room for sums that are exact in a double. */
const MAX_UNITS = 2 ** 50;
/** Units of the longest delay if delays have too many digits: 10⁻¹² of it. */
const DIGITS = 15;
const TOLERANCE = 1000;

/** The grid became finer or coarser: times in units of the previous grid are invalid. */
export class GridChanged extends Error {}

/**
 * Times as integer multiples of a power of ten, so that equal sums of delays are equal numbers: 0.1 + 0.2 = 0.3. Delays with too
 * many digits for that are rounded to 10⁻¹⁵ of the longest one, and times within 10⁻¹² of the longest delay are one instant.
 */
export class TimeGrid {
  #decimals = 0;
  #longest = 0;
  #exact = true;
  readonly #known = new Map<number, number>();

  /** Times that differ by at most this are one instant, in units. */
  get tolerance(): number {
    return this.#exact ? 0 : TOLERANCE;
  }

  /** @throws GridChanged the grid must be adapted to this time, and the search begun again */
  units(seconds: number): number {
    const known = this.#known.get(seconds);
    if (known !== undefined) return known;
    const decimals = decimalsOf(seconds);
    const longest = Math.max(this.#longest, seconds);
    if ((this.#exact && decimals > this.#decimals) || scaled(longest, this.#decimals) > MAX_UNITS) {
      this.#longest = longest;
      this.#decimals = Math.max(this.#decimals, decimals);
      this.#exact &&= scaled(longest, this.#decimals) <= MAX_UNITS;
      if (!this.#exact) this.#decimals = DIGITS - 1 - Math.floor(Math.log10(longest));
      this.#known.clear();
      throw new GridChanged();
    }
    this.#longest = longest;
    const units = Math.round(scaled(seconds, this.#decimals));
    this.#known.set(seconds, units);
    return units;
  }

  seconds(units: number): number {
    return scaled(units, -this.#decimals);
  }
}

/** `value × 10^power`, correctly rounded. */
function scaled(value: number, power: number): number {
  const [digits = '0', exponent = '0'] = value.toExponential().split('e');
  return Number(`${digits}e${Number(exponent) + power}`);
}

/** Decimals of the shortest decimal number that is this double; negative for multiples of ten. */
function decimalsOf(value: number): number {
  if (value === 0) return 0;
  const [digits = '0', exponent = '0'] = value.toExponential().split('e');
  return Math.max(0, digits.replace('.', '').length - 1 - Number(exponent));
}
