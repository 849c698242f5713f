/** The axes of whatever runs on a machine, besides the parameters of the machine, and the options that they set. */
export const AXIS_OPTIONS = {
  'network-model': 'networkModel',
  placement: 'placement',
  collectives: 'collectives',
  machine: 'machine',
} as const;
/** Before the names of a machine's parameters. */
export const MACHINE_PREFIX = 'machine.';
/** Before the names of a model's parameters. */
export const MODEL_PREFIX = 'model.';
/** Every parameter of the machine, in place of their names. */
export const ALL_PARAMETERS = 'all';
