/** Bytes per chunk of the bit string. */
const CHUNK = 2 ** 16;

/**
 * The state from which each state was found first. In a breadth-first search these numbers never decrease, so a state takes a 0 for
 * each state without a further new successor, then a 1: at most two bits per state.
 */
export class Predecessors {
  readonly #chunks: Uint8Array[] = [];
  #bits = 0;
  #states = 1;
  #last = 0;

  get bytes(): number {
    return CHUNK * this.#chunks.length;
  }

  /** Notes the predecessor of the next state; the first call is for state 1. */
  add(predecessor: number): void {
    for (; this.#last < predecessor; this.#last++) this.#put(0);
    this.#put(1);
    this.#states++;
  }

  /** The states on the paths from state 0 to these states, the paths in increasing order. O(states). */
  paths(goals: readonly number[]): number[][] {
    const from = new Map<number, number>();
    const wanted = new Set(goals);
    let state = this.#states - 1;
    let predecessor = this.#last;
    for (let k = this.#bits - 1; k >= 0 && wanted.size > 0; k--) {
      if (this.#bit(k) === 0) predecessor--;
      else {
        if (wanted.delete(state)) {
          from.set(state, predecessor);
          if (predecessor > 0) wanted.add(predecessor);
        }
        state--;
      }
    }
    return goals.map((goal) => {
      const path = [goal];
      while (path.at(-1) !== 0) path.push(from.get(path.at(-1)!)!);
      return path.reverse();
    });
  }

  #put(bit: 0 | 1): void {
    const byte = this.#bits >>> 3;
    if (byte === CHUNK * this.#chunks.length) this.#chunks.push(new Uint8Array(CHUNK));
    if (bit === 1) this.#chunks[Math.floor(byte / CHUNK)]![byte % CHUNK]! |= 1 << (this.#bits % 8);
    this.#bits++;
  }

  #bit(k: number): number {
    const byte = k >>> 3;
    return (this.#chunks[Math.floor(byte / CHUNK)]![byte % CHUNK]! >> (k % 8)) & 1;
  }
}
