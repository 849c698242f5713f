import type { ProblemCode } from '../../base/problem-code.ts';

/** Problem codes of program models. */
export const MODEL_CODES: readonly ProblemCode[] = [
  { code: 'MODEL001', meaning: 'What is given to `spmd` or `mpmd` makes no model.', example: "spmd({ name: 'x' })" },
  { code: 'MODEL002', meaning: 'A variable can have no value.', example: 'range(3, 1)' },
  { code: 'MODEL003', meaning: 'Noise of a size that there is not.', example: 'noise.lognormal(-1)' },
  {
    code: 'MODEL004',
    meaning: 'A number of ranks that the model cannot have.',
    example: '--ranks 3 of a coupled model for 4',
  },
  {
    code: 'MODEL005',
    meaning: 'A parameter that the model does not have, or a value of another kind.',
    example: '--set m=3',
  },
  {
    code: 'MODEL006',
    meaning: 'Sizes of a grid that are no whole numbers, or do not multiply to the number of ranks.',
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
  { code: 'MODEL012', meaning: 'A part of a statement is of another kind than expected.', example: 'm.when(true, …)' },
  {
    code: 'MODEL013',
    meaning: 'The rank is asked for while the model is built.',
    example: 'if (m.rank === 0) m.barrier()',
  },
  {
    code: 'MODEL014',
    meaning: 'A statement lacks an option, or has two that exclude each other.',
    example: 'm.send({ to: 1 })',
  },
  { code: 'MODEL015', meaning: 'Something else where a request is expected.', example: 'm.wait(3)' },
  {
    code: 'MODEL016',
    meaning: 'A variable that the model does not declare.',
    example: "m.loop('j', 3, …) with vars: { i: counter() }",
  },
  { code: 'MODEL017', meaning: 'A communicator of another model.', example: 'm.barrier({ comm: other })' },
  { code: 'MODEL018', meaning: 'An option that the statement does not have.', example: 'm.send({ to: 1, byte: 8 })' },
  {
    code: 'MODEL019',
    meaning: 'Too many statements: a loop of JavaScript was unrolled.',
    example: 'for (let i = 0; i < 1e6; i++) m.barrier()',
  },
  {
    code: 'MODEL020',
    meaning: 'An argument is none when a rank comes to the statement; with the rank and its variables.',
    example: 'm.send({ to: s => s.rank + 1, bytes: 8 }) on the last rank',
  },
  {
    code: 'MODEL021',
    meaning: 'A wait for a request that is not posted on the way there.',
    example: 'm.wait(r); m.wait(r)',
  },
  {
    code: 'MODEL022',
    meaning: 'A request is posted again before anything waited for it.',
    example: 'a persistent request that is started twice',
  },
  {
    code: 'MODEL023',
    meaning: 'Nothing waits for a receive or a collective before the program ends.',
    example: 'm.irecv({ from: 0 })',
  },
  {
    code: 'MODEL024',
    meaning: 'Messages carry more values than can be told apart.',
    example: 'carry: { k: s => s.k } of a counter without a bound',
  },
  {
    code: 'MODEL025',
    meaning: 'The peers of so many ranks depend on a counter without a bound.',
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
  { code: 'MODEL028', meaning: 'There is no such part among coupled models.', example: "m.part('oceans')" },
  { code: 'MODEL029', meaning: 'The build of a model throws.', example: 'build(m) { const g = gird2d(m.size); }' },
  {
    code: 'MODEL030',
    meaning: 'A computation moves bytes, and the machine says nothing of its memory.',
    example: 'm.compute({ bytes: 1e9 })',
  },
  {
    code: 'MODEL031',
    meaning: 'Messages are left at the end that nothing has received.',
    example: 'm.send({ to: 0, bytes: 8 }) without a receive',
  },
  {
    code: 'MODEL033',
    meaning:
      'Ranks call collectives that are not the same, or not of the same size, or one sends other bytes than its peer receives (where that ends in a deadlock, a warning).',
    example: 'm.when(s => s.rank === 0, () => m.allreduce({ bytes: 8 }), () => m.barrier())',
  },
];
