import { readFileSync } from 'node:fs';
import { given } from '../../base/given.ts';
import { packageFile } from '../../base/version.ts';
import type { Net } from '../../net/net.ts';
import { type Meanings, meaningsOf } from '../../report/meanings.ts';
import { type PageData, pageFile } from '../../report/page-file.ts';
import type { About } from '../../report/page-parts.ts';
import { formatSeconds } from '../../report/units.ts';
import { checkOptions } from '../inputs/check-options.ts';
import { givenInput } from '../inputs/input.ts';
import { type Import, openInput } from '../inputs/load-model.ts';
import type { PooledModel, RankedModel } from '../inputs/option-rows.ts';
import { RecordFollower } from '../profile/follow-record.ts';
import type { ProfileDocument } from '../profile/profile-document.ts';
import { profileJson } from '../profile/profile-view.ts';
import { RESULT_SCHEMAS } from '../schema/result-documents.ts';
import { kindOf, type Parts, partOfRecord, partsOf, recordedRunOf, withoutSpans } from './input-page.ts';
import { omittedTexts, type RecordedRun } from './recorded-run.ts';
import { resultParts, resultText } from './result-page.ts';
import { VIEW_ROWS, type ViewOptions, type ViewOptionsOf } from './view-options.ts';

/** A page, with its title and a description of its contents. */
export interface View {
  /** The file, in UTF-8. */
  readonly html: Uint8Array;
  /** Title of the page. */
  readonly title: string;
  /** Number of spans of processes. */
  readonly spans: number;
  /** Number of messages. */
  readonly messages: number;
  /** False if the run did not complete. */
  readonly complete: boolean;
  /** True if ranks wait forever. */
  readonly deadlocked: boolean;
  /** Records that are followed, or were cut off: the complete part, as a sentence. */
  readonly progress?: string;
}

/**
 * The page of an input: a model, a trace, a net, a run record (paths, or values), or the path of a result document. The page is one
 * HTML file that requests nothing from any network.
 *
 * @throws InputError the problems of the input, as `predict` and `profile` report them; APP010 for a damaged document
 */
export async function view<I extends string | RankedModel | PooledModel | Net | readonly string[]>(
  input: I,
  options?: ViewOptionsOf<I>,
): Promise<View>;
export async function view(input: unknown, options: ViewOptions = {}): Promise<View> {
  const text = resultText(input);
  if (text !== undefined) return viewOf(await resultParts(text, String(input)));
  return viewOf(partsOf(givenInput('view', input), options));
}

/**
 * As {@link view}, for a file, or the module that exports the input.
 *
 * @param served number of the version, if the page is for a server
 */
export async function viewFile(path: string, options: ViewOptions, load?: Import, served?: number): Promise<View> {
  return viewOf(await fileParts(path, options, load), served);
}

/** Sources of the first screen of a page. */
export interface Viewed extends Pick<View, 'title' | 'complete' | 'deadlocked'> {
  readonly texts: readonly string[];
  readonly notes: readonly string[];
}

/** The first screen of the page of a file. */
export async function viewedFile(path: string, options: ViewOptions, load?: Import): Promise<Viewed> {
  const { title, texts, complete, deadlocked = false, notes = [] } = await fileParts(path, options, load);
  return { title, texts, complete, deadlocked, notes };
}

/** The parts of the page of a file: a result document, or an input. */
async function fileParts(path: string, options: ViewOptions, load?: Import): Promise<Parts> {
  const text = resultText(path);
  if (text !== undefined) return resultParts(text, path, load);
  return partsOf(await openInput('view', path, load), options);
}

/**
 * The page of a document that a command has printed.
 *
 * @param run the run that it describes, which the page shows with it
 */
export async function reportOf(
  text: string,
  run: { readonly path: string; readonly options: ViewOptions } | undefined,
  load?: Import,
): Promise<View> {
  const document = await resultParts(text, undefined, load);
  if (run === undefined) return viewOf(document);
  const { texts, ...parts } = partsOf(await openInput('view', run.path, load), run.options, text);
  const kind = kindOf(text);
  const others = texts.filter((other) => kindOf(other) !== kind);
  // The page has the spans of a profile in its record.
  const { record } = parts;
  const own =
    kind === 'profile' && record !== undefined
      ? profileJson(withoutSpans(JSON.parse(text) as ProfileDocument, record))
      : text;
  return viewOf({ ...document, ...parts, texts: [own, ...others] });
}

