/** The text that is being read, and the offset of the part that the kernel has a copy of, at its index 0. */
export interface Reading {
  bytes: Buffer;
  base: number;
}
