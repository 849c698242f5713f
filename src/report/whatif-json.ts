import { documentJson } from './document-json.ts';
import type { WhatIfDocument } from './whatif.ts';

/** Every key in the order of the file; the type makes sure that none is forgotten. */
const order: Readonly<Record<keyof WhatIfDocument, true>> = {
  format: true,
  version: true,
  kind: true,
  product: true,
  seed: true,
  complete: true,
  inputs: true,
  options: true,
  axes: true,
  scenarios: true,
  scaling: true,
  elasticity: true,
  found: true,
  warnings: true,
  notes: true,
};

/** The document as JSON text: keys in a fixed order, one line for each of them and for each scenario. */
export function whatIfJson(document: WhatIfDocument): string {
  return documentJson(document, Object.keys(order) as (keyof WhatIfDocument)[]);
}
