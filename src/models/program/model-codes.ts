import type { ProblemCode } from '../../base/problem-code.ts';

/** Problem codes of program models. */
export const MODEL_CODES: readonly ProblemCode[] = [
  { code: 'MODEL001', meaning: 'The options of `spmd` or `mpmd` are invalid.', example: "spmd({ name: 'x' })" },
  { code: 'MODEL002', meaning: 'A variable has no possible value.', example: 'range(3, 1)' },
  { code: 'MODEL003', meaning: 'A parameter of noise is out of range.', example: 'noise.lognormal(-1)' },
  {
    code: 'MODEL004',
    meaning: 'The model does not run on this number of ranks.',
    example: '--ranks 3 for a coupled model of 4 ranks',
  },
  {
    code: 'MODEL005',
    meaning: 'An unknown parameter, or a value of the wrong type.',
    example: '--set m=3',
  },
  {
    code: 'MODEL006',
    meaning: 'Sizes of a grid are not integers, or their product is not the number of ranks.',
    example: 'grid2d(6, { sizes: [4, 2] })',
  },
  {
    code: 'MODEL010',
    meaning: 'A function of the state uses the builder.',
    example: 'm.when(s => { m.barrier(); return true; }, …)',
  },
  {
    code: 'MODEL011',
    meaning: 'A block returns a promise, or the builder is used after the model was built.',
    example: 'async build(m) { … }',
  },
  { code: 'MODEL012', meaning: 'An argument of a statement has the wrong type.', example: 'm.when(true, …)' },
  {
    code: 'MODEL013',
    meaning: 'The rank is read while the model is built.',
    example: 'if (m.rank === 0) m.barrier()',
  },
  {
    code: 'MODEL014',
    meaning: 'A statement lacks an option, or has two mutually exclusive ones.',
    example: 'm.send({ to: 1 })',
  },
  { code: 'MODEL015', meaning: 'An argument is not a request.', example: 'm.wait(3)' },
  {
    code: 'MODEL016',
    meaning: 'A variable is not declared by the model.',
    example: "m.loop('j', 3, …) with vars: { i: counter() }",
  },
  { code: 'MODEL017', meaning: 'A communicator belongs to another model.', example: 'm.barrier({ comm: other })' },
  { code: 'MODEL018', meaning: 'An unknown option of a statement.', example: 'm.send({ to: 1, byte: 8 })' },
  {
    code: 'MODEL019',
    meaning: 'Too many statements: a loop of JavaScript was unrolled.',
    example: 'for (let i = 0; i < 1e6; i++) m.barrier()',
  },
  {
    code: 'MODEL020',
    meaning: 'An argument is invalid when a rank reaches the statement; the message gives the rank and its variables.',
    example: 'm.send({ to: s => s.rank + 1, bytes: 8 }) on the last rank',
  },
  {
    code: 'MODEL021',
    meaning: 'A wait for a request that is not posted on every path to it.',
    example: 'm.wait(r); m.wait(r)',
  },
  {
    code: 'MODEL022',
    meaning: 'A request is posted again before a wait for it.',
    example: 'a persistent request that is started twice',
  },
  {
    code: 'MODEL023',
    meaning: 'Nothing waits for a receive or a collective before the program ends.',
    example: 'm.irecv({ from: 0 })',
  },
  {
    code: 'MODEL024',
    meaning: 'Messages carry more different values than supported.',
    example: 'carry: { k: s => s.k } of a counter without a bound',
  },
  {
    code: 'MODEL025',
    meaning: 'Peers depend on a counter without a bound, and there are too many ranks for all pairs.',
    example: 'to: s => s.k % s.size of 4096 ranks, where k is counter()',
  },
  {
    code: 'MODEL026',
    meaning: 'A receive asks for a value that no message carries.',
    example: "into: { carry: ['order'] } where no send has carry",
  },
  {
    code: 'MODEL032',
    meaning: 'Files are read or written on a machine without storage (a warning).',
    example: 'm.writeFile({ bytes: 1e9 })',
  },
  {
    code: 'MODEL027',
    meaning: 'Ranks of one collective name different roots.',
    example: 'm.bcast({ bytes: 8, root: s => s.rank })',
  },
  { code: 'MODEL028', meaning: 'An unknown part of a coupled model.', example: "m.part('oceans')" },
  { code: 'MODEL029', meaning: 'The build of a model throws.', example: 'build(m) { const g = gird2d(m.size); }' },
  {
    code: 'MODEL030',
    meaning: 'A computation moves bytes, but the machine has no memory bandwidth.',
    example: 'm.compute({ bytes: 1e9 })',
  },
  {
    code: 'MODEL031',
    meaning: 'Messages are not received before the program ends.',
    example: 'm.send({ to: 0, bytes: 8 }) without a receive',
  },
  {
    code: 'MODEL033',
    meaning:
      'Ranks call different collectives, or with different sizes, or a rank sends another number of bytes than its peer receives (a warning if the run ends in a deadlock).',
    example: 'm.when(s => s.rank === 0, () => m.allreduce({ bytes: 8 }), () => m.barrier())',
  },
];
