import { ROWS } from './grammar.ts';

const SLOTS = 256;
const rowOf = new Int32Array(SLOTS).fill(-1);
const spelling: readonly Buffer[] = ROWS.map((row) => Buffer.from(row.name));

/** One step of the hash of an action's name; start with 0 and apply it to every byte. */
export function hashByte(hash: number, byte: number): number {
  return (Math.imul(hash, 31) + byte) | 0;
}

ROWS.forEach((_, row) => {
  let at = spelling[row]!.reduce(hashByte, 0);
  while (rowOf[at & (SLOTS - 1)] !== -1) at++;
  rowOf[at & (SLOTS - 1)] = row;
});

/** The row of the action named by `bytes[from … to − 1]`, whose {@link hashByte} hash is `hash`; −1 if unknown. */
export function findRow(hash: number, bytes: Uint8Array, from: number, to: number): number {
  for (let at = hash; ; at++) {
    const row = rowOf[at & (SLOTS - 1)]!;
    if (row < 0) return -1;
    const name = spelling[row]!;
    if (name.length !== to - from) continue;
    let i = 0;
    while (i < name.length && name[i] === bytes[from + i]) i++;
    if (i === name.length) return row;
  }
}
