/**
 * The numbers of a SimGrid radical: `0-3,7` is 0, 1, 2, 3, 7. In the order in which they are written; an interval whose
 * end lies before its start is an error here (SimGrid takes it as no hosts).
 *
 * @param limit The most numbers that are made.
 * @returns the numbers, or a sentence that says what is wrong; never more than `limit` numbers.
 */
export function parseRadical(text: string, limit: number): readonly number[] | string {
  const numbers: number[] = [];
  for (const part of text.split(',')) {
    const match = /^\s*(\d{1,10})\s*(?:-\s*(\d{1,10})\s*)?$/.exec(part);
    if (match === null) return `${JSON.stringify(part.slice(0, 40))} is neither a number nor an interval such as 0-63`;
    const first = Number(match[1]);
    const last = match[2] === undefined ? first : Number(match[2]);
    if (last < first) return `the interval ${first}-${last} is empty`;
    if (last > 0x7fffffff) return `${last} is larger than 2147483647`;
    if (numbers.length + (last - first + 1) > limit) return `it names more than ${limit} hosts`;
    for (let i = first; i <= last; i++) numbers.push(i);
  }
  return numbers;
}
