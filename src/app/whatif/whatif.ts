import { extname } from 'node:path';
import { didYouMean, fail, InputError, quote } from '../../base/problem.ts';
import type { WhatIfDocument } from '../../report/whatif.ts';
import type { MachineOptions } from '../target.ts';
import { type Axis, partOf } from './axes.ts';
import { axesIn, type StudyOptions, studyDocument } from './study-document.ts';
import { studyInputs } from './study-inputs.ts';
import { AXIS_OPTIONS, MACHINE_PREFIX } from './trace-axes.ts';

export interface WhatIfOptions extends StudyOptions, MachineOptions {}

const TRACE_AXES: readonly string[] = Object.keys(AXIS_OPTIONS);

/**
 * Predicts a trace in every scenario of a grid, over the cores of this machine: axes are `network-model`, `placement`,
 * `machine` (files and names of machines) and parameters of the machine (`machine.link.latency`). A scenario that cannot
 * be is listed with its problems, and the others go on.
 *
 * @param input a trace: a file or a listing; it is read by every scenario, so that it cannot be standard input
 * @throws InputError for anything that is wrong with the plan: WHAT…
 */
export async function whatif(input: string, options: WhatIfOptions): Promise<WhatIfDocument> {
  const axes = axesIn(options);
  checkPlan(input, axes, options);
  const shared = sharedOptions(options);
  return studyDocument(
    { kind: 'trace', input, options: shared },
    { ...options, vary: axes },
    { inputs: studyInputs(input, axes, options), options: plain(shared) },
  );
}

function checkPlan(input: string, axes: readonly Axis[], options: WhatIfOptions): void {
  if (input === '-')
    fail('WHAT014', 'standard input can be read once, and every scenario reads its trace: give a file', {
      file: '<stdin>',
    });
  if (extname(input) === '.json')
    fail('APP004', 'a net holds its machine already: there is nothing to vary', { file: input });
  if (axes.length === 0 && (options.ideals ?? []).length === 0 && (options.elasticity ?? []).length === 0)
    fail('WHAT013', 'nothing to vary: --vary NAME=VALUE,VALUE…, --scenario NAME or --elasticity PARAMETER');
  if (options.machine === undefined && !axes.some((a) => a.name === 'machine'))
    fail('APP002', 'a trace needs a machine: --machine FILE, or --vary machine=FILE,FILE');
  for (const name of options.elasticity ?? [])
    if (!name.startsWith(MACHINE_PREFIX))
      fail('WHAT007', 'only a parameter of the machine has an elasticity, as in machine.link.latency', {
        part: partOf(name),
      });
  const names = axes.map((a) => a.name);
  const unknown = names.filter((name) => !TRACE_AXES.includes(name) && !name.startsWith(MACHINE_PREFIX));
  if (unknown.length > 0)
    throw new InputError(
      unknown.map((name) => ({
        code: 'WHAT007',
        message: `a trace has no axis ${quote(name)}${name === 'ranks' ? ': its ranks are those that were recorded' : ''}.${didYouMean(name, [...TRACE_AXES, `${MACHINE_PREFIX}…`])}`,
        place: { part: partOf(name) },
      })),
    );
}

/** The options that all scenarios have. */
function sharedOptions(options: WhatIfOptions): MachineOptions & { readonly seed?: string } {
  const { machine, hostfile, placement, oversubscribe, ranks, networkModel, seed } = options;
  return {
    ...(machine === undefined ? {} : { machine }),
    ...(hostfile === undefined ? {} : { hostfile }),
    ...(placement === undefined ? {} : { placement }),
    ...(oversubscribe === undefined ? {} : { oversubscribe }),
    ...(ranks === undefined ? {} : { ranks }),
    ...(networkModel === undefined ? {} : { networkModel }),
    ...(seed === undefined ? {} : { seed }),
  };
}

/** The shared options as a document tells them. */
function plain({
  seed: _,
  machine,
  oversubscribe,
  ...others
}: ReturnType<typeof sharedOptions>): WhatIfDocument['options'] {
  return {
    ...(others as Record<string, string | number>),
    ...(oversubscribe === true ? { oversubscribe: 'yes' } : {}),
    ...(machine === undefined ? {} : { machine: typeof machine === 'object' ? machine.name : machine }),
  };
}
