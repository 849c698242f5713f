/**
 * Arbitraries for property-based tests with fast-check: `import { arbitraryNet, … } from 'foretoken/fast-check'`.
 */

export { type ArbitraryNetOptions, arbitraryNet, NET_FEATURES, type NetFeature } from './testing/arbitrary-net.ts';
