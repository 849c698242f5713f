import type { SpaceOmission } from '../inputs/document-parts.ts';

/** `62-bit hashes omit a state with a probability of at most 3.7e-7`. */
export function omissionText({ probability, bits }: SpaceOmission): string {
  return `${Math.round(bits)}-bit hashes omit a state with a probability of at most ${upwards(probability)}`;
}

/** A bound with two digits, rounded up: `3.7e-7`, `0.12`, `1`. */
function upwards(probability: number): string {
  if (probability >= 1) return '1';
  const unit = 10 ** (Math.floor(Math.log10(probability)) - 1);
  const rounded = Math.ceil(probability / unit) * unit;
  return rounded >= 0.01 ? String(Number(rounded.toPrecision(2))) : rounded.toExponential(1);
}
