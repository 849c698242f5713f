import { documentJson } from './document-json.ts';
import type { SpaceDocument } from './space.ts';

/** Every key of the document in the order of the file; the type makes sure that none is forgotten. */
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

/** The document as JSON text, as other results are written. */
export function spaceJson(document: SpaceDocument): string {
  return documentJson(document, Object.keys(order) as (keyof SpaceDocument)[]);
}
