import { documentJson } from './document-json.ts';
import type { VerificationDocument } from './verification.ts';

/** All keys of the document in file order; the type ensures that none is missing. */
const order: Readonly<Record<keyof VerificationDocument, true>> = {
  format: true,
  version: true,
  kind: true,
  product: true,
  complete: true,
  inputs: true,
  options: true,
  final: true,
  properties: true,
  space: true,
  seconds: true,
  warnings: true,
};

/** The document as JSON text: keys in a fixed order, one line per property. */
export function verificationJson(document: VerificationDocument): string {
  return documentJson(document, Object.keys(order) as (keyof VerificationDocument)[]);
}
