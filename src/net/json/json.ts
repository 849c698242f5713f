export type { NetDocument } from './json-format.ts';
export { type NetJsonLimits, netFromJson } from './json-read.ts';
export { netToJson } from './json-write.ts';
