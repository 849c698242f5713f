/**
 * Maximum number of steps at one instant; more count as an endless cycle. All ranks may exchange messages with all others at
 * once.
 */
export const instantSteps = (ranks: number, positions: number): number => 1e6 + 40 * ranks * ranks + 10 * positions;
