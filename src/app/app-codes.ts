import type { ProblemCode } from '../base/problem-code.ts';

/** Problems of inputs, outputs and options of commands. */
export const APP_CODES: readonly ProblemCode[] = [
  { code: 'APP001', meaning: 'An input cannot be read.', example: 'foretoken predict missing.ti --machine m.xml' },
  { code: 'APP002', meaning: 'A trace comes without a machine.', example: 'foretoken predict x.ti' },
  { code: 'APP003', meaning: 'An input is larger than what is read.', example: 'a net.json of a gigabyte' },
  {
    code: 'APP004',
    meaning: 'An option that is of no use with this input: a machine with a net, an end with a trace.',
    example: 'foretoken predict net.json --machine m.xml',
  },
  {
    code: 'APP005',
    meaning: 'The ending of the output names no form that a net can be written in.',
    example: 'foretoken convert net.json net.pdf',
  },
  { code: 'APP006', meaning: 'An output cannot be written.', example: 'foretoken convert net.json /nowhere/net.txt' },
  {
    code: 'APP007',
    meaning: 'An output would overwrite an input, or has no name.',
    example: 'foretoken convert net.json net.json',
  },
  {
    code: 'APP008',
    meaning: 'A limit of unfolding, or of safe nets, is given, and neither was asked for.',
    example: 'foretoken convert net.json flat.csv --limit 1000',
  },
  {
    code: 'APP009',
    meaning: 'An input is of a kind that is not read: a form that is only written, a net of CPN Tools, a machine.',
    example: 'foretoken convert net.cpn net.json',
  },
  {
    code: 'APP010',
    meaning: 'A file is no result document of the kind that is expected, or one that is broken.',
    example: 'foretoken rerun net.json',
  },
  {
    code: 'APP011',
    meaning: 'An input of a result has changed since: both hashes are told.',
    example: 'foretoken rerun result.json',
  },
  {
    code: 'APP012',
    meaning: 'A result does not hold what it takes to repeat it: it was cut short, or read standard input.',
    example: 'foretoken predict - --machine m.yaml --json > r.json; foretoken rerun r.json',
  },
  {
    code: 'APP030',
    meaning: 'A state space is asked for of a file that is no net by its ending, and no model.',
    example: 'foretoken explore trace.ti',
  },
  { code: 'APP021', meaning: 'The module of a model throws.', example: 'import { spmd } from "foretoken/modles"' },
  { code: 'APP022', meaning: 'A module exports no model.', example: 'foretoken predict tsconfig.ts' },
  {
    code: 'APP023',
    meaning: 'A module exports several models, and none by default.',
    example: 'export const a = spmd(…), b = spmd(…)',
  },
  {
    code: 'APP024',
    meaning: 'A precision is asked for of a model in which nothing is drawn: one run is exact.',
    example: 'foretoken predict exact.ts --precision 1%',
  },
  {
    code: 'APP025',
    meaning: 'A number of replications, a precision or a confidence is out of range, or without what it is one of.',
    example: 'foretoken predict model.ts --precision 200%',
  },
  {
    code: 'APP026',
    meaning: 'The net of a model has no such module.',
    example: 'foretoken convert jacobi.ts x.dot --module mesages',
  },
  {
    code: 'APP027',
    meaning: 'A model is not built in time (300 s, or FORETOKEN_BUILD_LIMIT).',
    example: 'build(m) { while (true) {} }',
  },
  {
    code: 'APP034',
    meaning: 'Both the unfolded and the safe net are asked for.',
    example: 'foretoken convert net.json out.pnml --unfold --safe',
  },
  {
    code: 'APP040',
    meaning: 'A model ends its process or sends a signal to it.',
    example: 'build(m) { process.exit(0); }',
  },
  {
    code: 'APP041',
    meaning: 'The module of a model awaits a promise that nothing can settle.',
    example: 'await new Promise(() => {});',
  },
  {
    code: 'APP042',
    meaning: 'A model throws outside of its build: in a timer, or as a rejection that it does not handle.',
    example: 'setTimeout(() => { throw new Error(); });',
  },
  {
    code: 'APP043',
    meaning: 'A model leaves timers, servers or other work running (a warning): they are ended.',
    example: 'build(m) { setInterval(poll, 1000); … }',
  },
  {
    code: 'APP044',
    meaning: 'FORETOKEN_BUILD_LIMIT is not a number of seconds.',
    example: 'FORETOKEN_BUILD_LIMIT=soon foretoken predict model.ts',
  },
  {
    code: 'APP045',
    meaning: 'The thread of a model ended without an answer.',
    example: "require('node:worker_threads').parentPort.close();",
  },
  {
    code: 'APP046',
    meaning: 'A warning: the run of a net stops in a marking that is not one of the final markings that the net lists.',
    example: 'foretoken predict workflow.pnml, of which a branch never reaches the last place',
  },
  {
    code: 'APP047',
    meaning:
      'A warning: the file of a net says something that its standard does not have. The message says how it was read.',
    example: 'foretoken predict pipe.xml, whose transitions have a <rate>',
  },
];
