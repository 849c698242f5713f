import { fail, InputError } from '../../base/problem.ts';
import { openTrace } from '../ti/input/listing.ts';
import { Unpacked } from '../ti/input/open-source.ts';
import { readTiTrace, type TiEncoder, type TiReadOptions, type TiTrace } from '../ti/read.ts';
import { scaledTrace } from './scaled-trace.ts';
import { SCALINGS, type Scaling } from './scaling-law.ts';

const LIMITS = { lineBytes: 1 << 24, maxBytes: 2 ** 36 };
/** Reads a trace only to check it. */
const UNCODED: TiEncoder = { encode: () => 0 };

/**
 * Reads a trace as that of another number of ranks ({@link scaledTrace}). Its positions lead to the recorded lines that they were made
 * from.
 *
 * @param options with the number of ranks to scale to
 * @throws InputError all problems of the recorded trace; TI060 … TI062, TI032 for one that was cut off
 */
export function readScaledTrace(
  path: string,
  scaling: Scaling,
  encoder: (ranks: number) => TiEncoder,
  { ranks, ...options }: TiReadOptions,
): TiTrace {
  if (!SCALINGS.includes(scaling))
    fail('TI061', `scale: expected ${SCALINGS.join(' or ')}, got ${String(scaling)}`, { file: path });
  if (ranks === undefined) fail('TI061', 'a scaled trace needs its number of ranks: give --ranks', { file: path });
  const unpacked = new Unpacked();
  try {
    const files = openTrace(path, unpacked, LIMITS, options.confine === true);
    const recorded = readTiTrace(path, UNCODED, { ...options, files });
    recorded.close();
    if (recorded.cutOff !== undefined) throw new InputError(recorded.cutOff.problems);
    const scaled = scaledTrace(path, files, recorded.ranks, ranks, scaling);
    const trace = readTiTrace(path, encoder, { ...options, ranks, files: scaled.files });
    const place = { file: path };
    return {
      ...trace,
      warnings: recorded.warnings,
      notes: [...recorded.notes, ...scaled.remarks.map((message) => ({ code: 'TI063' as const, message, place }))],
      files: recorded.files,
      locate: (position) => {
        const found = trace.locate(position);
        return { ...found, ...scaled.origin(found.line) };
      },
      close: () => {
        trace.close();
        unpacked.close();
      },
    };
  } catch (error) {
    unpacked.close();
    throw error;
  }
}
