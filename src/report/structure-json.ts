import { documentJson } from './document-json.ts';
import type { StructureDocument } from './structure.ts';

/** All keys of the document in file order; the type ensures that none is missing. */
const order: Readonly<Record<keyof StructureDocument, true>> = {
  format: true,
  version: true,
  kind: true,
  product: true,
  inputs: true,
  options: true,
  figures: true,
  complete: true,
  classes: true,
  verdicts: true,
  proved: true,
  placeSemiflows: true,
  transitionSemiflows: true,
  siphons: true,
  traps: true,
  deadTransitions: true,
  unreachable: true,
  solver: true,
  seconds: true,
  warnings: true,
};

/** The document as JSON text, in the same format as other results. */
export function structureJson(document: StructureDocument): string {
  return documentJson(document, Object.keys(order) as (keyof StructureDocument)[]);
}
