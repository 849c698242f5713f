import { assertFinite, overflows } from '../../base/finite-figures.ts';
import type { Place } from '../../base/problem.ts';
import type { PredictionDocument } from './prediction.ts';

/**
 * Rejects a prediction with a figure beyond the range of a double. The total time of all ranks counts as a figure, because
 * reports show shares of it.
 *
 * @param placeOf the place in the program that asks for such an amount; called only if a figure is rejected
 * @throws InputError RUN016
 */
export function assertFiniteFigures(document: PredictionDocument, placeOf: () => Place | undefined): void {
  try {
    assertFinite(document);
    if (!Number.isFinite(document.figures.runTime.value * document.ranks.length)) overflows('runTime × ranks');
  } catch {
    assertFinite(document, placeOf());
    overflows('runTime × ranks', placeOf());
  }
}
