/** Formats ascending integers as ranges: `0-3,7`. O(numbers). */
export function ranges(ascending: readonly number[]): string {
  const texts: string[] = [];
  for (let k = 0; k < ascending.length; ) {
    const first = ascending[k]!;
    let last = first;
    while (ascending[++k] === last + 1) last++;
    texts.push(last === first ? String(first) : `${first}${last === first + 1 ? ',' : '-'}${last}`);
  }
  return texts.join(',');
}
