import { documentJson } from './document-json.ts';
import type { VerificationDocument } from './verification.ts';

/** Every key of the document in the order of the file; the type makes sure that none is forgotten. */
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

/** The document as JSON text: keys in a fixed order, one line for each property. */
export function verificationJson(document: VerificationDocument): string {
  return documentJson(document, Object.keys(order) as (keyof VerificationDocument)[]);
}
