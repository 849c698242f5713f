/** Most keys of one array: 256 MiB of addresses, of which memory holds the pages that were written. */
const MAX_KEYS = 1 << 25;

/** The time in seconds at which the last transfer of each key began; 0 for a key without a transfer. O(1) per call. */
export interface TransferStarts {
  get(key: number): number;
  set(key: number, time: number): void;
}

/** Times of the keys 0 … `keys` − 1: one array, or a map where the array would be too large. */
export function transferStarts(keys: number): TransferStarts {
  if (keys > MAX_KEYS) {
    const times = new Map<number, number>();
    return {
      get: (key) => times.get(key) ?? 0,
      set: (key, time) => {
        times.set(key, time);
      },
    };
  }
  const times = new Float64Array(keys);
  return {
    get: (key) => times[key]!,
    set: (key, time) => {
      times[key] = time;
    },
  };
}
