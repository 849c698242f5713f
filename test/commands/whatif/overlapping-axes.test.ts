import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InputError } from '../../../src/base/problem.ts';
import { parseAxes } from '../../../src/commands/whatif/axes/axes.ts';
import { checkPlan } from '../../../src/commands/whatif/axes/check-plan.ts';
import { changeParameter, changeParameters } from '../../../src/commands/whatif/axes/machine-paths.ts';
import { machineParameters } from '../../../src/machine/description/machine-parameters.ts';
import type { Machine } from '../../../src/machine/machine.ts';
import { cluster } from '../../../src/models.ts';
import { effort } from '../../effort.ts';

const group = { nodes: 2, coresPerNode: 2, speed: '1Gf', memory: '10GB/s', memoryPerCore: '8GB/s' } as const;
const machine = cluster({
  name: 'groups',
  groups: [
    { name: 'big', ...group, speed: '2Gf' },
    { name: 'small', ...group },
  ],
  link: { latency: '10us', bandwidth: '1GB/s' },
  eagerBelow: 4096,
  detachedBelow: 65536,
});

const outcome = (run: () => unknown): string => {
  try {
    return JSON.stringify(run());
  } catch (error) {
    if (error instanceof InputError) return error.problems.map(({ code }) => code).join(' ');
    throw error;
  }
};
const refused = (...axes: string[]): string =>
  outcome(() => checkPlan({ what: 'a model', axes: ['ranks'] }, parseAxes(axes), { machine }));

test('an axis of all groups and one of a group are refused in each order (WHAT005)', () => {
  const both = ['machine.speed=1Gf,2Gf', 'machine.groups.big.speed=x2,x4'];
  expect(refused(...both)).toBe('WHAT005');
  expect(refused(...both.toReversed())).toBe('WHAT005');
  expect(refused('machine.nodes=x2', 'ranks=1,2', 'machine.groups.small.nodes=4')).toBe('WHAT005');
  expect(refused('machine.groups.big.speed=1Gf', 'machine.groups.small.speed=x2', 'machine.memory=x2')).toBe('[]');
  const message = () => checkPlan({ what: 'a model', axes: [] }, parseAxes(both), { machine });
  expect(message).toThrow(
    'WHAT005 axis machine.groups.big.speed: sets values that axis machine.speed sets as well: give one of them',
  );
});

test('two axes are refused exactly if the change of one changes a value of the other', () => {
  const paths = machineParameters(machine).map(({ path }) => path);
  const others = (path: string): readonly string[] => {
    const before = new Map(machineParameters(machine).map((one) => [one.path, one.value]));
    const after = machineParameters(changeParameter(machine, path, 'x2') as Machine);
    return after.filter((one) => one.path !== path && one.value !== before.get(one.path)).map((one) => one.path);
  };
  const changeable = paths.filter((path) => !outcome(() => changeParameter(machine, path, 'x2')).startsWith('MACH'));
  expect(changeable.length).toBeGreaterThan(20);
  const known = new Map(changeable.map((path) => [path, others(path)]));
  let count = 0;
  for (const one of changeable)
    for (const other of changeable) {
      if (one === other) continue;
      const isShared = known.get(one)!.includes(other) || known.get(other)!.includes(one);
      if (isShared) count++;
      expect(refused(`machine.${one}=x2`, `machine.${other}=x2`) === 'WHAT005', `${one}, ${other}`).toBe(isShared);
    }
  expect(count).toBeGreaterThan(20);
});

test('axes that are allowed give the same machine in each order', () => {
  const value = fc.constantFrom<string | number>('x0.5', 'x2', '+10%', 'x40', 'x1');
  const sizes = fc.constantFrom<string | number>('x0.01', '1MB', 0, 'x1000');
  const paths = ['groups.big.speed', 'groups.small.speed', 'memory', 'memoryPerCore', 'link.latency', 'gap'];
  const change = fc.oneof(
    fc.tuple(fc.constantFrom(...paths), value),
    fc.tuple(fc.constantFrom('eagerBelow', 'detachedBelow'), sizes),
  );
  const changes = fc.uniqueArray(change, { minLength: 2, maxLength: 5, selector: ([path]) => path });
  const property = fc.property(
    changes.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
    ([one, other]) => {
      const of = (all: typeof one): string => outcome(() => changeParameters(machine, all));
      expect(of(other)).toBe(of(one));
    },
  );
  fc.assert(property, { numRuns: effort(5000) });
});

test('thresholds of messages that are valid together may be set in each order', () => {
  const changes = [
    ['eagerBelow', '1MB'],
    ['detachedBelow', '2MB'],
  ] as const;
  for (const all of [changes, changes.toReversed()])
    expect(changeParameters(machine, all)).toMatchObject({ eagerBelow: 1e6, detachedBelow: 2e6 });
});
