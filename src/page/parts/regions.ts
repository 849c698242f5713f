/** Names of the regions of documents by kind. */
export const REGIONS: Readonly<Record<string, string>> = {
  'what-if': 'What-if',
  comparison: 'Compare',
  'profile-comparison': 'Compare',
  prediction: 'Prediction',
  space: 'State space',
  steady: 'Steady state',
  structure: 'Structure',
  diagnosis: 'Workers',
  verification: 'Verification',
  'program-verification': 'Verification',
  'thread-verification': 'Verification',
  witnesses: 'Verification',
  'run-check': 'Record',
};
