export { ranges } from '../base/ranges.ts';
