/** A constraint of two clocks: the shifted time of `to` is at least that of `from` plus `seconds`. */
export interface ClockEdge {
  readonly from: number;
  readonly to: number;
  readonly seconds: number;
  /** Share of the residual that the constraint may be violated by: 1, or 1/2 of each of the two edges of an operation. */
  readonly share: number;
}

/** Shifts by node, and the seconds by which constraints stay violated. */
export interface ClockShifts {
  readonly shifts: Float64Array;
  readonly residual: number;
}

/**
 * Shifts of clocks that fit constraints of the form `shift[to] >= shift[from] + seconds`. Clocks that constrain each other
 * get the middle between their earliest and latest shifts, which halves the round trip of two messages; a clock that is
 * constrained from one side only is shifted as little as possible. The first clock of connected ones has shift 0. If no shifts
 * fit (clocks that run at different speeds), all constraints are relaxed by the least number of seconds with which some do.
 *
 * Strongly connected components (Tarjan), longest paths in each (Bellman and Ford with a queue); positive cycles are found in
 * the graph of predecessors and raise the residual to their mean. O(nodes × edges) time at worst, O(edges) as a rule.
 *
 * @param nodes number of nodes: clocks first, then auxiliary ones
 */
export function clockShifts(nodes: number, edges: readonly ClockEdge[]): ClockShifts {
  const scale = edges.reduce((most, { seconds }) => Math.max(most, Math.abs(seconds)), 0);
  const leaving = lists(nodes, edges, ({ from }) => from);
  const entering = lists(nodes, edges, ({ to }) => to);
  const { of, order } = components(nodes, edges, leaving);
  const relative = new Float64Array(nodes);
  const shifts = new Float64Array(nodes);
  let residual = 0;
  // Components come after those that they reach: sources are last.
  for (const members of order.toReversed()) {
    const [first] = members as [number];
    const inside = ({ from, to }: ClockEdge): boolean => of[from] === of[first] && of[to] === of[first];
    const found = middle(members, first, edges, leaving, entering, inside, 1e-13 * scale);
    members.forEach((node) => {
      relative[node] = found.shifts.get(node)!;
    });
    residual = Math.max(residual, found.residual);
    let shift = 0;
    for (const node of members)
      for (const e of entering[node]!)
        if (!inside(edges[e]!)) shift = Math.max(shift, shifts[edges[e]!.from]! + edges[e]!.seconds - relative[node]!);
    for (const node of members) shifts[node] = shift + relative[node]!;
  }
  for (const members of connected(nodes, edges, leaving, entering)) {
    const base = shifts[members[0]!]!;
    for (const node of members) shifts[node]! -= base;
  }
  return { shifts, residual };
}

/** The middle between the least and the greatest shifts of a component, relative to its first node. */
function middle(
  members: readonly number[],
  first: number,
  edges: readonly ClockEdge[],
  leaving: readonly (readonly number[])[],
  entering: readonly (readonly number[])[],
  inside: (edge: ClockEdge) => boolean,
  tolerance: number,
): { readonly shifts: Map<number, number>; readonly residual: number } {
  for (let residual = 0; ; ) {
    const least = longest(members.length, first, edges, leaving, ({ to }) => to, inside, residual, tolerance);
    if (typeof least === 'number') {
      residual = Math.max(least, residual * (1 + 1e-12) + tolerance);
      continue;
    }
    const greatest = longest(members.length, first, edges, entering, ({ from }) => from, inside, residual, tolerance);
    if (typeof greatest === 'number') {
      residual = Math.max(greatest, residual * (1 + 1e-12) + tolerance);
      continue;
    }
    return { shifts: new Map(members.map((node) => [node, (least.get(node)! - greatest.get(node)!) / 2])), residual };
  }
}

