/** Whether node a comes before node b: by time, then by order, then by number. */
export function before(a: number, b: number, times: Float64Array, orders: Float64Array): boolean {
  const s = times[a]!;
  const t = times[b]!;
  if (s !== t) return s < t;
  return orders[a]! < orders[b]! || (orders[a] === orders[b] && a < b);
}
