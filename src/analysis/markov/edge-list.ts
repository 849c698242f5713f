/** Edges of a graph in compressed rows, which are appended in order. */
export class EdgeList {
  /** The edges of row k are `start[k]` … `start[k + 1] − 1`. */
  readonly start: number[] = [0];
  target: Int32Array = new Int32Array(1024);
  node: Int32Array = new Int32Array(1024);
  value: Float64Array = new Float64Array(1024);
  #edges = 0;

  /** Number of complete rows. */
  get rows(): number {
    return this.start.length - 1;
  }

  get edges(): number {
    return this.#edges;
  }

  add(target: number, node: number, value: number): void {
    if (this.#edges === this.target.length) this.#grow();
    this.target[this.#edges] = target;
    this.node[this.#edges] = node;
    this.value[this.#edges++] = value;
  }

  endRow(): void {
    this.start.push(this.#edges);
  }

  #grow(): void {
    const { target, node, value } = this;
    const size = 2 * this.#edges;
    this.target = new Int32Array(size);
    this.node = new Int32Array(size);
    this.value = new Float64Array(size);
    this.target.set(target);
    this.node.set(node);
    this.value.set(value);
  }
}
