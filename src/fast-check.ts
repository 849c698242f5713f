/**
 * Arbitraries of nets, markings, firing sequences, programs and machines for property-based tests with fast-check:
 * `import { arbitraryNet, … } from 'foretoken/fast-check'`.
 */

export { type ArbitraryMachineOptions, arbitraryMachine } from './testing/arbitrary-machine.ts';
export {
  type ArbitraryMarkingOptions,
  arbitraryMarking,
  type InitialMarking,
  withMarking,
} from './testing/arbitrary-marking.ts';
export { type ArbitraryNetOptions, arbitraryNet, NET_FEATURES, type NetFeature } from './testing/arbitrary-net.ts';
export { type ArbitraryProgramOptions, arbitraryProgram, type RandomProgram } from './testing/arbitrary-program.ts';
export {
  type FiringSequence,
  type FiringSequenceOptions,
  fireSequence,
  firingSequence,
  playSequence,
  type SequenceMarking,
} from './testing/firing-sequence.ts';
export { FAULT_KINDS, type FaultKind, type PlantedFault } from './testing/planted-fault.ts';
export type { Operation, Operations } from './testing/program-operations.ts';
