/** How often something of note happened in a run: shows whether random nets reach what they are meant to test. */
export class Happened {
  readonly counts: Record<string, number> = {};

  note(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }
}
