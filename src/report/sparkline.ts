const BLOCKS = ' ▁▂▃▄▅▆▇█';
const ASCII = ' .:-=+*#@';

/**
 * Draws values as one line of blocks. The height of a column is the mean of its values on a scale from 0 to `top`; non-zero
 * means get at least the smallest block. O(values + width).
 */
export function sparkline(values: readonly number[], width: number, top: number, unicode: boolean): string {
  const glyphs = unicode ? BLOCKS : ASCII;
  return resampled(values, width)
    .map((value) => {
      const level = top > 0 ? Math.round((value / top) * 8) : 0;
      return glyphs[value > 0 ? Math.min(8, Math.max(1, level)) : 0]!;
    })
    .join('');
}

/** Means over `count` equal parts; a value that spans two parts counts in each by its share. */
export function resampled(values: readonly number[], count: number): number[] {
  const n = values.length;
  if (n === 0) return new Array<number>(count).fill(0);
  return Array.from({ length: count }, (_, k) => {
    const from = (k * n) / count;
    const to = ((k + 1) * n) / count;
    let sum = 0;
    for (let i = Math.floor(from); i < Math.min(n, Math.ceil(to)); i++) {
      sum += values[i]! * (Math.min(to, i + 1) - Math.max(from, i));
    }
    return sum / (to - from);
  });
}
