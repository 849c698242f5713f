import type { ProblemCode } from '../base/problem-code.ts';

/** Problems of the options of simulations and replications. */
export const SIMULATION_CODES: readonly ProblemCode[] = [
  {
    code: 'SIM001',
    meaning:
      'A monitor, a recording or a stop condition names an unknown place or transition, or a monitor is invalid.',
    example: "simulate(net, { monitors: { q: { tokens: 'quue' } } })",
  },
  {
    code: 'SIM002',
    meaning: 'A monitor measures firings in progress of a transition without a delay.',
    example: "simulate(net, { monitors: { m: { busy: 'immediate' } } })",
  },
  {
    code: 'SIM003',
    meaning: 'A time, a seed, or a number of steps, of replications or of workers is out of range.',
    example: 'simulate(net, { until: -1 })',
  },
  {
    code: 'SIM004',
    meaning: 'Monitors or a recording are requested for a compiled net, whose observers are fixed.',
    example: "simulate(compile(net), { record: 'all' })",
  },
  {
    code: 'SIM005',
    meaning: 'A saved run is resumed with different monitors or a different recording.',
    example: "simulate(net, { from: saved, monitors: { other: { tokens: 'p' } } })",
  },
  {
    code: 'SIM006',
    meaning: 'A net to be replicated in worker threads has a function that could not be tabulated.',
    example: 'replicate(net, { replications: 100 })',
  },
  {
    code: 'SIM007',
    meaning: 'A module to be replicated cannot be imported, or does not export a net under the given name.',
    example: "replicate({ module: new URL('./model.ts', import.meta.url), export: 'ner' }, { replications: 100 })",
  },
  {
    code: 'SIM008',
    meaning: 'A module builds a different net in a worker thread than in the thread that started it.',
    example: 'a net with a delay from Math.random, called at import',
  },
  {
    code: 'SIM009',
    meaning: 'A summary of no values or of values that are not finite, or an invalid confidence.',
    example: 'summary([1, 2], 95)',
  },
  {
    code: 'SIM010',
    meaning: 'An option is unknown or has the wrong type, which plain JavaScript does not detect.',
    example: 'simulate(net, { maxstep: 5 })',
  },
  {
    code: 'SIM011',
    meaning: 'More than 2^23 firings are recorded, the maximum kept in memory.',
    example: "simulate(net, { record: 'all' }) of a source, run for a billion steps",
  },
];