/**
 * The page of a comparison, with the two runs on one time axis.
 *
 * @param paths inputs of the runs; undefined for a run without an input
 */
export async function comparisonOf(
  text: string,
  paths: readonly (string | undefined)[],
  options: ViewOptions,
  load?: Import,
): Promise<View> {
  const notes: string[] = [];
  const pair: (RecordedRun | undefined)[] = [];
  for (const path of paths) {
    const input = path === undefined ? undefined : await openInput('view', path, load);
    const record = input === undefined ? undefined : recordedRunOf(input, options);
    pair.push(record);
    if (record === undefined)
      notes.push(
        `The timeline of ${path ?? 'a result'} is not shown: only models, traces and run records have a run of processes.`,
      );
  }
  const parts = await resultParts(text, undefined, load);
  return viewOf(pair.includes(undefined) ? { ...parts, notes } : { ...parts, pair });
}

/** The page of a record that may still be written: of the part that is complete. */
export async function viewGrowing(path: string, options: ViewOptions, served: number): Promise<View> {
  checkOptions('view', VIEW_ROWS, { kind: 'run record', file: path }, options);
  const follower = new RecordFollower(path);
  const part = follower.next();
  if (part === undefined) {
    const progress =
      'Nothing of the record is complete yet. A part of the run is complete when each process has rows up to its end.';
    return viewOf({ title: path, texts: [], complete: false, notes: [progress], progress }, served);
  }
  const progress = part.isComplete
    ? 'The record is complete.'
    : `The record is complete up to ${formatSeconds(part.until)}.`;
  return viewOf({ ...partOfRecord(path, follower, part, given(options, ['processes'])), progress }, served);
}

/** Descriptions of the members of a document, from the schema of its kind. The head of the document has its kind. */
function meaningsIn(text: string): [kind: string, Meanings][] {
  const [, kind = ''] = /"kind":\s*"([\w-]+)"/.exec(text.slice(0, 4096)) ?? [];
  if (!Object.hasOwn(RESULT_SCHEMAS, kind)) return [];
  return [[kind, meaningsOf(JSON.parse(readFileSync(packageFile(`schema/${kind}.schema.json`), 'utf8')))]];
}

async function viewOf(parts: Parts, served?: number): Promise<View> {
  const { title, texts, complete, deadlocked = false, record, net, notes = [], progress, pair } = parts;
  const json = (value: unknown): readonly Uint8Array[] => [Buffer.from(JSON.stringify(value))];
  const data: PageData = {
    about: json({
      title,
      notes: [...notes, ...(record === undefined ? [] : omittedTexts(record))],
      ...(record?.part === undefined ? {} : { part: record.part }),
      ...(served === undefined ? {} : { served }),
    } satisfies About),
    documents: json(texts),
    ...(record?.overview === undefined ? {} : { overview: [record.overview] }),
    meanings: json(Object.fromEntries(texts.flatMap(meaningsIn))),
    ...(record === undefined ? {} : { record: record.pieces, later: record.later }),
    ...(net === undefined
      ? {}
      : {
          ...(net.marking === undefined ? {} : { marking: net.marking }),
          net: [
            Buffer.from(
              `{"net":${net.json},"drawing":${JSON.stringify(net.drawing ?? null)},"witnesses":${JSON.stringify(net.witnesses ?? [])}}`,
            ),
          ],
        }),
    ...(pair === undefined ? {} : { runA: pair[0]!.pieces, runB: pair[1]!.pieces }),
  };
  const { states = 0, messages = 0 } = record?.rows ?? {};
  const html = await pageFile(title, data, served !== undefined);
  return {
    html,
    title,
    spans: states,
    messages,
    complete,
    deadlocked,
    ...(progress === undefined ? {} : { progress }),
  };
}
