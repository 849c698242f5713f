import type { ProblemCode } from '../base/problem-code.ts';

/** Problems of the options of simulations and replications. */
export const SIMULATION_CODES: readonly ProblemCode[] = [
  {
    code: 'SIM001',
    meaning:
      'A monitor, a recording or a condition to stop names a place or transition that the net does not have, or a monitor is none.',
    example: "simulate(net, { monitors: { q: { tokens: 'quue' } } })",
  },
  {
    code: 'SIM002',
    meaning: 'Firings in progress are to be measured of a transition that fires at once.',
    example: "simulate(net, { monitors: { m: { busy: 'immediate' } } })",
  },
  {
    code: 'SIM003',
    meaning: 'A time, a seed, or a number of steps, of replications or of workers is out of range.',
    example: 'simulate(net, { until: -1 })',
  },
  {
    code: 'SIM004',
    meaning: 'Monitors or a recording are asked for of a net that is compiled already: observers are compiled in.',
    example: "simulate(compile(net), { record: 'all' })",
  },
  {
    code: 'SIM005',
    meaning: 'A saved run is resumed with other monitors, or another recording, than it was saved with.',
    example: "simulate(net, { from: saved, monitors: { other: { tokens: 'p' } } })",
  },
  {
    code: 'SIM006',
    meaning: 'A net has a function that could not be tabulated, and is to be replicated in other threads.',
    example: 'replicate(net, { replications: 100 })',
  },
  {
    code: 'SIM007',
    meaning: 'A module that is to be replicated cannot be imported, or exports no net under the name given.',
    example: "replicate({ module: new URL('./model.ts', import.meta.url), export: 'ner' }, { replications: 100 })",
  },
  {
    code: 'SIM008',
    meaning: 'A module makes another net in a worker thread than in the thread that started it.',
    example: 'a net whose delay is drawn with Math.random while the module is imported',
  },
  {
    code: 'SIM009',
    meaning: 'A summary is asked for of no values, of values that are not finite, or for a confidence that is none.',
    example: 'summary([1, 2], 95)',
  },
  {
    code: 'SIM010',
    meaning: 'An option is not known, or of another type than is expected: plain JavaScript lets it through.',
    example: 'simulate(net, { maxstep: 5 })',
  },
  {
    code: 'SIM011',
    meaning: 'More firings are to be recorded than are kept in memory: 2^23.',
    example: "simulate(net, { record: 'all' }) of a source, run for a billion steps",
  },
];
