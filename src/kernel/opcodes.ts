/** WebAssembly opcodes (_WebAssembly Core Specification 2.0_, §5.4). */
export const OP = {
  unreachable: 0x00,
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  else: 0x05,
  end: 0x0b,
  br: 0x0c,
  brIf: 0x0d,
  brTable: 0x0e,
  return: 0x0f,
  call: 0x10,
  drop: 0x1a,
  select: 0x1b,
  localGet: 0x20,
  localSet: 0x21,
  localTee: 0x22,
  globalGet: 0x23,
  globalSet: 0x24,
  intConst: 0x41,
  numConst: 0x44,
  intEqz: 0x45,
  intShl: 0x74,
  intAdd: 0x6a,
  intSub: 0x6b,
  intMul: 0x6c,
  intDiv: 0x6d,
  intLess: 0x48,
  intGreater: 0x4a,
  intClz: 0x67,
  intCtz: 0x68,
  intXor: 0x73,
  numFromInt: 0xb7,
  numEq: 0x61,
  numNe: 0x62,
  numLess: 0x63,
  numAbs: 0x99,
  numNeg: 0x9a,
  numTrunc: 0x9d,
  numAdd: 0xa0,
  numMin: 0xa4,
  numMax: 0xa5,
  longConst: 0x42,
  longOr: 0x84,
  longAdd: 0x7c,
  longMul: 0x7e,
  numOfLongInt: 0xb9,
  longShl: 0x86,
  longShr: 0x88,
  longFromInt: 0xad,
  intFromLong: 0xa7,
  longOfNum: 0xbd,
  numOfLong: 0xbf,
  /** Prefix; the second byte is 2 for saturating truncation, 10 for memory.copy, 11 for memory.fill. */
  more: 0xfc,
  /** Prefix of operations on shared memory; then opcode, alignment and offset. */
  atomic: 0xfe,
  atomicLoad: 0x10,
  atomicCompareExchange: 0x48,
} as const;

/** Types of blocks, locals and parameters: no value, and the value types. */
export const VOID = 0x40;
export const VALUES = { int: 0x7f, num: 0x7c, pair: 0x7b } as const;

/** Infix operators on ints and on nums. */
export const INT_INFIX: Readonly<Record<string, number>> = {
  '+': 0x6a,
  '-': 0x6b,
  '*': 0x6c,
  '%': 0x6f,
  '&': 0x71,
  '|': 0x72,
  '^': 0x73,
  '<<': 0x74,
  '>>': 0x75,
  '>>>': 0x76,
  '===': 0x46,
  '!==': 0x47,
  '<': 0x48,
  '>': 0x4a,
  '<=': 0x4c,
  '>=': 0x4e,
};
export const NUM_INFIX: Readonly<Record<string, number>> = {
  '+': 0xa0,
  '-': 0xa1,
  '*': 0xa2,
  '/': 0xa3,
  '===': 0x61,
  '!==': 0x62,
  '<': 0x63,
  '>': 0x64,
  '<=': 0x65,
  '>=': 0x66,
};

/**
 * Prefix of instructions on pairs, and infix operators: arithmetic per number, bit operations per bit. Comparisons set
 * all bits of a number or none.
 */
export const PAIR = 0xfd;
export const PAIR_INFIX: Readonly<Record<string, number>> = {
  '+': 0xf0,
  '-': 0xf1,
  '*': 0xf2,
  '/': 0xf3,
  '&': 0x4e,
  '|': 0x50,
  '^': 0x51,
  '<': 0x49,
  '>': 0x4a,
  '<=': 0x4b,
  '>=': 0x4c,
};
export const PAIR_OP = {
  const: 0x0c,
  both: 0x14,
  /** Shifts the bits of each of the two numbers. */
  shiftRight: 0xcd,
  select: 0x52,
  any: 0x53,
} as const;

/** Functions of one num that are single instructions. */
export const NUM_FUNCTIONS: Readonly<Record<string, number>> = {
  'Math.abs': 0x99,
  'Math.ceil': 0x9b,
  'Math.floor': 0x9c,
  'Math.trunc': 0x9d,
  'Math.sqrt': 0x9f,
};

/** Per element type: shift of an index, load and store opcodes. */
export const ELEMENTS = {
  ints: { shift: 2, load: 0x28, store: 0x36, align: 2 },
  nums: { shift: 3, load: 0x2b, store: 0x39, align: 3 },
  bytes: { shift: 0, load: 0x2d, store: 0x3a, align: 0 },
  /** Opcodes after the prefix of pairs; alignment as for a num. */
  pairs: { shift: 4, load: 0x00, store: 0x0b, align: 3 },
} as const;
