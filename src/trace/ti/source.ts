/** What bounds the reading of untrusted files. */
export interface Limits {
  /** Longest line, in bytes. */
  readonly lineBytes: number;
  /** Most bytes that a compressed file or a pipe may have when it is unpacked. */
  readonly maxBytes: number;
}

/** A text of known size that can be read at any place, again and again: a plain file or a part of a temporary one. */
export interface Source {
  /** For messages, as the user wrote it. */
  readonly name: string;
  readonly size: number;
  /**
   * Opens the text for the time of `use`. A plain file is open only meanwhile, so that traces of very many files work.
   * Throws TI001 where it cannot be opened and TI007 where it is no longer what it was.
   */
  open<T>(use: (text: OpenText) => T): T;
}

export interface OpenText {
  /** Reads up to `length` bytes at a place of the text to `buffer[at …]`; returns how many, 0 at the end. */
  read(buffer: Uint8Array, at: number, length: number, position: number): number;
  /** The text is what lies in this file from `from` on. */
  readonly fd: number;
  readonly from: number;
}
