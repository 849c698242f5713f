import { documentJson } from '../../report/document-json.ts';
import type { PredictionDocument } from './prediction.ts';

/** All keys of the document in file order; the type ensures that none is missing. */
const keyOrder: Readonly<Record<keyof PredictionDocument, true>> = {
  format: true,
  version: true,
  kind: true,
  product: true,
  seed: true,
  complete: true,
  because: true,
  ended: true,
  marking: true,
  inputs: true,
  options: true,
  machine: true,
  figures: true,
  lumping: true,
  exact: true,
  limit: true,
  suggestedPlacement: true,
  replications: true,
  jobs: true,
  ranks: true,
  workers: true,
  scheduler: true,
  objects: true,
  regions: true,
  resources: true,
  places: true,
  transitions: true,
  nodes: true,
  intervals: true,
  fragments: true,
  operations: true,
  collectives: true,
  queues: true,
  firings: true,
  profile: true,
  deadlock: true,
  failures: true,
  mismatches: true,
  warnings: true,
  notes: true,
};

/** The document as JSON text: keys in a fixed order, one line per key and per element of a list of records. */
export function predictionJson(document: PredictionDocument): string {
  return documentJson(document, Object.keys(keyOrder) as (keyof PredictionDocument)[]);
}
