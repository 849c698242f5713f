/** Counts of notable events in a run; shows if random nets reach the situations that they are meant to test. */
export class Happened {
  readonly counts: Record<string, number> = {};

  note(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }
}
