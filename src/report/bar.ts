const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/**
 * A horizontal bar for a share 0 … 1 in `width` columns: the filled part, with a resolution of an eighth of a column (ASCII:
 * one column), and the rest. Non-zero shares get at least the smallest step.
 */
export function bar(
  share: number,
  width: number,
  unicode: boolean,
): { readonly filled: string; readonly rest: string } {
  const part = Math.min(1, Math.max(0, share)) * width;
  const steps = unicode ? 8 : 1;
  const min = share > 0 ? 1 : 0;
  const length = Math.max(min, Math.round(part * steps));
  const full = Math.floor(length / steps);
  const eighth = unicode ? EIGHTHS[length % 8]! : '';
  const rest = width - full - eighth.length;
  return { filled: (unicode ? '█' : '#').repeat(full) + eighth, rest: (unicode ? '·' : '.').repeat(rest) };
}

/**
 * Segment lengths of a stacked bar with `width` columns in total. The borders between segments are rounded, so the lengths
 * add up to the rounded sum and no border is off by more than half a column.
 *
 * @param shares of the whole bar, ≥ 0; the part of their sum above 1 is cut off
 */
export function segments(shares: readonly number[], width: number): number[] {
  let sum = 0;
  let before = 0;
  return shares.map((share) => {
    sum += Math.max(0, share);
    const border = Math.min(width, Math.round(sum * width));
    const length = border - before;
    before = border;
    return length;
  });
}
