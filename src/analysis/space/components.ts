import type { StateGraph } from './state-space.ts';

/** The strongly connected components of a graph, numbered so that every edge leads to the same one or a smaller number. */
export interface Components {
  readonly count: number;
  /** The component of each state. */
  readonly of: Uint32Array;
  /** How many states each has. */
  readonly sizes: Uint32Array;
  /** 1 where no edge leaves the component. */
  readonly bottom: Uint8Array;
  readonly bottoms: number;
}

/** Bytes that {@link components} takes for each state at most. */
export const COMPONENT_BYTES = 36;

/**
 * Tarjan's components with little memory beside the path (Pearce, _A space-efficient algorithm for finding strongly
 * connected components_, Information Processing Letters 116, 2016): one number for each state, which is first the order
 * in which it was met and later its component, and one stack that holds the path and what waits for its component from both
 * ends. What is known of the states on the path lies beside it, in a row, so that a state is looked at in far memory
 * once. Which components are left by an edge is seen in the same pass.
 * No recursion. O(states + edges) time, {@link COMPONENT_BYTES} for each state.
 */
export function components(graph: StateGraph): Components {
  const { states: n, start } = graph;
  const edges = (): Float64Array | Uint32Array =>
    start instanceof Float64Array ? new Float64Array(n) : new Uint32Array(n);
  // 0: not met; from 1: as the so manieth of those that have no component yet; from n down, above `free`: a component.
  const order = new Uint32Array(n);
  const bottomDown = new Uint8Array(n + 1);
  // The path grows from the left; what is done, but not its component, from the right.
  const stack = new Uint32Array(n);
  const pathEdge = edges();
  const pathEnd = edges();
  const pathLow = new Uint32Array(n);
  const pathLeaves = new Uint8Array(n);
  let met = 1;
  let free = n;
  for (let first = 0; first < n; first++) {
    if (order[first] !== 0) continue;
    let depth = 0;
    let waiting = n;
    // Of the last state of the path: its order, the earliest that it reaches, whether an edge leaves its component.
    let v = first;
    let own = met++;
    let low = own;
    let leaves = 0;
    let edge = start[v]!;
    let end = start[v + 1]!;
    order[v] = own;
    for (;;) {
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
        // What was met after it, and waits, is of its component.
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

/** Components count down from n in the order in which they are found: turned round, the first found has number 0. */
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
