/** A result document of any kind: what all of them have. */
export interface AnyDocument {
  readonly format: 'foretoken';
  readonly version: number;
  readonly kind: string;
  readonly product: string;
  readonly complete?: boolean;
  readonly [key: string]: unknown;
}

/** How a page was made. */
export interface About {
  readonly title: string;
  /** Sentences on what the page does not show. */
  readonly notes: readonly string[];
}

/** The parts of a page, by the `id` of their elements. Each is gzip in base64, so that no name can end the element. */
export type Part = 'about' | 'documents' | 'record' | 'later' | 'net' | 'marking';
