import type { ProblemCode } from '../base/problem-code.ts';

/** Problems of inputs, outputs and options of commands. */
export const APP_CODES: readonly ProblemCode[] = [
  { code: 'APP001', meaning: 'An input cannot be read.', example: 'foretoken predict missing.ti --machine m.xml' },
  { code: 'APP002', meaning: 'A trace comes without a machine.', example: 'foretoken predict x.ti' },
  { code: 'APP003', meaning: 'An input exceeds the size limit.', example: 'a net.json of a gigabyte' },
  {
    code: 'APP004',
    meaning: 'An option does not apply to this input: a machine with a net, an end time with a trace.',
    example: 'foretoken predict net.json --machine m.xml',
  },
  {
    code: 'APP005',
    meaning: 'The extension of the output names no format that a net can be written in.',
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
    meaning: 'A limit for unfolding or for safe nets is given, but neither is requested.',
    example: 'foretoken convert net.json flat.csv --limit 1000',
  },
  {
    code: 'APP009',
    meaning: 'An input has a format that cannot be read here: a write-only format, a CPN Tools net, a machine.',
    example: 'foretoken convert net.cpn net.json',
  },
  {
    code: 'APP010',
    meaning: 'A file is not a result document of the expected kind, or is damaged.',
    example: 'foretoken rerun net.json',
  },
  {
    code: 'APP011',
    meaning: 'An input has changed since the result was written. The message gives both hashes.',
    example: 'foretoken rerun result.json',
  },
  {
    code: 'APP012',
    meaning: 'A result cannot be repeated: it was cut short, or its input was standard input.',
    example: 'foretoken predict - --machine m.yaml --json > r.json; foretoken rerun r.json',
  },
  {
    code: 'APP030',
    meaning: 'A state space is requested for a file whose extension is neither that of a net nor of a model.',
    example: 'foretoken explore trace.ti',
  },
  { code: 'APP021', meaning: 'The module of a model throws.', example: 'import { spmd } from "foretoken/modles"' },
  { code: 'APP022', meaning: 'A module exports no model.', example: 'foretoken predict tsconfig.ts' },
  {
    code: 'APP023',
    meaning: 'A module exports several models but has no default export.',
    example: 'export const a = spmd(…), b = spmd(…)',
  },
  {
    code: 'APP024',
    meaning: 'A precision is requested for a model without random parts: one run is exact.',
    example: 'foretoken predict exact.ts --precision 1%',
  },
  {
    code: 'APP025',
    meaning:
      'A number of replications, a precision or a confidence is out of range, or a confidence is given without replications.',
    example: 'foretoken predict model.ts --precision 200%',
  },
  {
    code: 'APP026',
    meaning: 'The net of a model has no module of this name.',
    example: 'foretoken convert jacobi.ts x.dot --module mesages',
  },
  {
    code: 'APP027',
    meaning: 'A model is not built in time (300 s, or FORETOKEN_BUILD_LIMIT).',
    example: 'build(m) { while (true) {} }',
  },
  {
    code: 'APP034',
    meaning: 'Both the unfolded and the safe net are requested.',
    example: 'foretoken convert net.json out.pnml --unfold --safe',
  },
  {
    code: 'APP040',
    meaning: 'A model ends its process or sends a signal to it.',
    example: 'build(m) { process.exit(0); }',
  },
  {
    code: 'APP041',
    meaning: 'The module of a model awaits a promise that never settles.',
    example: 'await new Promise(() => {});',
  },
  {
    code: 'APP042',
    meaning: 'A model throws outside its build: in a timer, or by an unhandled rejection.',
    example: 'setTimeout(() => { throw new Error(); });',
  },
  {
    code: 'APP043',
    meaning: 'A warning: a model leaves timers, servers or other work running; they are stopped.',
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
    example: 'foretoken predict workflow.pnml, where a branch never reaches the last place',
  },
  {
    code: 'APP047',
    meaning:
      'A warning: a net file contains something that its standard does not define. The message says how it was read.',
    example: 'foretoken predict pipe.xml, whose transitions have a <rate>',
  },
];
