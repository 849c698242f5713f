import { documentJson } from './document-json.ts';
import type { ProgramVerificationDocument } from './program-verification.ts';

/** All keys of the document in file order; the type ensures that none is missing. */
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

/** The document as JSON text: keys in a fixed order, one line per instance. */
export function programVerificationJson(document: ProgramVerificationDocument): string {
  return documentJson(document, Object.keys(order) as (keyof ProgramVerificationDocument)[]);
}
