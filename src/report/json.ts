import { documentJson } from './document-json.ts';
import type { PredictionDocument } from './prediction.ts';

/** Every key of the document in the order of the file; the type makes sure that none is forgotten. */
const order: Readonly<Record<keyof PredictionDocument, true>> = {
  format: true,
  version: true,
  kind: true,
  product: true,
  seed: true,
  complete: true,
  ended: true,
  marking: true,
  inputs: true,
  options: true,
  machine: true,
  figures: true,
  replications: true,
  ranks: true,
  resources: true,
  nodes: true,
  intervals: true,
  fragments: true,
  operations: true,
  queues: true,
  firings: true,
  profile: true,
  deadlock: true,
  warnings: true,
  notes: true,
};

/** The document as JSON text: keys in a fixed order, one line for each of them and for each element of a list of records. */
export function predictionJson(document: PredictionDocument): string {
  return documentJson(document, Object.keys(order) as (keyof PredictionDocument)[]);
}
