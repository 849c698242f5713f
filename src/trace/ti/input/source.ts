/** Limits for reading untrusted files. */
export interface Limits {
  /** Maximum length of a line, in bytes. */
  readonly lineBytes: number;
  /** Maximum bytes of a compressed file or a pipe when unpacked. */
  readonly maxBytes: number;
}

/** A text of known size with random access: a plain file or a part of a temporary file. */
export interface Source {
  /** Name for messages, as given by the user. */
  readonly name: string;
  readonly size: number;
  /**
   * Opens the text while `use` runs. Plain files are not kept open, so traces of very many files work. Throws TI001 if
   * the file cannot be opened and TI007 if it has changed.
   */
  open<T>(use: (text: OpenText) => T): T;
}

export interface OpenText {
  /** Reads up to `length` bytes at `position` of the text into `buffer[at …]`; returns the number of bytes, 0 at the end. */
  read(buffer: Uint8Array, at: number, length: number, position: number): number;
  /** File descriptor; the text begins at offset `from` of the file. */
  readonly fd: number;
  readonly from: number;
}
