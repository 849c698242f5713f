import type { Problem } from '../base/problem.ts';
import type { NetworkModel, NetworkModelName, Steps } from './network-model.ts';

/** What a platform says of the network model: SimGrid's `<config>`. Members that it does not set are absent. */
export interface NetworkSettings {
  readonly latencyFactor?: Steps;
  readonly bandwidthFactor?: Steps;
  readonly window?: number;
  readonly weightS?: number;
  readonly crossTraffic?: number;
  readonly testSleep?: number;
  readonly eagerBelow?: number;
  readonly detachedBelow?: number;
}

/** SimGrid 3.32's name of each setting. */
export const SETTING_NAMES: Readonly<Record<keyof NetworkSettings, string>> = {
  latencyFactor: 'smpi/lat-factor',
  bandwidthFactor: 'smpi/bw-factor',
  window: 'network/TCP-gamma',
  weightS: 'network/weight-S',
  crossTraffic: 'network/crosstraffic',
  testSleep: 'smpi/test',
  eagerBelow: 'smpi/async-small-thresh',
  detachedBelow: 'smpi/send-is-detached-thresh',
};

const OF_PLAIN: readonly (keyof NetworkSettings)[] = [
  'latencyFactor',
  'bandwidthFactor',
  'window',
  'weightS',
  'crossTraffic',
  'testSleep',
];
/**
 * What each model's name stands for on SimGrid's command line, which overrides the platform: `simgrid-smpi` is what
 * smpirun does without options.
 */
const FIXED: Readonly<Record<NetworkModelName, readonly (keyof NetworkSettings)[]>> = {
  'simgrid-smpi': [],
  'simgrid-plain': OF_PLAIN,
  'simgrid-eager': [...OF_PLAIN, 'eagerBelow'],
  'simgrid-rendezvous': [...OF_PLAIN, 'detachedBelow'],
};

/** A platform's settings on top of a network model; what the model's name fixes stays, with a warning (PLAT050). */
export function withSettings(
  model: NetworkModel,
  settings: NetworkSettings = {},
): { readonly model: NetworkModel; readonly warnings: readonly Problem[] } {
  const fixed: readonly (keyof NetworkSettings)[] = model.name === 'foretoken' ? [] : FIXED[model.name];
  const given = Object.keys(settings) as (keyof NetworkSettings)[];
  const applied = Object.fromEntries(
    given.filter((key) => !fixed.includes(key)).map((key) => [key, settings[key]]),
  ) as NetworkSettings;
  const warnings = given
    .filter((key) => fixed.includes(key) && settings[key] !== model[key])
    .map((key) => ({
      code: 'PLAT050',
      message: `${SETTING_NAMES[key]} of the platform is not applied: network model ${model.name} fixes it`,
    }));
  return { model: { ...model, ...applied }, warnings };
}
