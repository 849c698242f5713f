/** When the process began, by `performance.now()`, which counts from there in all threads. */
export const BEGUN = 0;
