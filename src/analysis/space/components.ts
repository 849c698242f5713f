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

/** Bytes that {@link components} takes for each state. */
export const COMPONENT_BYTES = 24;

/**
 * Tarjan's components in the form that takes least memory: one number for each state, which is first the order in which
 * it was met and later its component, and one stack that holds the path and what waits for its component from both
 * ends (Pearce, _A space-efficient algorithm for finding strongly connected components_, Information Processing Letters
 * 116, 2016, PEA_FIND_SCC3). Which components are left by an edge is seen in the same pass.
 * No recursion. O(states + edges) time, {@link COMPONENT_BYTES} for each state.
 */
export function components(graph: StateGraph): Components {
  const { states: n, start } = graph;
  // 0: not met; from 1: the earliest state on the path that is known to be reached; down from n: a component.
  const order = new Uint32Array(n);
  const leaves = new Uint8Array(n);
  const bottomDown = new Uint8Array(n + 1);
  // The path grows from the left; what is done, but not its component, from the right.
  const stack = new Uint32Array(n);
  const next = start instanceof Float64Array ? new Float64Array(n) : new Uint32Array(n);
  const root = new Uint8Array(n);
  let met = 1;
  let free = n;
  for (let first = 0; first < n; first++) {
    if (order[first] !== 0) continue;
    let path = 0;
    let waiting = n;
    let v = first;
    order[v] = met++;
    root[v] = 1;
    next[v] = start[v]!;
    for (;;) {
      let edge = next[v]!;
      const end = start[v + 1]!;
      let lowest = order[v]!;
      let child = -1;
      for (; edge < end; edge++) {
        const w = graph.target(edge);
        const of = order[w]!;
        if (of === 0) {
          child = w;
          break;
        }
        // What has a component already lies above `free`, and above all that have none.
        if (of > free) leaves[v] = 1;
        else if (of < lowest) {
          lowest = of;
          root[v] = 0;
        }
      }
      order[v] = lowest;
      next[v] = edge;
      if (child >= 0) {
        stack[path++] = v;
        v = child;
        order[v] = met++;
        root[v] = 1;
        next[v] = start[v]!;
        continue;
      }
      if (root[v] === 1) {
        let left = leaves[v]!;
        met--;
        while (waiting < n && lowest <= order[stack[waiting]!]!) {
          const w = stack[waiting++]!;
          left |= leaves[w]!;
          order[w] = free;
          met--;
        }
        order[v] = free;
        bottomDown[free] = left === 0 ? 1 : 0;
        free--;
      } else stack[--waiting] = v;
      if (path === 0) break;
      // The edge to what is done is looked at once more, now that its order is known.
      v = stack[--path]!;
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
