/** The text that is being read, and where that part of it begins which the kernel has: there it stands at 0. */
export interface Reading {
  bytes: Buffer;
  base: number;
}
