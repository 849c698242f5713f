import { didYouMean } from '../../base/problem.ts';

/**
 * Effect on a prediction of a setting of `<config>` that is not part of the network model: `none`: no effect; `unused`:
 * SimGrid's SMPI does not use it either; `not applied`: SimGrid's times would change, and foretoken does not apply it.
 */
export type ConfigEffect =
  | { readonly kind: 'none' }
  | { readonly kind: 'unused' | 'not applied'; readonly why: string };

/** Collectives whose algorithm SimGrid 3.32 selects by `smpi/NAME`. */
const COLLECTIVES =
  'allgather allgatherv allreduce alltoall alltoallv barrier bcast gather reduce reduce_scatter scatter';

const ALGORITHMS = 'these algorithms are not modelled, and collectives use those of --collectives';
const SHARING = 'bandwidth is shared max-min without limits, as with its default';
const CONSTANT = 'hosts have a constant speed';
const COSTS = 'calls of the library cost no time';

/** Settings by name: the values that change nothing, and the reason why others are not applied. */
type Settings = Readonly<Record<string, readonly [isDefault: (value: string) => boolean, why: string]>>;

/** Settings that change SimGrid's times. */
const CHANGING: Settings = {
  __proto__: null as never,
  'smpi/coll-selector': [is('default'), ALGORITHMS],
  ...Object.fromEntries(COLLECTIVES.split(' ').map((name) => [`smpi/${name}`, [is('', 'default'), ALGORITHMS]])),
  'smpi/init': [isZero, COSTS],
  'smpi/finalization-barrier': [isOff, 'ranks end without a barrier'],
  'smpi/simulate-computation': [(value) => !isOff(value), 'computations take time'],
  'smpi/comp-adjustment-file': [is(''), 'computations are not adjusted'],
  'host/model': [is('default', 'compound'), 'computations and messages do not share one model'],
  'cpu/model': [is('Cas01'), CONSTANT],
  'cpu/solver': [is('maxmin'), SHARING],
  'network/solver': [is('maxmin'), SHARING],
  'maxmin/concurrency-limit': [(value) => Number(value) <= 0, SHARING],
  'maxmin/precision': [(value) => Number(value) === 1e-5, SHARING],
  plugin: [is('', 'host_energy', 'link_energy', 'link_energy_wifi', 'host_load', 'link_load'), 'plugins are not run'],
  'plugin/dvfs/governor': [is('performance'), CONSTANT],
  'plugin/dvfs/max-pstate': [isZero, CONSTANT],
  'plugin/dvfs/min-pstate': [isZero, CONSTANT],
};

/** Settings that SimGrid's SMPI does not use, or that smpirun sets itself. */
const UNUSED: Settings = {
  __proto__: null as never,
  'network/model': [is('SMPI'), 'smpirun sets the network model; select one with --network-model'],
  'network/latency-factor': [never, "SimGrid's SMPI model does not use it; it uses smpi/lat-factor"],
  'network/bandwidth-factor': [never, "SimGrid's SMPI model does not use it; it uses smpi/bw-factor"],
};

/**
 * Settings of SimGrid 3.32 that do not change its times: of contexts, output, tracing and debugging; of programs that are
 * executed rather than replayed (measured computations, calls that traces do not contain); of models that are not selected;
 * and `surf/precision`, which smpirun sets. Found by replaying a trace with each of them.
 */
const HARMLESS =
  /^(?:bmf|cmonkey|contexts|debug|exception|model-check|ns3|tracing)\/|^(?:help-nostop|path|tracing|disk\/model|disk\/solver|host\/solver|surf\/precision|cpu\/optim|(?:cpu|network)\/maxmin-selective-update|plugin\/dvfs\/sampling-rate)$|^smpi\/(?:IB-penalty-factors|auto-shared-malloc-thresh|cpu-threshold|display-allocs|display-timing|errors-are-fatal|grow-injected-times|host-speed|hostfile|iprobe|iprobe-cpu-usage|keep-temps|list-leaks|map|np|pedantic|privatization|privatize-libs|replay|shared-malloc|shared-malloc-blocksize|shared-malloc-hugepage|tmpdir|trace-call-location|trace-call-use-absolute-path|wtime)$/;

/**
 * The operation whose algorithm a setting selects, as SimGrid names it; empty for the selector of all operations, undefined
 * for other settings.
 */
export function collectiveOperation(name: string): string | undefined {
  if (name === 'smpi/coll-selector') return '';
  const operation = name.replace(/^smpi\//, '');
  return operation !== name && COLLECTIVES.split(' ').includes(operation) ? operation : undefined;
}

/** True for settings of SimGrid 3.32 that are not part of the network model. */
export const isKnownSetting = (name: string): boolean => name in CHANGING || name in UNUSED || HARMLESS.test(name);

/** Names of settings, as suggestions. */
export const configNames = (): readonly string[] => [...Object.keys(CHANGING), ...Object.keys(UNUSED)];

/** @param known names of the settings that are applied, as suggestions for unknown names */
export function configEffect(name: string, value: string, known: readonly string[]): ConfigEffect {
  const given = value.trim();
  const changing = CHANGING[name];
  if (changing !== undefined) return changing[0](given) ? { kind: 'none' } : { kind: 'not applied', why: changing[1] };
  const unused = UNUSED[name];
  if (unused !== undefined) return unused[0](given) ? { kind: 'none' } : { kind: 'unused', why: unused[1] };
  if (HARMLESS.test(name)) return { kind: 'none' };
  const near = didYouMean(name, [...known, ...Object.keys(CHANGING)]);
  return { kind: 'not applied', why: `SimGrid 3.32 has no setting of this name.${near}` };
}

function is(...values: readonly string[]): (value: string) => boolean {
  return (value) => values.includes(value);
}

function isOff(value: string): boolean {
  return ['no', 'off', 'false', '0'].includes(value);
}

function isZero(value: string): boolean {
  return Number(value) === 0;
}

function never(): boolean {
  return false;
}