/** Longest paths from a node inside a component; or the mean of a positive cycle, which a larger residual must cover. */
function longest(
  size: number,
  first: number,
  edges: readonly ClockEdge[],
  next: readonly (readonly number[])[],
  end: (edge: ClockEdge) => number,
  inside: (edge: ClockEdge) => boolean,
  residual: number,
  tolerance: number,
): Map<number, number> | number {
  const distance = new Map([[first, 0]]);
  const by = new Map<number, number>();
  const queued = new Set([first]);
  const start = (edge: ClockEdge): number => (end(edge) === edge.to ? edge.from : edge.to);
  let queue = [first];
  for (let raised = 0; queue.length > 0; ) {
    const now = queue;
    queue = [];
    for (const node of now) {
      queued.delete(node);
      for (const e of next[node]!) {
        const edge = edges[e]!;
        if (!inside(edge)) continue;
        const to = end(edge);
        const reached = distance.get(node)! + edge.seconds - residual * edge.share;
        const known = distance.get(to);
        if (known !== undefined && reached <= known + tolerance) continue;
        distance.set(to, reached);
        by.set(to, e);
        raised++;
        if (!queued.has(to)) {
          queued.add(to);
          queue.push(to);
        }
      }
    }
    if (raised <= size) continue;
    raised = 0;
    const mean = cycleMean(edges, by, start);
    if (mean !== undefined) return mean;
  }
  return distance;
}

/** Mean seconds of a cycle among the edges by which nodes were reached; undefined without a cycle. */
function cycleMean(
  edges: readonly ClockEdge[],
  by: ReadonlyMap<number, number>,
  start: (edge: ClockEdge) => number,
): number | undefined {
  const seen = new Map<number, number>();
  for (const root of by.keys()) {
    const path: number[] = [];
    let node: number | undefined = root;
    while (node !== undefined && !seen.has(node)) {
      seen.set(node, root);
      path.push(node);
      const e = by.get(node);
      node = e === undefined ? undefined : start(edges[e]!);
    }
    if (node === undefined || seen.get(node) !== root) continue;
    let [seconds, shares] = [0, 0];
    for (const at of path.slice(path.indexOf(node))) {
      const edge = edges[by.get(at)!]!;
      seconds += edge.seconds;
      shares += edge.share;
    }
    return seconds / shares;
  }
  return undefined;
}

function lists(nodes: number, edges: readonly ClockEdge[], of: (edge: ClockEdge) => number): number[][] {
  const found = Array.from({ length: nodes }, (): number[] => []);
  for (const [e, edge] of edges.entries()) found[of(edge)]!.push(e);
  return found;
}

/** Strongly connected components, each after those that it reaches, with their nodes in ascending order. Tarjan, 1972. */
function components(
  nodes: number,
  edges: readonly ClockEdge[],
  leaving: readonly (readonly number[])[],
): { readonly of: Int32Array; readonly order: number[][] } {
  const of = new Int32Array(nodes).fill(-1);
  const index = new Int32Array(nodes).fill(-1);
  const low = new Int32Array(nodes);
  const at = new Int32Array(nodes);
  const order: number[][] = [];
  const stack: number[] = [];
  let count = 0;
  for (let root = 0; root < nodes; root++) {
    if (index[root] !== -1) continue;
    const path = [root];
    while (path.length > 0) {
      const node = path.at(-1)!;
      if (at[node] === 0) {
        index[node] = low[node] = count++;
        stack.push(node);
      }
      const e = leaving[node]![at[node]!];
      if (e !== undefined) {
        at[node]!++;
        const { to } = edges[e]!;
        if (index[to] === -1) path.push(to);
        else if (of[to] === -1) low[node] = Math.min(low[node]!, index[to]!);
        if (at[node] === 0) at[node] = 1;
        continue;
      }
      path.pop();
      const above = path.at(-1);
      if (above !== undefined) low[above] = Math.min(low[above]!, low[node]!);
      if (low[node] !== index[node]) continue;
      const members = stack.splice(stack.lastIndexOf(node));
      for (const member of members) of[member] = order.length;
      order.push(members.sort((a, b) => a - b));
    }
  }
  return { of, order };
}

/** Nodes that constraints connect, in ascending order. */
function connected(
  nodes: number,
  edges: readonly ClockEdge[],
  leaving: readonly (readonly number[])[],
  entering: readonly (readonly number[])[],
): number[][] {
  const seen = new Uint8Array(nodes);
  const found: number[][] = [];
  for (let root = 0; root < nodes; root++) {
    if (seen[root] === 1) continue;
    seen[root] = 1;
    const members = [root];
    for (const node of members)
      for (const other of [...leaving[node]!.map((e) => edges[e]!.to), ...entering[node]!.map((e) => edges[e]!.from)])
        if (seen[other] === 0) {
          seen[other] = 1;
          members.push(other);
        }
    found.push(members);
  }
  return found;
}
