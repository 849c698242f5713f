import { extname } from 'node:path';
import { fail } from '../../base/problem.ts';
import type { WhatIfDocument } from '../../report/whatif.ts';
import type { MachineOptions } from '../target.ts';
import type { SharedOptions } from './scenario-options.ts';
import { axesIn, type StudyOptions, studyDocument } from './study-document.ts';
import { studyInputs } from './study-inputs.ts';
import { checkPlan, type Studied } from './study-plan.ts';

export interface WhatIfOptions extends StudyOptions, MachineOptions {}

const TRACE: Studied = { what: 'a trace', axes: [], lacks: { ranks: ': its ranks are those that were recorded' } };

/**
 * Predicts a trace in every scenario of a grid, over the cores of this machine: axes are `network-model`, `placement`,
 * `collectives`, `machine` (files and names of machines) and parameters of the machine (`machine.link.latency`). A scenario
 * that cannot be is listed with its problems, and the others go on.
 *
 * @param input a trace: a file or a listing; it is read by every scenario, so that it cannot be standard input
 * @throws InputError for anything that is wrong with the plan: WHAT…, MACH030
 */
export async function whatif(input: string, options: WhatIfOptions): Promise<WhatIfDocument> {
  const axes = axesIn(options);
  if (input === '-')
    fail('WHAT014', 'standard input can be read once, and every scenario reads its trace: give a file', {
      file: '<stdin>',
    });
  if (extname(input) === '.json')
    fail('APP004', 'a net holds its machine already: there is nothing to vary', { file: input });
  const elasticity = checkPlan(TRACE, axes, options);
  if (options.machine === undefined && !axes.some((a) => a.name === 'machine'))
    fail('APP002', 'a trace needs a machine: --machine FILE, or --vary machine=FILE,FILE');
  const shared = sharedOptions(options);
  return studyDocument(
    { kind: 'trace', input, options: shared },
    { ...options, vary: axes, elasticity },
    { inputs: studyInputs({ role: 'trace', path: input }, axes, options), options: plainOptions(shared) },
  );
}

/** The options that all scenarios have. */
export function sharedOptions(options: SharedOptions): SharedOptions {
  const { machine, hostfile, placement, oversubscribe, ranks, networkModel, collectives, seed, set } = options;
  return {
    ...(machine === undefined ? {} : { machine }),
    ...(hostfile === undefined ? {} : { hostfile }),
    ...(placement === undefined ? {} : { placement }),
    ...(oversubscribe === undefined ? {} : { oversubscribe }),
    ...(ranks === undefined ? {} : { ranks }),
    ...(networkModel === undefined ? {} : { networkModel }),
    ...(collectives === undefined ? {} : { collectives }),
    ...(seed === undefined ? {} : { seed }),
    ...(set === undefined ? {} : { set }),
  };
}

/** The shared options as a document tells them. */
export function plainOptions({
  seed: _,
  machine,
  placement,
  oversubscribe,
  set: __,
  ...others
}: SharedOptions): WhatIfDocument['options'] {
  return {
    ...others,
    ...(placement === undefined
      ? {}
      : { placement: typeof placement === 'string' ? placement : placement instanceof Function ? 'function' : 'list' }),
    ...(oversubscribe === true ? { oversubscribe: 'yes' } : {}),
    ...(machine === undefined ? {} : { machine: typeof machine === 'object' ? machine.name : machine }),
  };
}
