import { documentJson } from './document-json.ts';
import type { ProgramVerificationDocument } from './program-verification.ts';

/** Every key of the document in the order of the file; the type makes sure that none is forgotten. */
const order: Readonly<Record<keyof ProgramVerificationDocument, true>> = {
  format: true,
  version: true,
  kind: true,
  product: true,
  complete: true,
  inputs: true,
  options: true,
  instances: true,
  refused: true,
  seconds: true,
  warnings: true,
  notes: true,
};

/** The document as JSON text: keys in a fixed order, one line for each instance. */
export function programVerificationJson(document: ProgramVerificationDocument): string {
  return documentJson(document, Object.keys(order) as (keyof ProgramVerificationDocument)[]);
}
