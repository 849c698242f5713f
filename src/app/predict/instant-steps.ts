/** Steps that may pass at one instant before they count as an endless cycle: all ranks may exchange with all at once. */
export const instantSteps = (ranks: number, positions: number): number => 1e6 + 40 * ranks * ranks + 10 * positions;
