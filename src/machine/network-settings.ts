import type { Problem } from '../base/problem.ts';
import { type CallCost, isOwnModel, type NetworkModel, type NetworkModelName, type Steps } from './network-model.ts';

/** Settings of the network model in a platform file (SimGrid's `<config>`). Members that are not set are absent. */
export interface NetworkSettings {
  readonly latencyFactor?: Steps;
  readonly bandwidthFactor?: Steps;
  readonly window?: number;
  readonly weightS?: number;
  readonly crossTraffic?: number;
  readonly testSleep?: number;
  readonly eagerBelow?: number;
  readonly detachedBelow?: number;
  readonly sendCost?: CallCost;
  readonly isendCost?: CallCost;
  readonly receiveCost?: CallCost;
  readonly solver?: 'lazy';
}

/** Name of each setting in SimGrid 3.32. */
export const SETTING_NAMES: Readonly<Record<keyof NetworkSettings, string>> = {
  latencyFactor: 'smpi/lat-factor',
  bandwidthFactor: 'smpi/bw-factor',
  window: 'network/TCP-gamma',
  weightS: 'network/weight-S',
  crossTraffic: 'network/crosstraffic',
  testSleep: 'smpi/test',
  eagerBelow: 'smpi/async-small-thresh',
  detachedBelow: 'smpi/send-is-detached-thresh',
  sendCost: 'smpi/os',
  isendCost: 'smpi/ois',
  receiveCost: 'smpi/or',
  solver: 'network/optim',
};

const OF_PLAIN: readonly (keyof NetworkSettings)[] = [
  'latencyFactor',
  'bandwidthFactor',
  'window',
  'weightS',
  'crossTraffic',
  'testSleep',
  'sendCost',
  'isendCost',
  'receiveCost',
];
/**
 * Settings that each model name fixes: on SimGrid's command line the model is a set of these options, which override the
 * platform. `simgrid-smpi` is smpirun without options.
 */
const FIXED: Readonly<Record<NetworkModelName, readonly (keyof NetworkSettings)[]>> = {
  'simgrid-smpi': [],
  'simgrid-plain': OF_PLAIN,
  'simgrid-eager': [...OF_PLAIN, 'eagerBelow'],
  'simgrid-rendezvous': [...OF_PLAIN, 'detachedBelow'],
};

/**
 * Applies a platform's settings to a network model. Settings fixed by the model's name are not applied and give a
 * warning (PLAT050).
 *
 * @param forced settings that win over the model's name
 */
export function withSettings(
  model: NetworkModel,
  settings: NetworkSettings = {},
  nameOf: (key: keyof NetworkSettings) => string = (key) => `${SETTING_NAMES[key]} of the platform`,
  forced: readonly (keyof NetworkSettings)[] = [],
): { readonly model: NetworkModel; readonly warnings: readonly Problem[] } {
  const ofName = isOwnModel(model.name) ? [] : FIXED[model.name];
  const fixed = ofName.filter((key) => !forced.includes(key));
  const given = Object.keys(settings) as (keyof NetworkSettings)[];
  const applied = Object.fromEntries(
    given.filter((key) => !fixed.includes(key)).map((key) => [key, settings[key]]),
  ) as NetworkSettings;
  const warnings = given
    .filter((key) => fixed.includes(key) && settings[key] !== model[key])
    .map(
      (key): Problem => ({
        code: 'PLAT050',
        message: `${nameOf(key)} is not applied: network model ${model.name} fixes it`,
      }),
    );
  return { model: { ...model, ...applied }, warnings };
}
