import { describe, expect, it } from 'vitest';
import { predict, whatif } from '../../../src/index.ts';
import { spmd, threads } from '../../../src/models.ts';

const program = spmd({ name: 'p', build: (m) => m.compute({ flops: 1e8 }) });
const pool = threads({ name: 't', build: (t) => t.compute({ seconds: 1e-3 }) });
const machine = new URL('../../../examples/ring/machine.yaml', import.meta.url).pathname;

const assumed = ({ warnings }: { readonly warnings: readonly { readonly code: string; readonly message: string }[] }) =>
  warnings.filter(({ code }) => code === 'MACH034').map(({ message }) => message);

describe('a machine that nobody gave', () => {
  it.each([
    [
      'a program',
      'simgrid-backbone',
      () => predict(program, { ranks: 2 }),
      () => whatif(program, { workers: 1, vary: { ranks: [1, 2] } }),
    ],
    ['a thread model', 'sdsc-gordon-switch', () => predict(pool), () => whatif(pool, { vary: { workers: [1, 2] } })],
  ] as const)('is a warning of predict and of whatif: %s', async (_, name, predicted, studied) => {
    const expected = [`ASSUMED machine "${name}": give option machine for another one`];
    expect(assumed(predicted())).toEqual(expected);
    expect(assumed(await studied())).toEqual(expected);
  });

  it('is none if a machine is given', async () => {
    expect(assumed(predict(program, { ranks: 2, machine }))).toEqual([]);
    expect(assumed(await whatif(program, { workers: 1, machine, vary: { ranks: [1, 2] } }))).toEqual([]);
    expect(assumed(await whatif(program, { workers: 1, ranks: 2, vary: { machine: [machine] } }))).toEqual([]);
  });
});
