import type { ProblemCode } from '../base/problem-code.ts';

/** Problem codes of machines (from a file or from `cluster`) and of the placement of ranks on them. */
export const MACHINE_CODES: readonly ProblemCode[] = [
  { code: 'MACH001', meaning: 'A machine file cannot be read, or is not a text file.', example: 'an empty file' },
  { code: 'MACH002', meaning: 'A machine file is not well-formed YAML or JSON.', example: 'link: { latency: 1us' },
  {
    code: 'MACH003',
    meaning: 'A machine file has anchors, aliases, tags or several documents, which are not supported.',
    example: 'link: &fast { latency: 1us, bandwidth: 1GB/s }',
  },
  { code: 'MACH004', meaning: 'A machine file is nested too deeply.', example: '[[[[[[[[ …' },
  { code: 'MACH005', meaning: 'An unknown key.', example: 'coresPerNodes: 4' },
  { code: 'MACH006', meaning: 'A part is missing.', example: 'a machine without link' },
  { code: 'MACH007', meaning: 'A value has the wrong type.', example: 'nodes: many' },
  { code: 'MACH008', meaning: 'A number or the length of a list is out of range.', example: 'nodes: 0' },
  { code: 'MACH009', meaning: 'An unknown word or an invalid name.', example: 'network: mesh' },
  {
    code: 'MACH011',
    meaning: 'Parts of a machine do not fit together.',
    example: 'a torus of 4 × 4 places for 17 nodes',
  },
  { code: 'MACH012', meaning: 'A machine has too many nodes or links.', example: 'two groups of 200000 nodes' },
  { code: 'MACH013', meaning: 'A key is given twice.', example: 'a second line "speed: 1Gf"' },
  {
    code: 'MACH020',
    meaning: 'Neither a file nor a built-in machine has this name.',
    example: '--machine simgrid-backbon',
  },
  {
    code: 'MACH021',
    meaning: 'There are more ranks than cores, without --oversubscribe.',
    example: '9 ranks on 2 nodes of 4 cores, without --oversubscribe',
  },
  {
    code: 'MACH022',
    meaning: 'Options of a machine contradict each other.',
    example: '--placement block --hostfile hosts.txt',
  },
  { code: 'MACH023', meaning: 'A placement is neither block, cyclic nor a file.', example: '--placement blok' },
  {
    code: 'MACH024',
    meaning: 'A list of nodes for ranks does not have one entry per rank.',
    example: 'placement: [0, 0, 1] for 4 ranks',
  },
  {
    code: 'MACH025',
    meaning: 'A list or function that places ranks names an unknown node.',
    example: "placement: (rank) => 'nodee' + rank",
  },
  {
    code: 'MACH030',
    meaning: 'An unknown parameter of a machine or platform.',
    example: "changeMachine(machine, 'link.latecny', 'x2')",
  },
  {
    code: 'MACH031',
    meaning: 'A change is not a factor, a percentage or a new value.',
    example: "changeMachine(machine, 'link.latency', '+2us')",
  },
  {
    code: 'MACH032',
    meaning: 'A change does not apply: no value to multiply, or one new value for several different ones.',
    example: "changeMachine(machine, 'memory', 'x2') of a machine without memory",
  },
  { code: 'MACH026', meaning: 'Unknown algorithms of collectives.', example: '--collectives binomal' },
  {
    code: 'MACH033',
    meaning: 'A machine has parts that the replay of a trace ignores (a warning).',
    example: 'foretoken predict app.ti --machine m.yaml, with noise in m.yaml',
  },
];
