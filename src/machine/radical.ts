/**
 * Expands a SimGrid radical: `0-3,7` is 0, 1, 2, 3, 7, in the written order. An interval whose end is less than its
 * start is an error (SimGrid takes it as no hosts).
 *
 * @param limit maximum number of hosts
 * @returns the numbers, at most `limit`, or an error message
 */
export function parseRadical(text: string, limit: number): readonly number[] | string {
  const numbers: number[] = [];
  for (const part of text.split(',')) {
    const match = /^\s*(\d{1,10})\s*(?:-\s*(\d{1,10})\s*)?$/.exec(part);
    if (match === null)
      return `expected a number or an interval such as 0-63, got ${JSON.stringify(part.slice(0, 40))}`;
    const first = Number(match[1]);
    const last = match[2] === undefined ? first : Number(match[2]);
    if (last < first) return `the interval ${first}-${last} is empty`;
    if (last > 0x7fffffff) return `${last} is larger than 2147483647`;
    if (numbers.length + (last - first + 1) > limit) return `it names more than ${limit} hosts`;
    for (let i = first; i <= last; i++) numbers.push(i);
  }
  return numbers;
}
