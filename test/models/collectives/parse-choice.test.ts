import { describe, expect, test } from 'vitest';
import { chooseAlgorithm } from '../../../src/models/collectives/choice.ts';
import { parseChoice } from '../../../src/models/collectives/parse-choice.ts';
import type { Collective } from '../../../src/trace/collective.ts';

const name = (text: string, collective: Collective, ranks = 8): string =>
  chooseAlgorithm(parseChoice(text, 'simgrid'), collective, ranks, false).name;
const bcast: Collective = { kind: 'bcast', bytes: 20_000, root: 0 };
const allreduce: Collective = { kind: 'allreduce', bytes: 8192, flops: 0 };

describe('a choice of algorithms', () => {
  test('operations override the selector, wherever it stands; others follow it', () => {
    expect(name('ompi', bcast)).toBe('binomial_tree');
    expect(name('ompi,bcast=NTSL', bcast)).toBe('NTSL');
    expect(name('bcast=NTSL , ompi', bcast)).toBe('NTSL');
    expect(name('ompi,bcast=NTSL', allreduce)).toBe('rab_rdb');
    expect(name('bcast=NTSL', allreduce)).toBe('default');
  });

  test('an operation may follow another selector, and textbook names are those of SimGrid', () => {
    expect(name('allreduce=ompi', allreduce)).toBe('rab_rdb');
    expect(name('mpich,bcast=binomial', bcast)).toBe('binomial_tree');
    expect(name('reduce_scatter=ring', { kind: 'reducescatter', recvBytes: [8, 8], flops: 0 }, 2)).toBe('ompi_ring');
  });

  test('its text names the selector and every operation, and reads as the same choice', () => {
    const choice = parseChoice('reduce_scatter=pairwise,bcast=binomial', 'simgrid');
    expect(choice.text).toBe('simgrid,reducescatter=mpich_pair,bcast=binomial_tree');
    expect(parseChoice(choice.text, 'logarithmic')).toEqual(choice);
  });

  test('non-blocking calls post everything at once, except with the textbook set', () => {
    const posted = (text: string): string => chooseAlgorithm(parseChoice(text, 'simgrid'), bcast, 8, true).name;
    expect([posted('ompi'), posted('logarithmic')]).toEqual(['posted', 'binomial scatter, then recursive doubling']);
  });
});

test.each([
  [
    'opmi',
    'MACH026 unknown collectives "opmi". Did you mean "ompi"? Known: simgrid, logarithmic, ompi, mpich, mvapich2, impi.',
  ],
  ['ompi,simgrid', 'MACH041 "ompi,simgrid" names two selectors: ompi and "simgrid"'],
  ['bcast=NTSL,bcast=NTSB', 'MACH041 "bcast=NTSL,bcast=NTSB" has two algorithms of bcast'],
  ['alreduce=rdb', 'MACH038 no operation "alreduce" has several algorithms. Did you mean "allreduce"?'],
  ['scan=default', 'MACH038 no operation "scan" has several algorithms.'],
  ['bcast=NTLS', 'MACH039 unknown algorithm "NTLS" of bcast. Did you mean "NTSL"?'],
  [
    'bcast=arrival_scatter',
    'MACH039 SimGrid\'s algorithm "arrival_scatter" of bcast is not modelled. Known: binomial_tree',
  ],
  ['', 'MACH026 unknown collectives "".'],
  ['allreduce', 'MACH026 "allreduce" is an operation: expected allreduce=ALGORITHM. Known: default, redbcast'],
  ['rab', 'MACH026 "rab" is an algorithm of allreduce, reduce: expected OPERATION=rab, as in allreduce=rab'],
  [
    'bcast=openmpi',
    'MACH039 unknown algorithm "openmpi" of bcast. Did you mean the selector "ompi"? Known: binomial_tree',
  ],
  ['bcast=ompi_pipelin', 'MACH039 unknown algorithm "ompi_pipelin" of bcast. Did you mean "ompi_pipeline"?'],
])('%s is refused', (text, message) => {
  expect(() => parseChoice(text, 'simgrid')).toThrow(message);
});

test.each([
  [
    'ompi',
    [
      'openmpi',
      'OpenMPI',
      'open-mpi',
      'Open MPI',
      'open_mpi',
      'openmpi-4.1',
      'openmpi5',
      'OMPI',
      'hpcx',
      'spectrum-mpi',
    ],
  ],
  ['impi', ['intel', 'intelmpi', 'Intel MPI', 'intel-mpi', 'intel_mpi_2021', 'impi2019', 'IMPI']],
  ['mvapich2', ['mvapich', 'MVAPICH', 'mvapich3', 'mvapich2-x', 'MVAPICH2-GDR']],
  ['mpich', ['mpich2', 'mpich3', 'mpich-4.2', 'MPICH', 'cray-mpich', 'cray', 'msmpi']],
  ['simgrid', ['smpi', 'SimGrid']],
])('names of MPI libraries lead to the selector %s', (selector, names) => {
  for (const name of names)
    expect(() => parseChoice(name, 'simgrid'), name).toThrow(
      `MACH026 unknown collectives "${name}". Did you mean "${selector}"? Known: simgrid, logarithmic, ompi`,
    );
});
