/** A result document of any kind: what all of them have. */
export interface AnyDocument {
  readonly format: 'foretoken';
  readonly version: number;
  readonly kind: string;
  readonly product: string;
  readonly complete?: boolean;
  readonly [key: string]: unknown;
}

/** The part of a run that the record of a page has. */
export interface PagePart {
  /** The only processes that have spans, messages and calls; absent: all. */
  readonly processes?: readonly number[];
  /** Processes that go on after the part, with the steps of the path of the interval in which they are next. */
  readonly goesOn: readonly (readonly [
    process: number,
    path: readonly { readonly name: string; readonly expression?: number; readonly execution?: number }[],
  ])[];
}

/** How a page was made. */
export interface About {
  readonly title: string;
  /** Sentences on parts that the page does not show. */
  readonly notes: readonly string[];
  /** The record of the page has a part of the run. */
  readonly part?: PagePart;
  /** Number of this version of a served page; 0 for a page that only shows notices. Absent in pages that are opened from disk. */
  readonly served?: number;
}

/** Notice from a server to its open pages. */
export interface PageNews {
  /** Number of the latest version of the page; 0 before the first one. */
  readonly version: number;
  /** A newer version is being made. */
  readonly isBusy: boolean;
  /** Why the input has no page at the moment: a line for each problem, with its code and place. */
  readonly problems: readonly string[];
  /** For a record that is still written: how far its rows are complete, or that it has ended. */
  readonly progress?: string;
}

/** The parts of a page, by the `id` of their elements. Each is gzip in base64, so that no name can end the element. */
export type Part =
  | 'about'
  | 'documents'
  | 'overview'
  | 'meanings'
  | 'record'
  | 'later'
  | 'net'
  | 'marking'
  | 'runA'
  | 'runB';

/** Parts of the first picture of a long run: they are before the code, the others are behind it. */
export const OPENING: readonly Part[] = ['about', 'documents', 'overview'];

/** The `id` of the last element: a file without it is truncated. */
export const END = 'part-end';
