/** Sums counts by name: number of cases with at least one occurrence, and total occurrences. */
export class Tally {
  readonly #entries = new Map<string, { cases: number; times: number }>();

  add(what: string, counts: Readonly<Record<string, number>>): void {
    for (const [name, times] of Object.entries(counts)) {
      const key = `${what}  ${name}`;
      const entry = this.#entries.get(key) ?? { cases: 0, times: 0 };
      this.#entries.set(key, { cases: entry.cases + 1, times: entry.times + times });
    }
  }

  cases(what: string, name: string): number {
    return this.#entries.get(`${what}  ${name}`)?.cases ?? 0;
  }

  /** One line per name, sorted: number of cases, then total occurrences. */
  text(): string {
    return [...this.#entries]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, { cases, times }]) => `${String(cases).padStart(8)} ${String(times).padStart(10)}  ${key}`)
      .join('\n');
  }
}
