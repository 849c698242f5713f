/** Axes that all inputs support, besides machine parameters, and the options that they set. */
export const AXIS_OPTIONS = {
  'network-model': 'networkModel',
  placement: 'placement',
  collectives: 'collectives',
  machine: 'machine',
} as const;
/** Axes of thread models, with the type of their values. */
export const THREAD_AXES = {
  workers: 'number',
  scheduler: 'string',
  victim: 'string',
  take: 'string',
  rounds: 'number',
  pool: 'string',
  spawn: 'string',
} as const;
export const MACHINE_PREFIX = 'machine.';
export const MODEL_PREFIX = 'model.';
/** Keyword for all machine parameters. */
export const ALL_PARAMETERS = 'all';
