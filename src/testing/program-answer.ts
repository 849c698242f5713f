import { verifyOnMachine } from '../app/verify-program/model-subject.ts';
import { PRODUCT } from '../app/version.ts';
import type { ProgramInstance, ProgramVerificationDocument } from '../report/program-verification.ts';
import { renderProgramVerification } from '../report/program-verify-view.ts';
import type { ModelSubject } from './subject.ts';

/** Step limit of a run, after which the result is unknown; as in `foretoken verify`. */
const MAX_STEPS = 1e8;
/** Width of the explanation in a message, in columns. */
const WIDTH = 100;

/** The verdict of `foretoken verify` for the ranks, parameters and machine of a matcher, and its explanation. */
export interface ProgramVerdict {
  readonly instance: ProgramInstance;
  /** The output of `foretoken verify`. */
  readonly lines: readonly string[];
}

/**
 * Verifies a model on its machine; matchers with equal limits share the result.
 *
 * @throws InputError MODEL020, MODEL027, MODEL033 for a faulty program
 */
export function programVerdict({ model: { built, shared }, limits }: ModelSubject): ProgramVerdict {
  return shared(`verified ${JSON.stringify(limits)}`, () => {
    const warnings: string[] = [];
    const warn = ({ code, message }: { readonly code: string; readonly message: string }): void =>
      void warnings.push(`${code} ${message}`);
    const instance = verifyOnMachine(built, { maxSteps: MAX_STEPS, ...limits, warn });
    const document: ProgramVerificationDocument = {
      format: 'foretoken',
      version: 1,
      kind: 'program-verification',
      product: PRODUCT,
      complete: instance.properties.every((p) => p.verdict !== null),
      inputs: {},
      options: { program: built.model.name, sends: 'machine', maxStates: limits.maxStates },
      instances: [instance],
      refused: [],
      seconds: instance.seconds,
      warnings,
    };
    const view = renderProgramVerification(document, { width: WIDTH, colour: false, unicode: true });
    return { instance, lines: [...view.trimEnd().split('\n'), ...warnings.map((w) => `warning: ${w}`)] };
  });
}
