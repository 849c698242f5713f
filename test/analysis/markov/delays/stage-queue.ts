/** Exponential stages: the probability to begin in each, rates, and the probability of going on to the next. */
export interface Stages {
  readonly first: readonly number[];
  readonly rates: readonly number[];
  readonly onward: readonly number[];
}

/** Stationary means of a queue with one server, whose arrivals stop while it is full, by Gaussian elimination over its stages. */
export function stationaryOf(
  arrivals: Stages,
  service: Stages,
  room: number,
): { readonly customers: number; readonly busy: number; readonly throughput: number } {
  // Arrivals have no stage while the queue is full, the server has none while it is empty.
  const states: { readonly n: number; readonly a: number; readonly s: number }[] = [];
  for (let n = 0; n <= room; n++)
    for (let a = n === room ? -1 : 0; a < (n === room ? 0 : arrivals.rates.length); a++)
      for (let s = n === 0 ? -1 : 0; s < (n === 0 ? 0 : service.rates.length); s++) states.push({ n, a, s });
  const find = (n: number, a: number, s: number): number =>
    states.findIndex((x) => x.n === n && x.a === a && x.s === s);
  const size = states.length;
  const flow = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  const begin = ({ first }: Stages, isOn: boolean, kept: number): (readonly [stage: number, p: number])[] =>
    kept >= 0 || !isOn ? [[isOn ? kept : -1, 1]] : first.map((p, k) => [k, p] as const).filter(([, p]) => p > 0);
  for (const [i, { n, a, s }] of states.entries()) {
    const add = (j: number, rate: number): void => {
      if (rate > 0) flow[i]![j]! += rate;
    };
    const to = (m: number, keptA: number, keptS: number, rate: number): void => {
      for (const [x, p] of begin(arrivals, m < room, keptA))
        for (const [y, q] of begin(service, m > 0, keptS)) add(find(m, x, y), rate * p * q);
    };
    if (a >= 0) {
      if (arrivals.onward[a]! > 0) add(find(n, a + 1, s), arrivals.rates[a]! * arrivals.onward[a]!);
      to(n + 1, -1, s, arrivals.rates[a]! * (1 - arrivals.onward[a]!));
    }
    if (s >= 0) {
      if (service.onward[s]! > 0) add(find(n, a, s + 1), service.rates[s]! * service.onward[s]!);
      to(n - 1, a, -1, service.rates[s]! * (1 - service.onward[s]!));
    }
  }
  // Rows: balance of each state; the last one is replaced by the sum of probabilities.
  const rows = states.map((_, j) => {
    if (j === size - 1) return [...new Array<number>(size).fill(1), 1];
    const row = states.map((_s, i) => flow[i]![j]!);
    row[j]! -= flow[j]!.reduce((x, y) => x + y, 0);
    return [...row, 0];
  });
  for (let k = 0; k < size; k++) {
    let pivot = k;
    for (let r = k; r < size; r++) if (Math.abs(rows[r]![k]!) > Math.abs(rows[pivot]![k]!)) pivot = r;
    [rows[k], rows[pivot]] = [rows[pivot]!, rows[k]!];
    for (let r = 0; r < size; r++) {
      if (r === k) continue;
      const factor = rows[r]![k]! / rows[k]![k]!;
      if (factor !== 0) for (let c = k; c <= size; c++) rows[r]![c]! -= factor * rows[k]![c]!;
    }
  }
  const mean = (of: (state: { n: number; s: number }) => number): number =>
    states.reduce((sum, state, k) => sum + (of(state) * rows[k]![size]!) / rows[k]![k]!, 0);
  return {
    customers: mean(({ n }) => n),
    busy: mean(({ s }) => (s >= 0 ? 1 : 0)),
    throughput: mean(({ s }) => (s >= 0 ? service.rates[s]! * (1 - service.onward[s]!) : 0)),
  };
}
