/** Start of the process on the `performance.now()` clock, whose origin all threads share. */
export const BEGUN = 0;
