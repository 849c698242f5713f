/** The pending completions of a run, as services and clocks that the host keeps see them. */
export interface Events {
  /** Enters a completion that carries a value; its node tells it apart until it comes or is removed. */
  enter(time: number, order: number, kind: number, value: number): number;
  remove(node: number): void;
  /** The number of the next start. */
  nextOrder(): number;
}
