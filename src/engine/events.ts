/** The queue of pending completions, as used by stations and by clocks of races. */
export interface Events {
  /**
   * Enters a completion at a time in seconds, with a value that it carries. Returns its node, which identifies the completion
   * until it occurs or is removed.
   */
  enter(time: number, order: number, kind: number, value: number): number;
  /** Removes a pending completion. */
  remove(node: number): void;
  /** The number of the next start, by which simultaneous completions are ordered (S10). */
  nextOrder(): number;
}
