import { MAX_NORMAL_CV, type Noise } from '../base/noise.ts';
import type { MemoryAccess, Overhead } from './machine.ts';
import { amount, fraction, object, optional, required, type Shape } from './shape.ts';
import { kinds, oneOf, word } from './word-shapes.ts';

/*
 * Shapes of the parts of a machine that make a core spend time on anything but arithmetic: memory, messages, the
 * operating system.
 */

/** Shape of the option for the order of arithmetic and memory access. */
export const memoryAccess: Shape<MemoryAccess> = oneOf<MemoryAccess>(
  ['after', 'overlapped'],
  'Whether a computation moves its bytes after its arithmetic (default) or overlaps both.',
);

/** Overhead as given in the input; `perByte` is optional. */
export type WrittenOverhead = Pick<Overhead, 'send' | 'receive'> & Partial<Overhead>;

/** Shape of message overhead. */
export const overhead: Shape<WrittenOverhead> = object(
  'overhead',
  {
    send: required(amount('time', 'zero', 'For each message sent.')),
    receive: required(amount('time', 'zero', 'For each message received.')),
    perByte: optional(amount('time', 'zero', 'For each byte of a message, on both sides: s/B, "0.1ns"; default 0.')),
  },
  { description: "Time that a rank's core spends on a message (o of LogGP, O of LogGOPS); default: none." },
);

/** Maximum coefficient of variation of lognormal noise. Above it, hardly any sample is near the mean. */
const MAX_CV = 10;
/** Shape of operating-system noise. */
export const noise: Shape<Noise> = kinds<Noise>(
  'the noise',
  {
    lognormal: object('lognormal noise', {
      kind: required(word('lognormal')),
      cv: required(fraction(MAX_CV, 'Standard deviation of the factor; its mean is 1.')),
    }),
    exponential: object('exponential noise', { kind: required(word('exponential')) }),
    uniform: object('uniform noise', {
      kind: required(word('uniform')),
      spread: required(fraction(1, 'The factor lies between 1 - spread and 1 + spread.')),
    }),
    normal: object('normal noise', {
      kind: required(word('normal')),
      cv: required(fraction(MAX_NORMAL_CV, 'Standard deviation of the factor; larger ones need lognormal.')),
    }),
  },
  ['exponential'],
  'Noise of the operating system: a random factor of mean 1 on every computation; default: none.',
);
