/** What the numbers of a stream decide: delays of a transition, service times of a place, choices of a net. */
export type Purpose = 'delay' | 'service' | 'choice';

/** What tells streams of random numbers apart. */
export interface StreamKey {
  readonly seed: string;
  readonly replication: number;
  readonly purpose: Purpose;
  readonly owner: string;
}

/** A key as a text: JSON, so that no two read alike. */
export function keyText({ seed, replication, purpose, owner }: StreamKey): string {
  return JSON.stringify([seed, replication, purpose, owner]);
}
