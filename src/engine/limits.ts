/** Maximum growth of the token records of all places, in 32-bit words: 2 GiB. */
export const MAX_WORDS: number = 2 ** 29;
/** Maximum number of tokens that wait at one station. */
export const MAX_WAITING: number = 2 ** 23;
/** Maximum number of simultaneous clocks of all races. */
export const MAX_CLOCKS: number = 2 ** 22;
/** Maximum number of simultaneous candidates of one race. */
export const MAX_CANDIDATES: number = 2 ** 21;
/** Entries of an agenda that were reached and keep their room. */
export const MAX_PASSED: number = 2 ** 12;
/** Maximum number of keys for which one inhibitor arc keeps stamps. */
export const MAX_KEYS: number = 2 ** 23;
/**
 * Maximum number of positions of one paged table in a kernel's memory: 16 MiB of ints, or 32 MiB of doubles. Untouched parts take
 * no physical memory.
 */
export const MAX_PAGED: number = 2 ** 22;
