/** Maximum number of keys in one array: 256 MiB of address space, of which only written pages use memory. */
const MAX_KEYS = 1 << 25;

/** Start time in seconds of the last transfer of each key; 0 without a transfer. O(1) per call. */
export interface TransferStarts {
  get(key: number): number;
  set(key: number, time: number): void;
}

/** Start times for the keys 0 … `keys` − 1: an array, or a map if the array would be too large. */
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
