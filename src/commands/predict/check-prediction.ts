import { assertFinite, overflows } from '../../base/finite-figures.ts';
import type { Place } from '../../base/problem.ts';
import type { MaxMinService } from '../../net/net.ts';
import type { PredictionDocument } from './prediction.ts';

/**
 * Checks the figures of a run; every prediction passes through here. All are within the range of a double. No resource did
 * more work than its capacity allows in the run time.
 *
 * @param solver that of the links
 * @param placeOf the place in the program that asks for such an amount; called only if a figure is rejected
 * @throws InputError RUN016
 * @throws Error, an internal error: more work than capacity
 */
export function checkPrediction(
  document: PredictionDocument,
  placeOf: () => Place | undefined,
  solver?: MaxMinService['solver'],
): void {
  assertFiniteFigures(document, placeOf);
  // The lazy solver gives links away twice, as SimGrid does.
  assertWithinCapacity(
    solver === undefined ? document : { ...document, resources: document.resources.filter((r) => r.kind !== 'link') },
  );
}

/** Rejects figures beyond the range of a double. The total time of all ranks counts, because reports show shares of it. */
function assertFiniteFigures(document: PredictionDocument, placeOf: () => Place | undefined): void {
  try {
    assertFinite(document);
    if (!Number.isFinite(document.figures.runTime.value * document.ranks.length)) overflows('runTime × ranks');
  } catch {
    assertFinite(document, placeOf());
    overflows('runTime × ranks', placeOf());
  }
}

/** Relative rounding of times and amounts. */
const ROUNDING = 1e-6;

/**
 * A run takes at least the work of each resource divided by its capacity. Fatpipes are not shared, and thus not limited.
 *
 * @throws Error an internal error: the model has given the resource away twice
 */
export function assertWithinCapacity({
  figures: { runTime },
  resources,
}: Pick<PredictionDocument, 'figures' | 'resources'>): void {
  for (const { name, kind, utilisation, amount, capacity, fatpipe } of resources) {
    if (fatpipe === true) continue;
    // A host that fails at once has no capacity, and does nothing.
    const least = amount.value === 0 ? 0 : amount.value / capacity.value;
    if (utilisation <= 1 + ROUNDING && least <= runTime.value * (1 + ROUNDING)) continue;
    throw new Error(
      `${kind} ${name} needs ${least} s for ${amount.value} ${amount.unit}, and the run time is ${runTime.value} s (utilisation ${utilisation})`,
    );
  }
}
