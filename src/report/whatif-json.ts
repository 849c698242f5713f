import { documentJson } from './document-json.ts';
import type { WhatIfDocument } from './whatif.ts';

/** All keys in file order; the type ensures that none is missing. */
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

/** The document as JSON text: keys in a fixed order, one line per key and per scenario. */
export function whatIfJson(document: WhatIfDocument): string {
  return documentJson(document, Object.keys(order) as (keyof WhatIfDocument)[]);
}
