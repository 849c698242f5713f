/**
 * Successors of all states in compressed rows: those of state s are `target(start[s])` … `target(start[s + 1] − 1)`, one edge
 * per (state, transition, binding), in the order of `firings`.
 */
export interface StateGraph {
  readonly states: number;
  readonly edges: number;
  /** states + 1 entries; doubles if there may be more than 2³² edges. */
  readonly start: Float64Array | Uint32Array;
  target(edge: number): number;
}

/** Strongly connected components in reverse topological order: every edge leads to the same or a smaller component number. */
export interface Components {
  readonly count: number;
  readonly of: Uint32Array;
  /** By component: its number of states. */
  readonly sizes: Uint32Array;
  /** By component: 1 if no edge leaves it. */
  readonly bottom: Uint8Array;
  readonly bottoms: number;
}

/** States between two calls of `stop`. */
const CHECK_EVERY = 1 << 14;

/** Maximum memory of {@link components}, in bytes per state. */
export const COMPONENT_BYTES = 36;

/**
 * Tarjan's algorithm in a low-memory form (Pearce, _A space-efficient algorithm for finding strongly connected components_,
 * Information Processing Letters 116, 2016). One number per state holds first its visiting order, later its component. One
 * array holds two stacks: the depth-first path grows from the left, states awaiting their component from the right. Data of
 * path states is stored by path position rather than by state, which avoids random memory accesses. The same pass finds the
 * components with outgoing edges. Not recursive. Undefined if `stop`, called regularly, ended it. O(states + edges) time,
 * {@link COMPONENT_BYTES} per state.
 */
export function components(graph: StateGraph): Components;
export function components(graph: StateGraph, stop: () => boolean): Components | undefined;
export function components(graph: StateGraph, stop: () => boolean = () => false): Components | undefined {
  const { states: n, start } = graph;
  const edges = (): Float64Array | Uint32Array =>
    start instanceof Float64Array ? new Float64Array(n) : new Uint32Array(n);
  // 0: not visited; from 1 up: visiting order among states without a component; from n down, above `free`: a component.
  const order = new Uint32Array(n);
  const bottomDown = new Uint8Array(n + 1);
  // The path grows from the left; states awaiting their component from the right.
  const stack = new Uint32Array(n);
  const pathEdge = edges();
  const pathEnd = edges();
  const pathLow = new Uint32Array(n);
  const pathLeaves = new Uint8Array(n);
  let met = 1;
  let free = n;
  let iterations = 0;
  for (let first = 0; first < n; first++) {
    if (order[first] !== 0) continue;
    let depth = 0;
    let waiting = n;
    // For the last state of the path: its order, the smallest order it reaches, whether an edge leaves its component.
    let v = first;
    let own = met++;
    let low = own;
    let leaves = 0;
    let edge = start[v]!;
    let end = start[v + 1]!;
    order[v] = own;
    for (;;) {
      if (++iterations % CHECK_EVERY === 0 && stop()) return undefined;
      let child = -1;
      while (edge < end) {
        const w = graph.target(edge++);
        const of = order[w]!;
        if (of === 0) {
          child = w;
          break;
        }
        if (of > free) leaves = 1;
        else if (of < low) low = of;
      }
      if (child >= 0) {
        stack[depth] = v;
        pathEdge[depth] = edge;
        pathEnd[depth] = end;
        pathLow[depth] = low;
        pathLeaves[depth++] = leaves;
        v = child;
        own = met++;
        low = own;
        leaves = 0;
        edge = start[v]!;
        end = start[v + 1]!;
        order[v] = own;
        continue;
      }
      const isRoot = low === own;
      const lowOfChild = low;
      const leavesOfChild = leaves;
      if (isRoot) {
        // Waiting states that were visited after v belong to its component.
        while (waiting < n && order[stack[waiting]!]! > own) order[stack[waiting++]!] = free;
        met = own;
        order[v] = free;
        bottomDown[free--] = 1 - leaves;
      } else stack[--waiting] = v;
      if (depth === 0) break;
      v = stack[--depth]!;
      edge = pathEdge[depth]!;
      end = pathEnd[depth]!;
      low = pathLow[depth]!;
      leaves = pathLeaves[depth]!;
      own = order[v]!;
      if (isRoot) leaves = 1;
      else {
        if (lowOfChild < low) low = lowOfChild;
        leaves |= leavesOfChild;
      }
    }
  }
  return numbered(order, bottomDown, n - free);
}

/** Renumbers components, which were numbered down from n, so that the first one found has number 0. */
function numbered(order: Uint32Array, bottomDown: Uint8Array, count: number): Components {
  const n = order.length;
  const sizes = new Uint32Array(count);
  for (let s = 0; s < n; s++) {
    const c = n - order[s]!;
    order[s] = c;
    sizes[c]!++;
  }
  const bottom = new Uint8Array(count);
  let bottoms = 0;
  for (let c = 0; c < count; c++) {
    bottom[c] = bottomDown[n - c]!;
    bottoms += bottom[c]!;
  }
  return { count, of: order, sizes, bottom, bottoms };
}
