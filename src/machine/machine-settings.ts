import type { CallPiece, FactorPiece, Machine, MachineCalls } from './machine.ts';
import type { CallCost, Steps } from './network-model.ts';
import type { NetworkSettings } from './network-settings.ts';

/** Path of each setting in a machine file. */
const MEMBERS = {
  latencyFactor: 'latencyFactor',
  bandwidthFactor: 'bandwidthFactor',
  sendCost: 'callTimes.send',
  isendCost: 'callTimes.isend',
  receiveCost: 'callTimes.receive',
} as const;
type OfMachine = keyof typeof MEMBERS;

/** The name of a setting of the network model in a machine file; undefined if machine files do not have it. */
export function machineSetting(key: keyof NetworkSettings): string | undefined {
  return Object.hasOwn(MEMBERS, key) ? MEMBERS[key as OfMachine] : undefined;
}

/** The settings of the network model that a machine gives. */
export function machineSettings({ latencyFactor, bandwidthFactor, callTimes = {} }: Machine): NetworkSettings {
  const { send, isend, receive } = callTimes;
  return {
    ...(latencyFactor === undefined ? {} : { latencyFactor: stepsOf(latencyFactor) }),
    ...(bandwidthFactor === undefined ? {} : { bandwidthFactor: stepsOf(bandwidthFactor) }),
    ...(send === undefined ? {} : { sendCost: costOf(send) }),
    ...(isend === undefined ? {} : { isendCost: costOf(isend) }),
    ...(receive === undefined ? {} : { receiveCost: costOf(receive) }),
  };
}

/** The parts of a machine that give these settings; undefined if one cannot be written: a cost that differs below its first threshold. */
export function settingsOfMachine(
  settings: NetworkSettings,
): Pick<Machine, 'latencyFactor' | 'bandwidthFactor' | 'callTimes'> | undefined {
  const { latencyFactor, bandwidthFactor } = settings;
  const calls: { -readonly [K in keyof MachineCalls]: MachineCalls[K] } = {};
  for (const [member, cost] of [
    ['send', settings.sendCost],
    ['isend', settings.isendCost],
    ['receive', settings.receiveCost],
  ] as const) {
    if (cost === undefined) continue;
    if (cost.seconds[0] !== cost.seconds[1] || cost.perByte[0] !== cost.perByte[1]) return undefined;
    calls[member] = cost.above
      .map((above, k) => ({ above, time: cost.seconds[k]!, perByte: cost.perByte[k]! }))
      .slice(1);
  }
  return {
    ...(latencyFactor === undefined ? {} : { latencyFactor: piecesOf(latencyFactor) }),
    ...(bandwidthFactor === undefined ? {} : { bandwidthFactor: piecesOf(bandwidthFactor) }),
    ...(Object.keys(calls).length === 0 ? {} : { callTimes: calls }),
  };
}

/** Sizes are integers, so that those above 10.5 are those above 10. */
function stepsOf(pieces: readonly FactorPiece[]): Steps {
  return { above: pieces.map(({ above }) => Math.floor(above)), values: pieces.map(({ factor }) => factor) };
}

function piecesOf({ above, values }: Steps): FactorPiece[] {
  return above.map((one, k) => ({ above: one, factor: values[k]! }));
}

/** The first piece also holds up to its threshold. */
function costOf(pieces: readonly CallPiece[]): CallCost {
  const all = [{ ...pieces[0]!, above: -1 }, ...pieces];
  return {
    above: all.map(({ above }) => Math.floor(above)),
    seconds: all.map(({ time }) => time),
    perByte: all.map(({ perByte = 0 }) => perByte),
  };
}
