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
/** When a job of several programs starts: `start.JOB`, in seconds. */
export const START_PREFIX = 'start.';
/** Beginnings of the names of figures of jobs. */
export const JOB_TIME = 'run time of job ';
export const JOB_END = 'end of job ';
/** Keyword for all machine parameters. */
export const ALL_PARAMETERS = 'all';
