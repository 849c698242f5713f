/** Values of the variables of a model, by name. */
export type Valuation = Readonly<Record<string, number>>;

/** A choice of a model: where it leads, with rates or probabilities, and what a step earns. */
export interface Branch {
  readonly value: number;
  readonly to: Valuation;
  readonly earns: Valuation;
}

/** A model as its text says it, before its states are known. */
export interface TextModel {
  readonly initial: Valuation;
  /** The enabled steps with rates. */
  timed(state: Valuation): readonly Branch[];
  /** The enabled steps without rates, each with its branches. */
  immediate(state: Valuation): readonly (readonly Branch[])[];
  /** Figures: values per second in a state. */
  readonly perSecond: Readonly<Record<string, (state: Valuation) => number>>;
  /** Figures: what steps earn, by name of the variable. */
  readonly perStep: Readonly<Record<string, string>>;
}

/** The solution x of a x = b, by elimination with pivots. */
function solved(a: readonly (readonly number[])[], b: readonly number[]): number[] {
  const rows = a.map((row, k) => [...row, b[k]!]);
  const n = rows.length;
  for (let c = 0; c < n; c++) {
    let pivot = c;
    for (let r = c + 1; r < n; r++) if (Math.abs(rows[r]![c]!) > Math.abs(rows[pivot]![c]!)) pivot = r;
    [rows[c], rows[pivot]] = [rows[pivot]!, rows[c]!];
    for (let r = 0; r < n; r++) {
      if (r === c || rows[r]![c] === 0) continue;
      const factor = rows[r]![c]! / rows[c]![c]!;
      for (let k = c; k <= n; k++) rows[r]![k]! -= factor * rows[c]![k]!;
    }
  }
  return rows.map((row, k) => row[n]! / row[k]!);
}

/**
 * Long-run figures of a model: all states by brute force, those without time kept, a full matrix. Of several immediate steps, which are
 * nondeterministic, the first is taken. Undefined for more than `most` states.
 */
export function longRunFigures(model: TextModel, most: number): Readonly<Record<string, number>> | undefined {
  const states = [model.initial];
  const numbers = new Map([[JSON.stringify(model.initial), 0]]);
  const number = (to: Valuation): number => {
    const key = JSON.stringify(to);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    states.push(to);
    numbers.set(key, states.length - 1);
    return states.length - 1;
  };
  const next: { readonly time: number; readonly steps: { p: number; to: number; earns: Valuation }[] }[] = [];
  for (let s = 0; s < states.length; s++) {
    if (states.length > most) return undefined;
    const [first] = model.immediate(states[s]!);
    const branches = (first ?? model.timed(states[s]!)).filter(({ value }) => value > 0);
    const total = branches.reduce((sum, { value }) => sum + value, 0);
    if (first !== undefined && Math.abs(total - 1) > 1e-12) throw new Error(`probabilities add up to ${total}`);
    const steps = branches.map(({ value, to, earns }) => ({ p: value / total, to: number(to), earns }));
    if (total === 0) next.push({ time: 1, steps: [{ p: 1, to: s, earns: {} }] });
    else next.push({ time: first === undefined ? 1 / total : 0, steps });
  }
  const reach = next.map((_, s) => {
    const set = new Set([s]);
    for (const r of set) for (const { to } of next[r]!.steps) set.add(to);
    return set;
  });
  const leader = reach.map((set, s) => ([...set].every((r) => reach[r]!.has(s)) ? Math.min(...set) : -1));
  const figures: Record<string, number> = {};
  for (const name of [...Object.keys(model.perSecond), ...Object.keys(model.perStep)]) figures[name] = 0;
  const unit = (s: number, r: number): number => (s === r ? 1 : 0);
  for (const bottom of new Set(leader.filter((l) => l >= 0))) {
    const ends = solved(
      next.map(({ steps }, s) =>
        next.map((_, r) => {
          if (leader[s]! >= 0) return unit(s, r);
          return unit(s, r) - steps.reduce((sum, { p, to }) => sum + (to === r ? p : 0), 0);
        }),
      ),
      leader.map((l) => (l === bottom ? 1 : 0)),
    )[0]!;
    const own = [...reach[bottom]!];
    const visits = solved(
      own.map((r, row) =>
        own.map((s) => {
          if (row === 0) return 1;
          return unit(s, r) - next[s]!.steps.reduce((sum, { p, to }) => sum + (to === r ? p : 0), 0);
        }),
      ),
      own.map((_, row) => (row === 0 ? 1 : 0)),
    );
    const all = own.reduce((sum, s, k) => sum + visits[k]! * next[s]!.time, 0);
    own.forEach((s, k) => {
      const share = (ends * visits[k]!) / all;
      for (const [name, of] of Object.entries(model.perSecond))
        figures[name]! += share * next[s]!.time * of(states[s]!);
      for (const [name, earned] of Object.entries(model.perStep))
        for (const { p, earns } of next[s]!.steps) figures[name]! += share * p * (earns[earned] ?? 0);
    });
  }
  return figures;
}
