import { type CallCost, FREE_CALL, type Steps } from '../network-model.ts';

/** Parses the value of a setting; returns a description of the expected form if it is malformed. */
export type Parse<T> = (text: string) => T | { readonly expected: string };

/** True for a description of the expected form. */
export function isFault<T>(value: T | { readonly expected: string }): value is { readonly expected: string } {
  return typeof value === 'object' && value !== null && 'expected' in value;
}

/** Converts a sound value. */
export function mapped<T, U>(
  value: T | { readonly expected: string },
  to: (value: T) => U,
): U | { readonly expected: string } {
  return isFault(value) ? value : to(value);
}

/** A number without unit. */
export function decimal(text: string): number | { readonly expected: string } {
  const value = Number(text);
  const sound = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) && Number.isFinite(value);
  return sound ? value : { expected: 'a number without unit' };
}

/** A number from 0 without unit. */
export function amount(text: string): number | { readonly expected: string } {
  const value = decimal(text);
  return isFault(value) || value >= 0 ? value : { expected: 'a number >= 0, without unit' };
}

/** An integer from 0 to 2^31 - 1; also hexadecimal, as SimGrid reads it. */
export function integer(text: string): number | { readonly expected: string } {
  const sound = /^(?:\d{1,10}|0x[\da-f]{1,8})$/i.test(text) && Number(text) < 2 ** 31;
  return sound ? Number(text) : { expected: 'an integer from 0 to 2^31 - 1, without unit' };
}

/** One of SimGrid's words for yes and no. */
export function boolean(text: string): boolean | { readonly expected: string } {
  if (['yes', 'on', 'true', '1'].includes(text)) return true;
  return ['no', 'off', 'false', '0'].includes(text) ? false : { expected: 'yes, on, true, 1, no, off, false or 0' };
}

/** The solver that gives each flow its fair share, which is the default here. */
export const FAIR = 'fair';

/** A value of SimGrid's `network/optim`. */
export function solver(text: string): 'lazy' | typeof FAIR | { readonly expected: string } {
  if (text === 'Lazy') return 'lazy';
  return text === 'Full' ? FAIR : { expected: 'Lazy or Full' };
}

/** Entries that SimGrid sorts in their order if thresholds are equal; of more, any one may come last. */
const SORTED_STABLY = 16;

/** A threshold that occurs with different values in a list in which SimGrid's choice is arbitrary. */
function ambiguous<T extends { readonly above: number }>(
  entries: readonly T[],
): { readonly expected: string } | undefined {
  if (entries.length <= SORTED_STABLY) return undefined;
  const seen = new Map<number, string>();
  for (const entry of entries) {
    const value = JSON.stringify(entry);
    if ((seen.get(entry.above) ?? value) !== value)
      return {
        expected: `each threshold once in a list of more than ${SORTED_STABLY}, where SimGrid takes any entry of ${entry.above}`,
      };
    seen.set(entry.above, value);
  }
  return undefined;
}

/** `THRESHOLD:FACTOR;THRESHOLD:FACTOR`: a factor applies above its threshold; further values of an entry are ignored. */
export function factors(text: string): Steps | { readonly expected: string } {
  const entries = text.split(';').filter((one) => one !== '');
  const pairs = entries.map((one) => {
    const [above = '', value = ''] = one.split(':');
    return { above: integer(above), value: decimal(value) };
  });
  const steps = pairs.flatMap(({ above, value }) =>
    isFault(above) || isFault(value) || value <= 0 ? [] : [{ above, value }],
  );
  if (steps.length < pairs.length) return { expected: 'THRESHOLD:FACTOR;THRESHOLD:FACTOR, with factors > 0' };
  const twice = ambiguous(steps);
  if (twice !== undefined) return twice;
  // If a threshold is given several times, the last entry is used.
  const last = [...new Map(steps.map((s) => [s.above, s])).values()].sort((a, b) => a.above - b.above);
  return { above: last.map((s) => s.above), values: last.map((s) => s.value) };
}

/** `THRESHOLD:SECONDS:SECONDS_PER_BYTE;…`: an entry applies above its threshold, the lowest one also up to it. No entry: no time. */
export function costs(text: string): CallCost | { readonly expected: string } {
  const entries = text.split(';').filter((one) => one !== '');
  const pieces = entries.flatMap((one) => {
    const [above = '', seconds = '', perByte = '0'] = one.split(':');
    const piece = { above: integer(above), seconds: decimal(seconds), perByte: decimal(perByte) };
    const { above: a, seconds: s, perByte: b } = piece;
    return isFault(a) || isFault(s) || isFault(b) || s < 0 || b < 0 ? [] : [{ above: a, seconds: s, perByte: b }];
  });
  if (entries.length === 0) return FREE_CALL;
  if (pieces.length < entries.length) return { expected: 'THRESHOLD:SECONDS:SECONDS_PER_BYTE;…, with seconds >= 0' };
  const twice = ambiguous(pieces);
  if (twice !== undefined) return twice;
  const sorted = pieces.sort((a, b) => a.above - b.above);
  // Of several entries with one threshold, the last one applies above it, and the first one up to it if it is the lowest.
  const lowest = { ...sorted[0]!, above: -1 };
  const kept = [lowest, ...new Map(sorted.map((piece) => [piece.above, piece])).values()];
  return {
    above: kept.map((piece) => piece.above),
    seconds: kept.map((piece) => piece.seconds),
    perByte: kept.map((piece) => piece.perByte),
  };
}

/** True for call costs that are 0 for all messages: the model then has none. */
export function isFreeCall(value: unknown): boolean {
  const { seconds, perByte } = value as Partial<CallCost>;
  return seconds?.every((s) => s === 0) === true && perByte?.every((s) => s === 0) === true;
}
