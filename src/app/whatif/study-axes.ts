/** Axes that all inputs support, besides machine parameters, and the options that they set. */
export const AXIS_OPTIONS = {
  'network-model': 'networkModel',
  placement: 'placement',
  collectives: 'collectives',
  machine: 'machine',
} as const;
/** Prefix of machine parameters. */
export const MACHINE_PREFIX = 'machine.';
/** Prefix of model parameters. */
export const MODEL_PREFIX = 'model.';
/** Keyword for all machine parameters. */
export const ALL_PARAMETERS = 'all';
