/** The use of a stream: delays of a transition, service times of a place, choices of a net. */
export type Purpose = 'delay' | 'service' | 'choice';

/** Identifies a stream of random numbers. */
export interface StreamKey {
  readonly seed: string;
  readonly replication: number;
  readonly purpose: Purpose;
  readonly owner: string;
}

/** A key as a string: JSON, so that different keys give different strings. */
export function keyText({ seed, replication, purpose, owner }: StreamKey): string {
  return JSON.stringify([seed, replication, purpose, owner]);
}
