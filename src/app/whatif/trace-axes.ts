/** The axes of a trace besides the parameters of its machine, and the options that they set. */
export const AXIS_OPTIONS = { 'network-model': 'networkModel', placement: 'placement', machine: 'machine' } as const;
/** Before the names of a machine's parameters. */
export const MACHINE_PREFIX = 'machine.';
