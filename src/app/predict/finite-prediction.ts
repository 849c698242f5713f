import { assertFinite, overflows } from '../../base/finite-figures.ts';
import type { Place } from '../../base/problem.ts';
import type { PredictionDocument } from '../../report/prediction.ts';

/**
 * Refuses a prediction with a figure that no double holds. The time of all ranks together counts as a figure: reports
 * show shares of it.
 *
 * @param placeOf where the program asks for so much; only called if it does
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
