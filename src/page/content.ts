import { type RunOverview, readOverview } from '../analysis/efficiency/run-overview.ts';
import type { DiagnosisDocument } from '../commands/diagnose/diagnosis-document.ts';
import type { PredictionDocument } from '../commands/predict/prediction.ts';
import type { ProfileDocument } from '../commands/profile/profile-document.ts';
import type { GivenWitness } from '../commands/verify/net/witnesses-in.ts';
import type { NetDrawing } from '../net/drawing/svg.ts';
import type { Meanings } from '../report/meanings.ts';
import { type About, type AnyDocument, END, type Part } from '../report/page-parts.ts';

/** Data of a page. The first document is that of the page; the others are further views of the same run. */
export interface Content {
  readonly documents: readonly AnyDocument[];
  /** The same documents as `--json` prints them, byte for byte. */
  readonly texts: readonly string[];
  /** A binary run record without messages and calls. */
  readonly record?: Uint8Array;
  /** Reads the blocks of messages and calls, which belong before the end of the record. */
  readonly later: () => Promise<Uint8Array>;
  /** Binary run records of two compared runs, without messages and calls. */
  readonly pair?: readonly [Uint8Array, Uint8Array];
  /** A net in JSON, and its layout. */
  readonly net?: {
    readonly net: unknown;
    readonly drawing: NetDrawing | null;
    /** Firing sequences of the net that the page steps through. */
    readonly witnesses: readonly GivenWitness[];
    /** Changes of the marking along the run, as bytes of a token history. */
    readonly marking?: Uint8Array;
  };
  /** Descriptions of the members of documents by their kinds. */
  readonly meanings: Readonly<Record<string, Meanings>>;
  /** The coarse picture of a long run. */
  readonly overview?: RunOverview;
  /** Parts that cannot be read, as sentences. */
  readonly faults: readonly string[];
  /** Origin of the page: options that cut it, and omitted parts, as sentences. */
  readonly about: About;
}

/** Parts that are read first: the code runs before the browser has read the other parts of the file. */
export type OpeningContent = Pick<Content, 'about' | 'documents' | 'texts' | 'overview'>;

/** Reads the parts before the code. @throws Error that names the part that cannot be read */
export async function readOpening(root: Document): Promise<OpeningContent> {
  const [about, documents, overview] = await Promise.all(
    (['about', 'documents', 'overview'] as const).map((part) => readPart(root, part)),
  );
  const texts = (json('documents', documents) as readonly string[] | undefined) ?? [];
  return {
    texts,
    documents: texts.map((text) => JSON.parse(text) as AnyDocument),
    about: (json('about', about) as About | undefined) ?? { title: root.title, notes: [] },
    ...(overview === undefined ? {} : { overview: parsed('overview', () => readOverview(overview)) }),
  };
}

/** Reads the parts behind the code, when the browser has read the file. Parts that cannot be read are left out, and named. */
export async function readContent(root: Document, opening: OpeningContent): Promise<Content> {
  const faults: string[] = [];
  const whole = async <T>(read: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await read();
    } catch (error) {
      faults.push((error as Error).message);
      return undefined;
    }
  };
  const [meant, record, own, marking, runA, runB] = await Promise.all(
    (['meanings', 'record', 'net', 'marking', 'runA', 'runB'] as const).map((part) =>
      whole(() => readPart(root, part)),
    ),
  );
  const net = await whole(async () => json('net', own));
  const meanings = (await whole(async () => json('meanings', meant))) as Content['meanings'] | undefined;
  if (faults.length === 0 && root.getElementById(END) === null)
    faults.push('This page is truncated: the end of its file is missing.');
  return {
    ...opening,
    faults,
    meanings: meanings ?? {},
    later: async () => (await readPart(root, 'later')) ?? new Uint8Array(0),
    ...(record === undefined ? {} : { record }),
    ...(runA === undefined || runB === undefined ? {} : { pair: [runA, runB] }),
    ...(net === undefined
      ? {}
      : {
          net: { ...(net as NonNullable<Content['net']>), ...(marking === undefined ? {} : { marking }) },
        }),
  };
}

/** Parts in words, where their names are not. */
const WORDS: Partial<Readonly<Record<Part, string>>> = {
  about: 'title and notes',
  later: 'messages and calls',
  meanings: 'explanations',
  runA: 'first run',
  runB: 'second run',
};

const unreadable = (part: Part): Error =>
  new Error(`The ${WORDS[part] ?? part} of this page cannot be read: the file is truncated or was changed.`);

function parsed<T>(part: Part, read: () => T): T {
  try {
    return read();
  } catch {
    throw unreadable(part);
  }
}

const json = (part: Part, bytes: Uint8Array | undefined): unknown =>
  bytes === undefined ? undefined : parsed(part, () => JSON.parse(new TextDecoder().decode(bytes)));

async function readPart(root: Document, part: Part): Promise<Uint8Array | undefined> {
  const text = root.getElementById(`part-${part}`)?.textContent?.trim();
  if (text === undefined || text === '') return undefined;
  try {
    const stream = new Blob([bytesOf(text) as Uint8Array<ArrayBuffer>]).stream();
    const inflated = stream.pipeThrough(new DecompressionStream('gzip'));
    return new Uint8Array(await new Response(inflated).arrayBuffer());
  } catch {
    throw unreadable(part);
  }
}

function bytesOf(base64: string): Uint8Array {
  const own = Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array };
  if (own.fromBase64 !== undefined) return own.fromBase64(base64);
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
  return bytes;
}

/** The document of a kind, if the page has one. */
export function documentOf(content: Content, kind: 'profile'): ProfileDocument | undefined;
export function documentOf(content: Content, kind: 'prediction'): PredictionDocument | undefined;
export function documentOf(content: Content, kind: 'diagnosis'): DiagnosisDocument | undefined;
export function documentOf(content: Content, kind: string): AnyDocument | undefined;
export function documentOf({ documents }: Content, kind: string): unknown {
  return documents.find((document) => document.kind === kind && document.version === 1);
}
