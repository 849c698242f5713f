import { basename, extname } from 'node:path';
import { fail } from '../../base/problem.ts';
import { readText } from '../inputs/inputs.ts';
import type { Import } from '../inputs/load-model.ts';
import { type NetPart, verifiedNet } from './page-net.ts';

/** Maximum size of a result document, in bytes. */
const MAX_BYTES = 256 * 2 ** 20;

/** The text of a result document; undefined if the file is something else. */
export function resultText(path: unknown): string | undefined {
  if (typeof path !== 'string' || extname(path).toLowerCase() !== '.json') return undefined;
  const text = readText(path, MAX_BYTES);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (/^\s*\{\s*"format"\s*:\s*"foretoken"\s*,/.test(text))
      fail('APP010', `is a result that is damaged or cut off: ${(error as Error).message}`, { file: path });
    return undefined;
  }
  if (typeof value !== 'object' || value === null || (value as { readonly format?: unknown }).format !== 'foretoken')
    return undefined;
  return text;
}

/** Data of the page of a result document. */
interface ResultParts extends NetPart {
  readonly title: string;
  readonly texts: readonly [string];
  readonly complete: boolean;
}

/** Kinds of documents in the words of their commands; other kinds are titles as they are. */
const TITLES: Readonly<Record<string, string>> = {
  prediction: 'Prediction',
  'what-if': 'What-if',
  comparison: 'Comparison',
  'profile-comparison': 'Comparison of profiles',
  profile: 'Profile',
  'run-check': 'Run record',
  diagnosis: 'Diagnosis',
  space: 'State space',
  structure: 'Structure',
  steady: 'Steady state',
  verification: 'Verification',
  witnesses: 'Witnesses',
  'program-verification': 'Verification',
  'thread-verification': 'Verification',
  none: 'No result',
};

/** The parts of a page of a result document, of a file if it was read; with the net of a verification that has witnesses. */
export async function resultParts(text: string, file?: string, load?: Import): Promise<ResultParts> {
  const document = JSON.parse(text) as Readonly<Record<string, unknown>>;
  const { kind, complete } = document;
  const part = await verifiedNet(document, file ?? 'report', load);
  return {
    title: `${TITLES[String(kind)] ?? String(kind)}: ${file ?? subjectOf(document) ?? 'report'}`,
    texts: [text],
    complete: complete !== false,
    ...part,
  };
}

/** The name of the model or net of a document, or else its first file; a comparison has two. */
function subjectOf({ options, model, inputs, a, b }: Readonly<Record<string, unknown>>): string | undefined {
  const member = (of: unknown, key: string): string | undefined => {
    const value = typeof of === 'object' && of !== null ? (of as Readonly<Record<string, unknown>>)[key] : undefined;
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const [first] = Object.values((inputs as object | undefined) ?? {});
  const file = member(first, 'path');
  const sides = [a, b].flatMap((side) => {
    const { options: own } = (side ?? {}) as { readonly options?: unknown };
    const input = member(side, 'input');
    return member(own, 'model') ?? (input === undefined ? [] : basename(input));
  });
  return (
    member(options, 'model') ??
    member(options, 'net') ??
    member(model, 'name') ??
    (sides.length === 2 ? sides.join(', ') : undefined) ??
    (file === undefined ? undefined : basename(file))
  );
}
