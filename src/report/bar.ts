const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/**
 * A horizontal bar of a share 0 … 1 in `width` columns: what is filled, to an eighth of a column (in ASCII to one), and
 * the rest. What is not 0 is never drawn as nothing.
 */
export function bar(
  share: number,
  width: number,
  unicode: boolean,
): { readonly filled: string; readonly rest: string } {
  const part = Math.min(1, Math.max(0, share)) * width;
  const steps = unicode ? 8 : 1;
  const least = share > 0 ? 1 : 0;
  const length = Math.max(least, Math.round(part * steps));
  const full = Math.floor(length / steps);
  const eighth = unicode ? EIGHTHS[length % 8]! : '';
  const rest = width - full - eighth.length;
  return { filled: (unicode ? '█' : '#').repeat(full) + eighth, rest: (unicode ? '·' : '.').repeat(rest) };
}

/**
 * Lengths of the segments of a stacked bar of `width` columns in all: the borders between them are rounded, so that the
 * lengths add up to the rounded sum and no border is off by more than half a column.
 *
 * @param shares of the whole bar, ≥ 0; what they add up to above 1 is cut
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
