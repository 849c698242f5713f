/** Words that the records of all places may grow by: 2 GiB. */
export const MAX_WORDS: number = 2 ** 29;
/** Tokens that wait at one station. */
export const MAX_WAITING: number = 2 ** 23;
/** Clocks that all races may have at a time. */
export const MAX_CLOCKS: number = 2 ** 22;
/** Candidates that one race may have at a time. */
export const MAX_CANDIDATES: number = 2 ** 21;
/** Keys of which one inhibitor arc is remembered. */
export const MAX_KEYS: number = 2 ** 23;
/**
 * Positions of one paged table that a kernel's memory has room for: 16 MiB of ints, 32 of doubles. What has not been
 * touched takes no memory of the machine.
 */
export const MAX_PAGED: number = 2 ** 22;
