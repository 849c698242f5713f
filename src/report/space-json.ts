import { documentJson } from './document-json.ts';
import type { SpaceDocument } from './space.ts';

/** All keys of the document in file order; the type ensures that none is missing. */
const order: Readonly<Record<keyof SpaceDocument, true>> = {
  format: true,
  version: true,
  kind: true,
  product: true,
  complete: true,
  truncation: true,
  inputs: true,
  options: true,
  figures: true,
  verdicts: true,
  because: true,
  bounds: true,
  depths: true,
  branching: true,
  components: true,
  dead: true,
  seconds: true,
  bytesPerState: true,
  warnings: true,
};

/** The document as JSON text, in the same format as other results. */
export function spaceJson(document: SpaceDocument): string {
  return documentJson(document, Object.keys(order) as (keyof SpaceDocument)[]);
}
